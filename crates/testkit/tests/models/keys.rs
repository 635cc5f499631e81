//! Keys: where they come from, and where they never go. And trying what is configured.

use llm::FallbackReason;
use policy::Policy;
use testkit::model_server::{Line, ModelServer};

use crate::briefs;
use crate::house::{self, KEY, MANNERS, Settings};

#[test]
fn a_key_that_is_not_there_is_named() {
    let servers = [("near", "http://127.0.0.1:1/v1".to_owned())];
    let policy = house::policy(&Settings::of(&servers));
    let fault = house::open(&policy, &|_| None).unwrap_err().to_string();
    assert_eq!(fault, "models.toml: `endpoints.near.api_key`: the environment variable `KEY` is not set");
    let fault = house::open(&policy, &|_| Some(" ".to_owned())).unwrap_err().to_string();
    assert_eq!(fault, "models.toml: `endpoints.near.api_key`: the key is empty");
}

#[test]
fn no_key_is_needed_where_none_is_configured() {
    assert!(house::open(&Policy::shipped().unwrap(), &|_| None).is_ok());
}

#[tokio::test]
async fn a_key_goes_to_its_endpoint_and_nowhere_else() {
    for (manner, header) in [(MANNERS[0], format!("Bearer {KEY}")), (MANNERS[3], KEY.to_owned())] {
        let server = ModelServer::start([Line::Say(briefs::good("judge"))]);
        let servers = [("only", server.base_url())];
        let portfolio = house::portfolio(&Settings { manner, ..Settings::of(&servers) });
        let session = portfolio.session(None);
        let said = briefs::said("judge", &session).await;
        let asked = server.asked();
        assert_eq!(asked[0].key.as_ref(), Some(&header));
        let reports = llm::Model::take_reports(&session);
        for text in [said, format!("{portfolio:?}"), format!("{reports:?}"), asked[0].body.to_string()] {
            assert!(!text.contains(KEY), "{text}");
        }
    }
}

#[tokio::test]
async fn every_configured_model_is_tried() {
    let well = ModelServer::start([Line::Say(r#"{"summary": "-", "left_out": ""}"#.to_owned())]);
    let refuses = ModelServer::start([Line::Refuse { status: 401, retry_after: None }]);
    let gone = "http://127.0.0.1:9/v1".to_owned();
    let servers = [("a_well", well.base_url()), ("b_refuses", refuses.base_url()), ("c_gone", gone)];
    let checks = house::portfolio(&Settings::of(&servers)).check().await;
    let told: Vec<_> = checks.iter().map(|check| (check.model.as_str(), check.fault.clone())).collect();
    assert_eq!(told[..2], [("a_well", None), ("b_refuses", Some(FallbackReason::Rejected(401)))]);
    assert!(matches!(told[2], ("c_gone", Some(FallbackReason::Unreachable(_)))), "{told:?}");
    assert_eq!(checks[0].effective_model.as_deref(), Some("scripted-1"));
    assert_eq!(checks[0].usage.cost.to_string(), "0.000120");
}

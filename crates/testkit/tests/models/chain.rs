//! Several models, several requests, and an endpoint that is left alone.

use futures::future::join_all;
use llm::{FallbackReason, Model, PlanReply, RefusedProgram};
use policy::ModelStage;
use testkit::model_server::{Line, ModelServer};

use crate::briefs;
use crate::house::{self, Settings};

fn refuses() -> Line {
    Line::Refuse { status: 500, retry_after: None }
}

fn good(stage: &str) -> Line {
    Line::Say(briefs::good(stage))
}

#[tokio::test]
async fn the_next_model_answers_where_the_first_cannot() {
    let (first, second) = (ModelServer::start([refuses()]), ModelServer::start([good("judge")]));
    let servers = [("first", first.base_url()), ("second", second.base_url())];
    let portfolio = house::portfolio(&Settings::of(&servers));
    let session = portfolio.session(None);
    let said = briefs::said("judge", &session).await;
    assert!(said.contains(briefs::mark_of_good("judge")), "{said}");
    let report = &session.take_reports()[0];
    assert_eq!((report.first.as_str(), report.answered_by.as_str()), ("first", "second"));
    assert_eq!(report.fallback, Some(FallbackReason::ServerError(500)));
    assert_eq!((first.asked().len(), second.asked().len()), (2, 1));
}

#[tokio::test]
async fn an_endpoint_that_fails_is_left_alone() {
    let server = ModelServer::start([refuses()]);
    let servers = [("only", server.base_url())];
    let portfolio = house::portfolio(&Settings { failures_max: 2, ..Settings::of(&servers) });
    let (one, two) = (portfolio.session(None), portfolio.session(None));
    let expected = briefs::embedded("plan").await;
    assert_eq!(briefs::said("plan", &one).await, expected);
    assert_eq!(briefs::said("plan", &two).await, expected);
    assert_eq!(server.asked().len(), 2, "the second request was kept back");
    let report = &two.take_reports()[0];
    assert_eq!(report.fallback, Some(FallbackReason::CircuitOpen));
    assert_eq!(report.usage(), llm::Usage::default());
}

#[tokio::test]
async fn a_slow_model_is_overtaken_where_the_policy_hedges() {
    let (first, second) = (ModelServer::start([Line::Hang]), ModelServer::start([good("judge")]));
    let servers = [("first", first.base_url()), ("second", second.base_url())];
    let portfolio = house::portfolio(&Settings { hedge_ms: Some(50), ..Settings::of(&servers) });
    let session = portfolio.session(None);
    let said = briefs::said("judge", &session).await;
    assert!(said.contains(briefs::mark_of_good("judge")), "{said}");
    let report = &session.take_reports()[0];
    assert_eq!((report.answered_by.as_str(), &report.fallback), ("second", &Some(FallbackReason::GivenUp)));
    assert!(report.attempts[0].usage.is_estimated, "what was asked of the first may be charged");
    let is_as_recorded = |elapsed: std::time::Duration| elapsed.subsec_nanos().is_multiple_of(1_000);
    assert!(report.attempts.iter().all(|attempt| is_as_recorded(attempt.elapsed)), "{report:?}");
}

#[tokio::test]
async fn the_caller_chooses_the_answers_model_and_no_other() {
    let (first, second) = (ModelServer::start([good("judge")]), ModelServer::start([good("synthesize")]));
    let servers = [("first", first.base_url()), ("second", second.base_url())];
    let portfolio = house::portfolio(&Settings::of(&servers));
    let session = portfolio.session(Some("second"));
    briefs::said("judge", &session).await;
    briefs::said("synthesize", &session).await;
    let reports = session.take_reports();
    assert_eq!((reports[0].stage, reports[0].answered_by.as_str()), (ModelStage::Judge, "first"));
    assert_eq!((reports[1].stage, reports[1].answered_by.as_str()), (ModelStage::Synthesize, "second"));
    assert_eq!((reports[0].named.as_deref(), reports[1].named.as_deref()), (None, Some("second")));
    assert_eq!((first.asked().len(), second.asked().len()), (1, 1));
}

#[tokio::test]
async fn no_request_is_lost_under_every_fault_at_once() {
    let faults = [
        good("synthesize"),
        refuses(),
        Line::Break(briefs::good("synthesize")),
        Line::Garble,
        Line::Decline,
        Line::Refuse { status: 429, retry_after: Some("0".to_owned()) },
        Line::Repeat(briefs::good("synthesize")),
        Line::Obey,
    ];
    let server = ModelServer::start(faults.into_iter().cycle().take(96));
    let servers = [("only", server.base_url())];
    let portfolio = house::portfolio(&Settings::of(&servers));
    let sessions: Vec<_> = (0..48).map(|_| portfolio.session(None)).collect();
    let fallback = briefs::embedded("synthesize").await;
    let answers = join_all(sessions.iter().map(|session| briefs::said("synthesize", session))).await;
    for (answer, session) in answers.iter().zip(&sessions) {
        let report = &session.take_reports()[0];
        match report.answered_by.as_str() {
            "embedded" => assert!(*answer == fallback && report.fallback.is_some(), "{report:?}"),
            _ => assert!(answer.contains(briefs::mark_of_good("synthesize")), "{answer}"),
        }
    }
}

#[tokio::test]
async fn what_nobody_waits_for_is_told_all_the_same() {
    let server = ModelServer::start([Line::Hang]);
    let servers = [("only", server.base_url())];
    let portfolio = house::portfolio(&Settings::of(&servers));
    let session = portfolio.session(None);
    let patience = std::time::Duration::from_millis(200);
    assert!(tokio::time::timeout(patience, briefs::said("plan", &session)).await.is_err());
    let report = &session.take_reports()[0];
    assert_eq!(report.attempts[0].fault, Some(FallbackReason::GivenUp));
    assert!(report.usage().input_tokens > 100 && report.usage().is_estimated, "{report:?}");
}

#[tokio::test]
async fn a_refused_program_is_planned_again() {
    let server = ModelServer::start([good("plan")]);
    let servers = [("only", server.base_url())];
    let portfolio = house::portfolio(&Settings::of(&servers));
    let session = portfolio.session(None);
    let refused = RefusedProgram {
        source: "call_tool(\"flows.net_flow\", #{assets: \"BTC\"})".to_owned(),
        notes: vec!["line 1, column 28: there is no argument `assets`; nearest: `asset`".to_owned()],
        has_run: false,
    };
    let reply = session.replan(&briefs::planned(), &refused).await;
    assert!(matches!(reply, Some(PlanReply::Program(_))), "{reply:?}");
    let told = server.asked()[0].body["messages"][1]["content"].as_str().unwrap().to_owned();
    assert!(told.contains("there is no argument `assets`") && told.contains("  1 call_tool("), "{told}");

    // A model that gives the same program again is no help: the embedded planner takes over.
    let PlanReply::Program(text) = reply.unwrap() else { return };
    let same = RefusedProgram { source: text.source, ..refused };
    let reply = session.replan(&briefs::planned(), &same).await.unwrap();
    assert_eq!(format!("{reply:?}"), briefs::embedded("plan").await);
    assert_eq!(session.take_reports()[1].fallback.as_ref().map(FallbackReason::word), Some("unusable"));
}

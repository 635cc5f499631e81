//! Whole queries over hosted models: a request is answered in its own time, whatever its models do.

use engine::Outcome;
use testkit::House;
use testkit::model_server::{Line, ModelServer};
use trace::Event;

use crate::house::{self, Settings};

const QUESTION: &str = "Convert 10 EUR to USD.";

#[tokio::test(flavor = "multi_thread")]
async fn a_request_whose_models_hang_is_answered_by_the_rules_in_its_time() {
    let server = ModelServer::start([Line::Hang]);
    let servers = [("silent", server.base_url())];
    let mut policy = house::policy(&Settings::of(&servers));
    policy.budgets.deadline_ms_max = 6_000;
    policy.budgets.answer_reserve_ms = 500;
    let now = "2026-06-01T12:00:00Z".parse().unwrap();
    let house = House::under(policy, now, Vec::new()).await;

    let settled = house.ask(QUESTION, Vec::new(), &house.run(QUESTION)).await;
    let Ok(Outcome::Answer(answer)) = &settled.ending else { panic!("{:?}", settled.ending) };
    assert!(answer.text.contains("USD"), "{}", answer.text);
    let reports = settled.events.iter().filter_map(|stamped| {
        let Event::ModelAsked(report) = &stamped.event else { return None };
        let reason = report.fallback.as_ref().map(llm::FallbackReason::word);
        Some((report.stage.word(), report.answered_by.as_str(), reason))
    });
    assert_eq!(
        reports.collect::<Vec<_>>(),
        [
            ("plan", "embedded", Some("given_up")),
            ("complete", "embedded", Some("given_up")),
            ("synthesize", "embedded", Some("given_up"))
        ]
    );
    assert!(settled.spent.model_cost() > domain::Usd::ZERO, "what was sent may have been worked on");
}

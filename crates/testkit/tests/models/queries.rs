//! Whole queries over hosted models: a request is answered in its own time, whatever its models do.

use std::sync::{Arc, Mutex};

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

    let settled = house.ask(QUESTION, Vec::new()).await;
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

/// A question, asked while every model does the same thing wrong: it is answered as by the rules alone, and each stage says
/// what was wrong with its model.
async fn faulty(manner: (&str, &str), attempt_timeout_ms: u64, faults: &[(Line, &[&str])]) {
    let line = Arc::new(Mutex::new(Line::Hang));
    let said = Arc::clone(&line);
    let server = ModelServer::directed(move |_| said.lock().unwrap().clone());
    let servers = [("faulty", server.base_url())];
    let settings = Settings { manner, attempt_timeout_ms, ..Settings::of(&servers) };
    let now = "2026-06-01T12:00:00Z".parse().unwrap();
    let house = House::under(house::policy(&settings), now, Vec::new()).await;
    let by_rules = House::build(now, Vec::new()).await;
    let settled = by_rules.ask(QUESTION, Vec::new()).await;
    let Ok(Outcome::Answer(expected)) = &settled.ending else { panic!("{:?}", settled.ending) };
    for (fault, words) in faults {
        line.lock().unwrap().clone_from(fault);
        let what = format!("{manner:?}, {fault:?}");
        let settled = house.ask(QUESTION, Vec::new()).await;
        let Ok(Outcome::Answer(answer)) = &settled.ending else { panic!("{what}: {:?}", settled.ending) };
        assert_eq!(answer.text, expected.text, "{what}");
        let mut stages = Vec::new();
        for stamped in settled.events.iter() {
            let Event::ModelAsked(report) = &stamped.event else { continue };
            let reason = report.fallback.as_ref().map(llm::FallbackReason::word);
            assert!(reason.is_some_and(|word| words.contains(&word)), "{what}, {}: {reason:?}", report.stage);
            assert_eq!(report.answered_by, "embedded", "{what}");
            stages.push(report.stage.word());
        }
        assert_eq!(stages, ["plan", "complete", "synthesize"], "{what}");
    }
}

const DIALECTS: [(&str, &str); 2] = [("openai", "schema"), ("anthropic", "tool")];

#[tokio::test(flavor = "multi_thread")]
async fn every_fault_of_a_model_leaves_an_answer_and_its_reason() {
    let long =
        "It goes on and on, whoever listens, and says nothing of the question that was asked. ".repeat(3);
    let limited = || Line::Refuse { status: 429, retry_after: Some("0".to_owned()) };
    let faults: Vec<(Line, &[&str])> = vec![
        (limited(), &["rate_limited"]),
        (Line::Refuse { status: 429, retry_after: Some("3600".to_owned()) }, &["rate_limited"]),
        (Line::Refuse { status: 500, retry_after: None }, &["server_error"]),
        (Line::Break(long.clone()), &["truncated", "unreachable"]),
        (Line::Garble, &["garbled"]),
        (Line::Decline, &["declined"]),
        (Line::Exhaust(long.clone()), &["too_long"]),
        (Line::Repeat(long), &["too_long"]),
        (Line::Say(String::new()), &["empty", "garbled", "breaks_schema"]),
    ];
    for manner in DIALECTS {
        Box::pin(faulty(manner, 20_000, &faults)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_is_too_slow_leaves_an_answer_and_its_reason() {
    let drip = Line::Drip("It comes a letter at a time.".repeat(20));
    let faults: Vec<(Line, &[&str])> = vec![(Line::Hang, &["timed_out"]), (drip, &["timed_out"])];
    let [one, other] = DIALECTS;
    tokio::join!(faulty(one, 1_500, &faults), faulty(other, 1_500, &faults));
}

//! What a request may spend: a bound that is reached is told by its name, and what was found is still answered.

use std::sync::Arc;

use domain::{Call, Reply};
use engine::{Completion, Outcome, Settled};
use futures::FutureExt;
use futures::future::{BoxFuture, pending};
use mcp::Tools;
use testkit::House;

const FAN_OUT: &str = "Which exchanges saw the largest BTC inflows in the last 24 hours?";

async fn house() -> House {
    House::build("2026-06-01T12:00:00Z".parse().expect("a time"), Vec::new()).await
}

async fn ask(house: &House, question: &str) -> Settled {
    house.ask(question, Vec::new()).await
}

fn with_budgets(house: &mut House, lines: &[(&str, &str)]) {
    let folder = tempfile::tempdir().expect("a folder");
    let shipped = include_str!("../../../policies/budgets.toml");
    let changed = shipped.lines().map(|line| {
        let own = lines.iter().find(|(key, _)| line.starts_with(&format!("{key} = ")));
        own.map_or_else(|| line.to_owned(), |(key, value)| format!("{key} = {value}"))
    });
    std::fs::write(folder.path().join("budgets.toml"), changed.collect::<Vec<_>>().join("\n"))
        .expect("a file");
    house.policy = Arc::new(policy::Policy::load(folder.path()).expect("sound policies"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_could_cost_too_much_is_not_begun() {
    let mut house = house().await;
    with_budgets(&mut house, &[("spend_usd_max", "\"0.0001\"")]);
    let settled = ask(&house, FAN_OUT).await;
    let Ok(Outcome::Miss(miss)) = &settled.ending else { unreachable!("{:?}", settled.ending) };
    assert!(
        miss.message().contains("passed verification") && miss.message().contains("0.000100"),
        "{}",
        miss.message()
    );
    assert!(settled.spent.calls.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn results_over_the_bound_leave_a_bounded_answer() {
    let mut house = house().await;
    with_budgets(&mut house, &[("result_bytes_max", "1"), ("calls_in_flight_max", "1")]);
    let settled = ask(&house, FAN_OUT).await;
    let Ok(Outcome::Answer(answer)) = &settled.ending else { unreachable!("{:?}", settled.ending) };
    assert_eq!(answer.completion, Completion::BoundedByBudget);
    assert!(answer.evidence.known_unknowns.iter().any(|it| it.contains("`result_bytes_max`")), "{answer:?}");
    assert_eq!(settled.spent.calls.iter().filter(|call| call.delivered).count(), 1);
}

/// Methods that never answer.
struct Silent;

impl Tools for Silent {
    fn call<'a>(&'a self, _: &'a Call) -> BoxFuture<'a, Reply> {
        pending().boxed()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_whose_time_is_over_says_so_by_name() {
    let mut house = house().await;
    // Whether it is over before the first call is made or after, every call is given up.
    for deadline_ms in ["1001", "1300"] {
        with_budgets(&mut house, &[("deadline_ms_max", deadline_ms), ("answer_reserve_ms", "1000")]);
        let settled = house.ask_through(FAN_OUT, &Silent).await;
        let told = match &settled.ending {
            Err(failure) => failure.to_string(),
            Ok(Outcome::Miss(miss)) => miss.message().to_owned(),
            Ok(Outcome::Answer(answer)) => answer.evidence.known_unknowns.join(" "),
            Ok(other) => unreachable!("{other:?}"),
        };
        assert!(told.contains("`deadline_ms_max`"), "{told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_model_that_is_not_here_is_disclosed() {
    let house = house().await;
    let settled = house.ask_of_model(FAN_OUT, "no-such-model").await;
    let Ok(Outcome::Answer(answer)) = &settled.ending else { unreachable!("{:?}", settled.ending) };
    assert!(answer.evidence.assumptions.iter().any(|it| it.contains("`no-such-model`")), "{answer:?}");
}

//! Faults of an upstream, over the real transport: the question ends in an honest miss that says what happened, and a
//! neighbour's question is not slowed.

use std::time::Duration;

use engine::{Outcome, Settled};
use mcp::{Transport, Upstream};
use testkit::House;
use testkit::misbehaving::Http;

/// How long a call may take that is known never to be answered.
const SHORT: Duration = Duration::from_millis(300);

/// Longer than any test runs.
const LONG: Duration = Duration::from_mins(10);

async fn house_with(trouble: &Http, patience: Duration) -> House {
    let transport = Transport::Http { url: trouble.url().parse().expect("a URL"), headers: Vec::new() };
    let upstream = Upstream { call_timeout: Some(patience), ..Upstream::new("Trouble", transport) };
    House::build("2026-06-01T12:00:00Z".parse().expect("a time"), vec![upstream]).await
}

async fn ask(house: &House, question: &str, listing: &str) -> Settled {
    house.ask(question, vec![house.listing(listing)]).await
}

fn missed(settled: &Settled) -> String {
    let Ok(Outcome::Miss(miss)) = &settled.ending else { return format!("no miss: {:?}", settled.ending) };
    format!("{} {}", miss.message(), miss.missing().join(" "))
}

#[tokio::test(flavor = "multi_thread")]
async fn each_fault_ends_in_a_miss_that_says_what_happened() {
    let trouble = Http::start(&[]);
    let house = house_with(&trouble, SHORT).await;
    for (question, fault) in [
        ("Answers with broken JSON", "invalid_json"),
        ("Answers with a result that its output schema forbids", "breaks_schema"),
        ("Answers with ten megabytes", "big"),
        ("Never answers", "hang"),
        ("Answers that it wants a signature", "needs_signature"),
        ("Answers that it failed, at length", "is_error"),
        ("Ends the server mid-call", "die"),
    ] {
        let said = missed(&ask(&house, question, "Trouble").await);
        assert!(said.contains(&format!("`{fault}` of Trouble failed")), "{question}: {said}");
        assert!(said.contains("selected_tools_unreachable_or_failing:Trouble"), "{question}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn failed_calls_are_settled_and_not_charged() {
    let trouble = Http::start(&[]);
    let house = house_with(&trouble, SHORT).await;
    let settled = ask(&house, "Answers that it failed, at length", "Trouble").await;
    assert!(!settled.spent.calls.is_empty());
    assert_eq!(settled.spent.tool_cost(), domain::Usd::ZERO);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_notifications_is_survived() {
    let trouble = Http::start(&[]);
    let house = house_with(&trouble, LONG).await;
    let settled = ask(&house, "Sends thousands of notifications, then answers", "Trouble").await;
    assert!(matches!(settled.ending, Ok(Outcome::Answer(_))), "{:?}", settled.ending);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hanging_upstream_does_not_slow_its_neighbour() {
    let trouble = Http::start(&[]);
    let house = house_with(&trouble, LONG).await;
    tokio::select! {
        biased;
        settled = ask(&house, "Never answers", "Trouble") => panic!("it answered: {settled:?}"),
        settled = ask(&house, "What is the current weather in Tokyo?", "Weather and Time") => {
            assert!(matches!(settled.ending, Ok(Outcome::Answer(_))), "{:?}", settled.ending);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upstream_that_cannot_be_reached_is_named() {
    let mut trouble = Http::start(&[]);
    let house = house_with(&trouble, LONG).await;
    trouble.stop();
    let said = missed(&ask(&house, "Another one that answers at once", "Trouble").await);
    assert!(said.contains("Trouble"), "{said}");
}

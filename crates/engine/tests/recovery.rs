//! What happens when results fall short: calls that failed in passing are made again and none is paid twice, pages are put
//! together, and what a question about flows needs is gathered.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use domain::{Call, CallFault, FaultKind, Reply, ViewKind};
use engine::{Action, Answer, Completion, Outcome, Settled};
use futures::FutureExt;
use futures::future::BoxFuture;
use mcp::Tools;
use testkit::House;
use trace::{Event, RepairOutcome};

const NOON: &str = "2026-06-01T12:00:00Z";

async fn house() -> House {
    House::build(NOON.parse().expect("a time"), Vec::new()).await
}

/// Fails some calls before they leave, and counts those that do.
struct Faulty<'a> {
    inner: &'a dyn Tools,
    fails: Box<dyn Fn(usize) -> bool + Send + Sync>,
    kind: FaultKind,
    seen: AtomicUsize,
    made: Mutex<BTreeMap<String, usize>>,
}

impl<'a> Faulty<'a> {
    fn new(house: &'a House, kind: FaultKind, fails: impl Fn(usize) -> bool + Send + Sync + 'static) -> Self {
        Self {
            inner: &*house.upstreams,
            fails: Box::new(fails),
            kind,
            seen: AtomicUsize::new(0),
            made: Mutex::default(),
        }
    }

    fn made(&self) -> BTreeMap<String, usize> {
        self.made.lock().expect("no panic").clone()
    }
}

impl Tools for Faulty<'_> {
    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Reply> {
        async move {
            if (self.fails)(self.seen.fetch_add(1, Ordering::Relaxed)) {
                return Err(CallFault { kind: self.kind, message: "injected".to_owned() });
            }
            let told = format!("{} {:?}", call.method.method, call.arguments);
            *self.made.lock().expect("no panic").entry(told).or_default() += 1;
            self.inner.call(call).await
        }
        .boxed()
    }
}

fn answered(settled: &Settled) -> &Answer {
    let Ok(Outcome::Answer(answer)) = &settled.ending else { unreachable!("{:?}", settled.ending) };
    answer
}

fn repairs(settled: &Settled) -> Vec<RepairOutcome> {
    let repairs = settled.events.iter().filter_map(|stamped| {
        let Event::Repaired(report) = &stamped.event else { return None };
        Some(report.outcome)
    });
    repairs.collect()
}

/// Sixteen calls: two assets at eight venues.
const MANY: &str = "Give me a heatmap of USDT and USDC exchange flows by venue over the last 24 hours";

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_at_any_call_is_repaired_and_no_call_is_made_twice() {
    let house = house().await;
    let plain = Faulty::new(&house, FaultKind::Timeout, |_| false);
    let settled = house.ask_through(MANY, &plain).await;
    let calls = plain.made();
    assert!(calls.len() >= 10, "{calls:?}");
    assert_eq!(repairs(&settled), []);
    for at in 0..calls.len() {
        let faulty = Faulty::new(&house, FaultKind::Timeout, move |seen| seen == at);
        let settled = house.ask_through(MANY, &faulty).await;
        let answer = answered(&settled);
        assert_eq!(faulty.made(), calls, "fault at call {at}");
        assert_eq!(repairs(&settled), [RepairOutcome::Attempted], "fault at call {at}");
        assert_eq!(answer.actions, [Action::PatchCurrentProgram]);
        assert_ne!(answer.completion, Completion::BoundedByUpstream);
        assert_eq!(settled.spent.calls.iter().filter(|call| call.delivered).count(), calls.len());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_keeps_failing_is_given_up_and_told() {
    let house = house().await;
    let faulty = Faulty::new(&house, FaultKind::Timeout, |seen| seen == 0 || seen > 15);
    let settled = house.ask_through(MANY, &faulty).await;
    let answer = answered(&settled);
    let retries_max = house.policy.recovery.retries_max;
    let tried = vec![RepairOutcome::Attempted; retries_max];
    assert_eq!(repairs(&settled), [tried, vec![RepairOutcome::SkippedNoRetryBudget]].concat());
    assert_eq!(answer.completion, Completion::BoundedByUpstream);
    assert!(answer.evidence.known_unknowns.iter().any(|text| text.contains("injected")), "{answer:?}");
    assert!(faulty.made().values().all(|times| *times == 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_call_is_not_tried_again() {
    let house = house().await;
    let faulty = Faulty::new(&house, FaultKind::MethodError, |seen| seen == 3);
    let settled = house.ask_through(MANY, &faulty).await;
    assert_eq!(repairs(&settled), []);
    assert_eq!(answered(&settled).completion, Completion::BoundedByUpstream);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pages_of_a_collection_are_put_together() {
    let mut house = house().await;
    Arc::make_mut(&mut house.policy).recovery.pages.pages_max = 3;
    let question = "List all large transfers of BTC on exchanges in the last 48 hours";
    let settled = house.ask(question, vec![house.listing("Exchange Flows")]).await;
    let answer = answered(&settled);
    let transfers = answer.data["transfers"].as_array().expect("transfers");
    assert_eq!(transfers.len(), 60, "three pages of twenty");
    let mut hashes: Vec<&str> =
        transfers.iter().filter_map(|transfer| transfer["transactionHash"].as_str()).collect();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), 60);
    assert_eq!(repairs(&settled), [RepairOutcome::Patched]);
    assert_eq!(settled.spent.calls.len(), 3, "the first page is paid once");
    assert!(answer.data.get("nextCursor").is_none());
    assert!(answer.data["totalCount"].is_number());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_page_is_enough_for_who_does_not_ask_for_all() {
    let house = house().await;
    let question = "Show large transfers of BTC on exchanges in the last 48 hours";
    let settled = house.ask(question, vec![house.listing("Exchange Flows")]).await;
    assert_eq!(answered(&settled).data["transfers"].as_array().map(Vec::len), Some(20));
    assert_eq!(repairs(&settled), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_about_flows_is_answered_with_all_that_it_needs() {
    let house = house().await;
    let question = "Which venue shows the most abnormal exchange-flow event right now for BTC, ETH, or stablecoins? \
                    Quantify the anomaly versus the 30-day baseline and cite the likely catalyst.";
    let settled = house.ask(question, Vec::new()).await;
    let answer = answered(&settled);
    let market = answer.evidence.market.as_ref().expect("market evidence");
    assert_eq!(market.assets, ["BTC", "ETH", "USDT", "USDC"]);
    assert_eq!(market.venue_breakdown.len(), 32);
    let anomaly = market.anomaly.as_ref().expect("an anomaly");
    assert_eq!(anomaly.baseline_window.as_deref(), Some("30d"));
    assert!((anomaly.observed_value_usd - anomaly.baseline_value_usd - anomaly.delta_usd).abs() < 1.0);
    assert_eq!(answer.evidence.view.kind, ViewKind::Heatmap);
    assert!(
        answer.evidence.assumptions.iter().any(|text| text.contains("rolling 24h")),
        "{:?}",
        answer.evidence.assumptions
    );
    let says_none = answer.evidence.known_unknowns.iter().any(|text| text.contains("No catalyst was found"));
    assert_eq!(market.catalyst_refs.is_empty(), says_none);
    let total: f64 = market.venue_breakdown.iter().map(|venue| venue.share_of_total).sum();
    assert!((total - 4.0).abs() < 1e-3, "each asset's shares are a whole: {total}");
}

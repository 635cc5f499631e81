//! Upstream faults over the real transports: each has its fault kind, and none touches a neighbour.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test's helpers fail the test")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use domain::{
    Call, Clock, FaultKind, Health, Listing, ListingId, MethodName, MethodRef, Position, Reply, Snapshot,
};
use futures::FutureExt;
use mcp::{Catalog, Tools, Transport, Upstream, Upstreams};
use policy::Policy;
use serde_json::{Map, Value, json};
use testkit::FixedClock;
use testkit::misbehaving::{Http, Quirk, embedded};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How long a call may take that is known never to be answered.
const SHORT: Duration = Duration::from_millis(200);

fn stdio(name: &str, quirks: &[Quirk]) -> Upstream {
    let args = quirks.iter().map(|quirk| quirk.word().to_owned()).collect();
    let command = env!("CARGO_BIN_EXE_misbehaving").to_owned();
    Upstream::new(name, Transport::Stdio { command, args, env: BTreeMap::new(), cwd: None })
}

fn in_process(name: &str, quirks: &[Quirk]) -> Upstream {
    let quirks = quirks.to_vec();
    Upstream::new(
        name,
        Transport::Embedded(Arc::new(move |stream| Box::pin(embedded(quirks.clone(), stream)))),
    )
}

fn http(name: &str, server: &Http) -> Upstream {
    Upstream::new(name, Transport::Http { url: server.url().parse().unwrap(), headers: Vec::new() })
}

fn impatient(upstream: Upstream) -> Upstream {
    Upstream { call_timeout: Some(SHORT), ..upstream }
}

async fn start(config: Vec<Upstream>, adjust: impl FnOnce(&mut policy::Upstreams)) -> Arc<Upstreams> {
    let mut policy = Policy::shipped().unwrap().upstreams;
    policy.reconnect_first_ms = 1;
    adjust(&mut policy);
    let clock: Arc<dyn Clock> = Arc::new(FixedClock::at("2026-06-01T12:00:00Z"));
    let cancel = CancellationToken::new();
    let upstreams = Upstreams::start(config, Arc::new(policy), clock, TaskTracker::new(), &cancel).unwrap();
    upstreams.settled().await;
    upstreams
}

fn never_again(policy: &mut policy::Upstreams) {
    policy.reconnect_first_ms = 600_000;
    policy.reconnect_last_ms = 600_000;
    policy.revive_wait_ms = 1;
}

fn call(listing: &str, method: &str, arguments: Value) -> Call {
    let method = MethodRef { listing: ListingId::of_name(listing), method: MethodName::new(method) };
    let Value::Object(arguments) = arguments else { panic!("an object of arguments") };
    Call { position: Position::new("1"), method, arguments }
}

async fn made(upstreams: &Upstreams, listing: &str, method: &str) -> Reply {
    upstreams.call(&call(listing, method, Value::Object(Map::new()))).await
}

async fn value(upstreams: &Upstreams, listing: &str, method: &str) -> Value {
    made(upstreams, listing, method).await.unwrap().value["value"].clone()
}

fn listing<'a>(snapshot: &'a Snapshot, name: &str) -> &'a Arc<Listing> {
    snapshot.listing(ListingId::of_name(name)).unwrap()
}

async fn until(upstreams: &Upstreams, name: &str, holds: impl Fn(&Listing) -> bool) -> Arc<Listing> {
    let mut snapshot = upstreams.snapshot();
    loop {
        let found = listing(&snapshot, name);
        if holds(found) {
            return Arc::clone(found);
        }
        snapshot = upstreams.newer_than(snapshot.revision).await;
    }
}

fn is_healthy(listing: &Listing) -> bool {
    listing.health == Health::Healthy
}

fn is_unhealthy(listing: &Listing) -> bool {
    matches!(listing.health, Health::Unhealthy { .. })
}

fn reason(listing: &Listing) -> &str {
    match &listing.health {
        Health::Unhealthy { reason, .. } => reason,
        Health::Connecting | Health::Healthy => panic!("{:?}", listing.health),
    }
}

/// The faults that a server answers with, or that come without waiting.
async fn check_faults(upstreams: &Upstreams, name: &str) {
    let cases = [
        ("invalid_json", FaultKind::Protocol),
        ("no_result", FaultKind::Protocol),
        ("breaks_schema", FaultKind::InvalidResult),
        ("big", FaultKind::TooLarge),
        ("is_error", FaultKind::MethodError),
        ("needs_signature", FaultKind::NeedsAction),
        ("needs_input", FaultKind::NeedsAction),
        ("echo", FaultKind::InvalidArguments),
        ("no_such_method", FaultKind::InvalidArguments),
    ];
    for (method, kind) in cases {
        let fault = made(upstreams, name, method).await.unwrap_err();
        assert_eq!(fault.kind, kind, "{name}: {method}: {fault}");
        assert!(fault.message.chars().count() < 600, "{fault}");
        assert_eq!(value(upstreams, name, "ok").await, json!(7), "{name} after {method}");
    }
    assert_eq!(value(upstreams, name, "flood").await, json!(5_000), "{name}");
    let wrong = upstreams.call(&call(name, "echo", json!({"text": 7}))).await.unwrap_err();
    assert!(wrong.message.starts_with("`/text`: "), "{wrong}");
    let spare = json!({"text": "Tokyo", "colour": null});
    assert_eq!(upstreams.call(&call(name, "echo", spare)).await.unwrap().value, json!("Tokyo").into());
    let echoed = upstreams.call(&call(name, "echo", json!({"text": "Tokyo"}))).await.unwrap();
    assert_eq!((echoed.value, echoed.bytes), (json!("Tokyo").into(), 7));

    let dead = made(upstreams, name, "die").await.unwrap_err();
    assert_eq!(dead.kind, FaultKind::Unreachable, "{name}: {dead}");
    until(upstreams, name, is_healthy).await;
}

#[tokio::test]
async fn a_child_process_has_the_faults_of_its_kind() {
    let config = vec![stdio("child", &[]), stdio("modern", &[Quirk::Modern]), impatient(stdio("late", &[]))];
    let upstreams = start(config, |_| {}).await;
    check_faults(&upstreams, "child").await;
    check_faults(&upstreams, "modern").await;
    for method in ["hang", "gibberish"] {
        let fault = made(&upstreams, "late", method).await.unwrap_err();
        assert_eq!(fault.kind, FaultKind::Timeout, "{method}: {fault}");
        assert!(is_healthy(listing(&upstreams.snapshot(), "late")));
    }
    upstreams.close().await;
}

#[tokio::test]
async fn an_embedded_server_has_the_faults_of_its_kind() {
    let upstreams = start(vec![in_process("embedded", &[])], |_| {}).await;
    check_faults(&upstreams, "embedded").await;
    upstreams.close().await;
}

#[tokio::test]
async fn an_http_server_has_the_faults_of_its_kind() {
    for quirks in [&[][..], &[Quirk::PlainJson]] {
        let server = Http::start(quirks);
        let upstreams =
            start(vec![http("far", &server), impatient(http("late", &Http::start(quirks)))], |_| {}).await;
        check_faults(&upstreams, "far").await;
        let garbled = made(&upstreams, "far", "gibberish").await.unwrap_err();
        assert_eq!(garbled.kind, FaultKind::Protocol, "{quirks:?}: {garbled}");
        upstreams.close().await;
    }
}

#[tokio::test]
async fn an_http_server_that_hangs_times_out() {
    let server = Http::start(&[]);
    let upstreams = start(vec![impatient(http("late", &server))], |_| {}).await;
    assert_eq!(made(&upstreams, "late", "hang").await.unwrap_err().kind, FaultKind::Timeout);
    upstreams.close().await;
}

#[tokio::test]
async fn a_hanging_call_holds_up_nothing_and_is_cancelled_when_dropped() {
    let server = Http::start(&[]);
    let config = vec![stdio("child", &[]), in_process("embedded", &[]), http("far", &server)];
    let upstreams = start(config, |_| {}).await;
    let names = ["child", "embedded", "far"];
    for hanging in names {
        let stuck = call(hanging, "hang", json!({}));
        let mut stuck = upstreams.call(&stuck);
        for name in names {
            tokio::select! {
                biased;
                ended = &mut stuck => panic!("{hanging} answered {ended:?}"),
                answered = value(&upstreams, name, "ok") => assert_eq!(answered, json!(7)),
            }
        }
        drop(stuck);
        assert_eq!(value(&upstreams, hanging, "cancelled").await, json!(1), "{hanging}");
    }
    upstreams.close().await;
}

#[tokio::test]
async fn a_flood_and_a_giant_hold_up_nothing() {
    let upstreams = start(vec![stdio("bad", &[]), stdio("good", &[])], |_| {}).await;
    let good = async {
        for _ in 0..20 {
            assert_eq!(value(&upstreams, "good", "ok").await, json!(7));
        }
    };
    let (flood, big, ()) =
        tokio::join!(made(&upstreams, "bad", "flood"), made(&upstreams, "bad", "big"), good);
    assert_eq!(flood.unwrap().value["value"], json!(5_000));
    assert_eq!(big.unwrap_err().kind, FaultKind::TooLarge);
    upstreams.close().await;
}

#[tokio::test]
async fn answers_come_in_any_order() {
    let upstreams = start(vec![stdio("child", &[])], |_| {}).await;
    let slow = call("child", "slow", json!({}));
    let mut slow = upstreams.call(&slow);
    tokio::select! {
        biased;
        early = &mut slow => panic!("not released yet: {early:?}"),
        answered = value(&upstreams, "child", "ok") => assert_eq!(answered, json!(7)),
    }
    assert_eq!(value(&upstreams, "child", "release").await, json!(1));
    assert_eq!(slow.await.unwrap().value["value"], json!(1));
    upstreams.close().await;
}

#[tokio::test]
async fn the_last_good_snapshot_is_served_while_unhealthy() {
    let upstreams = start(vec![stdio("child", &[]), stdio("other", &[])], never_again).await;
    let before = until(&upstreams, "child", is_healthy).await;
    assert_eq!(made(&upstreams, "child", "die").await.unwrap_err().kind, FaultKind::Unreachable);
    let after = until(&upstreams, "child", is_unhealthy).await;
    assert_eq!(after.methods, before.methods);
    assert_eq!(after.listed_at, before.listed_at);
    let fast = made(&upstreams, "child", "ok").await.unwrap_err();
    assert_eq!((fast.kind, fast.message.as_str()), (FaultKind::Unreachable, reason(&after)));
    assert_eq!(value(&upstreams, "other", "ok").await, json!(7));
    upstreams.close().await;
}

#[tokio::test]
async fn a_dead_child_is_started_again() {
    let upstreams = start(vec![stdio("child", &[])], |_| {}).await;
    let first = value(&upstreams, "child", "pid").await;
    for _ in 0..3 {
        assert_eq!(made(&upstreams, "child", "die").await.unwrap_err().kind, FaultKind::Unreachable);
        until(&upstreams, "child", is_unhealthy).await;
        until(&upstreams, "child", is_healthy).await;
    }
    assert_ne!(value(&upstreams, "child", "pid").await, first);
    assert!(!Path::new(&format!("/proc/{first}")).exists());
    upstreams.close().await;
}

#[tokio::test]
async fn closing_reaps_the_children() {
    let upstreams = start(vec![stdio("one", &[]), stdio("two", &[])], |_| {}).await;
    let pids = [value(&upstreams, "one", "pid").await, value(&upstreams, "two", "pid").await];
    assert!(pids.iter().all(|pid| Path::new(&format!("/proc/{pid}")).exists()));
    upstreams.close().await;
    assert!(pids.iter().all(|pid| !Path::new(&format!("/proc/{pid}")).exists()));
    let fault = made(&upstreams, "one", "ok").await.unwrap_err();
    assert_eq!(fault.kind, FaultKind::Unreachable);
}

#[tokio::test]
async fn a_changed_list_is_read_again() {
    let config = vec![stdio("child", &[]), in_process("embedded", &[]), stdio("modern", &[Quirk::Modern])];
    let upstreams = start(config, |_| {}).await;
    for name in ["child", "embedded", "modern"] {
        assert_eq!(made(&upstreams, name, "added_1").await.unwrap_err().kind, FaultKind::InvalidArguments);
        assert_eq!(value(&upstreams, name, "changes").await, json!(1));
        let added = MethodName::new("added_1");
        until(&upstreams, name, |listing| listing.method(&added).is_some()).await;
        assert_eq!(value(&upstreams, name, "added_1").await, json!(7));
    }
    upstreams.close().await;
}

#[tokio::test]
async fn the_next_call_after_a_restart_works() {
    for quirks in [&[][..], &[Quirk::PlainJson]] {
        let mut server = Http::start(quirks);
        let upstreams = start(vec![http("far", &server)], |_| {}).await;
        assert_eq!(value(&upstreams, "far", "ok").await, json!(7));
        server.restart();
        assert_eq!(value(&upstreams, "far", "ok").await, json!(7), "{quirks:?}");
        upstreams.close().await;
    }
}

#[tokio::test]
async fn a_call_brings_a_server_back_that_was_gone_for_a_while() {
    let mut server = Http::start(&[]);
    let upstreams = start(vec![http("far", &server)], |policy| policy.revive_wait_ms = 60_000).await;
    server.stop();
    assert_eq!(made(&upstreams, "far", "ok").await.unwrap_err().kind, FaultKind::Unreachable);
    let gone = until(&upstreams, "far", is_unhealthy).await;
    assert_eq!(reason(&gone), "no connection to the server");
    assert!(!gone.methods.is_empty());
    server.restart();
    assert_eq!(value(&upstreams, "far", "ok").await, json!(7));
    upstreams.close().await;
}

#[tokio::test]
async fn a_server_that_stumbles_over_discovery_is_greeted_the_old_way() {
    let config =
        vec![stdio("child", &[Quirk::EmptyDiscovery]), in_process("embedded", &[Quirk::EmptyDiscovery])];
    let upstreams = start(config, |_| {}).await;
    for name in ["child", "embedded"] {
        assert_eq!(value(&upstreams, name, "ok").await, json!(7));
        assert_eq!(listing(&upstreams.snapshot(), name).description, "Misbehaves on request.");
    }
    upstreams.close().await;
}

#[tokio::test]
async fn a_bad_start_is_said_and_holds_up_nothing() {
    let missing = Transport::Stdio {
        command: "/no/such/program".to_owned(),
        args: Vec::new(),
        env: BTreeMap::new(),
        cwd: None,
    };
    let config =
        vec![stdio("endless", &[Quirk::EndlessPages]), Upstream::new("missing", missing), stdio("good", &[])];
    let upstreams = start(config, never_again).await;
    let endless = until(&upstreams, "endless", is_unhealthy).await;
    assert_eq!(reason(&endless), "its list has more than 200 pages");
    let missing = until(&upstreams, "missing", is_unhealthy).await;
    assert_eq!(reason(&missing), "its program cannot be started: entity not found");
    until(&upstreams, "good", is_healthy).await;
    assert_eq!(value(&upstreams, "good", "ok").await, json!(7));
    upstreams.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_greets_is_unhealthy() {
    let upstreams = start(vec![in_process("mute", &[Quirk::NoHandshake])], never_again).await;
    let mute = until(&upstreams, "mute", is_unhealthy).await;
    assert_eq!(reason(&mute), "no answer to the handshake in time");
    upstreams.close().await;
}

#[tokio::test(start_paused = true)]
async fn an_unanswered_call_ends_in_time_and_gives_its_place_up() {
    let narrow = Upstream { concurrency_max: Some(1), ..in_process("embedded", &[]) };
    let upstreams = start(vec![narrow], |_| {}).await;
    let hanging = async {
        let fault = made(&upstreams, "embedded", "hang").await.unwrap_err();
        assert_eq!((fault.kind, fault.message.as_str()), (FaultKind::Timeout, "no answer within 60000 ms"));
    };
    let waiting = async {
        tokio::time::advance(Duration::from_secs(20)).await;
        let answered = made(&upstreams, "embedded", "ok").await.unwrap();
        assert_eq!((answered.value["value"].clone(), answered.elapsed.as_secs()), (json!(7), 40));
    };
    tokio::join!(hanging, waiting);
    upstreams.close().await;
}

#[tokio::test]
async fn a_method_whose_schema_is_none_is_left_out() {
    let upstreams = start(vec![in_process("embedded", &[Quirk::BadSchema])], |_| {}).await;
    assert_eq!(listing(&upstreams.snapshot(), "embedded").method(&MethodName::new("bad_schema")), None);
    let notes: Vec<String> = upstreams.notes().into_iter().map(|note| note.text).collect();
    assert_eq!(notes, ["`bad_schema` is left out: its input schema cannot be compiled"]);
    upstreams.close().await;
}

#[tokio::test]
async fn hints_are_read_from_the_wire() {
    let upstreams = start(vec![in_process("embedded", &[])], |_| {}).await;
    let snapshot = upstreams.snapshot();
    let method = listing(&snapshot, "embedded").method(&MethodName::new("ok")).unwrap();
    assert_eq!(method.meta.latency, domain::LatencyClass::Fast);
    assert_eq!(method.meta.execute_price.unwrap().to_string(), "0.001000");
    assert_eq!(method.annotations.read_only, Some(true));
    upstreams.close().await;
}

#[tokio::test]
async fn an_unknown_listing_is_unreachable() {
    let upstreams = start(Vec::new(), |_| {}).await;
    let fault = made(&upstreams, "none", "ok").now_or_never().unwrap().unwrap_err();
    assert_eq!(fault.kind, FaultKind::Unreachable);
    upstreams.close().await;
}

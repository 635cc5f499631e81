//! One whole fast query over the embedded marketplace, against the bare cost of the same MCP calls made together.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use domain::Call;
use engine::Settled;
use futures::future;
use mcp::Tools;
use testkit::{FixedClock, House};
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use trace::Recorder;

const QUESTION: &str = "Which exchanges saw the largest BTC inflows in the last 24 hours?";

/// The calls that a query made.
fn calls_of(settled: &Settled) -> Vec<Call> {
    let calls = settled.events.iter().filter_map(|stamped| {
        let trace::Event::CallEnded { position, method, arguments, .. } = &stamped.event else { return None };
        Some(Call { position: position.clone(), method: method.clone(), arguments: arguments.clone() })
    });
    calls.collect()
}

fn query(criterion: &mut Criterion) {
    let runtime = Runtime::new().expect("a runtime");
    let noon = "2026-06-01T12:00:00Z".parse().expect("a time");
    let house = runtime.block_on(House::build(noon, Vec::new()));
    let first = house.run("0");
    let calls = calls_of(&runtime.block_on(house.ask(QUESTION, Vec::new(), &first)));
    assert!(calls.len() > 1, "the question takes several calls");
    let mut group = criterion.benchmark_group("query");
    group.bench_function("bare_calls", |bencher| {
        bencher.to_async(&runtime).iter(|| async {
            black_box(future::join_all(calls.iter().map(|call| house.upstreams.call(call))).await)
        });
    });
    let mut request = 0;
    group.bench_function("whole", |bencher| {
        bencher.to_async(&runtime).iter(|| {
            request += 1;
            let run = house.run(&request.to_string());
            let house = &house;
            async move { black_box(house.ask(QUESTION, Vec::new(), &run).await) }
        });
    });
    let folder = tempfile::tempdir().expect("a folder");
    let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
    let recorder = {
        let _within = runtime.enter();
        let place = (folder.path().to_owned(), None);
        let clock = Arc::new(FixedClock::new(noon));
        Recorder::start(place, &house.policy.recording, clock, (&tasks, stop.clone()))
    };
    group.bench_function("whole_recorded", |bencher| {
        bencher.to_async(&runtime).iter(|| {
            request += 1;
            let (house, recorder) = (&house, &recorder);
            async move { black_box(house.ask_recorded(QUESTION, &request.to_string(), recorder).await) }
        });
    });
    group.finish();
    stop.cancel();
    tasks.close();
    runtime.block_on(tasks.wait());
}

criterion_group!(benches, query);
criterion_main!(benches);

//! One whole fast query over the embedded marketplace, against the bare cost of the same MCP calls made together; and the
//! same recorded, watched over OTLP, and both, each told as a ratio against neither.

use std::hint::black_box;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use domain::{Call, Reply};
use engine::Settled;
use futures::future::{self, BoxFuture};
use mcp::{Tools, Upstreams};
use telemetry::{Telemetry, Watch};
use testkit::{FixedClock, House, Watched};
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use trace::{Listener, Recorder, Stamped};

const QUESTION: &str = "Which exchanges saw the largest BTC inflows in the last 24 hours?";

/// Queries of each kind in one round of the ratios, and rounds. Kinds take turns, so that what else the machine does
/// falls on all of them.
const BLOCK: u32 = 50;
const ROUNDS: usize = 40;

/// Who looks on.
struct Onlookers {
    recorder: Recorder,
    /// A recorder that has stopped: what it is given goes nowhere.
    stopped: Recorder,
    telemetry: Arc<Telemetry>,
}

#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    recorded: Recorded,
    is_watched: bool,
}

#[derive(Clone, Copy)]
enum Recorded {
    No,
    /// What a request does for its recording itself.
    Unwritten,
    Yes,
}

const KINDS: [Kind; 5] = [
    Kind { name: "whole", recorded: Recorded::No, is_watched: false },
    Kind { name: "whole_recorded", recorded: Recorded::Yes, is_watched: false },
    Kind { name: "whole_recorded_unwritten", recorded: Recorded::Unwritten, is_watched: false },
    Kind { name: "whole_watched", recorded: Recorded::No, is_watched: true },
    Kind { name: "whole_recorded_and_watched", recorded: Recorded::Yes, is_watched: true },
];

/// The methods, each call carrying the context of its span, as a server's do.
struct Carrying<'a> {
    live: &'a Upstreams,
    watch: Option<&'a Watch>,
}

impl Tools for Carrying<'_> {
    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Reply> {
        let carried = self.watch.map(|watch| watch.of_call(call)).unwrap_or_default();
        self.live.call_carrying(call, carried)
    }
}

async fn ask(house: &House, onlookers: &Onlookers, kind: Kind, request: u64) -> Arc<Settled> {
    let request = request.to_string();
    let telemetry = kind.is_watched.then_some(&onlookers.telemetry);
    let watch = Watch::of_request(telemetry, &house.policy, (&request, QUESTION), house.now());
    let listener = watch.clone().map(|watch| -> Listener { Arc::new(move |it: &Stamped| watch.hear(it)) });
    let recorder = match kind.recorded {
        Recorded::No => None,
        Recorded::Unwritten => Some(&onlookers.stopped),
        Recorded::Yes => Some(&onlookers.recorder),
    };
    let tools = Carrying { live: &house.upstreams, watch: watch.as_deref() };
    house.ask_watched(QUESTION, &request, &tools, Watched { recorder, listener }).await
}

/// The calls that a query made.
fn calls_of(settled: &Settled) -> Vec<Call> {
    let calls = settled.events.iter().filter_map(|stamped| {
        let trace::Event::CallEnded { position, method, arguments, .. } = &stamped.event else { return None };
        Some(Call { position: position.clone(), method: method.clone(), arguments: arguments.clone() })
    });
    calls.collect()
}

/// A collector that takes everything and keeps nothing, where exporters look for one by themselves.
fn collector() {
    let listener = TcpListener::bind("127.0.0.1:4318").expect("no other collector");
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || collect(stream));
        }
    });
}

fn collect(mut stream: TcpStream) -> Option<()> {
    let mut bytes = Vec::new();
    let mut piece = vec![0; 65_536];
    loop {
        let end = loop {
            if let Some(at) = bytes.windows(4).position(|it| it == b"\r\n\r\n") {
                break at + 4;
            }
            let read = stream.read(&mut piece).ok().filter(|read| *read > 0)?;
            bytes.extend_from_slice(&piece[..read]);
        };
        let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let length = head.split("content-length:").nth(1)?.lines().next()?.trim().parse::<usize>().ok()?;
        while bytes.len() < end + length {
            let read = stream.read(&mut piece).ok().filter(|read| *read > 0)?;
            bytes.extend_from_slice(&piece[..read]);
        }
        bytes.drain(..end + length);
        stream
            .write_all(
                b"HTTP/1.1 200 OK\r\ncontent-type: application/x-protobuf\r\ncontent-length: 0\r\n\r\n",
            )
            .ok()?;
    }
}

/// Telemetry over OTLP, with all its signals.
fn watching() -> Arc<Telemetry> {
    collector();
    let environment =
        |name: &str| (name == "OTEL_EXPORTER_OTLP_ENDPOINT").then(|| "http://localhost:4318".to_owned());
    Arc::new(Telemetry::start(&environment).expect("telemetry"))
}

/// Time and processor time of a block of queries, a query. What is left to be written afterwards counts as processor time.
fn block(runtime: &Runtime, recorder: &Recorder, mut ask: impl AsyncFnMut()) -> (Duration, Duration) {
    #[expect(clippy::disallowed_methods, reason = "a benchmark takes the time itself")]
    let (began, used) = (Instant::now(), processor_time());
    runtime.block_on(async {
        for _ in 0..BLOCK {
            ask().await;
        }
    });
    let took = began.elapsed() / BLOCK;
    while recorder.waiting() > 0 {
        thread::sleep(Duration::from_millis(1));
    }
    (took, processor_time().saturating_sub(used) / BLOCK)
}

/// What the process has used of its processors, with all its threads.
fn processor_time() -> Duration {
    let told = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let rest = told.rsplit(')').next().unwrap_or_default();
    let ticks: u64 = rest.split_whitespace().skip(11).take(2).filter_map(|it| it.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Says what each kind costs against the first.
#[expect(clippy::print_stdout, reason = "this is what the benchmark is for")]
fn ratios(runtime: &Runtime, house: &House, onlookers: &Onlookers, request: &mut u64) {
    let mut rounds: Vec<Vec<(Duration, Duration)>> = Vec::new();
    let blocks_kept = house.policy.recording.runs_kept_max.div_ceil(BLOCK as usize);
    // The first are of a recorder that keeps all that it may.
    for _ in 0..blocks_kept {
        block(runtime, &onlookers.recorder, async || {
            *request += 1;
            black_box(ask(house, onlookers, KINDS[1], *request).await);
        });
    }
    for _ in 0..ROUNDS {
        let round = KINDS.iter().map(|kind| {
            block(runtime, &onlookers.recorder, async || {
                *request += 1;
                black_box(ask(house, onlookers, *kind, *request).await);
            })
        });
        rounds.push(round.collect());
    }
    let (lost, failed) = onlookers.recorder.lost();
    println!(
        "query: against neither recording nor telemetry, the median of {ROUNDS} rounds of {BLOCK} queries"
    );
    for (place, kind) in KINDS.iter().enumerate() {
        let seconds = |time: Duration| time.as_secs_f64();
        let time = median(rounds.iter().map(|round| seconds(round[place].0) * 1e3).collect());
        let ratio = median(rounds.iter().map(|it| seconds(it[place].0) / seconds(it[0].0)).collect());
        let all = |place: usize| rounds.iter().map(|round| seconds(round[place].1)).sum::<f64>();
        println!(
            "  {:28} {time:.3} ms, ratio {ratio:.3}; processor {:.3} ms, ratio {:.3}",
            kind.name,
            all(place) * 1e3 / f64::from(u32::try_from(ROUNDS).unwrap_or(1)),
            all(place) / all(0),
        );
    }
    println!("  recordings left out: {lost}, not written: {failed}");
}

fn query(criterion: &mut Criterion) {
    let telemetry = watching();
    let runtime = Runtime::new().expect("a runtime");
    let noon = "2026-06-01T12:00:00Z".parse().expect("a time");
    let house = runtime.block_on(House::build(noon, Vec::new()));
    let calls = calls_of(&runtime.block_on(house.ask(QUESTION, Vec::new())));
    assert!(calls.len() > 1, "the question takes several calls");
    let folder = tempfile::tempdir().expect("a folder");
    let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
    let started = |stop: &CancellationToken| {
        let _within = runtime.enter();
        let place = (folder.path().to_owned(), None);
        let clock = Arc::new(FixedClock::new(noon));
        Recorder::start(place, &house.policy.recording, clock, (&tasks, stop.clone()))
    };
    let at_once = CancellationToken::new();
    let stopped = started(&at_once);
    at_once.cancel();
    tasks.close();
    runtime.block_on(tasks.wait());
    tasks.reopen();
    let onlookers = Onlookers { recorder: started(&stop), stopped, telemetry };
    let mut request = 0;
    let mut group = criterion.benchmark_group("query");
    group.bench_function("bare_calls", |bencher| {
        bencher.to_async(&runtime).iter(|| async {
            black_box(future::join_all(calls.iter().map(|call| house.upstreams.call(call))).await)
        });
    });
    for kind in KINDS {
        group.bench_function(kind.name, |bencher| {
            bencher.to_async(&runtime).iter(|| {
                request += 1;
                let (house, onlookers) = (&house, &onlookers);
                async move { black_box(ask(house, onlookers, kind, request).await) }
            });
        });
    }
    group.finish();
    ratios(&runtime, &house, &onlookers, &mut request);
    stop.cancel();
    tasks.close();
    runtime.block_on(tasks.wait());
    onlookers.telemetry.end();
}

criterion_group!(benches, query);
criterion_main!(benches);

//! What a program costs besides its calls: verification, passes, replay, and how far it runs past its deadline.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use domain::{Call, Delivered, ListingId, Method, Reply, Usd};
use jiff::Timestamp;
use policy::{Policy, Sandbox};
use program::{Budget, Cancellation, CountingAllocator, Journal, Program, Signature, Signatures, Step};
use serde_json::json;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const NO_CALLS: &str = "let total = 0; for i in 0..10 { total += i; } #{total: total}";

const THREE_CALLS: &str = r#"
let a = call_tool("market.price", #{symbol: "A"});
let b = call_tool("market.price", #{symbol: "B"});
let c = call_tool("market.price", #{symbol: "C"});
#{prices: [a.price, b.price, c.price], total: a.price + b.price + c.price}
"#;

const TEN_CALLS: &str = r#"
let found = [];
for symbol in ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J"] {
    found.push(call_tool("market.price", #{symbol: symbol}));
}
sort_by_desc(found, "price")
"#;

const TWO_WAVES: &str = r#"
let a = call_tool("market.price", #{symbol: "A"});
let b = call_tool("market.price", #{symbol: "B"});
let c = call_tool("market.price", #{symbol: "C"});
let d = call_tool("market.price", #{symbol: `${a.price}`});
let e = call_tool("market.price", #{symbol: `${b.price + c.price}`});
[d.price, e.price]
"#;

fn signatures() -> Signatures {
    Signatures::from_iter([Signature {
        name: "market.price".to_owned(),
        listing: ListingId::of_name("market"),
        method: Arc::new(Method::new(
            "price",
            json!({"type": "object", "properties": {"symbol": {"type": "string"}}, "required": ["symbol"]}),
            Some(json!({"type": "object", "properties": {"price": {"type": "number"}}})),
        )),
        price: Usd::ZERO,
    }])
}

fn sandbox() -> Sandbox {
    Policy::shipped().expect("the shipped policies hold").sandbox
}

fn parse(text: &str, limits: &Sandbox) -> Program {
    let budget = Budget { calls_max: 40, spend_max: Usd::ZERO };
    Program::parse(text, &signatures(), limits, budget).expect("the program may run")
}

#[expect(clippy::unnecessary_wraps, reason = "replies are results")]
fn answer(call: &Call) -> Reply {
    let value = json!({"price": call.arguments.len()});
    Ok(Delivered {
        value: value.into(),
        bytes: 11,
        arrived_at: Timestamp::UNIX_EPOCH,
        elapsed: Duration::ZERO,
    })
}

fn drive(program: &Program, journal: Journal) -> Step {
    let mut step = program.start(journal, &Cancellation::default());
    while let Step::Calls(pending) = step {
        let replies = pending.calls().iter().map(answer).collect();
        step = pending.resume(replies);
    }
    step
}

fn verify(criterion: &mut Criterion) {
    let (signatures, limits) = (signatures(), sandbox());
    let budget = Budget { calls_max: 40, spend_max: Usd::ZERO };
    criterion.bench_function("program/verify", |bencher| {
        bencher.iter(|| Program::parse(black_box(THREE_CALLS), &signatures, &limits, budget));
    });
}

fn run(criterion: &mut Criterion) {
    let limits = sandbox();
    for (name, text) in [
        ("program/run/no_calls", NO_CALLS),
        ("program/run/three_calls", THREE_CALLS),
        ("program/run/ten_calls", TEN_CALLS),
        ("program/run/five_calls_in_two_waves", TWO_WAVES),
    ] {
        let program = parse(text, &limits);
        criterion
            .bench_function(name, |bencher| bencher.iter(|| drive(black_box(&program), Journal::default())));
    }
}

fn replay(criterion: &mut Criterion) {
    let program = parse(THREE_CALLS, &sandbox());
    let Step::Done(finished) = drive(&program, Journal::default()) else { return };
    criterion.bench_function("program/replay/three_calls", |bencher| {
        bencher.iter(|| drive(&program, black_box(finished.journal.clone())));
    });
}

/// The time beyond the deadline of programs that would never end; the aim is below 50 ms.
fn overrun(criterion: &mut Criterion) {
    let deadline = Duration::from_millis(20);
    let limits = Sandbox { wall_ms_max: 20, operations_max: u64::MAX, ..sandbox() };
    for (name, text) in [
        ("program/overrun/empty_loop", "loop { }"),
        ("program/overrun/size_checks", "let a = []; a.pad(1999, 1); loop { let b = a; b[0] = 1; }"),
        (
            "program/overrun/text",
            "let s = \"x\"; s.pad(200000, \"x\"); loop { let t = s.to_upper(); t.replace(\"X\", \"y\"); }",
        ),
    ] {
        let program = parse(text, &limits);
        criterion.bench_function(name, |bencher| {
            bencher.iter_custom(|rounds| {
                let ends = (0..rounds).map(|_| match drive(&program, Journal::default()) {
                    Step::Failed(fault) => fault.usage.wall.saturating_sub(deadline),
                    Step::Done(_) | Step::Calls(_) => Duration::ZERO,
                });
                ends.sum()
            });
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = verify, run, replay, overrun
}
criterion_main!(benches);

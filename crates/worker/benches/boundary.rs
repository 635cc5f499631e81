//! What the boundary between processes costs a program, beside the same program in this process.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use domain::{Call, Delivered, ListingId, Method, Reply, Usd};
use jiff::Timestamp;
use policy::{Policy, Sandbox};
use program::{Budget, Cancellation, CountingAllocator, Journal, Program, Signature, Signatures, Step};
use serde_json::json;
use tokio::runtime::Runtime;
use worker::{Executable, Pool, Programs};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const NO_CALLS: &str = "let total = 0; for i in 0..10 { total += i; } #{total: total}";

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

fn parse(text: &str, limits: &Sandbox) -> Program {
    let signatures = Signatures::from_iter([Signature {
        name: "market.price".to_owned(),
        listing: ListingId::of_name("market"),
        method: Arc::new(Method::new(
            "price",
            json!({"type": "object", "properties": {"symbol": {"type": "string"}}, "required": ["symbol"]}),
            Some(json!({"type": "object", "properties": {"price": {"type": "number"}}})),
        )),
        price: Usd::ZERO,
    }]);
    let budget = Budget { calls_max: 40, spend_max: Usd::ZERO };
    Program::parse(text, &signatures, limits, budget).expect("the program may run")
}

#[expect(clippy::unnecessary_wraps, reason = "replies are results")]
fn answer(rows: usize, call: &Call) -> Reply {
    let row = json!({"venue": "Binance", "price": 64_123.5, "at": "2026-06-01T12:00:00Z"});
    let value = json!({"price": call.arguments.len(), "rows": vec![row; rows]});
    Ok(Delivered {
        value: value.into(),
        bytes: 11,
        arrived_at: Timestamp::UNIX_EPOCH,
        elapsed: Duration::ZERO,
    })
}

async fn drive(programs: &Programs, program: &Program, rows: usize) -> Step {
    let ready = program.ready(Journal::default(), &Cancellation::default());
    let mut step = programs.next(ready).await.expect("no program is lost");
    while let Step::Calls(pending) = step {
        let replies = pending.calls().iter().map(|call| answer(rows, call)).collect();
        step = programs.next(pending.ready(replies)).await.expect("no program is lost");
    }
    step
}

fn boundary(criterion: &mut Criterion) {
    let runtime = Runtime::new().expect("a runtime");
    let limits = Policy::shipped().expect("the shipped policies hold").sandbox;
    let executable =
        || Executable { path: env!("CARGO_BIN_EXE_program-worker").into(), arguments: Vec::new() };
    let open = || runtime.block_on(async { Programs::Workers(Pool::open(&limits.workers, executable())) });
    let workers = open();
    for (name, text, rows) in [
        ("no_calls", NO_CALLS, 0),
        ("ten_calls", TEN_CALLS, 0),
        ("five_calls_in_two_waves", TWO_WAVES, 0),
        ("ten_calls_of_a_hundred_rows", TEN_CALLS, 100),
    ] {
        let program = parse(text, &limits);
        for (mode, programs) in [("in_process", &Programs::InProcess), ("workers", &workers)] {
            criterion.bench_function(&format!("boundary/{name}/{mode}"), |bencher| {
                bencher.to_async(&runtime).iter(|| drive(programs, black_box(&program), rows));
            });
        }
    }
    runtime.block_on(workers.close());
    let program = parse(NO_CALLS, &limits);
    criterion.bench_function("boundary/no_calls/a_worker_for_each", |bencher| {
        bencher.to_async(&runtime).iter(|| async {
            let workers = Programs::Workers(Pool::open(&limits.workers, executable()));
            let step = drive(&workers, black_box(&program), 0).await;
            workers.close().await;
            step
        });
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(30);
    targets = boundary
}
criterion_main!(benches);

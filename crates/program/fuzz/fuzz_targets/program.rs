//! Any text is refused or runs to an end within the limits, without a panic of the interpreter.

#![no_main]

use std::sync::Arc;
use std::time::Duration;

use domain::{Call, Delivered, ListingId, Method, Reply, Usd};
use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;
use policy::{Policy, Sandbox};
use program::{Budget, Cancellation, Cause, CountingAllocator, Journal, Program, Signature, Signatures, Step};
use serde_json::json;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// How far a program may run past its deadline.
const OVERRUN_MAX: Duration = Duration::from_millis(50);

fuzz_target!(|text: &str| {
    let limits = Policy::shipped().expect("the shipped policies hold").sandbox;
    let limits = Sandbox { wall_ms_max: 200, ..limits };
    let budget = Budget { calls_max: 20, spend_max: Usd::ZERO };
    let Ok(program) = Program::parse(text, &signatures(), &limits, budget) else { return };
    let mut step = program.start(Journal::default(), &Cancellation::default());
    while let Step::Calls(pending) = step {
        assert!(pending.calls().len() <= program.calls_max());
        let replies = pending.calls().iter().map(answer).collect();
        step = pending.resume(replies);
    }
    if let Step::Failed(fault) = step {
        assert!(!matches!(fault.cause, Cause::Interpreter { .. }), "{}", fault.cause);
        assert!(fault.usage.wall < Duration::from_millis(limits.wall_ms_max) + OVERRUN_MAX, "{:?}", fault.usage);
    }
});

fn signatures() -> Signatures {
    Signatures::from_iter([Signature {
        name: "a.b".to_owned(),
        listing: ListingId::of_name("a"),
        method: Arc::new(Method::new("b", json!({"type": "object"}), None)),
        price: Usd::ZERO,
    }])
}

fn answer(call: &Call) -> Reply {
    let value = json!({"echo": call.arguments, "rows": [{"n": 1}, {"n": 2}], "text": "x"});
    Ok(Delivered { value: value.into(), bytes: 0, arrived_at: Timestamp::UNIX_EPOCH, elapsed: Duration::ZERO })
}

//! Pools, programs and a driver for the tests.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use domain::{Call, Delivered, ListingId, Method, Reply, Usd};
use jiff::Timestamp;
use policy::{Policy, Sandbox, Workers};
use program::{Budget, Cancellation, Journal, Program, Ready, Rejection, Signature, Signatures, Step};
use serde_json::{Value, json};
use worker::{Executable, Lost, Pool, Programs};

/// Longer than any test runs.
pub(crate) const NEVER_MS: u64 = 600_000;

/// The shipped limits, with a clock that honest programs never see the end of.
pub(crate) fn limits() -> Sandbox {
    Policy::shipped().unwrap().sandbox
}

/// The shipped policy, but that a slow machine kills nothing.
pub(crate) fn patient() -> Workers {
    Workers { kill_after_ms: NEVER_MS, idle_ms: NEVER_MS, ..limits().workers }
}

pub(crate) fn worker() -> Executable {
    Executable { path: env!("CARGO_BIN_EXE_program-worker").into(), arguments: Vec::new() }
}

/// Something that is no worker: a shell that runs this.
pub(crate) fn shell(script: &str) -> Executable {
    Executable { path: "/bin/sh".into(), arguments: vec!["-c".into(), script.into()] }
}

pub(crate) fn workers(policy: &Workers, executable: Executable) -> Programs {
    Programs::Workers(Pool::open(policy, executable))
}

pub(crate) fn parse(text: &str, limits: &Sandbox) -> Result<Program, Rejection> {
    let signatures = Signatures::from_iter([Signature {
        name: "market.price".to_owned(),
        listing: ListingId::of_name("market"),
        method: Arc::new(Method::new(
            "price",
            json!({"type": "object", "properties": {"symbol": {"type": "string"}}, "required": ["symbol"]}),
            None,
        )),
        price: Usd::ZERO,
    }]);
    Program::parse(text, &signatures, limits, Budget { calls_max: 40, spend_max: Usd::ZERO })
}

pub(crate) fn ready(text: &str, limits: &Sandbox) -> Ready {
    let program = parse(text, limits).unwrap_or_else(|rejection| panic!("{rejection}"));
    program.ready(Journal::default(), &Cancellation::default())
}

pub(crate) fn answer(call: &Call) -> Reply {
    let value = match call.arguments["symbol"].as_str().unwrap() {
        "NUMBERS" => json!([0.1, 1e300, -0.0, 2.0, 5e-324, i64::MIN, u64::MAX, 1.797_693_134_862_315_7e308]),
        "TEXT" => json!("ä\u{0}\u{10ffff}\"\\"),
        "ORDER" => json!({"z": 1, "a": {"y": null, "b": [true, []]}, "": {}}),
        symbol => json!({"price": symbol.len(), "symbol": symbol}),
    };
    Ok(Delivered {
        value: value.into(),
        bytes: 1,
        arrived_at: Timestamp::UNIX_EPOCH,
        elapsed: Duration::ZERO,
    })
}

/// Runs a program to its end.
pub(crate) async fn drive(programs: &Programs, ready: Ready) -> Result<Step, Lost> {
    let mut step = programs.next(ready).await?;
    while let Step::Calls(pending) = step {
        let replies = pending.calls().iter().map(answer).collect();
        step = programs.next(pending.ready(replies)).await?;
    }
    Ok(step)
}

/// A program of two waves, and what it gives.
pub(crate) const HONEST: &str = r#"
let a = call_tool("market.price", #{symbol: "ABCD"});
let b = call_tool("market.price", #{symbol: `${a.price}${a.price}`});
[a.price, b.symbol]
"#;

/// That an honest program gets its value.
pub(crate) async fn honest(programs: &Programs) {
    match drive(programs, ready(HONEST, &limits())).await {
        Ok(Step::Done(finished)) => assert_eq!(finished.value, json!([4, "44"])),
        other => panic!("{other:?}"),
    }
}

pub(crate) fn value(step: Result<Step, Lost>) -> Value {
    match step {
        Ok(Step::Done(finished)) => finished.value,
        other => panic!("{other:?}"),
    }
}

/// The processes that this one started and that are still there, in whatever state.
pub(crate) fn children() -> Vec<u32> {
    let own = std::process::id();
    let processes =
        fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    processes.filter(|id| status(*id, "PPid:") == Some(own.into())).collect()
}

/// A number of a process's status.
pub(crate) fn status(id: u32, key: &str) -> Option<u64> {
    let text = fs::read_to_string(Path::new("/proc").join(id.to_string()).join("status")).ok()?;
    text.lines().find_map(|line| line.strip_prefix(key))?.split_whitespace().next()?.parse().ok()
}

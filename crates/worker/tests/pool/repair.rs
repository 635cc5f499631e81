//! A fault at every call of ten, and a repaired program from the same journal: no call is ever made twice, in both modes.

use std::collections::BTreeMap;
use std::fmt::Write;

use domain::{Call, CallFault, FaultKind, Reply};
use program::{Cancellation, Cause, Journal, Step};
use worker::Programs;

use crate::harness::{answer, limits, parse, patient, worker, workers};

/// Ten calls, each with what the one before gave; one of them is another one where it was repaired.
fn ten_calls(repaired: Option<usize>) -> String {
    let mut text = "let v0 = #{price: 0};\n".to_owned();
    for step in 1..=10 {
        let (before, mark) = (step - 1, if repaired == Some(step) { ":repaired" } else { "" });
        writeln!(
            text,
            "let v{step} = call_tool(\"market.price\", #{{symbol: `{step}:${{v{before}.price}}{mark}`}});"
        )
        .unwrap();
    }
    text + "v10.price"
}

/// What a program's calls are made at: it counts them, and fails at one step.
struct Upstream {
    fails_at: usize,
    counts: BTreeMap<String, usize>,
}

impl Upstream {
    fn call(&mut self, call: &Call) -> Reply {
        let symbol = call.arguments["symbol"].as_str().unwrap();
        *self.counts.entry(symbol.to_owned()).or_insert(0) += 1;
        if symbol.starts_with(&format!("{}:", self.fails_at)) && !symbol.ends_with("repaired") {
            return Err(CallFault { kind: FaultKind::MethodError, message: "no such symbol".to_owned() });
        }
        answer(call)
    }

    async fn run(&mut self, text: &str, journal: Journal, programs: &Programs) -> Step {
        let program = parse(text, &limits()).unwrap();
        let mut step = programs.next(program.ready(journal, &Cancellation::default())).await.unwrap();
        while let Step::Calls(pending) = step {
            let replies = pending.calls().iter().map(|call| self.call(call)).collect();
            step = programs.next(pending.ready(replies)).await.unwrap();
        }
        step
    }
}

async fn check(programs: &Programs) {
    for fails_at in 1..=10 {
        let mut upstream = Upstream { fails_at, counts: BTreeMap::new() };
        let Step::Failed(fault) = upstream.run(&ten_calls(None), Journal::default(), programs).await else {
            panic!("{fails_at}: the fault is used")
        };
        assert!(matches!(fault.cause, Cause::CallFailed { .. }), "{fails_at}: {}", fault.cause);
        assert_eq!(upstream.counts.len(), fails_at);
        let ended = upstream.run(&ten_calls(Some(fails_at)), fault.journal, programs).await;
        assert!(matches!(ended, Step::Done(_)), "{fails_at}: {ended:?}");
        assert_eq!(
            upstream.counts.len(),
            11,
            "{fails_at}: ten, and the one that failed: {:?}",
            upstream.counts
        );
        assert!(upstream.counts.values().all(|times| *times == 1), "{fails_at}: {:?}", upstream.counts);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repaired_program_makes_no_call_twice_in_process() {
    check(&Programs::InProcess).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repaired_program_makes_no_call_twice_in_workers() {
    let programs = workers(&patient(), worker());
    check(&programs).await;
    programs.close().await;
}

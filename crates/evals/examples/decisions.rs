//! Measures the naive gate on gate cases: `decisions CASES [SCORE_MIN]`.

use std::path::PathBuf;
use std::time::Instant;

use evals::{NaiveGate, corpus, decisions, report};

#[expect(clippy::print_stdout, reason = "a report on the terminal is what it is for")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = PathBuf::from(arguments.next().ok_or("usage: decisions CASES [SCORE_MIN]")?);
    if !path.exists() {
        println!("skipped: {} is absent", path.display());
        return Ok(());
    }
    let gate = match arguments.next() {
        Some(score_min) => NaiveGate { score_min: score_min.parse()? },
        None => NaiveGate::TUNED,
    };
    let found = decisions(corpus::cases(&path)?, |input| gate.decide(input), clock(), |_, _| ())?;
    println!("{}", report::decisions("naive gate", &found));
    Ok(())
}

#[expect(
    clippy::disallowed_methods,
    reason = "the example's own edge: durations are reported, nothing hangs on them"
)]
fn clock() -> impl Fn() -> u64 {
    let started = Instant::now();
    move || u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX)
}

//! Compares the probe's ranking with plain BM25 on a retrieval set: `retrieval TOOLS QUERIES`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use evals::baseline::Bm25;
use evals::{EvalFault, corpus, probe_ranker, report, retrieval};
use policy::Policy;

#[expect(clippy::print_stdout, reason = "a report on the terminal is what it is for")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(tools), Some(queries)) = (arguments.next(), arguments.next()) else {
        return Err("usage: retrieval TOOLS QUERIES".into());
    };
    if !tools.exists() || !queries.exists() {
        println!("skipped: {} or {} is absent", tools.display(), queries.display());
        return Ok(());
    }
    println!("{}", compared(&tools, &queries, &Policy::shipped()?)?);
    Ok(())
}

fn compared(tools_path: &Path, queries_path: &Path, policy: &Policy) -> Result<String, EvalFault> {
    let tools: Vec<_> = corpus::tools(tools_path)?.collect::<Result<_, _>>()?;
    let queries: Vec<_> = corpus::queries(queries_path)?.collect::<Result<_, _>>()?;
    let clock = clock();
    let bm25 = Bm25::build(&tools);
    let plain = |question: &str| bm25.search(question).into_iter().map(|(place, _)| place).collect();
    let baseline = retrieval(&tools, &queries, plain, &clock);
    let probe = retrieval(&tools, &queries, probe_ranker(&tools, &policy.probe), &clock);
    let title = tools_path.display().to_string();
    Ok(report::retrieval(&title, &[("BM25", &baseline), ("probe", &probe)]))
}

#[expect(
    clippy::disallowed_methods,
    reason = "the example's own edge: durations are reported, nothing hangs on them"
)]
fn clock() -> impl Fn() -> u64 {
    let started = Instant::now();
    move || u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX)
}

//! Suites: asks every case, in process or over HTTP, and holds what came of it against the gates.

use std::io::{self, Write};

use evals::suite::{self, Suite, SuiteCase, Suites};
use evals::{GateVerdict, Reply, SuiteReport, report, score};
use futures::StreamExt;
use indicatif::ProgressBar;
use policy::Policy;
use serde_json::{Value, json};

use crate::arguments::{Eval, Shared};
use crate::command::eval::bar;
use crate::command::eval::in_process::InProcess;
use crate::command::eval::over_http::OverHttp;
use crate::command::{Ending, Fault, tools};

/// Asks the suites that the arguments name, and reports.
pub(super) async fn run(eval: &Eval, shared: &Shared, policy: Policy) -> Result<Ending, Fault> {
    let concurrency_max = policy.server.requests_in_flight_max;
    if !(1..=concurrency_max).contains(&eval.concurrency) {
        let message = format!("--concurrency is from 1 to {concurrency_max} (`requests_in_flight_max`)");
        return Err(Fault::Usage(message));
    }
    let Suites { mut suites, gates } = suite::read(&eval.evals, &eval.suite)?;
    if let Some(words) = &eval.joined {
        suites = suites.iter().map(|suite| suite.joined(words)).collect();
        suites.retain(|suite| !suite.cases.is_empty());
        if suites.is_empty() {
            let message = format!("--joined: no two clear questions of {} are for methods apart", eval.suite);
            return Err(Fault::Usage(message));
        }
    }
    let hash = policy.hash.clone();
    let target = match &eval.url {
        Some(url) => Target::Http(OverHttp::reach(url, &eval.key, eval.stream, &policy).await?),
        None => Target::InProcess(InProcess::start(shared, policy, &suites, eval.record.as_deref()).await?),
    };
    if let (Some(path), Target::InProcess(asked)) = (&eval.corpus, &target) {
        asked.write_corpus(&suites, path)?;
        target.close().await;
        return Ok(Ending::Done);
    }
    let bar = bar::over(Some(suites.iter().map(|suite| suite.cases.len()).sum()));
    let mut reports = Vec::new();
    for suite in &suites {
        let replies = target.ask_all(suite, eval.concurrency, &bar).await;
        reports.push(score(suite, &replies));
    }
    bar.finish_and_clear();
    let asked = target.words();
    if let (Some(path), Target::InProcess(target)) = (&eval.records, &target) {
        target.write_records(path).await?;
    }
    target.close().await;
    let verdicts: Vec<GateVerdict> = reports.iter().flat_map(|report| gates.verdicts(report)).collect();
    let passed = verdicts.iter().all(|verdict| verdict.passed);
    if eval.json {
        tools::print_json(&as_json(&hash, &asked, &reports, &verdicts))?;
    } else {
        let title = format!("{asked}, policies {hash}");
        write!(io::stdout().lock(), "{}", report::suites(&title, &reports, &verdicts))?;
    }
    Ok(if passed { Ending::Done } else { Ending::GateFailed })
}

fn as_json(hash: &str, asked: &str, reports: &[SuiteReport], verdicts: &[GateVerdict]) -> Value {
    json!({
        "policy_hash": hash,
        "asked": asked,
        "gates": {
            "passed": verdicts.iter().all(|verdict| verdict.passed),
            "verdicts": verdicts,
        },
        "suites": reports,
    })
}

/// What is asked.
enum Target {
    InProcess(InProcess),
    Http(OverHttp),
}

impl Target {
    /// Asks every case of a suite, several at a time; the replies come in the order of the cases.
    async fn ask_all(&self, suite: &Suite, concurrency: usize, bar: &ProgressBar) -> Vec<Reply> {
        let replies = futures::stream::iter(&suite.cases).map(|case| async move {
            let reply = Box::pin(self.ask(case)).await;
            bar.inc(1);
            reply
        });
        replies.buffered(concurrency).collect().await
    }

    async fn ask(&self, case: &SuiteCase) -> Reply {
        match self {
            Self::InProcess(target) => target.ask(case).await,
            Self::Http(target) => target.ask(case).await,
        }
    }

    fn words(&self) -> String {
        match self {
            Self::InProcess(_) => "asked in process".to_owned(),
            Self::Http(target) => target.words(),
        }
    }

    async fn close(self) {
        if let Self::InProcess(target) = self {
            target.close().await;
        }
    }
}

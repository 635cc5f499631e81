//! `sluice eval`: measures the gate, by asking suites of cases or by running a corpus, and the library, over sets of documents.

mod bar;
mod corpus;
mod documents;
mod flips;
mod in_process;
mod over_http;
mod suites;

use domain::Clock;

use crate::arguments::{Eval, EvalAction, Shared};
use crate::assembly;
use crate::clock::SystemClock;
use crate::command::{Ending, Fault};

/// The suite that is measured over sets of documents.
const DOCUMENTS: &str = "documents";

/// Measures what the arguments say.
pub(crate) async fn run(eval: Eval, shared: Shared) -> Result<Ending, Fault> {
    let policy = assembly::policy(&shared)?;
    if let Some(EvalAction::Flips { inputs, data_dir, json }) = &eval.action {
        return flips::run(inputs.as_deref(), data_dir, *json, &policy).await;
    }
    if let Some(data) = &eval.data {
        if eval.suite != DOCUMENTS {
            return Err(Fault::Usage(format!("--data is for --suite {DOCUMENTS}")));
        }
        return documents::run(data, &eval, &policy).await;
    }
    if eval.suite == DOCUMENTS {
        return Err(Fault::Usage(format!(
            "--suite {DOCUMENTS} is measured over sets: name their directory with --data"
        )));
    }
    match (&eval.cases, &eval.retrieval, &eval.queries) {
        (Some(cases), _, _) => corpus::decisions(cases, &eval, &policy),
        (None, Some(tools), Some(queries)) => corpus::retrieval(tools, queries, &eval, &policy),
        (None, _, _) => Box::pin(suites::run(&eval, &shared, policy)).await,
    }
}

/// The time in microseconds, from no beginning in particular.
fn now_us() -> u64 {
    u64::try_from(SystemClock.now().as_microsecond()).unwrap_or_default()
}

//! Documents: the library over sets of questions, beside flat BM25.

use std::io::{self, Write};
use std::path::Path;

use evals::documents::DocumentsFault;
use evals::{GateVerdict, report, suite};
use policy::Policy;
use serde_json::json;

use crate::arguments::Eval;
use crate::command::eval::{bar, now_us};
use crate::command::{Ending, Fault, tools};

/// Measures the library on the sets of a directory, and holds it against the gates.
pub(super) async fn run(data: &Path, eval: &Eval, policy: &Policy) -> Result<Ending, Fault> {
    let gates = suite::gates(&eval.evals)?;
    let bar = bar::over(None);
    let told = |set: &str| {
        bar.set_message(set.to_owned());
        bar.inc(1);
    };
    let measured = evals::documents::documents(data, &policy.library, now_us, told).await;
    bar.finish_and_clear();
    let report = measured.map_err(|fault| match fault {
        DocumentsFault::Set(fault) => Fault::from(fault),
        fault @ (DocumentsFault::Library(_) | DocumentsFault::Store(_)) => Fault::Failed(fault.to_string()),
    })?;
    if report.sets.is_empty() && report.claims.is_empty() {
        return Err(Fault::Usage(format!("{} has no set of documents", data.display())));
    }
    let verdicts = gates.documents(&report);
    let passed = verdicts.iter().all(|verdict: &GateVerdict| verdict.passed);
    if eval.json {
        tools::print_json(&json!({
            "policy_hash": policy.hash,
            "data": data.display().to_string(),
            "gates": {"passed": passed, "verdicts": verdicts},
            "figures": report.figures(),
            "documents": report,
        }))?;
    } else {
        let title = format!("{}, policies {}", data.display(), policy.hash);
        write!(io::stdout().lock(), "{}", report::documents(&title, &report, &verdicts))?;
    }
    Ok(if passed { Ending::Done } else { Ending::GateFailed })
}

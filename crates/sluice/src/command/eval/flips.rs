//! `sluice eval flips`: what the gate would decide under other policies.

use std::io::{self, Write};
use std::path::Path;

use contract::trace::GateRecord;
use evals::{FlipReport, corpus};
use policy::Policy;
use serde_json::json;
use store::Store;

use crate::assembly;
use crate::command::{Ending, Fault, tools};

/// Decides every record again, and prints the flips.
pub(super) async fn run(
    inputs: Option<&Path>,
    data_dir: &Path,
    json: bool,
    policy: &Policy,
) -> Result<Ending, Fault> {
    let records = match inputs {
        Some(file) => corpus::gate_records(file)?.collect::<Result<Vec<_>, _>>()?,
        None => kept(data_dir, policy).await?,
    };
    let report = evals::flips(&records, policy);
    if json {
        tools::print_json(&json!({"policy_hash": policy.hash, "report": report}))?;
    } else {
        write(&report, &policy.hash)?;
    }
    Ok(if report.flips.is_empty() { Ending::Done } else { Ending::GateFailed })
}

/// What a server's data directory keeps.
async fn kept(data_dir: &Path, policy: &Policy) -> Result<Vec<GateRecord>, Fault> {
    let file = data_dir.join(assembly::STORE_FILE);
    if !file.exists() {
        return Err(Fault::Usage(format!("{} keeps nothing; see --inputs", data_dir.display())));
    }
    let store = Store::open(&file, assembly::store_settings(&policy.store)).await?;
    let bodies = store.gate_records().await?;
    store.close().await;
    let read = |body: &String| serde_json::from_str(body).ok();
    Ok(bodies.iter().filter_map(read).collect())
}

fn write(report: &FlipReport, hash: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let (decided, flips) = (report.decided, report.flips.len());
    writeln!(out, "{decided} decided again under {hash}: {flips} flips")?;
    for flip in &report.flips {
        let side = |side: &evals::Side| {
            let recommended = side.recommended.as_deref().unwrap_or("none");
            format!("{} ({}), {recommended}", side.outcome.word(), side.reason.word())
        };
        writeln!(out, "\n{}  {}", flip.request_id, flip.query)?;
        writeln!(out, "  was: {}\n  now: {}", side(&flip.before), side(&flip.after))?;
        writeln!(out, "  {}", flip.why)?;
    }
    for skipped in &report.skipped {
        writeln!(out, "\nskipped {}: {}", skipped.request_id, skipped.why)?;
    }
    Ok(())
}

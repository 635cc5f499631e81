//! `sluice check`: reads the policies and the `mcp.json` file, and says what it found.

use std::io::{self, Write};

use engine::Shelf;
use llm::{EndpointCheck, Portfolio};

use crate::arguments::{Check, Shared};
use crate::assembly::{self, AssemblyFault};
use crate::command::{Ending, Fault};

/// Checks the configuration without reaching any server; where that is asked for, tries the models.
pub(crate) async fn run(check: Check, shared: &Shared) -> Result<Ending, Fault> {
    let policy = assembly::policy(shared)?;
    let portfolio = assembly::portfolio(&policy, &Shelf::of(&policy.probe)).map_err(AssemblyFault::from)?;
    let upstreams = assembly::upstreams(shared)?;
    {
        let mut out = io::stdout().lock();
        writeln!(out, "policies: sound, hash {}", policy.hash)?;
        writeln!(out, "listings: {}", upstreams.len())?;
        for upstream in upstreams {
            writeln!(out, "  {} ({})", upstream.name, upstream.transport.word())?;
        }
    }
    if check.models { models(&portfolio).await } else { Ok(Ending::Done) }
}

async fn models(portfolio: &Portfolio) -> Result<Ending, Fault> {
    let checks = portfolio.check().await;
    let mut out = io::stdout().lock();
    if checks.is_empty() {
        writeln!(out, "models: none is configured; the embedded portfolio answers every stage")?;
        return Ok(Ending::Done);
    }
    writeln!(out, "models: {}", checks.len())?;
    for check in &checks {
        writeln!(out, "  {}", told(check))?;
    }
    let faulty = checks.iter().filter(|check| check.fault.is_some()).count();
    if faulty == 0 {
        Ok(Ending::Done)
    } else {
        Err(Fault::Failed(format!("{faulty} of {} models cannot serve", checks.len())))
    }
}

fn told(check: &EndpointCheck) -> String {
    let EndpointCheck { model, endpoint, effective_model, elapsed, usage, fault } = check;
    if let Some(fault) = fault {
        return format!("{model} at {endpoint}: {fault}");
    }
    let named = effective_model.as_deref().unwrap_or("a model without a name");
    format!("{model} at {endpoint}: serves as {named}, {} ms, {usage}", elapsed.as_millis())
}

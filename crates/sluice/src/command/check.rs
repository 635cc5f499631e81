//! `sluice check`: reads the policies and the `mcp.json` file, and says what it found.

use std::io::{self, Write};

use crate::arguments::Shared;
use crate::assembly;
use crate::command::{Ending, Fault};

/// Checks the configuration without reaching any server.
pub(crate) fn run(shared: &Shared) -> Result<Ending, Fault> {
    let policy = assembly::policy(shared)?;
    let upstreams = assembly::upstreams(shared)?;
    let mut out = io::stdout().lock();
    writeln!(out, "policies: sound, hash {}", policy.hash)?;
    writeln!(out, "listings: {}", upstreams.len())?;
    for upstream in upstreams {
        writeln!(out, "  {} ({})", upstream.name, upstream.transport.word())?;
    }
    Ok(Ending::Done)
}

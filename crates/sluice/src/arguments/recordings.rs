//! The command lines of `sluice replay` and `sluice trace`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

pub(super) const EXIT_CODES: &str = "Exit codes: 0 the same bytes or the same decisions, 1 not the same, \
                                 2 wrong usage or an unreadable recording.";

/// How recorded requests end.
const OUTCOMES: [&str; 4] = ["answer", "clarification_required", "capability_miss", "failed"];

/// The name of a recording: a folder's, below the directory that is recorded into, and nowhere else.
pub(super) fn name(text: &str) -> Result<String, String> {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "-_.".contains(sign);
    if text.is_empty() || text.starts_with('.') || !text.chars().all(is_plain) {
        return Err("letters, digits, `-`, `_` and `.` make a name, which begins with no `.`".to_owned());
    }
    Ok(text.to_owned())
}

#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// Recordings, or directories of them.
    #[arg(required = true, value_name = "RECORDING")]
    pub(crate) recordings: Vec<PathBuf>,

    /// Replay nothing: say where two recordings part for the first time, and what that cost.
    #[arg(long, conflicts_with = "print")]
    pub(crate) diff: bool,

    /// Print the reply of each recording, as the HTTP surface gives it.
    #[arg(long)]
    pub(crate) print: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Trace {
    #[command(subcommand)]
    pub(crate) action: TraceAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TraceAction {
    /// List recordings, oldest first.
    List {
        /// The directory with the recordings.
        #[arg(default_value = "traces", value_name = "DIR")]
        directory: PathBuf,

        /// Only requests that ended so.
        #[arg(long, value_name = "OUTCOME", value_parser = OUTCOMES)]
        outcome: Option<String>,

        /// Only requests for which this was the reason.
        #[arg(long, value_name = "CODE")]
        reason: Option<String>,

        /// Only requests that took at least so long, in milliseconds.
        #[arg(long, value_name = "MS")]
        slower_than: Option<u64>,

        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Draw one recorded request: its stages, its calls side by side, its models and what it spent.
    Show {
        /// The recording.
        #[arg(value_name = "RECORDING")]
        recording: PathBuf,
    },
    /// Ask again what a recording was asked, of the listings there are now, and record it in its place.
    Again {
        /// The recordings.
        #[arg(required = true, value_name = "RECORDING")]
        recordings: Vec<PathBuf>,
    },
}

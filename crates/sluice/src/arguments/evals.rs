//! The command line of `sluice eval`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

pub(super) const EXIT_CODES: &str = "Exit codes: 0 every gate passed (or none was set), 1 a gate failed, \
                               2 wrong usage, unreadable input or no server at the address.";

#[derive(Debug, Args)]
pub(crate) struct Eval {
    #[command(subcommand)]
    pub(crate) action: Option<EvalAction>,

    /// The suite to ask: `anchors`, `coverage`, another one of the evals directory, `all`, a directory of case files; or
    /// `documents`, which is measured over the sets of `--data`.
    #[arg(long, default_value = "all", value_name = "SUITE")]
    pub(crate) suite: String,

    /// Ask two questions in one: each clear question of the suite with one for other methods behind it, these words between.
    #[arg(long, conflicts_with_all = ["data", "corpus", "cases", "retrieval"], value_name = "WORDS")]
    pub(crate) joined: Option<String>,

    /// The directory with the sets of documents that the library is measured on.
    #[arg(long, conflicts_with_all = ["url", "records", "corpus"], value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,

    /// The directory with the suites and their `gates.toml`.
    #[arg(long, default_value = "evals", value_name = "DIR")]
    pub(crate) evals: PathBuf,

    /// Ask the server at this address; without it the cases are asked in process.
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,

    /// The API key for that server.
    #[arg(
        long,
        default_value = "any",
        hide_default_value = true,
        env = "SLUICE_API_KEY",
        hide_env_values = true,
        value_name = "KEY"
    )]
    pub(crate) key: String,

    /// Ask that server for event streams, as newer clients do, instead of JSON.
    #[arg(long, requires = "url")]
    pub(crate) stream: bool,

    /// How many cases are under way at the same time; at most `requests_in_flight_max`.
    #[arg(long, default_value_t = 4, value_name = "NUMBER")]
    pub(crate) concurrency: usize,

    /// Write what the gate decided on in each case here, as JSON lines: what `sluice eval flips` reads.
    #[arg(long, conflicts_with = "url", value_name = "FILE")]
    pub(crate) records: Option<PathBuf>,

    /// Record every request below this directory, as `recording.toml` says, to be replayed with `sluice replay`.
    #[arg(long, conflicts_with_all = ["url", "data", "corpus", "cases", "retrieval"], value_name = "DIR")]
    pub(crate) record: Option<PathBuf>,

    /// Write the cases here as a corpus of gate cases, each with the methods that it may call, and ask nothing.
    #[arg(long, conflicts_with_all = ["url", "records"], value_name = "FILE")]
    pub(crate) corpus: Option<PathBuf>,

    /// Run this corpus of gate cases instead, JSON lines: the tools of each case are all there is.
    #[arg(long, conflicts_with_all = ["suite", "evals", "url", "concurrency"], value_name = "FILE")]
    pub(crate) cases: Option<PathBuf>,

    /// Write what was decided of each case of the corpus here, as JSON lines.
    #[arg(long, requires = "cases", value_name = "FILE")]
    pub(crate) predictions: Option<PathBuf>,

    /// Rank the tools of this catalogue instead, JSON lines, beside a BM25 baseline.
    #[arg(
        long,
        requires = "queries",
        conflicts_with_all = ["suite", "evals", "url", "concurrency", "cases"],
        value_name = "TOOLS"
    )]
    pub(crate) retrieval: Option<PathBuf>,

    /// The queries that the tools are ranked for, JSON lines.
    #[arg(long, requires = "retrieval", value_name = "QUERIES")]
    pub(crate) queries: Option<PathBuf>,

    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum EvalAction {
    /// Decide again what the gate has decided, under the policies of `--policies`, and print what comes out otherwise. No
    /// method is called. Exits with 1 where there are flips.
    Flips {
        /// What the gate decided on, as JSON lines from `sluice eval --records`; without it, what the data directory keeps.
        #[arg(long, value_name = "FILE")]
        inputs: Option<PathBuf>,

        /// Where a server keeps its state.
        #[arg(long, default_value = ".sluice", env = "SLUICE_DATA_DIR", value_name = "DIR")]
        data_dir: PathBuf,

        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

//! The command line.

mod evals;
mod recordings;

use std::net::SocketAddr;
use std::path::PathBuf;

use axum::http::HeaderValue;
use clap::{Args, Parser, Subcommand, ValueEnum};
use worker::Confines;

use evals::EXIT_CODES as EVAL_EXIT_CODES;
pub(crate) use evals::{Eval, EvalAction};
use recordings::EXIT_CODES as REPLAY_EXIT_CODES;
pub(crate) use recordings::{Replay, Trace, TraceAction};

/// A query orchestration runtime: asks MCP servers, and answers with evidence.
#[derive(Debug, Parser)]
#[command(name = "sluice", version, after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) shared: Shared,

    /// How log lines look.
    #[arg(long, global = true, value_enum, default_value = "pretty", env = "SLUICE_LOG_FORMAT")]
    pub(crate) log_format: LogFormat,

    /// Which log lines are written to standard error, as `target=level` pairs: `warn,sluice=info` of a server and `warn`
    /// of every other command, unless said.
    #[arg(long, global = true, env = "SLUICE_LOG", value_name = "FILTER")]
    pub(crate) log_filter: Option<String>,

    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Arguments {
    /// Which log lines are written. What is asked at a terminal tells its own story: a line for each decision would bury it.
    pub(crate) fn log_filter(&self) -> &str {
        let unless_said = match self.command {
            Command::Serve(_) | Command::Mcp(_) => "warn,sluice=info",
            Command::Ask(_)
            | Command::Check(_)
            | Command::Docs(_)
            | Command::Eval(_)
            | Command::Replay(_)
            | Command::Tools(_)
            | Command::Trace(_)
            | Command::Worker(_) => "warn",
        };
        self.log_filter.as_deref().unwrap_or(unless_said)
    }
}

const EXIT_CODES: &str = "Exit codes: 0 answered or done, 1 failed, 2 wrong usage or configuration, \
                          3 nothing at hand can answer (capability miss), 4 the question is ambiguous.";

/// What every command may be told.
#[derive(Clone, Debug, Args)]
pub(crate) struct Shared {
    /// A directory of policy files that override the shipped ones, file by file.
    #[arg(long, global = true, env = "SLUICE_POLICIES", value_name = "DIR")]
    pub(crate) policies: Option<PathBuf>,

    /// An `mcp.json` file with the MCP servers to use.
    #[arg(long, global = true, env = "SLUICE_MCP_CONFIG", value_name = "FILE")]
    pub(crate) mcp_config: Option<PathBuf>,

    /// Leave the embedded sample listings out.
    #[arg(long, global = true, env = "SLUICE_NO_SAMPLES")]
    pub(crate) no_samples: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people.
    Pretty,
    /// One JSON object a line.
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve the HTTP surface.
    Serve(Serve),
    /// Ask one question, without a server.
    Ask(Ask),
    /// Add, list, remove documents, which `ask --docs` and a server answer from.
    Docs(Docs),
    /// Serve the tools over the documents to one MCP client, over standard input and output.
    Mcp(Mcp),
    /// Look at the catalog, or call one method.
    Tools(Tools),
    /// Check the policies and the `mcp.json` file.
    Check(Check),
    /// Measure the gate: ask suites of cases and hold the result against their gates, or run a corpus.
    #[command(after_help = EVAL_EXIT_CODES, args_conflicts_with_subcommands = true)]
    Eval(Box<Eval>),
    /// Replay recordings, with nothing behind them, and hold what comes out against what was replied.
    #[command(after_help = REPLAY_EXIT_CODES)]
    Replay(Replay),
    /// Look at recordings.
    Trace(Trace),
    /// Run programs for the process that started this one.
    #[command(hide = true)]
    Worker(Worker),
}

/// What a worker process may use; whoever starts it takes this from `sandbox.toml`.
#[derive(Debug, Args)]
pub(crate) struct Worker {
    address_space_bytes: u64,
    message_bytes_max: usize,
}

impl Worker {
    pub(crate) fn confines(&self) -> Confines {
        Confines { address_space_bytes: self.address_space_bytes, message_bytes_max: self.message_bytes_max }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Try every model that the policies name with one small request; fails where one cannot serve.
    #[arg(long)]
    pub(crate) models: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// The address to listen on.
    #[arg(long, default_value = "127.0.0.1:3000", env = "SLUICE_BIND", value_name = "ADDRESS")]
    pub(crate) bind: SocketAddr,

    /// Where jobs, receipts and stored data are kept.
    #[arg(long, default_value = ".sluice", env = "SLUICE_DATA_DIR", value_name = "DIR")]
    pub(crate) data_dir: PathBuf,

    /// The API keys that are let in, a file with one a line. Without it any key is, on loopback only.
    #[arg(long, env = "SLUICE_API_KEYS_FILE", value_name = "FILE")]
    pub(crate) api_keys_file: Option<PathBuf>,

    /// The address that callers reach this server under, for links in answers.
    #[arg(long, env = "SLUICE_PUBLIC_URL", value_name = "URL")]
    pub(crate) public_url: Option<String>,

    /// Another origin that may show the chat in a frame, as `https://example.com`; may be given several times.
    #[arg(
        long = "embed-origin",
        env = "SLUICE_EMBED_ORIGINS",
        value_name = "ORIGIN",
        value_delimiter = ',',
        value_parser = crate::http::embed_origin
    )]
    pub(crate) embed_origins: Vec<HeaderValue>,

    /// Record requests below this directory, as `recording.toml` says. Without it nothing is recorded.
    #[arg(long, env = "SLUICE_RECORD", value_name = "DIR")]
    pub(crate) record: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Ask {
    /// The question.
    pub(crate) question: String,

    /// Answer from the documents of the data directory, with what they say, what they lack and where they disagree.
    #[arg(long, conflicts_with_all = ["tools", "depth", "trace"])]
    pub(crate) docs: bool,

    /// Only from this collection of documents, by name.
    #[arg(long, requires = "docs", value_name = "NAME")]
    pub(crate) collection: Option<String>,

    #[command(flatten)]
    pub(crate) shelved: Shelved,

    /// Ask only this listing, by id or name; may be given several times.
    #[arg(long = "tool", value_name = "TOOL")]
    pub(crate) tools: Vec<String>,

    /// How deep to look before planning; `depth_default` of `lanes.toml` where it is not said.
    #[arg(long, value_enum)]
    pub(crate) depth: Option<Depth>,

    /// What to do where the question could mean several things.
    #[arg(long, value_enum, default_value = "return")]
    pub(crate) clarify: Clarify,

    /// Print the result as JSON, as the HTTP surface gives it.
    #[arg(long)]
    pub(crate) json: bool,

    /// Add the developer trace to the JSON.
    #[arg(long, requires = "json")]
    pub(crate) trace: bool,

    /// Record the request below this directory.
    #[arg(long, value_name = "DIR")]
    pub(crate) record: Option<PathBuf>,

    /// The recording's name, in place of one that says when it was made.
    #[arg(long, requires = "record", value_name = "NAME", value_parser = recordings::name)]
    pub(crate) record_as: Option<String>,
}

/// What to do with an ambiguous question.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Clarify {
    /// Ask back.
    Return,
    /// Go on with what is most likely meant, and say so.
    Auto,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Depth {
    Fast,
    Auto,
    Deep,
}

/// Where documents are, and whose they are.
#[derive(Debug, Args)]
pub(crate) struct Shelved {
    /// Where documents are kept, with all other state.
    #[arg(long, global = true, default_value = ".sluice", env = "SLUICE_DATA_DIR", value_name = "DIR")]
    pub(crate) data_dir: PathBuf,

    /// The API key whose documents they are, for a server that answers its callers from them; without it they are the command
    /// line's own.
    #[arg(long, global = true, env = "SLUICE_API_KEY", hide_env_values = true, value_name = "KEY")]
    pub(crate) key: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Docs {
    #[command(flatten)]
    pub(crate) shelved: Shelved,

    #[command(subcommand)]
    pub(crate) action: DocsAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DocsAction {
    /// Take in files, and every Markdown, HTML, text and PDF file of directories. What is there already is replaced where it
    /// has changed.
    Add {
        /// The files and directories.
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// The collection, by name; made where there is none.
        #[arg(long, value_name = "NAME")]
        collection: Option<String>,
        /// What the documents are tagged with; may be given several times.
        #[arg(long = "tag", value_name = "TAG")]
        tags: Vec<String>,
    },
    /// List the documents.
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Remove documents, by id.
    Remove {
        /// The ids.
        #[arg(required = true, value_name = "ID")]
        ids: Vec<String>,
    },
    /// Build the search index anew.
    Reindex,
}

#[derive(Debug, Args)]
pub(crate) struct Mcp {
    #[command(flatten)]
    pub(crate) shelved: Shelved,

    /// Record what `deep_search` is asked below this directory.
    #[arg(long, value_name = "DIR")]
    pub(crate) record: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Tools {
    #[command(subcommand)]
    pub(crate) action: ToolsAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ToolsAction {
    /// List the listings, with how they are doing.
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Show one listing and its methods.
    Show {
        /// The listing, by id or name.
        tool: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Call one method and print its result.
    Call {
        /// The listing, by id or name.
        tool: String,
        /// The method.
        method: String,
        /// The arguments, as a JSON object.
        #[arg(default_value = "{}")]
        arguments: String,
    },
}

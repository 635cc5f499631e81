//! The command line.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// A query orchestration runtime: asks MCP servers, and answers with evidence.
#[derive(Debug, Parser)]
#[command(name = "sluice", version, after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) shared: Shared,

    /// How log lines look.
    #[arg(long, global = true, value_enum, default_value = "pretty", env = "SLUICE_LOG_FORMAT")]
    pub(crate) log_format: LogFormat,

    /// Which log lines are written to standard error, as `target=level` pairs.
    #[arg(
        long,
        global = true,
        default_value = "warn,sluice=info",
        env = "SLUICE_LOG",
        value_name = "FILTER"
    )]
    pub(crate) log_filter: String,

    #[command(subcommand)]
    pub(crate) command: Command,
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
    /// Look at the catalog, or call one method.
    Tools(Tools),
    /// Check the policies and the `mcp.json` file.
    Check,
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
}

#[derive(Debug, Args)]
pub(crate) struct Ask {
    /// The question.
    pub(crate) question: String,

    /// Ask only this listing, by id or name; may be given several times.
    #[arg(long = "tool", value_name = "TOOL")]
    pub(crate) tools: Vec<String>,

    /// How deep to look before planning.
    #[arg(long, value_enum, default_value = "fast")]
    pub(crate) depth: Depth,

    /// Print the result as JSON, as the HTTP surface gives it.
    #[arg(long)]
    pub(crate) json: bool,

    /// Add the developer trace to the JSON.
    #[arg(long, requires = "json")]
    pub(crate) trace: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Depth {
    Fast,
    Auto,
    Deep,
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

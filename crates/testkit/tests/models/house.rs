//! A portfolio whose models are scripted servers.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use fit::Knowledge;
use jiff::Timestamp;
use llm::{Portfolio, PortfolioFault};
use policy::Policy;
use testkit::FixedClock;

pub(crate) const KEY: &str = "sesame-open-42";

/// How an endpoint is spoken to.
pub(crate) const MANNERS: [(&str, &str); 5] = [
    ("openai", "schema"),
    ("openai", "tool"),
    ("openai", "none"),
    ("anthropic", "tool"),
    ("anthropic", "schema"),
];

/// The settings that tests differ in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings<'a> {
    /// Each is an endpoint with one model, by name, in the order of the chain.
    pub(crate) servers: &'a [(&'a str, String)],
    pub(crate) manner: (&'a str, &'a str),
    pub(crate) timeout_ms: u64,
    pub(crate) attempt_timeout_ms: u64,
    pub(crate) failures_max: u32,
    pub(crate) hedge_ms: Option<u64>,
    pub(crate) output_chars_max: usize,
}

impl<'a> Settings<'a> {
    pub(crate) fn of(servers: &'a [(&'a str, String)]) -> Self {
        Self {
            servers,
            manner: MANNERS[0],
            timeout_ms: 30_000,
            attempt_timeout_ms: 20_000,
            failures_max: 100,
            hedge_ms: None,
            output_chars_max: 600,
        }
    }
}

/// The policy of these settings.
pub(crate) fn policy(settings: &Settings<'_>) -> Policy {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("models.toml"), text(settings)).unwrap();
    Policy::load(directory.path()).unwrap()
}

fn text(settings: &Settings<'_>) -> String {
    let names: Vec<String> = settings.servers.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    let chain = [names.as_slice(), &["\"embedded\"".to_owned()]].concat().join(", ");
    let first = names.first().map_or("\"embedded\"", String::as_str);
    let endpoints: String =
        settings.servers.iter().map(|(name, url)| endpoint(settings, name, url)).collect();
    let stages = ["judge", "plan", "complete", "summarize", "recap", "explore", "reason", "synthesize"]
        .map(|name| stage(settings, name, &chain));
    format!(
        "[endpoints]\n{endpoints}{}[retries]\nfirst_ms = 1\nlast_ms = 2\n\
         [http]\nconnect_timeout_ms = 5000\nreply_bytes_max = 65536\n\
         [prompt]\nitem_chars_max = 4000\ndata_chars_max = 20000\n\
         [answer]\ndefault = {first}\nmodels = [{chain}]\n\
         [lint]\ninstruction_phrases = []\ntool_verbs = []\n",
        stages.concat()
    )
}

fn endpoint(settings: &Settings<'_>, name: &str, url: &str) -> String {
    let ((dialect, structured), failures_max) = (settings.manner, settings.failures_max);
    format!(
        "[endpoints.{name}]\ndialect = \"{dialect}\"\nbase_url = \"{url}\"\napi_key = {{ env = \"KEY\" }}\n\
         structured_output = \"{structured}\"\nbreaker = {{ failures_max = {failures_max}, open_ms = 600000 }}\n\
         [models.{name}]\nendpoint = \"{name}\"\nname = \"{name}-1\"\ninput_usd_per_million = \"1\"\n\
         output_usd_per_million = \"2\"\noutput_tokens_max = 4096\n"
    )
}

fn stage(settings: &Settings<'_>, name: &str, chain: &str) -> String {
    let hedge = settings.hedge_ms.map_or_else(String::new, |after| format!("hedge_ms = {after}\n"));
    format!(
        "[stages.{name}]\nmodels = [{chain}]\ntimeout_ms = {}\nattempt_timeout_ms = {}\nretries_max = 1\n\
         reasks_max = 1\noutput_tokens_max = 1000\noutput_chars_max = {}\n{hedge}",
        settings.timeout_ms, settings.attempt_timeout_ms, settings.output_chars_max
    )
}

/// The portfolio of these settings.
pub(crate) fn portfolio(settings: &Settings<'_>) -> Portfolio {
    open(&policy(settings), &|name| (name == "KEY").then(|| KEY.to_owned())).unwrap()
}

pub(crate) fn open(
    policy: &Policy,
    environment: &dyn Fn(&str) -> Option<String>,
) -> Result<Portfolio, PortfolioFault> {
    let clock = Arc::new(FixedClock::new(Timestamp::UNIX_EPOCH));
    Portfolio::open(policy, Arc::new(Knowledge::default()), environment, clock)
}

/// Every file of a folder beside these tests, by name.
pub(crate) fn files(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models").join(folder);
    let mut files: Vec<(String, String)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap()))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

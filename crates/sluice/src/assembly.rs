//! Puts the parts together: policies, catalog, model, ledger, and the one pipeline over them.

mod answer;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use domain::{Clock, Snapshot, Usd};
use engine::Shelf;
use ledger::Ledger;
use llm::{Portfolio, PortfolioFault};
use mcp::{Transport, Upstream, Upstreams};
use policy::{BotCheckKind, Policy, PolicyError, SandboxMode};
use probe::Ranked;
use store::Store;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use trace::Recorder;
use worker::{Executable, Programs};

use crate::arguments::Shared;
use crate::chat::{Conversations, NoConversations};
use crate::clock::SystemClock;
use crate::desk::{Desk, Shelved};
use crate::outside;
use crate::wording;
use telemetry::Telemetry;

/// The seed of the sample data: any number serves, as long as it stays the same.
const SAMPLE_SEED: u64 = 2026;

/// The durable state's file, within the data directory.
pub(crate) const STORE_FILE: &str = "sluice.db";

/// The directory of the library's index, within the data directory.
pub(crate) const INDEX_DIR: &str = "index";

/// The assembled runtime: everything that a question needs.
pub(crate) struct Assembly {
    pub(crate) policy: Arc<Policy>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) upstreams: Arc<Upstreams>,
    pub(crate) store: Store,
    /// Every task of the process; shutdown waits for it.
    pub(crate) tasks: TaskTracker,
    /// Trips when the process is to stop at once.
    pub(crate) stop: CancellationToken,
    public_url: String,
    shelf: Shelf,
    portfolio: Arc<Portfolio>,
    /// The library.
    pub(crate) desk: Desk,
    /// Where programs run.
    pub(crate) programs: Programs,
    /// Signs clarification tokens; kept with the durable state.
    pub(crate) token_key: Vec<u8>,
    pub(crate) conversations: Conversations,
    ledger: Ledger,
}

/// What a server and a replay make in ways of their own.
struct Parts {
    shelf: Shelf,
    portfolio: Portfolio,
    token_key: Vec<u8>,
    public_url: String,
}

/// Why the parts do not fit.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AssemblyFault {
    /// A policy cannot be used.
    #[error("policy: {0}")]
    Policy(#[from] PolicyError),
    /// The models that the policy names cannot be asked.
    #[error("policy: {0}")]
    Models(#[from] PortfolioFault),
    /// The `mcp.json` file cannot be used.
    #[error("{file}: {message}")]
    McpConfig {
        /// The file, as named by the caller.
        file: String,
        /// What is wrong.
        message: String,
    },
    /// The durable state cannot be opened.
    #[error("data directory: {0}")]
    Store(#[from] store::Error),
    /// There can be no conversations.
    #[error(transparent)]
    Conversations(#[from] NoConversations),
    /// The library cannot be opened.
    #[error("data directory: {0}")]
    Library(#[from] library::Error),
}

/// The policies that the arguments name.
pub(crate) fn policy(shared: &Shared) -> Result<Policy, PolicyError> {
    shared.policies.as_deref().map_or_else(Policy::shipped, Policy::load)
}

/// The models of a policy, with their keys; nothing is sent.
pub(crate) fn portfolio(policy: &Policy, shelf: &Shelf) -> Result<Portfolio, PortfolioFault> {
    Portfolio::open(policy, Arc::clone(shelf.knowledge()), &environment, Arc::new(SystemClock))
}

#[expect(
    clippy::disallowed_methods,
    reason = "policies name environment variables; this is the process's edge"
)]
fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// How the durable state may use its machine.
pub(crate) fn store_settings(policy: &policy::Store) -> store::Settings {
    store::Settings {
        readers_max: policy.readers_max,
        acquire_timeout: Duration::from_millis(policy.acquire_timeout_ms),
        busy_timeout: Duration::from_millis(policy.busy_timeout_ms),
        blob_bytes_max: policy.blob_bytes_max,
    }
}

/// The MCP servers that the arguments name: the embedded samples, then those of the `mcp.json` file.
pub(crate) fn upstreams(shared: &Shared) -> Result<Vec<Upstream>, AssemblyFault> {
    let mut upstreams = if shared.no_samples { Vec::new() } else { samples() };
    if let Some(file) = &shared.mcp_config {
        upstreams.extend(configured(file)?);
    }
    Ok(upstreams)
}

fn samples() -> Vec<Upstream> {
    let now: market::Now = Arc::new(|| SystemClock.now());
    market::listings(now, SAMPLE_SEED)
        .into_iter()
        .map(|sample| {
            let server = sample.clone();
            let transport = Transport::Embedded(Arc::new(move |io| {
                let server = server.clone();
                Box::pin(async move { server.serve(io).await })
            }));
            Upstream {
                description: Some(sample.description().to_owned()),
                category: Some(sample.category().to_owned()),
                price: Usd::parse(sample.price()).unwrap_or(Usd::ZERO),
                ..Upstream::new(sample.name(), transport)
            }
        })
        .collect()
}

#[expect(
    clippy::disallowed_methods,
    reason = "mcp.json files name environment variables; this is the process's edge"
)]
fn configured(file: &Path) -> Result<Vec<Upstream>, AssemblyFault> {
    let fault = |message: String| AssemblyFault::McpConfig { file: file.display().to_string(), message };
    let text = fs::read_to_string(file).map_err(|error| fault(error.to_string()))?;
    let config = mcp::config::read(&text, &|name| std::env::var(name).ok())
        .map_err(|error| fault(error.to_string()))?;
    for note in &config.notes {
        tracing::warn!(note, "mcp.json");
    }
    Ok(config.upstreams)
}

/// This binary, as a worker process runs it.
fn own_executable() -> Executable {
    // On Linux it can be reached even where another one has taken its place by now.
    let path = if cfg!(target_os = "linux") {
        Path::new("/proc/self/exe").to_owned()
    } else {
        std::env::current_exe().unwrap_or_default()
    };
    Executable { path, arguments: vec!["worker".into()] }
}

/// The configuration file, as the caller named it.
fn config_name(shared: &Shared) -> String {
    shared
        .mcp_config
        .as_deref()
        .map_or_else(|| "the configuration".to_owned(), |file| file.display().to_string())
}

impl Assembly {
    /// The parts of a process that keeps nothing.
    pub(crate) async fn passing(shared: &Shared) -> Result<Self, AssemblyFault> {
        let policy = policy(shared)?;
        let store = Store::in_memory(store_settings(&policy.store)).await?;
        Box::pin(Self::start(shared, policy, (store, None), String::new())).await
    }

    /// Puts the parts together and begins to connect; does not wait for any server.
    ///
    /// `index` is the directory of the library's index, which is kept in memory where there is none; `public_url` the address
    /// that stored data is reached under.
    pub(crate) async fn start(
        shared: &Shared,
        policy: Policy,
        (store, index): (Store, Option<&Path>),
        public_url: String,
    ) -> Result<Self, AssemblyFault> {
        let shelf = Shelf::of(&policy.probe);
        let portfolio = portfolio(&policy, &shelf)?;
        let parts =
            Parts { shelf, portfolio, token_key: store.secret("clarification-token").await?, public_url };
        Box::pin(Self::of_parts(shared, policy, (store, index), parts)).await
    }

    /// The parts for replaying a request that ran under this policy: no listing, no key, nothing kept. Programs run in
    /// this process, where virtual time can wait for them, for as long as this machine needs: where the clock ended one is
    /// in the recording.
    pub(crate) async fn replaying(mut policy: Policy, public_url: String) -> Result<Self, AssemblyFault> {
        policy.sandbox.mode = SandboxMode::InProcess;
        policy.sandbox.wall_ms_max = u64::MAX;
        policy.guardrails.bot.check = BotCheckKind::Off;
        let shelf = Shelf::of(&policy.probe);
        let knowledge = Arc::clone(shelf.knowledge());
        let portfolio = Portfolio::without_keys(&policy, knowledge, Arc::new(SystemClock))?;
        let store = Store::in_memory(store_settings(&policy.store)).await?;
        let bare = Shared { policies: None, mcp_config: None, no_samples: true };
        let parts = Parts { shelf, portfolio, token_key: outside::REPLAY_KEY.to_vec(), public_url };
        Box::pin(Self::of_parts(&bare, policy, (store, None), parts)).await
    }

    async fn of_parts(
        shared: &Shared,
        policy: Policy,
        (store, index): (Store, Option<&Path>),
        parts: Parts,
    ) -> Result<Self, AssemblyFault> {
        let Parts { shelf, portfolio, token_key, public_url } = parts;
        let portfolio = Arc::new(portfolio);
        let policy = Arc::new(policy);
        let configured = upstreams(shared)?;
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let tasks = TaskTracker::new();
        let stop = CancellationToken::new();
        let upstreams = Upstreams::start(
            configured,
            Arc::new(policy.upstreams.clone()),
            Arc::clone(&clock),
            tasks.clone(),
            &stop,
        )
        .map_err(|error| AssemblyFault::McpConfig {
            file: config_name(shared),
            message: error.to_string(),
        })?;
        tasks.spawn(
            stop.clone()
                .run_until_cancelled_owned(wording::watch(Arc::clone(&upstreams), Arc::clone(&policy))),
        );
        let desk =
            Desk::open(store.clone(), index, Arc::clone(&portfolio), Arc::clone(&policy), Arc::clone(&clock))
                .await?;
        Ok(Self {
            desk,
            token_key,
            conversations: Conversations::open(&policy, &store, &environment).await?,
            ledger: Ledger::new(store.clone()),
            programs: Programs::open(&policy.sandbox, own_executable()),
            policy,
            clock,
            upstreams,
            store,
            tasks,
            stop,
            public_url,
            portfolio,
            shelf,
        })
    }

    /// The same, with requests recorded below `directory`.
    pub(crate) fn recording(self, directory: &Path, name: Option<&str>) -> Self {
        let place = (directory.to_owned(), name.map(str::to_owned));
        let tasks = (&self.tasks, self.stop.clone());
        Self { desk: self.desk.recording(place, tasks), ..self }
    }

    /// The same, with requests watched.
    pub(crate) fn watched_by(self, telemetry: Arc<Telemetry>) -> Self {
        Self { desk: self.desk.watched_by(telemetry), ..self }
    }

    /// What watches requests; none where nothing does.
    pub(crate) fn telemetry(&self) -> Option<&Arc<Telemetry>> {
        self.desk.telemetry()
    }

    /// Where requests are recorded; none where they are not.
    pub(crate) fn recorder(&self) -> Option<&Recorder> {
        self.desk.recorder()
    }

    /// The catalog as a caller has it.
    pub(crate) async fn catalog<'a>(&'a self, caller: &'a str) -> Shelved<'a> {
        self.desk.of(caller).shelved(&self.upstreams).await
    }

    /// The methods of a snapshot that share a word with `words`, best first.
    pub(crate) fn search(&self, snapshot: &Snapshot, words: &str) -> Vec<Ranked> {
        self.shelf.index(snapshot, &self.policy.probe).search(reading::words::terms(words))
    }

    /// The address that stored data is reached under.
    pub(crate) fn public_url(&self) -> &str {
        &self.public_url
    }

    /// The address of stored data.
    pub(crate) fn data_url(&self, token: &str) -> String {
        format!("{}/data/{token}", self.public_url)
    }

    /// Ends every session and child process, and waits for the tasks.
    pub(crate) async fn close(&self) {
        self.programs.close().await;
        self.upstreams.close().await;
        self.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
        self.store.clone().close().await;
    }
}

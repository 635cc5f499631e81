//! Loads and checks the policy files; typed, read-only, and known by the hash of their bytes.
//!
//! The shipped files are embedded in the binary and are the defaults. A directory may override them file by file.
//! Unknown keys, missing keys and values out of range are errors, said with the file and the key.

mod bundle;
mod evidence;
mod files;
mod gate;
mod guardrails;
mod judge;
mod library;
mod limits;
mod market;
mod models;
mod prompts;
mod range;
mod ranking;
mod recording;
mod recovery;
mod rollout;
mod settle;
mod workers;

pub use bundle::{Policy, PolicyError};
pub use evidence::{AnswerLimits, EvidenceRules, NumberRules, PackLimits, ValueConflicts, ViewLimits};
pub use gate::{Gate, RolloutStage};
pub use guardrails::{
    Addresses, Anonymous, BotCheckKind, BotRules, Guardrails, HistoryLimits, InputLimits, NarrowBudgets,
    Quotas, Rate, RateMemory, Rates, RunLimits, ScopeRules, SessionCookie, ThreadRules,
};
pub use judge::{Forest, Learned, OfArgument, OfCase, OfMethod, SignalNames, Tree, Verdicts};
pub use library::{
    ChunkRanking, ChunkSizes, ChunkTypos, ConfidenceWeights, ConflictRules, DocumentLimits, Expansion,
    Exploration, Finding, Fusion, Library, MarkerLimits, Reasoning, RequestRates, SearchSessions,
    SupportWeights, TurnWeights,
};
pub use limits::{Budgets, Sandbox, Server, Store, Upstreams};
pub use market::{Market, MarketArguments, MarketKind, MarketRecord};
pub use models::{
    AnswerModels, ApiKey, BreakerLimits, DescriptionLint, Dialect, EMBEDDED, Embeddings, Endpoint,
    HostedModel, ModelHttp, ModelStage, Models, OutputLimit, PromptLimits, Retries, StageModels,
    StructuredOutput,
};
pub use prompts::{Prompt, Prompts, Slot, SlotKind, Template};
pub use ranking::{FieldWeights, Groups, Kin, LightWords, Pools, Ranking, Selection, Typos};
pub use recording::Recording;
pub use recovery::{Pages, Recovery};
pub use rollout::{AutoLane, LaneFlags, Lanes};
pub use settle::{Direct, LeftOver, OffTopic, Reply, Settle, Shaped};
pub use workers::{SandboxMode, Workers};

//! Searches that tools report of themselves, for the developer trace. The runtime copies them from results; what does
//! not parse as one of these is not copied, because every client checks them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A search inside a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContributorSearch {
    /// The listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_id: Option<String>,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// When, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp_ms: Option<i64>,
    /// What the tool says.
    pub search_metadata: SearchMetadata,
}

/// What a tool says of its search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchMetadata {
    /// `ctx-contributor-search/v1`.
    pub version: String,
    /// How it ended.
    pub outcome: SearchOutcome,
    /// How sure it is.
    pub confidence: SearchConfidence,
    /// What it took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selected_candidate_id: Option<String>,
    /// What it looked at closely.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub shortlist_candidate_ids: Vec<String>,
    /// What goes with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub related_candidate_ids: Vec<String>,
    /// What it left.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub rejected_candidate_ids: Vec<String>,
    /// What it found.
    pub candidate_count: u64,
    /// How much of that it looked at closely.
    pub shortlist_count: u64,
    /// What it looked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub intent_queries: Vec<String>,
    /// Why it could not do its best.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub degraded: Option<SearchDegraded>,
    /// Its judge.
    pub judge: SearchJudge,
    /// Where it looked.
    pub provenance: Vec<SearchProvenance>,
    /// How it decided.
    pub trace: SearchTrace,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SearchOutcome {
    /// With one candidate.
    Selected,
    /// With a few.
    ShortlistOnly,
    /// With none.
    CapabilityMiss,
}

/// How sure a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum SearchConfidence {
    High,
    Medium,
    Low,
}

/// Why a search could not do its best.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchDegraded {
    /// Why.
    pub reason_code: SearchDegradedReason,
    /// The same in words.
    pub message: String,
}

/// Why a search could not do its best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum SearchDegradedReason {
    JudgeDisabled,
    JudgeMissing,
    JudgeTimeout,
    JudgeBudgetExceeded,
    JudgeInvalidOutput,
    JudgeError,
    ValidatorRejected,
    AmbiguousShortlist,
    NoViableCandidates,
}

/// A search's judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchJudge {
    /// Who runs it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// The model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How long it may take, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// What it may cost, as a decimal string.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget_usd: Option<String>,
    /// Whether it is off.
    pub disabled: bool,
    /// Whether its word was taken.
    pub applied: bool,
    /// What it used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<SearchJudgeUsage>,
}

/// What a search's judge used.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchJudgeUsage {
    /// Tokens in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_tokens: Option<u64>,
    /// Tokens out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completion_tokens: Option<u64>,
    /// Together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_tokens: Option<u64>,
    /// What it cost, as a decimal string.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<String>,
    /// How long it took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_ms: Option<u64>,
}

/// Where a search looked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchProvenance {
    /// Where.
    pub source: String,
    /// For what.
    pub query: String,
    /// How much it found there.
    pub candidate_count: u64,
}

/// How a search decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchTrace {
    /// Whether rules had to do.
    pub used_deterministic_fallback: bool,
    /// What became of the judge's word.
    pub validator_status: SearchValidatorStatus,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validator_reason_code: Option<String>,
    /// The same in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validator_reason: Option<String>,
}

/// What became of a judge's word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum SearchValidatorStatus {
    Accepted,
    Rejected,
    NotRun,
}

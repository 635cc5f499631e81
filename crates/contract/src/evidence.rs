//! The evidence package of an answer.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::intelligence::MarketIntelligence;
use crate::result::{Cost, OutcomeType, Tone, ToolUsed};
use crate::session::OrchestrationMetrics;

/// What an answer rests on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// The facts, most relevant first.
    pub facts: Vec<Fact>,
    /// Where they come from.
    #[serde(default)]
    pub source_refs: Vec<SourceRef>,
    /// What was assumed.
    #[serde(default)]
    pub assumptions: Vec<String>,
    /// What could not be found out.
    #[serde(default)]
    pub known_unknowns: Vec<String>,
    /// How the facts were taken from the data: `keyword_lookup`, `large_canonical_payload`, `full_data_intent`,
    /// `dense_multi_entity`.
    #[serde(default)]
    pub retrieval_plan_reason_codes: Vec<String>,
    /// The facts in the terms of markets.
    pub market_intelligence: Option<MarketIntelligence>,
}

/// One value taken from a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Fact {
    /// Unique within the answer: `path_lookup:0`.
    pub id: String,
    /// What the value is.
    pub label: String,
    /// Where in the data it stands, as a JSON path.
    pub path: Option<String>,
    /// How near it is to the question, from 0 to 1.
    pub relevance_score: Option<f64>,
    /// The value; may be null, is always there.
    pub value: Value,
}

/// Where facts come from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SourceRef {
    /// Unique within the answer: `source-1`.
    pub id: String,
    /// Who gave it.
    pub provider: Option<String>,
    /// What of theirs it is.
    pub dataset: Option<String>,
    /// When it was observed, in ISO 8601.
    pub observed_at: Option<String>,
    /// When it was published, in ISO 8601.
    pub published_at: Option<String>,
    /// Its content address.
    pub artifact_ref: Option<String>,
    /// Where a person can look.
    pub url: Option<String>,
    /// What else to know.
    pub note: Option<String>,
}

/// What was kept of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Artifacts {
    /// The address of the data.
    pub data_url: Option<String>,
    /// The data's identity.
    pub canonical_data_ref: Option<CanonicalDataRef>,
    /// Which stages left something behind.
    #[serde(default)]
    pub stage_artifact_kinds: Vec<StageArtifactKind>,
}

/// The identity of the data that an answer rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CanonicalDataRef {
    /// `<request id>:canonical-execution`.
    pub dataset_id: String,
    /// The SHA-256 of its JSON, as 64 hexadecimal digits.
    pub hash: String,
    /// The length of its JSON.
    pub bytes: u64,
    /// Its public address.
    pub public_data_url: Option<String>,
}

/// What a stage left behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the words are the names of stages and what they leave")]
pub enum StageArtifactKind {
    QuerySessionContract,
    DepthDecision,
    ToolSelection,
    ScoutContract,
    ScoutRolloutContract,
    ScoutBudgetEnvelope,
    ScoutBudgetSummary,
    ScoutBudgetStop,
    ScoutBudgetSoftOverride,
    ScoutPrePlanProbe,
    ScoutEvidenceSanitized,
    ClarificationDecisionInput,
    ClarificationDecision,
    PlannerGeneratedCode,
    PlannerDirectAnswer,
    FirstPassExecution,
    ExecutionProgramLineage,
    CompletenessEvaluation,
    FinalExecution,
    CanonicalDatasetRegistered,
    CanonicalDataUrlLinked,
    SynthesisContextSelection,
}

/// The evidence laid out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct View {
    /// The layout.
    #[serde(rename = "type")]
    pub kind: ViewKind,
    /// The layout's name, to show.
    pub label: String,
    /// The heading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A few numbers to show large.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub metrics: Vec<Metric>,
    /// The column headings.
    #[serde(default)]
    pub columns: Vec<String>,
    /// The rows.
    #[serde(default)]
    pub rows: Vec<ViewRow>,
}

/// The layout of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ViewKind {
    /// Names and values.
    Table,
    /// Ranked rows.
    Leaderboard,
    /// Rows by columns, by magnitude.
    Heatmap,
    /// Rows in time.
    Timeseries,
}

/// One number to show large.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Metric {
    /// What it is.
    pub label: String,
    /// Its text.
    pub value: String,
    /// How to colour it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tone: Option<Tone>,
}

/// One row of a view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ViewRow {
    /// Unique within the view.
    pub key: String,
    /// Its cells, one for each column.
    #[serde(default)]
    pub cells: Vec<String>,
    /// How to colour it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tone: Option<Tone>,
    /// The sources that it was read from.
    #[serde(default)]
    pub source_ref_ids: Vec<String>,
}

/// How old the evidence is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Freshness {
    /// The newest observation, in ISO 8601.
    pub as_of: Option<String>,
    /// Every observation, in ISO 8601.
    #[serde(default)]
    pub source_timestamps: Vec<String>,
    /// The same in words.
    pub note: String,
}

/// How far the evidence carries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Confidence {
    /// The level.
    pub level: ConfidenceLevel,
    /// Why that level.
    pub reason: String,
    /// Facts read from results.
    pub verified_fact_count: u64,
    /// Facts computed from them.
    pub inferred_fact_count: u64,
    /// As many as `gapSignals`.
    pub gap_count: u64,
    /// What is missing.
    #[serde(default)]
    pub gap_signals: Vec<GapSignal>,
}

/// A level of confidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConfidenceLevel {
    /// No gaps.
    High,
    /// Some gaps.
    Medium,
    /// Little to rest on.
    Low,
}

/// Something that is missing from the evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GapSignal {
    /// What kind: `context_truncated`, `limited_slice_coverage`, `empty_canonical_payload` and others.
    pub code: String,
    /// How much it matters.
    pub severity: Severity,
    /// The particulars.
    pub detail: String,
}

/// How much a gap matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// A blemish.
    Low,
    /// Part of the answer.
    Medium,
    /// The heart of the answer.
    High,
}

/// Cost, time and tools of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// What it cost.
    pub cost: Cost,
    /// The listings that gave data.
    pub tools_used: Vec<ToolUsed>,
    /// How it ended.
    pub outcome_type: OutcomeType,
    /// How the run was orchestrated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orchestration_metrics: Option<OrchestrationMetrics>,
}

/// What stands in for `data` that is too large to be given inline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DataPreview {
    /// Always true.
    pub truncated: bool,
    /// The length of the whole as JSON.
    pub bytes: u64,
    /// The most that is given inline.
    pub inline_bytes_max: u64,
    /// The beginning of the data.
    pub preview: Value,
    /// Where the whole is.
    pub full_data: FullData,
}

/// Where the whole of the data is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FullData {
    /// Its address.
    pub data_url: Option<String>,
    /// Its identity.
    pub canonical_data_ref: Option<CanonicalDataRef>,
}

//! The gate's part of the developer trace. Clients up to 0.13 check every key, so it is complete or not there.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::query::ClarificationPolicy;
use crate::result::{AssumptionMade, OutcomeType};
use crate::session::OrchestrationMode;

/// What the gate decided, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "one for each flag of the wire")]
pub struct ClarificationDiagnostics {
    /// How the listings were chosen.
    pub orchestration_mode: OrchestrationMode,
    /// How far the gate is rolled out: `enabled`.
    pub rollout_stage: String,
    /// Whether the decision was recorded and not applied.
    pub shadow_mode: bool,
    /// The policy that held.
    pub policy: ClarificationPolicy,
    /// What the gate decided, before the policy was applied.
    pub outcome_type: OutcomeType,
    /// Whether it decided for something other than an answer.
    pub triggered: bool,
    /// Options that it offered.
    pub option_count: u64,
    /// Methods that were safe for queries.
    pub candidate_count: u64,
    /// Methods that could have answered.
    pub viable_candidate_count: u64,
    /// The option that it would take.
    pub recommended_option_id: Option<String>,
    /// Why that one.
    pub recommended_option_reason: Option<String>,
    /// Whether that option was taken without asking.
    pub auto_resolved: bool,
    /// Whether that was allowed.
    pub auto_select_enabled: bool,
    /// What was assumed by it.
    pub assumption_made: Option<AssumptionMade>,
    /// What is missing.
    pub missing_capability: Option<String>,
    /// Why it decided so.
    pub decision_reason_code: DecisionReason,
    /// What spoke for it: names, some with a value after a colon.
    #[serde(default)]
    pub decision_signals: Vec<String>,
    /// What it looked at.
    pub evidence_sources: EvidenceSources,
    /// The options that were compared.
    #[serde(default)]
    pub compared_option_ids: Vec<String>,
    /// Who decided.
    pub decision_strategy: DecisionStrategy,
    /// Whether a judge was asked.
    pub judge_attempted: bool,
    /// Whether its word was taken.
    pub judge_applied: bool,
    /// What it said.
    pub judge_outcome_type: Option<OutcomeType>,
    /// How sure it was, from 0 to 1.
    pub judge_confidence: Option<f64>,
    /// Why it said so.
    pub judge_reason: Option<String>,
    /// Why its word was not taken.
    pub judge_error: Option<String>,
    /// The check that its word did not pass.
    pub validator_reason: Option<String>,
    /// What was done instead.
    pub fallback_reason: Option<String>,
    /// Who worded the question.
    pub copy_strategy: CopyStrategy,
    /// Whether better words were asked for.
    pub rewrite_attempted: bool,
    /// Whether they were taken.
    pub rewrite_applied: bool,
    /// Why they were not.
    pub rewrite_error: Option<String>,
    /// The best candidates, best first.
    #[serde(default)]
    pub candidate_summaries: Vec<CandidateSummary>,
    /// What the judge cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_telemetry: Option<JudgeTelemetry>,
}

/// Why the gate decided as it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecisionReason {
    /// The gate is off.
    RolloutDisabled,
    /// Nothing fits.
    NoGroundedCandidates,
    /// One interpretation is left.
    SingleGroundedInterpretation,
    /// An argument that must be there tells them apart.
    RequiredDiscriminatorAmbiguity,
    /// What they cover tells them apart.
    ContractScopeAmbiguity,
    /// Cost or speed tells them apart.
    CostOrLatencyAmbiguity,
    /// What they mean tells them apart.
    SemanticScopeAmbiguity,
    /// Nothing can do it.
    CapabilityMiss,
}

impl DecisionReason {
    /// The word of the wire.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::RolloutDisabled => "rollout_disabled",
            Self::NoGroundedCandidates => "no_grounded_candidates",
            Self::SingleGroundedInterpretation => "single_grounded_interpretation",
            Self::RequiredDiscriminatorAmbiguity => "required_discriminator_ambiguity",
            Self::ContractScopeAmbiguity => "contract_scope_ambiguity",
            Self::CostOrLatencyAmbiguity => "cost_or_latency_ambiguity",
            Self::SemanticScopeAmbiguity => "semantic_scope_ambiguity",
            Self::CapabilityMiss => "capability_miss",
        }
    }

    /// The reason of this word.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        serde_json::from_value(Value::from(word)).ok()
    }
}

/// What the gate looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "one for each flag of the wire")]
pub struct EvidenceSources {
    /// Schemas.
    pub uses_method_schemas: bool,
    /// Arguments of the probe.
    pub uses_probe_args: bool,
    /// Metadata.
    pub uses_method_metadata: bool,
    /// How the listings were chosen.
    pub uses_tool_selection_context: bool,
    /// A model's choice.
    pub uses_llm_selection: bool,
}

/// Who decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecisionStrategy {
    /// Rules.
    Deterministic,
    /// The judge.
    LlmPrimary,
}

/// Who worded the question. Clients up to 0.13 refuse other words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CopyStrategy {
    /// Rules.
    Deterministic,
    /// A model.
    LlmRewritten,
}

/// One candidate of the gate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CandidateSummary {
    /// `<tool id>:<method name>`.
    pub option_id: String,
    /// How well it fits. Whole points: the oldest clients refuse fractions.
    pub fit_score: i64,
    /// How well it fits, exactly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fit_score_exact: Option<f64>,
    /// How well a model thinks it fits.
    pub llm_relevance_score: Option<f64>,
    /// The arguments that must be there.
    #[serde(default)]
    pub required_params: Vec<String>,
    /// Those that the question does not give.
    #[serde(default)]
    pub unresolved_required_params: Vec<String>,
    /// Those that the probe gave.
    #[serde(default)]
    pub probe_arg_keys: Vec<String>,
    /// All arguments.
    #[serde(default)]
    pub input_field_names: Vec<String>,
    /// What it gives.
    #[serde(default)]
    pub output_keys: Vec<String>,
    /// How fast it says it is.
    pub latency_class: String,
    /// What a call costs, as a decimal string.
    pub execute_price_usd: Option<String>,
    /// Whether it may enter a query.
    pub query_eligible: bool,
    /// `event-wide`, `multi-target` or `single-target`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub semantic_scope: Option<String>,
    /// `event`, `market`, `outcome` or `venue`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub semantic_entity_granularity: Option<String>,
    /// Whether it needs a target that the question names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub semantic_requires_named_entity: Option<bool>,
    /// `tool-bound` where it serves one venue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub semantic_venue_specificity: Option<String>,
    /// `comparison`, `multiple`, `aggregate` or `single`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub semantic_output_cardinality: Option<String>,
    /// How sure that is, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub semantic_profile_confidence: Option<f64>,
}

/// What the judge cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JudgeTelemetry {
    /// The model that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_id: Option<String>,
    /// The model that answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime_model_id: Option<String>,
    /// What the judge used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judge_usage: Option<Value>,
    /// What the wording used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rewrite_usage: Option<Value>,
    /// For the judge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judge_actual_cost_usd: Option<f64>,
    /// For the wording.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rewrite_actual_cost_usd: Option<f64>,
    /// Together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_actual_cost_usd: Option<f64>,
}

//! The stages' own reports, for the developer trace.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::clarification::ClarificationDiagnostics;
use super::search::ContributorSearch;
use super::selection::{Rediscovery, SelectionDiagnostics};
use crate::session::CallFailureSample;

/// The stages' own reports.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Diagnostics {
    /// Choosing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection: Option<SelectionDiagnostics>,
    /// Planning; clients up to 0.12.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planning: Option<PlanningDiagnostics>,
    /// Planning; clients from 0.13.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution_contract: Option<Planning>,
    /// The gate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clarification: Option<ClarificationDiagnostics>,
    /// Running; clients from 0.14.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution: Option<ExecutionDiagnostics>,
    /// Looking at the results; not clients of 0.13.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completeness: Option<Completeness>,
    /// Looking at the results; clients from 0.13.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verification: Option<Completeness>,
    /// Looking for other tools; clients up to 0.12.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rediscovery: Option<Rediscovery>,
    /// What it cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<CostDiagnostics>,
    /// How long each stage took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage_timing: Option<StageTiming>,
    /// The models that were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub models: Option<Models>,
    /// Searches that tools report.
    #[serde(default)]
    pub contributor_searches: Vec<ContributorSearch>,
}

/// How programs were asked for; clients up to 0.12.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanningDiagnostics {
    /// The first one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial: Option<Planning>,
}

/// How a program was asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Planning {
    /// The question as the planner saw it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planner_query: Option<String>,
    /// Whether the planner saw the probe's findings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_evidence_attached: Option<bool>,
    /// Those findings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_evidence_prompt_block: Option<String>,
    /// What the program may use.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub allowed_modules: Vec<String>,
}

/// How results were looked at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Completeness {
    /// What was found each time.
    #[serde(default)]
    pub evaluations: Vec<Evaluation>,
    /// What was done about it.
    #[serde(default)]
    pub repair_events: Vec<RepairEvent>,
    /// Whether other tools were needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trigger_needs_different_tools: Option<bool>,
    /// What was missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trigger_missing_capability: Option<String>,
    /// Why the answer stops short.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounded_answer_reason: Option<String>,
    /// What it does not have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounded_answer_data_gap: Option<String>,
}

/// What was found when the results were looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "one for each flag of the wire")]
pub struct Evaluation {
    /// The program, from 1.
    pub attempt: u64,
    /// Whether nothing is missing.
    pub is_complete: bool,
    /// What follows.
    pub outcome: EvaluationOutcome,
    /// What is missing.
    pub missing_parts: Vec<String>,
    /// What may help.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggested_fix: Option<String>,
    /// Whether the same tools may do better.
    pub can_retry_with_same_tools: bool,
    /// Whether other tools are needed.
    pub needs_different_tools: bool,
    /// What they should be able to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing_capability: Option<String>,
    /// Whether the tools set the bound.
    pub capability_constrained: bool,
    /// Whether a model's word could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parse_failed: Option<bool>,
    /// That word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw_decision_text: Option<String>,
}

/// What follows from the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvaluationOutcome {
    /// The answer can be written.
    Complete,
    /// The same tools may do better.
    RetrySameTools,
    /// Other tools are needed.
    NeedsDifferentTools,
}

/// What was done about results that do not answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RepairEvent {
    /// The program, from 1.
    pub attempt: u64,
    /// How it went: `attempted`, `patched`, `replanned`, `skipped_no_retry_budget` and others.
    pub outcome: String,
    /// Programs after the first so far.
    pub semantic_retry_count: u64,
    /// The most of those.
    pub max_semantic_retries: u64,
    /// How.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<RepairStrategy>,
    /// The same in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fail_reason: Option<String>,
    /// Whether a new program was asked for.
    pub requested_replan: bool,
    /// Whether only the syntax was mended.
    pub had_syntax_fix: bool,
    /// Places that were changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edit_count: Option<u64>,
    /// Why nothing was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip_reason: Option<String>,
    /// Why the answer stops short.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounded_answer_reason: Option<String>,
    /// What stood in the way; objects.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub blocking_diagnostics: Vec<Value>,
}

/// How a program was made to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RepairStrategy {
    /// It was mended.
    Patch,
    /// It was written anew.
    Replan,
}

/// How the program ran; clients from 0.14.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExecutionDiagnostics {
    /// Whether a model could reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_enabled: Option<bool>,
    /// Whether it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub received_reasoning: Option<bool>,
    /// How much.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_chars: Option<u64>,
    /// The most steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step_budget: Option<u64>,
    /// The steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completed_step_count: Option<u64>,
    /// The calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_call_count: Option<u64>,
    /// The methods that there were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_registry: Option<ToolRegistry>,
}

/// The methods that a program could call, and how its calls went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolRegistry {
    /// Methods that could have been called.
    pub available_tool_count: u64,
    /// Methods that were chosen.
    pub selected_method_count: u64,
    /// Some of their names.
    #[serde(default)]
    pub available_method_names_sample: Vec<String>,
    /// Chosen ones that were then left out.
    #[serde(default)]
    pub selected_but_filtered_out: Vec<String>,
    /// Calls that were made.
    pub tool_call_attempt_count: u64,
    /// Calls that gave data.
    pub tool_call_success_count: u64,
    /// Calls that gave none.
    pub tool_call_failure_count: u64,
    /// Some of those.
    #[serde(default)]
    pub tool_call_failure_samples: Vec<CallFailureSample>,
}

/// What the stages cost: US dollars, as numbers here.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CostDiagnostics {
    /// Planning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planning_cost_usd: Option<f64>,
    /// The first program's calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_execution_cost_usd: Option<f64>,
    /// Calls after that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rediscovery_additional_cost_usd: Option<f64>,
    /// Writing the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub synthesis_cost_usd: Option<f64>,
    /// All models.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_model_cost_usd: Option<f64>,
    /// All calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_cost_usd: Option<f64>,
    /// What the caller pays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_charged_usd: Option<f64>,
}

/// How long each stage took, in milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StageTiming {
    /// Choosing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection_ms: Option<u64>,
    /// The probe.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_ms: Option<u64>,
    /// The gate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clarification_ms: Option<u64>,
    /// Planning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planning_ms: Option<u64>,
    /// Running.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution_ms: Option<u64>,
    /// Looking for other tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rediscovery_ms: Option<u64>,
    /// Writing the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub synthesis_ms: Option<u64>,
    /// Together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accounted_ms: Option<u64>,
    /// What is left of the whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub residual_ms: Option<u64>,
}

/// The models that were asked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Models {
    /// Stage by stage.
    pub stages: Vec<ModelStage>,
}

/// The model of one stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelStage {
    /// The stage.
    pub stage: ModelStageName,
    /// The model by its public name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logical_model_id: Option<String>,
    /// The model that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requested_model_id: Option<String>,
    /// The model that the name stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolved_model_id: Option<String>,
    /// The model that answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effective_model_id: Option<String>,
    /// Why that one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback_reason: Option<String>,
    /// Whether no answer was to be written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub synthesis_skipped: Option<bool>,
    /// Whether it was asked at all.
    pub invoked: bool,
    /// How long it took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_ms: Option<u64>,
    /// What it cost, in US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual_cost_usd: Option<f64>,
    /// What it used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Value>,
}

/// A stage that asks a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the words are the names of stages")]
pub enum ModelStageName {
    ToolSelection,
    ScoutLlmSelection,
    ClarificationJudge,
    Planning,
    Repair,
    Reflection,
    Rewrite,
    CompletenessCheck,
    RediscoveryPlanning,
    IterativeExecution,
    InternalSummarization,
    FinalSynthesis,
}

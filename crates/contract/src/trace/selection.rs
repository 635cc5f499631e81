//! How listings and methods were chosen, for the developer trace.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::diagnostics::Planning;

/// How listings and methods were chosen. Names that begin with `scout` are about the metadata probe.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SelectionDiagnostics {
    /// The lane; clients up to 0.12.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selected_depth: Option<String>,
    /// The kind of deep lane; clients up to 0.12.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deep_mode: Option<String>,
    /// Whether the first program was to be kept; clients up to 0.12.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preserve_fast_one_shot: Option<bool>,
    /// `exploratory` or `one_shot`; clients from 0.13.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selected_policy: Option<String>,
    /// Whether the first program was to be kept; clients from 0.13.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one_shot_bias: Option<bool>,
    /// The deep lane's older name, where it was asked for by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debug_scout_deep_mode: Option<String>,
    /// `mechanical`, `focused` or `full`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planner_reasoning_stage: Option<String>,
    /// Methods of the chosen listings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidate_method_count: Option<u64>,
    /// Whether methods were called to find out more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_enabled: Option<bool>,
    /// `ready` where the probe gave something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_probe_status: Option<String>,
    /// `adequate` or `limited`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_probe_adequacy: Option<String>,
    /// How sure the probe is, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_probe_confidence: Option<f64>,
    /// How good the metadata is, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_metadata_confidence: Option<f64>,
    /// Methods that are safe for queries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_probe_query_safe_candidate_count: Option<u64>,
    /// Methods that were ranked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_probe_ranked_method_count: Option<u64>,
    /// Methods that the gate compares.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_probe_ambiguity_pool_count: Option<u64>,
    /// Methods that the planner may use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_probe_shortlisted_method_count: Option<u64>,
    /// What seems to be missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_probe_missing_capability: Option<String>,
    /// Calls that the probe made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_pre_plan_probe_calls: Option<u64>,
    /// The budget that stopped it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_pre_plan_probe_budget_reason_code: Option<String>,
    /// Whether the probe changed the lane.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_changed_initial_plan: Option<bool>,
    /// Whether it changed the planner's effort.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_changed_planner_reasoning_stage: Option<bool>,
    /// The lane before it; clients up to 0.12.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_initial_selected_depth: Option<String>,
    /// The kind of deep lane before it; clients up to 0.12.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_initial_deep_mode: Option<String>,
    /// The policy before it; clients from 0.13.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_initial_selected_policy: Option<String>,
    /// The effort before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_initial_planner_reasoning_stage: Option<String>,
    /// Why that lane.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_initial_reason_code: Option<String>,
    /// Why the lane that was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_final_reason_code: Option<String>,
    /// Whether the planner saw the probe's findings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_evidence_attached_to_planning: Option<bool>,
    /// Whether a model chose methods.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_llm_selection_used: Option<bool>,
    /// Whether that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_llm_selection_fallback: Option<bool>,
    /// How long that took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scout_llm_selection_latency_ms: Option<u64>,
    /// The listings that were chosen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub selected_tools: Vec<SelectedTool>,
}

/// A listing that was chosen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SelectedTool {
    /// Its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_id: Option<String>,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// Its chosen methods.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selected_method_count: Option<u64>,
    /// Their names, the first twelve.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub selected_methods: Vec<String>,
    /// Those that are not named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omitted_selected_method_count: Option<u64>,
    /// Its price, as a decimal string.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_usd: Option<String>,
}

/// How other tools were looked for; clients up to 0.12.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rediscovery {
    /// Whether it was thought of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub considered: Option<bool>,
    /// Whether it was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executed: Option<bool>,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip_reason: Option<String>,
    /// What was missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing_capability: Option<String>,
    /// What was looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rediscovery_query: Option<String>,
    /// Whether a search would have done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capability_looks_like_search_need: Option<bool>,
    /// Whether a search was allowed when time was up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_search_fallback_on_elapsed_cap: Option<bool>,
    /// Whether it was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_fallback_used: Option<bool>,
    /// The budget that stopped it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pre_rediscovery_budget_reason_code: Option<String>,
    /// What was found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub candidate_search_results: Vec<SelectedTool>,
    /// What was taken of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub selected_alternatives: Vec<SelectedTool>,
    /// All listings from then on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub merged_tools: Vec<SelectedTool>,
    /// Whether that costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub using_paid_fallback: Option<bool>,
    /// How the next program was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch_plan: Option<Planning>,
}

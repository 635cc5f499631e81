//! What the gate decided on, whole, so that the decision can be made again: by another policy, and without a call.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::clarification::DecisionReason;
use crate::query::ClarificationPolicy;
use crate::result::OutcomeType;

/// The version of [`GateRecord`] that this code writes and reads.
pub const GATE_RECORD_VERSION: &str = "sluice-gate-record/1";

/// A decision of the gate with all that it was made from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GateRecord {
    /// [`GATE_RECORD_VERSION`].
    pub version: String,
    /// The request.
    pub request_id: String,
    /// The hash of the policies that it was decided under.
    pub policy_hash: String,
    /// What it was made from.
    pub input: GateInput,
    /// What was decided.
    pub decision: GateDecision,
}

/// What the gate decided on: the question and the selected methods, as published.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GateInput {
    /// The question.
    pub query: String,
    /// What was said before it, oldest first.
    #[serde(default)]
    pub history: Vec<GateTurn>,
    /// When it was asked, RFC 3339.
    pub asked_at: String,
    /// What the caller wants done with an ambiguous question.
    pub clarification_policy: ClarificationPolicy,
    /// The listings of the methods below.
    pub listings: Vec<GateListing>,
    /// The methods that may serve it, best first.
    pub candidates: Vec<GateCandidate>,
    /// Other methods of the same listings, for look-ups.
    pub helpers: Vec<GateCandidate>,
    /// The things that it may ask for by themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub things: Vec<GateThing>,
    /// What was left out.
    pub left_out: Vec<GateLeftOut>,
    /// Methods that were looked at.
    pub considered: u64,
    /// What a hosted judge said; none where the rules judge, since they can be asked again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opinion: Option<GateOpinion>,
}

/// One turn of the conversation before the question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GateTurn {
    /// `user` or `assistant`.
    pub role: GateRole,
    /// What was said; empty where the turn only called methods.
    pub content: String,
    /// What was called in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<GateCall>,
}

/// A call of an earlier turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GateCall {
    /// The method, by name.
    pub method_name: String,
    /// Its arguments.
    pub arguments: Map<String, Value>,
}

/// Who spoke.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum GateRole {
    /// The one who asks.
    User,
    /// The one who answers.
    Assistant,
}

/// A listing, as the catalog knew it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GateListing {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it offers.
    pub description: String,
    /// The methods that the candidates and helpers name.
    pub methods: Vec<GateMethod>,
}

/// A method, as published.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GateMethod {
    /// Its name.
    pub name: String,
    /// Its title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it does.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub input_schema: Value,
    /// The JSON Schema of its result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    /// How fast it says it is.
    pub latency_class: crate::tools::LatencyClass,
    /// What a call costs, as a decimal string.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub execute_price_usd: Option<String>,
}

/// A method that may serve the question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GateCandidate {
    /// Its listing.
    pub tool_id: String,
    /// Its name.
    pub method_name: String,
    /// How well its words fit; comparable within one input only.
    pub score: f64,
}

/// Something that the question may ask for by itself, beside other things.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GateThing {
    /// What it is, as the question says it.
    pub query: String,
    /// The methods that may serve it, best first; their scores are comparable within it only.
    pub candidates: Vec<GateCandidate>,
}

/// A method that was left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GateLeftOut {
    /// Its listing.
    pub tool_id: String,
    /// Its name.
    pub method_name: String,
    /// How well its words fit, on the candidates' scale.
    pub score: f64,
    /// Why.
    pub reason: String,
    /// Whether it is what the question asks to be done.
    pub is_asked_for: bool,
}

/// What a hosted judge said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GateOpinion {
    /// What it thinks should be done.
    pub outcome_type: OutcomeType,
    /// The options that it finds viable, best first.
    pub option_ids: Vec<String>,
    /// The option that it would take.
    pub recommended_option_id: Option<String>,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
    /// Why.
    pub reason: String,
}

/// What was decided, as far as it is compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GateDecision {
    /// The decision, before the caller's policy was applied.
    pub outcome_type: OutcomeType,
    /// Why.
    pub decision_reason_code: DecisionReason,
    /// The option that it would take.
    pub recommended_option_id: Option<String>,
    /// The options that it offers.
    pub option_ids: Vec<String>,
}

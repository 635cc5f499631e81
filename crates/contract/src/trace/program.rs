//! The program and its calls, for the developer trace.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// One run of a program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExecutionStep {
    /// The program, from 1.
    pub attempt: u64,
    /// What it was for: `initial`, `execution`.
    pub phase: String,
    /// What it gave.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// Which step, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step_number: Option<u64>,
    /// The listing that it called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// What the step's result is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_alias: Option<String>,
}

/// One call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolCallRecord {
    /// The listing.
    pub tool_id: String,
    /// The method.
    pub tool_name: String,
    /// With what.
    pub args: Value,
    /// What came back; an object with `error` where it gave no data.
    pub result: Value,
}

/// One method that the program could call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolSchemaRecord {
    /// The listing.
    pub server_name: String,
    /// The method.
    pub tool_name: String,
    /// What it says of itself.
    pub description: String,
    /// The JSON Schema of its arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<Value>,
    /// The JSON Schema of its result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
}

/// How the program changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExecutionProgram {
    /// The first revision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_revision_id: Option<String>,
    /// The last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_revision_id: Option<String>,
    /// How many there are.
    pub revision_count: u64,
    /// How often it was mended.
    pub patch_count: u64,
    /// How often it was written anew.
    pub replan_count: u64,
    /// How often rules mended it.
    pub deterministic_change_count: u64,
    /// Each of them.
    pub revisions: Vec<ProgramRevision>,
}

/// One revision of the program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProgramRevision {
    /// `rev-<number>`.
    pub revision_id: String,
    /// The one before.
    pub parent_revision_id: Option<String>,
    /// The program, from 1.
    pub attempt: u64,
    /// What was done: `initial`, `patch`, `replan`.
    pub action: String,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The same in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The SHA-256 of its text, in hexadecimal digits.
    pub code_hash: String,
    /// The length of its text.
    pub code_length: u64,
    /// Lines that differ from the one before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_line_count: Option<u64>,
    /// How they differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff_preview: Option<String>,
    /// Places that were changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edit_count: Option<u64>,
    /// Whether it is the one before, mended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preserves_prior_logic: Option<bool>,
}

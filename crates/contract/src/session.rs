//! Sessions and their attempts, and how a run was orchestrated.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Where a run stands among its session's attempts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuerySession {
    /// The session.
    pub session_id: String,
    /// This attempt.
    pub attempt_id: String,
    /// The attempt that it goes on from.
    pub parent_attempt_id: Option<String>,
    /// The first attempt of its line; the attempt itself where it is the first.
    pub root_attempt_id: String,
    /// What the attempt is to the session.
    pub mode: SessionMode,
    /// What it came from.
    pub origin: SessionOrigin,
    /// How it stands.
    pub status: SessionStatus,
    /// How far it got.
    pub checkpoint: Checkpoint,
}

impl QuerySession {
    /// The first attempt of a new session.
    #[must_use]
    pub fn initial(
        session_id: String,
        attempt_id: String,
        status: SessionStatus,
        stage: CheckpointStage,
    ) -> Self {
        Self {
            session_id,
            root_attempt_id: attempt_id.clone(),
            attempt_id,
            parent_attempt_id: None,
            mode: SessionMode::Initial,
            origin: SessionOrigin::InitialRequest,
            status,
            checkpoint: Checkpoint { current_stage: Some(stage), ..Checkpoint::default() },
        }
    }
}

/// What an attempt is to its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SessionMode {
    /// Its first.
    Initial,
    /// A line that goes on.
    Resume,
    /// A new line.
    Fork,
}

/// What an attempt came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SessionOrigin {
    /// A request of its own.
    InitialRequest,
    /// A request to go on.
    Resume,
    /// A request to start a new line.
    Fork,
}

/// How an attempt stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SessionStatus {
    /// It waits for the caller.
    Active,
    /// It has an answer.
    Completed,
    /// It broke.
    Failed,
    /// It was given up.
    Aborted,
}

/// How far an attempt got.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Checkpoint {
    /// Its last stage.
    pub current_stage: Option<CheckpointStage>,
    /// The last thing that it left behind: `<request id>:<number>`.
    pub latest_checkpoint_artifact_id: Option<String>,
    /// Its data.
    pub canonical_dataset_id: Option<String>,
    /// The revision of its program: `rev-<number>`.
    pub execution_program_current_revision_id: Option<String>,
}

/// A stage that an attempt can stand at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckpointStage {
    /// Choosing listings.
    Selection,
    /// Writing the program.
    Planning,
    /// Running it.
    Execution,
    /// Looking at what it gave.
    Completeness,
    /// Writing the answer.
    Synthesis,
}

/// How an answer is tied to calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Grounding {
    /// Methods that could have been called.
    pub available_tool_count: u64,
    /// Some of their names.
    #[serde(default)]
    pub available_method_names_sample: Vec<String>,
    /// Methods that were chosen.
    pub selected_method_count: u64,
    /// Chosen ones that were then left out.
    #[serde(default)]
    pub selected_but_filtered_out: Vec<String>,
    /// Calls that the answer rests on.
    pub tool_call_count: u64,
    /// Calls that were made.
    pub tool_call_attempt_count: u64,
    /// Calls that gave data.
    pub tool_call_success_count: u64,
    /// Calls that gave none.
    pub tool_call_failure_count: u64,
    /// Some of those.
    #[serde(default)]
    pub tool_call_failure_samples: Vec<CallFailureSample>,
    /// Whether the answer rests on data.
    pub grounded: bool,
}

/// A call that gave no data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CallFailureSample {
    /// The listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// The method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method_name: Option<String>,
    /// Why.
    pub reason: String,
}

/// How a run was orchestrated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrchestrationMetrics {
    /// How far the runtime is rolled out.
    pub parity_stage: ParityStage,
    /// How the listings were chosen.
    pub orchestration_mode: OrchestrationMode,
    /// Whether the first program was enough.
    pub first_pass_success: bool,
    /// Whether something turned out not to be possible.
    pub capability_miss_signaled: bool,
    /// Whether other tools were looked for.
    pub rediscovery_executed: bool,
}

/// How far the runtime is rolled out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ParityStage {
    /// To everyone.
    Enabled,
}

/// How the listings of a run were chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OrchestrationMode {
    /// By the caller.
    ManualSelectedTools,
    /// By the runtime.
    AutoDiscovery,
}

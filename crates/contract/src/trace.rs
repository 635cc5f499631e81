//! The developer trace. Clients keep keys that they do not know, so that old and new names can stand side by side;
//! what the runtime does not have is left out.

mod clarification;
mod diagnostics;
mod gate_input;
mod program;
mod search;
mod selection;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

pub use clarification::{
    CandidateSummary, ClarificationDiagnostics, CopyStrategy, DecisionReason, DecisionStrategy,
    EvidenceSources, JudgeTelemetry,
};
pub use diagnostics::{
    Completeness, CostDiagnostics, Diagnostics, Evaluation, EvaluationOutcome, ExecutionDiagnostics,
    ModelStage, ModelStageName, Models, Planning, PlanningDiagnostics, RepairEvent, RepairStrategy,
    StageTiming, ToolRegistry,
};
pub use gate_input::{
    GATE_RECORD_VERSION, GateCall, GateCandidate, GateDecision, GateInput, GateLeftOut, GateListing,
    GateMethod, GateOpinion, GateRecord, GateRole, GateThing, GateTurn,
};
pub use program::{ExecutionProgram, ExecutionStep, ProgramRevision, ToolCallRecord, ToolSchemaRecord};
pub use search::{
    ContributorSearch, SearchConfidence, SearchDegraded, SearchDegradedReason, SearchJudge, SearchJudgeUsage,
    SearchMetadata, SearchOutcome, SearchProvenance, SearchTrace, SearchValidatorStatus,
};
pub use selection::{Rediscovery, SelectedTool, SelectionDiagnostics};

/// What happened in a run, for the developers of clients and tools.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeveloperTrace {
    /// The request: the caller's idempotency key, else a UUID.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Who made the trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<TraceSource>,
    /// The run in numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<TraceSummary>,
    /// What happened, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub timeline: Vec<TraceStep>,
    /// The stages' own reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagnostics: Option<Diagnostics>,
    /// The program as it was first written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_code: Option<String>,
    /// The program as it ran last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub final_code: Option<String>,
    /// Whether it ran to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution_success: Option<bool>,
    /// What it gave.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution_result: Option<Value>,
    /// How many programs ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt_count: Option<u64>,
    /// Each run of a program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub execution_trace: Vec<ExecutionStep>,
    /// Each call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub tool_call_history: Vec<ToolCallRecord>,
    /// The methods that the program could call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub tool_schemas: Vec<ToolSchemaRecord>,
    /// How the program changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution_program: Option<ExecutionProgram>,
}

/// Who made a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TraceSource {
    /// The runtime.
    BackendRuntime,
    /// The client, where the runtime sent none.
    SdkFallback,
}

/// A run in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TraceSummary {
    /// Calls of methods.
    pub tool_calls: u64,
    /// Programs after the first.
    pub retry_count: u64,
    /// Programs that were mended.
    pub self_heal_count: u64,
    /// Times that something simpler had to do.
    pub fallback_count: u64,
    /// Things that failed.
    pub failure_count: u64,
    /// Failures that were got over.
    pub recovery_count: u64,
    /// Times that the results were looked at.
    pub completion_checks: u64,
    /// Rounds of planning and running.
    pub loop_count: u64,
    /// Steps that made calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_step_count: Option<u64>,
}

/// One thing that happened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TraceStep {
    /// The stage.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step_type: Option<StepType>,
    /// What happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<StepEvent>,
    /// How it went.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<StepStatus>,
    /// The same in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// When, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp_ms: Option<i64>,
    /// The method that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<StepTool>,
    /// The program that it is about, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u64>,
    /// The round that it is part of.
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none")]
    pub loop_info: Option<StepLoop>,
    /// The particulars.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Map<String, Value>>,
}

/// A stage of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StepType {
    /// The run as a whole.
    Orchestration,
    /// Choosing listings.
    Selection,
    /// Writing programs.
    Planning,
    /// How programs changed.
    ExecutionProgram,
    /// Getting ready to run.
    ExecutionSetup,
    /// A run of a program.
    ExecutionAttempt,
    /// A call.
    ToolCall,
    /// Looking at the results.
    CompletionCheck,
    /// Trying again.
    Retry,
    /// Something simpler, or other tools.
    Fallback,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StepEvent {
    /// The run began.
    QueryStart,
    /// The run ended with an answer.
    QueryComplete,
    /// The run ended with a question back.
    ClarificationRequired,
    /// The run ended with an honest "cannot".
    CapabilityMiss,
    /// No program was needed.
    PlannerDirectAnswer,
    /// Listings were chosen.
    SelectedTools,
    /// A program was written.
    PlannerGeneratedCode,
    /// A program changed.
    ExecutionProgramLineage,
    /// Programs are run step by step.
    IterativeExecutionEntry,
    /// The first program ran.
    Initial,
    /// A later program ran.
    Execution,
    /// A call was made.
    ToolCall,
    /// The results were looked at.
    Completeness,
    /// It was decided what follows from them.
    VerificationDecision,
    /// Results were suspicious.
    Reflection,
    /// A program was mended.
    #[serde(rename = "error_fix")]
    ErrorFix,
    /// Other tools were looked for.
    BoundedRediscovery,
    /// The written answer was held against its sources.
    CitationCheck,
    /// A model that was asked did not answer.
    ModelFallback,
    /// The lane was chosen.
    DepthDecision,
    /// The lane's flags.
    ScoutContract,
    /// What the metadata probe found.
    ScoutPrePlanProbe,
    /// What the gate decides on, whole.
    ClarificationDecisionInput,
    /// What it decided.
    ClarificationDecision,
    /// The request log's line on the lane.
    QueryDepthDecision,
    /// The request log's line on the lane's flags.
    QueryDepthRouterContract,
    /// The request log's line on the gate's rollout.
    QueryScoutRolloutContract,
    /// The request log's line on what the gate decides on.
    QueryClarificationInput,
    /// The request log's line on what it decided.
    QueryClarificationDecision,
}

/// How it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepStatus {
    /// Well.
    Ok,
    /// Well, to its end.
    Success,
    /// To no good end.
    Failed,
    /// It broke.
    Error,
    /// Something is missing.
    Incomplete,
    /// Nothing is missing.
    Complete,
    /// The same tools may do better.
    RetrySameTools,
    /// Other tools are needed.
    NeedsDifferentTools,
    /// Values that were due are null.
    SuspiciousNulls,
    /// It was not done.
    Skipped,
    /// It was done.
    Triggered,
}

/// The method that a step is about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StepTool {
    /// The listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
}

/// The round that a step is part of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StepLoop {
    /// What goes round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Which round, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iteration: Option<u64>,
    /// The most rounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_iterations: Option<u64>,
}

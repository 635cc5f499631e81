//! The request of `POST /api/v1/query` and `POST /api/v1/query/jobs`.

mod reading;

use serde::Serialize;
use utoipa::ToSchema;

/// A question and how it is to be answered.
///
/// Serializing it gives the form of the newest clients; [`QueryBody::parse`] reads every form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "one for each flag of the wire")]
pub struct QueryBody {
    /// The question; neither empty nor blank.
    pub query: String,
    /// The listings to use, by id. Empty, null or absent lets the runtime choose.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false, nullable)]
    pub tools: Vec<String>,
    /// Whether to answer with an event stream.
    #[schema(required = false, default = false)]
    pub stream: bool,
    /// What to do with an ambiguous question; clients up to 0.13.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clarification_policy: Option<ClarificationPolicy>,
    /// Whether to choose among the account's favourites only; has no effect beside `tools`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub favorites_only: Option<bool>,
    /// The model that writes the answer. Older clients call it `answerModelId` or `modelId`; where several are sent,
    /// `agentModelId` wins over `answerModelId`, and that over `modelId`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_model_id: Option<String>,
    /// How much of the answer package to give.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_shape: Option<ResponseShape>,
    /// Whether to give the data that the answer rests on.
    #[schema(required = false, default = false)]
    pub include_data: bool,
    /// Whether to store that data and give its address.
    #[schema(required = false, default = false)]
    pub include_data_url: bool,
    /// Whether to give the developer trace.
    #[schema(required = false, default = false)]
    pub include_developer_trace: bool,
    /// How deep to look before planning; clients up to 0.12.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query_depth: Option<QueryDepth>,
    /// Asks for the deep lane by one of its older names; excludes `queryDepth: "fast"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debug_scout_deep_mode: Option<DeepMode>,
    /// The attempt to go on with; excludes `tools` and `forkFrom`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resume_from: Option<AttemptReference>,
    /// The attempt to start a new line from; excludes `tools` and `resumeFrom`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fork_from: Option<ForkReference>,
    /// The option of an earlier clarification that this question means. Our own addition: clients do not know it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clarification_choice: Option<ClarificationChoice>,
}

impl QueryBody {
    /// The depth that the request names, the deep lane's older names included.
    #[must_use]
    pub fn depth(&self) -> Option<QueryDepth> {
        match self.debug_scout_deep_mode {
            Some(DeepMode::Deep | DeepMode::DeepLight | DeepMode::DeepHeavy) => Some(QueryDepth::Deep),
            None => self.query_depth,
        }
    }
}

/// What to do with an ambiguous question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClarificationPolicy {
    /// Give the clarification back.
    Return,
    /// Go on with the recommended option.
    Auto,
    /// Like `return`; the client raises an error.
    Error,
}

/// How much of the answer package to give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResponseShape {
    /// The answer alone.
    Answer,
    /// The answer and its evidence.
    AnswerWithEvidence,
    /// The evidence and no written answer.
    EvidenceOnly,
}

/// How deep to look before planning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum QueryDepth {
    /// Straight to planning.
    Fast,
    /// As the runtime sees fit.
    Auto,
    /// With probe and gate.
    Deep,
}

/// The deep lane and two older names of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DeepMode {
    /// The deep lane.
    Deep,
    /// The deep lane.
    DeepLight,
    /// The deep lane.
    DeepHeavy,
}

/// An earlier attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttemptReference {
    /// Its session.
    pub session_id: String,
    /// The attempt.
    pub attempt_id: String,
}

/// An option of an earlier clarification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClarificationChoice {
    /// The option's `id`.
    pub option_id: String,
    /// The option's `choiceToken`.
    pub token: String,
}

/// An earlier attempt to start a new line from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ForkReference {
    /// Its session.
    pub session_id: String,
    /// The attempt.
    pub attempt_id: String,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<ForkReason>,
}

/// Why a new line is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ForkReason {
    /// The caller wants to.
    ManualFork,
    /// Other tools are to be tried.
    BoundedRediscovery,
    /// A resumed attempt is played again.
    ResumeReplay,
    /// A program was mended.
    PatchRetry,
    /// A clarification was answered; TypeScript clients up to 0.14.0.
    ClarificationBranch,
    /// Not said.
    Unknown,
}

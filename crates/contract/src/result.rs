//! The result of a query: what is common to the three endings, and what each ending has of its own.

mod outcome;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::computed::ComputedArtifact;
use crate::evidence::{Artifacts, Confidence, Evidence, Freshness, Usage, View};
use crate::session::{Grounding, OrchestrationMetrics, QuerySession};
use crate::trace::DeveloperTrace;

pub use outcome::{Action, Conclusion, Controller, IssueClass, Outcome, Scope, StopReason, Tone};

/// The result of a query.
///
/// Every client version reads it. Groups that an ending does not have are left out, never null; the constructors know
/// which ones those are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QueryResult {
    /// Always true.
    pub success: bool,
    /// The answer, the question back, or why there is none; in words.
    pub response: String,
    /// The listings that gave data; empty where there is no answer.
    pub tools_used: Vec<ToolUsed>,
    /// What it cost; zero where there is no answer.
    pub cost: Cost,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// How it ended.
    pub outcome_type: OutcomeType,
    /// The shape of the package. A plain answer has none: newer clients refuse the word `answer` here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_shape: Option<PackageShape>,
    /// The answer in a sentence or two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// What the answer rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// What was kept of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artifacts: Option<Artifacts>,
    /// The evidence laid out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<View>,
    /// How old the evidence is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub freshness: Option<Freshness>,
    /// How far the evidence carries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// Cost, time and tools once more, beside the package.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The data that the answer rests on, where it was asked for; a preview where it is too large.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    /// The address of that data, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_url: Option<String>,
    /// Charts and images.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub computed_artifacts: Vec<ComputedArtifact>,
    /// The question back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clarification: Option<Clarification>,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capability_miss: Option<CapabilityMiss>,
    /// The interpretation that was taken for an ambiguous question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assumption_made: Option<AssumptionMade>,
    /// The ending of an answer, to show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// What the controller did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub controller: Option<Controller>,
    /// `stopReason`, `issueClass` and `actionsTaken`.
    #[serde(flatten)]
    pub conclusion: Option<Conclusion>,
    /// How the run was orchestrated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orchestration_metrics: Option<OrchestrationMetrics>,
    /// Where this run stands among its session's attempts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query_session: Option<QuerySession>,
    /// How the answer is tied to calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grounding: Option<Grounding>,
    /// The developer trace, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub developer_trace: Option<Box<DeveloperTrace>>,
}

impl QueryResult {
    /// A plain answer: the keys that every client version accepts and nothing else. The caller adds groups.
    #[must_use]
    pub fn answer(response: String, tools_used: Vec<ToolUsed>, cost: Cost, duration_ms: u64) -> Self {
        Self {
            success: true,
            response,
            tools_used,
            cost,
            duration_ms,
            outcome_type: OutcomeType::Answer,
            response_shape: None,
            summary: None,
            evidence: None,
            artifacts: None,
            view: None,
            freshness: None,
            confidence: None,
            usage: None,
            data: None,
            data_url: None,
            computed_artifacts: Vec::new(),
            clarification: None,
            capability_miss: None,
            assumption_made: None,
            outcome: None,
            controller: None,
            conclusion: None,
            orchestration_metrics: None,
            query_session: None,
            grounding: None,
            developer_trace: None,
        }
    }

    /// A question back, free of charge. Only for callers that asked for it: clients from 0.14 refuse it.
    #[must_use]
    pub fn clarification(response: String, clarification: Clarification, duration_ms: u64) -> Self {
        let controller = Controller::after(vec![Action::InspectCurrentGrounding], Action::ClarifyScope);
        let conclusion =
            controller.conclude(StopReason::ClarificationRequired, Some(IssueClass::ScopeAmbiguity));
        Self {
            outcome_type: OutcomeType::ClarificationRequired,
            clarification: Some(clarification),
            conclusion: Some(conclusion),
            controller: Some(controller),
            ..Self::answer(response, Vec::new(), Cost::zero(), duration_ms)
        }
    }

    /// An honest "cannot", free of charge. `tried` is what was done on the way besides looking at what there is.
    #[must_use]
    pub fn capability_miss(
        response: String,
        miss: CapabilityMiss,
        tried: &[Action],
        duration_ms: u64,
    ) -> Self {
        let steps = [&[Action::InspectCurrentGrounding], tried].concat();
        let controller = Controller::after(steps, Action::ReturnCapabilityMiss);
        let conclusion = controller.conclude(StopReason::CapabilityMiss, Some(IssueClass::MissingCapability));
        Self {
            outcome_type: OutcomeType::CapabilityMiss,
            capability_miss: Some(miss),
            conclusion: Some(conclusion),
            controller: Some(controller),
            ..Self::answer(response, Vec::new(), Cost::zero(), duration_ms)
        }
    }
}

/// How a query ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeType {
    /// With an answer.
    Answer,
    /// With a question back. Clients from 0.14 refuse it.
    ClarificationRequired,
    /// With an honest "cannot".
    CapabilityMiss,
}

impl OutcomeType {
    /// The word of the wire.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::ClarificationRequired => "clarification_required",
            Self::CapabilityMiss => "capability_miss",
        }
    }
}

/// The shape of an answer package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PackageShape {
    /// The answer and its evidence.
    AnswerWithEvidence,
    /// The evidence and no written answer.
    EvidenceOnly,
}

/// A listing that gave data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolUsed {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How often it was called.
    pub skill_calls: u64,
}

/// What a query cost: US dollars as decimal strings, of six decimals each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cost {
    /// For models.
    pub model_cost_usd: String,
    /// For calls.
    pub tool_cost_usd: String,
    /// Together.
    pub total_cost_usd: String,
}

impl Cost {
    /// Nothing.
    #[must_use]
    pub fn zero() -> Self {
        let zero = || "0.000000".to_owned();
        Self { model_cost_usd: zero(), tool_cost_usd: zero(), total_cost_usd: zero() }
    }
}

/// A question back, with two or three options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Clarification {
    /// The question.
    pub question: String,
    /// The options; exactly one is recommended.
    pub options: Vec<ClarificationOption>,
    /// Whether the caller may answer in own words.
    pub allow_freeform: bool,
    /// The id of the recommended option.
    pub recommended_option_id: String,
    /// The question as it was asked.
    pub original_query: String,
}

/// One way to understand a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClarificationOption {
    /// `<tool id>:<method name>`.
    pub id: String,
    /// The listing.
    pub tool_id: String,
    /// Its name.
    pub tool_name: String,
    /// The method.
    pub method_name: String,
    /// A short name of the option.
    pub label: String,
    /// What it would answer.
    pub description: String,
    /// How well it fits. Whole points: the oldest clients refuse fractions.
    pub fit_score: i64,
    /// Whether it is the recommended one.
    pub recommended: bool,
    /// How it is taken up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution_mode: Option<ResolutionMode>,
    /// What to ask the caller, with `freeform`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub followup_prompt: Option<String>,
    /// What to send back as `clarificationChoice.token` to go on with this option. Our own addition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice_token: Option<String>,
}

/// How an option is taken up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResolutionMode {
    /// By choosing it.
    Option,
    /// By own words.
    Freeform,
}

/// Why there is no answer, and what would help.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CapabilityMiss {
    /// Why, in words.
    pub message: String,
    /// What is missing.
    pub missing_capabilities: Vec<String>,
    /// How the question could be asked instead.
    pub suggested_rewrites: Vec<String>,
    /// The question as it was asked.
    pub original_query: String,
}

/// The interpretation that was taken for an ambiguous question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AssumptionMade {
    /// How it was chosen.
    pub mode: AssumptionMode,
    /// The option that was taken.
    pub option_id: String,
    /// Its short name.
    pub label: String,
    /// Why that one.
    pub reason: String,
}

/// How an interpretation was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AssumptionMode {
    /// By the runtime.
    Auto,
}

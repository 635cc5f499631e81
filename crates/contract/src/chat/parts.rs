//! What the parts of our own hold.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::chunk::SourceMetadata;
use crate::evidence::{Fact, GapSignal, Metric, SourceRef, ViewKind, ViewRow};
use crate::result::ResolutionMode;
use crate::trace::DeveloperTrace;

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// `selection`, `lane`, `probe`, `judge`, `gate`, `planning`, `execution`, `assessment` or `synthesis`.
    pub stage: String,
    /// What is done, in words.
    pub label: String,
    /// How it stands.
    pub state: StepState,
    /// What came of it, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// When it began, in ISO 8601.
    pub started_at: String,
    /// How long it took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
}

/// How a step stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepState {
    /// Under way.
    Running,
    /// Done.
    Done,
    /// It came to nothing.
    Failed,
}

/// The interpretation that was taken for an ambiguous question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Assumption {
    /// Always `auto`.
    pub mode: String,
    /// The option that was taken.
    pub option_id: String,
    /// Its short name.
    pub label: String,
    /// Why that one.
    pub reason: String,
    /// The question: asked again with the policy `return`, it lets the caller choose.
    pub original_query: String,
}

/// The evidence of an answer, laid out.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvidenceView {
    /// The layout.
    pub view: ViewKind,
    /// The layout's name.
    pub label: String,
    /// The heading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A few numbers to show large.
    pub metrics: Vec<Metric>,
    /// The column headings.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<ViewRow>,
    /// The facts, most relevant first.
    pub facts: Vec<Fact>,
    /// Where they come from.
    pub sources: Vec<SourceRef>,
    /// What was assumed.
    pub assumptions: Vec<String>,
    /// What could not be found out.
    pub known_unknowns: Vec<String>,
    /// The address of the data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_url: Option<String>,
}

/// What is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Gaps {
    /// The gaps.
    pub gaps: Vec<GapSignal>,
}

/// Where sources disagree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Conflicts {
    /// The disagreements.
    pub conflicts: Vec<Conflict>,
}

/// Values of one thing that two sources give differently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Conflict {
    /// What kind of value.
    pub kind: String,
    /// What it is of.
    pub detail: String,
    /// Who says what.
    pub sides: Vec<ConflictSide>,
}

/// What one source says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConflictSide {
    /// The source's id in the evidence.
    pub source_ref_id: String,
    /// Its value, as it stands.
    pub value: String,
}

/// A question back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClarificationCard {
    /// What an answer names.
    pub clarification_id: String,
    /// The question.
    pub question: String,
    /// The options; exactly one is recommended.
    pub options: Vec<CardOption>,
    /// The id of the recommended option.
    pub recommended_option_id: String,
    /// Whether the caller may answer in own words.
    pub allow_freeform: bool,
    /// The question as it was asked.
    pub original_query: String,
    /// When the options can no longer be taken, in ISO 8601.
    pub expires_at: String,
    /// How it stands.
    pub state: CardState,
}

/// One way to understand a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CardOption {
    /// What an answer names.
    pub id: String,
    /// Its place among the options, from 1: also an answer.
    pub number: u64,
    /// A short name: also an answer.
    pub label: String,
    /// What it would answer.
    pub description: String,
    /// Whether it is the recommended one.
    pub recommended: bool,
    /// The listing's name.
    pub tool_name: String,
    /// The method's name.
    pub method_name: String,
    /// How it is taken up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution_mode: Option<ResolutionMode>,
    /// What to ask the caller, with `freeform`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub followup_prompt: Option<String>,
}

/// How a clarification stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CardState {
    /// It waits for an answer.
    Pending,
}

/// The validated citations of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Citations {
    /// In the order of their numbers.
    pub citations: Vec<Citation>,
    /// Markers that led nowhere and were left out.
    pub dropped: u64,
}

/// A source that the text cites.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Citation {
    /// The id of its `source-document`.
    pub source_id: String,
    /// Its title.
    pub title: String,
    /// What else is known of it.
    #[serde(flatten)]
    pub source: SourceMetadata,
}

/// The developer trace of a turn.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Trace {
    /// The trace.
    pub trace: Box<DeveloperTrace>,
}

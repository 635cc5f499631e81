//! The chunks of a stream: what every client version from 5.0.0 accepts, and nothing else.

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::parts::{Assumption, Citations, ClarificationCard, Conflicts, EvidenceView, Gaps, Step, Trace};
use super::replies::Quota;
use crate::events;
use crate::evidence::{Confidence, Freshness};
use crate::result::{CapabilityMiss, Tone};

/// One chunk.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Chunk {
    /// The message begins.
    Start {
        /// Its id.
        message_id: String,
        /// What run it is of.
        message_metadata: StartMetadata,
    },
    /// A step begins.
    StartStep,
    /// A step ends; no text may be open.
    FinishStep,
    /// A text begins.
    TextStart {
        /// Its id.
        id: String,
    },
    /// More of a text.
    TextDelta {
        /// The text's id.
        id: String,
        /// What is more.
        delta: String,
    },
    /// A text ends.
    TextEnd {
        /// Its id.
        id: String,
    },
    /// A call leaves.
    ToolInputStart {
        /// The call's id.
        tool_call_id: String,
        /// What is called: `<listing name>/<method name>`.
        tool_name: String,
        /// Always true: the client does not know the tool.
        dynamic: bool,
        /// Always true: the client must not run it.
        provider_executed: bool,
    },
    /// A call's arguments are known.
    ToolInputAvailable {
        /// The call's id.
        tool_call_id: String,
        /// What is called.
        tool_name: String,
        /// The arguments.
        #[schema(value_type = Object)]
        input: Map<String, Value>,
        /// Always true.
        dynamic: bool,
        /// Always true.
        provider_executed: bool,
    },
    /// A call gave data.
    ToolOutputAvailable {
        /// The call's id.
        tool_call_id: String,
        /// What it gave, in short.
        output: CallOutput,
        /// Always true.
        dynamic: bool,
        /// Always true.
        provider_executed: bool,
    },
    /// A call gave none.
    ToolOutputError {
        /// The call's id.
        tool_call_id: String,
        /// Why.
        error_text: String,
        /// Always true.
        dynamic: bool,
        /// Always true.
        provider_executed: bool,
    },
    /// A source, before the delta that cites it first.
    SourceDocument {
        /// Its id.
        source_id: String,
        /// What it is.
        media_type: String,
        /// Its title.
        title: String,
        /// What our page knows of it.
        provider_metadata: AppMetadata,
    },
    /// It broke; clients read nothing after this.
    Error {
        /// Why, in words that may be shown.
        error_text: String,
    },
    /// It was stopped.
    Abort,
    /// The message is whole.
    Finish {
        /// How it ended.
        message_metadata: Box<FinishMetadata>,
    },
    /// A part of our own; the same id replaces.
    #[serde(untagged)]
    Data(Part),
}

impl Chunk {
    /// The chunk as it goes over the wire. `seq` counts the run's chunks; clients ignore it, and ours comes back with it.
    #[must_use]
    pub fn frame(&self, seq: u64) -> String {
        let json = serde_json::to_string(self).unwrap_or_else(|_| UNWRITABLE.to_owned());
        format!("id: {seq}\n{}", events::framed(&json))
    }
}

const UNWRITABLE: &str = r#"{"type":"error","errorText":"a chunk could not be written"}"#;

/// A part of our own.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "type")]
pub enum Part {
    /// A step of the run.
    #[serde(rename = "data-step")]
    Step {
        /// The part's id.
        id: String,
        /// The step.
        data: Step,
    },
    /// The interpretation that was taken.
    #[serde(rename = "data-assumption")]
    Assumption {
        /// The part's id.
        id: String,
        /// The interpretation.
        data: Assumption,
    },
    /// The evidence, laid out.
    #[serde(rename = "data-evidence")]
    Evidence {
        /// The part's id.
        id: String,
        /// The evidence.
        data: Box<EvidenceView>,
    },
    /// What is missing.
    #[serde(rename = "data-gaps")]
    Gaps {
        /// The part's id.
        id: String,
        /// The gaps.
        data: Gaps,
    },
    /// Where sources disagree.
    #[serde(rename = "data-conflicts")]
    Conflicts {
        /// The part's id.
        id: String,
        /// The conflicts.
        data: Conflicts,
    },
    /// The question back.
    #[serde(rename = "data-clarification")]
    Clarification {
        /// The clarification's id.
        id: String,
        /// The card.
        data: ClarificationCard,
    },
    /// Why there is no answer.
    #[serde(rename = "data-capability-miss")]
    CapabilityMiss {
        /// The part's id.
        id: String,
        /// The miss.
        data: CapabilityMiss,
    },
    /// The validated citations.
    #[serde(rename = "data-citations")]
    Citations {
        /// The part's id.
        id: String,
        /// The citations.
        data: Citations,
    },
    /// The developer trace.
    #[serde(rename = "data-trace")]
    Trace {
        /// The part's id.
        id: String,
        /// The trace.
        data: Trace,
    },
}

impl Part {
    /// The part's type and id.
    #[must_use]
    pub fn name(&self) -> (&'static str, &str) {
        match self {
            Self::Step { id, .. } => ("data-step", id),
            Self::Assumption { id, .. } => ("data-assumption", id),
            Self::Evidence { id, .. } => ("data-evidence", id),
            Self::Gaps { id, .. } => ("data-gaps", id),
            Self::Conflicts { id, .. } => ("data-conflicts", id),
            Self::Clarification { id, .. } => ("data-clarification", id),
            Self::CapabilityMiss { id, .. } => ("data-capability-miss", id),
            Self::Citations { id, .. } => ("data-citations", id),
            Self::Trace { id, .. } => ("data-trace", id),
        }
    }
}

/// What run a message is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StartMetadata {
    /// The run.
    pub run_id: String,
    /// The thread.
    pub thread_id: String,
}

/// How a message ended.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FinishMetadata {
    /// `answer`, `clarification_required`, `capability_miss`, `error` or `aborted`.
    pub outcome: String,
    /// How long it took, in milliseconds.
    pub latency_ms: u64,
    /// Citations that led nowhere and were left out.
    pub citations_dropped: u64,
    /// What it cost.
    pub usage: TurnUsage,
    /// The ending in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome_label: Option<String>,
    /// How to colour it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome_tone: Option<Tone>,
    /// How far the evidence carries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// How old the evidence is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub freshness: Option<Freshness>,
    /// The interpretation that was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assumption: Option<Assumption>,
    /// What is left of the session's messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quota: Option<Quota>,
}

/// What a turn cost: US dollars as decimal strings, of six decimals each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TurnUsage {
    /// For models.
    pub model_cost_usd: String,
    /// For calls.
    pub tool_cost_usd: String,
    /// Together.
    pub cost_usd: String,
    /// Calls that gave data.
    pub tool_calls: u64,
}

/// What a call gave, in short: the data itself is in the evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CallOutput {
    /// The result's size.
    pub bytes: u64,
    /// How long it took, in milliseconds.
    pub ms: u64,
}

/// What our page knows of a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AppMetadata {
    /// Under a name of its own, as the protocol wants it.
    pub app: SourceMetadata,
}

/// A source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SourceMetadata {
    /// The number that the text cites it by.
    pub ordinal: u64,
    /// Its id in the evidence, or that of its chunk.
    pub source_ref_id: String,
    /// Who gave it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// What of theirs it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dataset: Option<String>,
    /// When it was observed, in ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_at: Option<String>,
    /// When it was published, in ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published_at: Option<String>,
    /// Where a person can look.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// What else to know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Its document, where it is a part of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document_id: Option<String>,
    /// The chunk of that document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk_id: Option<String>,
    /// The headings above it, as `A > B`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The passage that is cited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
}

//! Two stages on what was found: whether it answers the question, and a shorter form of it.

use domain::{Candidate, Evidence};
use serde::Deserialize;

/// What is told of what was found.
#[derive(Clone, Copy, Debug)]
pub struct CompletenessBrief<'a> {
    /// The question.
    pub question: &'a str,
    /// The parts that it asks for, in its words.
    pub parts: &'a [String],
    /// What was found.
    pub evidence: &'a Evidence,
    /// Methods that are left to try.
    pub methods: &'a [Candidate],
}

/// Whether what was found answers the question.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Completeness {
    /// What should follow.
    pub outcome: CompletenessOutcome,
    /// The parts that are not answered.
    pub missing_parts: Vec<String>,
    /// What to do differently; may be empty.
    pub suggested_fix: String,
    /// What no listed method does, in words to search by.
    pub missing_capability: Option<String>,
    /// Why.
    pub reason: String,
}

/// What should follow from what was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompletenessOutcome {
    /// The answer.
    Complete,
    /// Another program of the same methods.
    RetrySameTools,
    /// A search for other methods.
    NeedsDifferentTools,
}

impl CompletenessOutcome {
    /// The word of the wire.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::RetrySameTools => "retry_same_tools",
            Self::NeedsDifferentTools => "needs_different_tools",
        }
    }
}

/// A text that is too long for the answer's prompt.
#[derive(Clone, Copy, Debug)]
pub struct SummaryBrief<'a> {
    /// The question that it has to serve.
    pub question: &'a str,
    /// The text: words of others.
    pub text: &'a str,
}

/// A text made shorter. Every number of it stands in the text that it was made from.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// The text.
    pub summary: String,
    /// What kind of thing was left out; may be empty.
    pub left_out: String,
}

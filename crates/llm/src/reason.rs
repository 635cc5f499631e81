//! The stage that writes answers from documents.

use serde::Deserialize;

/// What an answer from documents may rest on.
#[derive(Clone, Copy, Debug)]
pub struct ReasonBrief<'a> {
    /// The question.
    pub question: &'a str,
    /// What was said before it, oldest first, each with its speaker.
    pub history: &'a [String],
    /// The sources; the first has number 1.
    pub sources: &'a [ReasonSource<'a>],
    /// The share of the question's terms that the best source has, from 0 to 1.
    pub coverage: f64,
}

/// A source.
#[derive(Clone, Copy, Debug)]
pub struct ReasonSource<'a> {
    /// Its document's title.
    pub title: &'a str,
    /// The headings above it, outermost first.
    pub path: &'a [String],
    /// Its words.
    pub text: &'a str,
}

/// An answer as a model writes it; its numbers are not checked.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReasonReply {
    /// The answer, with its markers.
    pub answer: String,
    /// The sources that it says it used.
    pub citations: Vec<i64>,
    /// What it could not find.
    pub gaps: Vec<String>,
    /// Where sources contradict each other.
    pub conflicts: Vec<ToldConflict>,
    /// Whether the sources suffice.
    pub sufficient: bool,
}

/// A contradiction of sources that a model tells of.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToldConflict {
    /// In what.
    pub text: String,
    /// The sources.
    pub ordinals: Vec<i64>,
}

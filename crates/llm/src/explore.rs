//! The stage that looks around in documents before an answer is written from them.

use serde::Deserialize;

use crate::reason::ReasonSource;

/// What is known when the next move is chosen.
#[derive(Clone, Copy, Debug)]
pub struct ExploreBrief<'a> {
    /// The question.
    pub question: &'a str,
    /// What was said before it, oldest first, each with its speaker.
    pub history: &'a [String],
    /// The passages found so far; the first has number 1.
    pub passages: &'a [ReasonSource<'a>],
    /// The moves so far, in words, each with what came of it.
    pub moves: &'a [String],
    /// Moves that are left.
    pub moves_left: usize,
    /// Requests to models that are left, the one that writes the answer among them.
    pub requests_left: usize,
}

/// A move as a model names it; its passage may not be there.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExploreReply {
    /// Which.
    #[serde(rename = "move")]
    pub kind: ExploreKind,
    /// What to search for.
    pub query: String,
    /// The passage to go from.
    pub passage: i64,
    /// The way to go: `up`, `down`, `next`, `previous` or `surrounding`.
    pub direction: String,
}

/// A kind of move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExploreKind {
    /// Look for words.
    Search,
    /// Read the section that a passage stands in.
    Read,
    /// See what stands around a passage.
    Expand,
    /// Write the answer.
    Answer,
}

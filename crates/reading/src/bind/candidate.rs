//! One possible value for an argument, among others.

use std::ops::Range;

use serde_json::Value;

use super::Source;
use crate::spans::overlaps;

/// One possible value for a parameter.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) value: Value,
    pub(crate) score: f64,
    pub(crate) source: Source,
    /// What of the question it uses up, for others of its family.
    pub(crate) claim: Option<Range<usize>>,
    pub(crate) family: Family,
}

/// Values of one family do not share a stretch of the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Number,
    Text,
    Time,
    Flag,
}

impl Candidate {
    pub(crate) fn said(value: Value, score: f64, range: Range<usize>, family: Family) -> Self {
        Self { value, score, source: Source::Said { range: range.clone() }, claim: Some(range), family }
    }

    pub(crate) fn implied(value: Value, score: f64, range: Range<usize>, why: String) -> Self {
        let source = Source::Implied { range: Some(range.clone()), why };
        Self { value, score, source, claim: Some(range), family: Family::Text }
    }

    /// Whether both use up a word of the question.
    pub(super) fn shares_words_with(&self, other: &Self) -> bool {
        let claims = self.claim.as_ref().zip(other.claim.as_ref());
        claims.is_some_and(|(own, other)| overlaps(own, other))
    }
}

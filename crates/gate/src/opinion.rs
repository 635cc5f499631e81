//! A judge's opinion: a view on what a question means, weighed by the ruling and never obeyed.

use domain::MethodRef;

/// What a judge thinks of a probed query.
#[derive(Debug)]
pub struct Opinion {
    /// What it thinks should be done.
    pub verdict: OpinionVerdict,
    /// The options that it finds viable, best first.
    pub options: Vec<MethodRef>,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
    /// Why, in its own words.
    pub reason: String,
}

/// What a judge thinks should be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpinionVerdict {
    /// Go on.
    Answer,
    /// Ask.
    Clarify,
    /// Say that nothing fits.
    Miss,
}

//! A clarification: one question back, with options that would do different things.

use domain::MethodRef;

/// The clarification of an ambiguous question.
#[derive(Debug)]
pub struct Card {
    /// What is unclear, with all that is needed to answer it.
    pub question: String,
    /// What it could mean, best first; two or three.
    pub options: Vec<CardOption>,
    /// Whether an answer in own words makes sense.
    pub allows_freeform: bool,
    /// The question that was asked.
    pub original: String,
}

/// One thing that the question could mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardOption {
    /// What it would call.
    pub method: MethodRef,
    /// The listing's name.
    pub listing_name: String,
    /// What it would do and for which entity, in plain language.
    pub label: String,
    /// More of the same.
    pub description: String,
    /// How well it fits, in whole points.
    pub fit_score: i64,
    /// Where a value rather than a method is missing: how to ask for it.
    pub followup: Option<String>,
}

impl Card {
    /// The option to take where nobody can be asked: the first.
    #[must_use]
    pub fn recommended(&self) -> Option<&CardOption> {
        self.options.first()
    }
}

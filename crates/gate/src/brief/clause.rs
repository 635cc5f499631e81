//! The separate things that a question asks for, and which option knows which.

use fit::Known;
use reading::form::FormKind;
use reading::{Question, words};

use super::Asked;

/// The words of content of each clause; none for a question of one clause.
pub(super) struct Clauses(Vec<Vec<String>>);

impl Clauses {
    pub(super) fn read(clauses: &[String]) -> Self {
        if clauses.len() < 2 {
            return Self(Vec::new());
        }
        Self(clauses.iter().map(|clause| words::terms(clause)).collect())
    }

    /// The share of each clause's words that a method knows.
    pub(super) fn known_to(&self, known: &Known) -> Vec<f64> {
        self.0.iter().map(|stems| share(known, stems)).collect()
    }
}

fn share(known: &Known, stems: &[String]) -> f64 {
    let in_result = |stem: &String| known.outline.leaves.iter().any(|leaf| leaf.stems.contains(stem));
    let count = stems.iter().filter(|stem| known.parameters.mentions(stem) || in_result(stem)).count();
    #[expect(clippy::cast_precision_loss, reason = "counts of words")]
    let share = count as f64 / stems.len().max(1) as f64;
    share
}

/// Words that ask for all that there is.
const WHOLE: [&str; 9] =
    ["all", "across", "each", "entire", "every", "everything", "overall", "total", "whole"];

/// How much of what there is a question asks about: one that compares, ranks or counts asks about the whole. "What are
/// the ..." looks like a list and says nothing yet.
pub(super) fn asked(question: &Question) -> Asked {
    let is_plural = question.form.dimension.as_ref().is_some_and(|noun| noun.is_plural);
    let is_whole = match question.form.kind {
        FormKind::Comparison | FormKind::Ranking | FormKind::Which | FormKind::Count => true,
        FormKind::List => is_plural,
        FormKind::Single | FormKind::Series | FormKind::YesNo => false,
    };
    let says_whole = question.words.iter().any(|word| WHOLE.contains(&word.lower.as_str()));
    if is_whole || says_whole { Asked::Whole } else { Asked::Open }
}

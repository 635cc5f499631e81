//! The checks that a judge's opinion has to pass: each a function of its own, with a typed note where it does not hold.

mod answer;
mod clarification;
mod miss;
mod note;

pub use answer::{
    follows_the_question, no_value_missing, nothing_left_open, one_scope, recommends_grounded, targets_named,
    valid_recommendation,
};
pub use clarification::{clauses_are_no_choice, composite_is_heard, options_differ, options_of_a_choice};
pub use miss::nothing_surely_grounded;
pub use note::Note;

use crate::brief::Brief;
use crate::opinion::{Opinion, OptionId};
use crate::standing::Standing;

/// What an opinion is held against.
#[derive(Clone, Debug)]
pub struct Case<'b> {
    /// What the judge was told.
    pub brief: &'b Brief,
    /// How the question stands by the rules.
    pub standing: Standing<'b>,
}

/// A check: a note where the opinion does not hold.
pub type Check = fn(&Opinion, &Case<'_>) -> Option<Note>;

/// Every check, in the order in which they are made.
pub const ALL: [Check; 14] = [
    known_options,
    sure_enough,
    valid_recommendation,
    recommends_grounded,
    targets_named,
    one_scope,
    nothing_left_open,
    follows_the_question,
    no_value_missing,
    options_of_a_choice,
    options_differ,
    composite_is_heard,
    clauses_are_no_choice,
    nothing_surely_grounded,
];

/// The first check that an opinion does not pass.
#[must_use]
pub fn first_note(opinion: &Opinion, case: &Case<'_>) -> Option<Note> {
    ALL.iter().find_map(|check| check(opinion, case))
}

/// The options that it names are those of the brief.
#[must_use]
pub fn known_options(opinion: &Opinion, case: &Case<'_>) -> Option<Note> {
    let named = opinion.options.iter().chain(&opinion.recommended);
    let unknown: Vec<OptionId> = named.filter(|id| case.brief.option(id).is_none()).cloned().collect();
    (!unknown.is_empty()).then_some(Note::UnknownOptions(unknown))
}

/// It is sure enough to be heard.
#[must_use]
pub fn sure_enough(opinion: &Opinion, case: &Case<'_>) -> Option<Note> {
    let (confidence, least) = (opinion.confidence, case.brief.policy.judge_confidence_min);
    // Written so that what is no number is not sure enough.
    let is_sure = confidence >= least;
    (!is_sure).then_some(Note::LowConfidence { confidence, least })
}

#[cfg(test)]
mod tests;

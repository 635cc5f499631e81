//! How well the shape of a method's result fits the form of the question.

use reading::Question;
use reading::form::{self, FormKind};
use reading::time::is_of_course;

use super::{Choice, can_fan};
use crate::known::Known;

/// How well a method fits that tells of one thing, where one is asked for.
const ONE: f64 = 0.6;

/// Stems by which a method is named that tells how many there are.
const COUNTS: &[&str] = &["count", "stat"];

/// What the arguments make of the method.
pub(super) struct Given {
    /// A program may fan it out over some argument.
    pub(super) fans: bool,
    /// It may over an argument that the question leaves open and asks over.
    pub(super) fans_over_dimension: bool,
    /// What the question counts is the value of one of them: the bitcoins of an exchange are an amount, and no list.
    pub(super) takes_counted: bool,
}

impl Given {
    pub(super) fn of(choice: &Choice<'_>, question: &Question) -> Self {
        let noun = question.form.dimension.as_ref();
        let is_of_noun =
            |name: &str| noun.is_some_and(|noun| noun.is_among(choice.known.parameters.stems(name)));
        let takes_counted = takes_counted(choice, question);
        let mut given = Self { fans: false, fans_over_dimension: choice.is_listed, takes_counted };
        for argument in &choice.binding.arguments {
            if can_fan(choice, question, &argument.name) {
                given.fans = true;
                given.fans_over_dimension |= !argument.is_said() && is_of_noun(&argument.name);
            }
        }
        given
    }
}

/// Whether the things that the question counts are the value of an argument: an amount of them is asked for, and no list.
fn takes_counted(choice: &Choice<'_>, question: &Question) -> bool {
    form::counted(&question.words).is_some_and(|counted| choice.binding.takes(&counted.range))
}

/// The most that the shape of the result may fit the form of the question, whatever the arguments make of it.
pub(super) fn ceiling(known: &Known, question: &Question) -> f64 {
    let most = |takes_counted| {
        fit(known, question, || Given { fans: true, fans_over_dimension: true, takes_counted })
    };
    most(false).max(most(true))
}

/// How well the shape of the result fits the form of the question.
pub(super) fn fit(known: &Known, question: &Question, given: impl FnOnce() -> Given) -> f64 {
    let name = &known.name;
    let named = |stems: &[&str]| name.iter().any(|stem| stems.contains(&stem.as_str()));
    let is_series = known.outline.has_series() && !known.outline.arrays.is_empty()
        || name.iter().any(|stem| is_of_course(stem));
    let has_rows = !known.outline.arrays.is_empty()
        || named(&["list", "search", "all", "top", "rank", "screen", "scan"]);
    match question.form.kind {
        FormKind::Series => {
            if is_series {
                1.0
            } else {
                0.0
            }
        }
        FormKind::Ranking | FormKind::Which => ranking_fit(known, question, has_rows, given),
        FormKind::Count if given().takes_counted => ONE,
        FormKind::Count if named(COUNTS) => 1.4,
        FormKind::List | FormKind::Count => {
            if named(&["info", "inform", "detail", "metadata"]) || named(COUNTS) {
                -0.6
            } else if named(&["list"]) {
                1.4
            } else if has_rows {
                1.0
            } else {
                0.2
            }
        }
        FormKind::Single if question.form.is_breakdown && has_rows_of_dimension(known, question) => 1.0,
        FormKind::Single | FormKind::YesNo | FormKind::Comparison => {
            let has_none = question.form.asks_amount && known.outline.has_no_number();
            if has_none || named(&["histori", "histor", "candl", "candlestick", "klin"]) { 0.2 } else { ONE }
        }
    }
}

fn ranking_fit(known: &Known, question: &Question, has_rows: bool, given: impl FnOnce() -> Given) -> f64 {
    if question.form.dimension.is_none() {
        return if has_rows { 0.8 } else { 0.3 };
    }
    let in_rows = has_rows_of_dimension(known, question);
    let has_measure = known.outline.measures_any(&question.form.measures);
    let given = given();
    if known.outline.leaves.is_empty() && !given.fans {
        return if has_rows { 0.6 } else { 0.2 };
    }
    match (in_rows, given.fans_over_dimension, has_measure) {
        (true, _, true) => 1.0,
        (_, true, true) => 0.95,
        (_, true, false) => 0.6,
        (true, false, false) => 0.5,
        (false, false, _) => {
            if has_rows {
                0.3
            } else {
                0.1
            }
        }
    }
}

/// Whether there is a row for each value of the dimension that the question asks over.
fn has_rows_of_dimension(known: &Known, question: &Question) -> bool {
    let outline = &known.outline;
    question.form.dimension.as_ref().is_some_and(|noun| {
        outline.arrays.iter().any(|array| noun.is_among(&array.stems))
            || outline.leaves.iter().any(|leaf| leaf.is_in_rows && noun.is_among(&leaf.stems))
    })
}

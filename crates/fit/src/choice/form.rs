//! How well the shape of a method's result fits the form of the question.

use reading::Question;
use reading::form::FormKind;

use super::{Choice, can_fan};
use crate::outline::LeafKind;

/// How well the shape of the result fits the form of the question.
pub(super) fn fit(choice: &Choice<'_>, question: &Question) -> f64 {
    let name = &choice.known.name;
    let named = |stems: &[&str]| name.iter().any(|stem| stems.contains(&stem.as_str()));
    let is_series = choice.known.outline.has_series() && !choice.known.outline.arrays.is_empty()
        || named(&["histori", "histor", "trend", "timeseri", "candl", "candlestick", "klin", "chart"]);
    let has_rows = !choice.known.outline.arrays.is_empty()
        || named(&["list", "search", "all", "top", "rank", "screen", "scan"]);
    match question.form.kind {
        FormKind::Series => {
            if is_series {
                1.0
            } else {
                0.0
            }
        }
        FormKind::Ranking | FormKind::Which => ranking_fit(choice, question, has_rows),
        FormKind::List | FormKind::Count => {
            if named(&["info", "inform", "detail", "metadata"]) {
                -0.6
            } else if named(&["list"]) {
                1.4
            } else if has_rows {
                1.0
            } else {
                0.2
            }
        }
        FormKind::Single | FormKind::YesNo | FormKind::Comparison => {
            if named(&["histori", "histor", "candl", "candlestick", "klin"]) { 0.2 } else { 0.6 }
        }
    }
}

fn ranking_fit(choice: &Choice<'_>, question: &Question, has_rows: bool) -> f64 {
    let Some(noun) = &question.form.dimension else { return if has_rows { 0.8 } else { 0.3 } };
    let has_dimension = |stems: &[String]| noun.stems.last().is_some_and(|head| stems.contains(head));
    let in_rows = choice.known.outline.arrays.iter().any(|array| has_dimension(&array.stems))
        || choice.known.outline.leaves.iter().any(|leaf| leaf.is_in_rows && has_dimension(&leaf.stems));
    let wanted = &question.form.measures;
    let has_measure = choice.known.outline.leaves.iter().any(|leaf| {
        leaf.kind == LeafKind::Number
            && leaf.stems.iter().chain(&leaf.context).any(|stem| wanted.contains(stem))
    });
    if choice.known.outline.leaves.is_empty()
        && !choice.binding.arguments.iter().any(|argument| can_fan(choice, question, &argument.name))
    {
        return if has_rows { 0.6 } else { 0.2 };
    }
    let can_fan = choice.is_listed
        || choice.binding.arguments.iter().any(|argument| {
            !argument.is_said()
                && can_fan(choice, question, &argument.name)
                && has_dimension(choice.known.parameters.stems(&argument.name))
        });
    match (in_rows, can_fan, has_measure) {
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

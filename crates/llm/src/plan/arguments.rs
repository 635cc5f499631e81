//! The arguments of a program's calls, where they are not just those that the question binds.

use fit::Choice;
use reading::Question;
use reading::bind::{Argument, Binding, Role};
use reading::form::{Order, Way};
use serde_json::{Map, Value, json};

/// What the last call is told. The first few of rows that are ranked behind it are not the first few that it gives: a method with pages
/// is asked for no number of them, and another one for as many as it takes. So it is for rises or falls alone, among all changes,
/// for changes within a bound, and for the oldest of things, where the newest come first. No call is asked for more than `rows_max`.
pub(super) fn last(question: &Question, choice: &Choice<'_>, rows_max: usize) -> Map<String, Value> {
    let form = &question.form;
    let mut values = choice.binding.values();
    let turn = form.turn.as_ref().filter(|_| choice.known.outline.turned(form).is_some());
    let is_cut = form.limit.is_some()
        || matches!(form.way, Some(Way::Up | Way::Down))
        || turn.is_some_and(|turn| turn.order == Order::Ascending);
    let is_ranked = form.order.is_some() || turn.is_some();
    let is_bounded = form.thresholds.iter().any(|bound| bound.way().is_some());
    if !(is_cut && is_ranked || is_bounded) {
        return values;
    }
    let has_pages = choice.binding.arguments.iter().any(|it| it.role == Role::Page);
    let rows_allowed = f64::from(u32::try_from(rows_max).unwrap_or(u32::MAX));
    for count in counts(&choice.binding) {
        let most = &choice.candidate.method.input_schema["properties"][&count.name]["maximum"];
        if has_pages {
            values.remove(&count.name);
        } else if let Some(number) = most.as_f64() {
            let most = if number > rows_allowed { json!(rows_max) } else { most.clone() };
            values.insert(count.name.clone(), most);
        }
    }
    values
}

/// What a look-up is told. How many are asked for counts what the last call tells, and not the things that one is looked up among.
pub(super) fn of_look_up(binding: &Binding) -> Map<String, Value> {
    let mut values = binding.values();
    for count in counts(binding) {
        values.remove(&count.name);
    }
    values
}

/// The arguments that take how many rows there are to be, and may be left out.
fn counts(binding: &Binding) -> impl Iterator<Item = &Argument> {
    binding.arguments.iter().filter(|argument| argument.role == Role::Limit && !argument.is_required)
}

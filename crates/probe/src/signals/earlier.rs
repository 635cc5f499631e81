//! What earlier turns of the conversation called.

use domain::Turn;
use fit::Choice;

use super::Signals;

/// Whether earlier turns called the method, and whether the last turn that called anything did.
pub(crate) fn called(choice: &Choice<'_>, history: &[Turn]) -> Signals {
    let name = choice.candidate.method.name.as_str();
    let calls = |turn: &Turn| turn.calls.iter().any(|call| call.method == name);
    let last = history.iter().rev().find(|turn| !turn.calls.is_empty());
    let flag = |holds: bool| if holds { 1.0 } else { 0.0 };
    vec![("called", flag(history.iter().any(calls))), ("called_last", flag(last.is_some_and(calls)))]
}

/// Whether an earlier call had an argument of this name, and whether it had one that shares a word with it.
pub(crate) fn given_before(choice: &Choice<'_>, argument: &str, history: &[Turn]) -> (bool, bool) {
    let arguments = || history.iter().flat_map(|turn| &turn.calls).flat_map(|call| call.arguments.keys());
    let own = choice.known.parameters.stems(argument);
    let is_alike = |other: &String| reading::words::terms(other).iter().any(|term| own.contains(term));
    (arguments().any(|other| other == argument), arguments().any(is_alike))
}

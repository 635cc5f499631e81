//! What earlier turns of the conversation called and asked for.

use domain::Turn;
use fit::Choice;
use reading::bind::{Argument, Binding};
use reading::words;

use super::Signals;
use crate::numbers::flag;
use crate::subject::Subject;

/// The required arguments that the last turn asked for: those of which it says a word that tells them from the others.
pub(crate) fn asked(choice: &Choice<'_>, binding: &Binding, subject: &Subject) -> Vec<String> {
    if !subject.was_asked() {
        return Vec::new();
    }
    let required = || binding.arguments.iter().filter(|argument| argument.is_required);
    let terms: Vec<Vec<String>> = required()
        .map(|argument| {
            let mut terms = words::terms(&argument.description);
            terms.extend_from_slice(choice.known.parameters.stems(&argument.name));
            terms
        })
        .collect();
    let tells = |own: usize, term: &String| {
        subject.asked_back.has(term)
            && !terms.iter().enumerate().any(|(other, terms)| other != own && terms.contains(term))
    };
    required()
        .enumerate()
        .filter(|(own, _)| terms[*own].iter().any(|term| tells(*own, term)))
        .map(|(_, argument)| argument.name.clone())
        .collect()
}

/// How many of the arguments that were asked for the question does not tell: it fills fewer, and says fewer things.
pub(crate) fn untold(choice: &Choice<'_>, asked: &[String], subject: &Subject) -> usize {
    let says = |name: &&String| choice.binding.argument(name).is_some_and(Argument::is_said);
    asked.len().saturating_sub(subject.parts.max(asked.iter().filter(says).count()))
}

/// Whether earlier turns called the method, and whether the last turn that called anything did.
pub(crate) fn called(choice: &Choice<'_>, history: &[Turn]) -> Signals {
    let name = choice.candidate.method.name.as_str();
    let calls = |turn: &Turn| turn.calls.iter().any(|call| call.method == name);
    let last = history.iter().rev().find(|turn| !turn.calls.is_empty());
    vec![("called", flag(history.iter().any(calls))), ("called_last", flag(last.is_some_and(calls)))]
}

/// Whether an earlier call had an argument of this name, and whether it had one that shares a word with it.
pub(crate) fn given_before(choice: &Choice<'_>, argument: &str, history: &[Turn]) -> (bool, bool) {
    let arguments = || history.iter().flat_map(|turn| &turn.calls).flat_map(|call| call.arguments.keys());
    let own = choice.known.parameters.stems(argument);
    let is_alike = |other: &String| words::terms(other).iter().any(|term| own.contains(term));
    (arguments().any(|other| other == argument), arguments().any(is_alike))
}

//! What earlier turns of the conversation called and asked for.

use domain::{Answered, Turn};
use fit::Choice;
use reading::Question;
use reading::bind::{Argument, Binding};
use reading::spans::overlaps;
use reading::words::{self, Word};

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
    let last = domain::answered(history).next().is_some_and(|last| calls(last.answer));
    vec![("called", flag(history.iter().any(calls))), ("called_last", flag(last))]
}

/// How a method follows the answer before, the less sure way first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Follows {
    /// It gave that answer, and is asked for in the same words again.
    AskedAgain,
    /// It takes what the question counts off of what was listed.
    Counted,
}

/// How a method follows the answer before, where it does.
pub(crate) fn follows(choice: &Choice<'_>, question: &Question, before: &[Turn]) -> Option<Follows> {
    if takes_counted(choice, question) {
        return Some(Follows::Counted);
    }
    is_asked_again(choice, question, before).then_some(Follows::AskedAgain)
}

/// Whether a method takes what the question counts off of what was listed before it.
pub(crate) fn takes_counted(choice: &Choice<'_>, question: &Question) -> bool {
    choice.binding.arguments.iter().any(Argument::is_carried) && reading::counts_off(question)
}

/// Whether the last answer called the method, and all that the question says beside the method's values was said when it was asked
/// for then: the ETH of "net flow of ETH" after the net flow of BTC.
fn is_asked_again(choice: &Choice<'_>, question: &Question, before: &[Turn]) -> bool {
    let name = choice.candidate.method.name.as_str();
    // The last call of several gave the answer.
    let is_its =
        |answered: &Answered<'_>| answered.answer.calls.last().is_some_and(|call| call.method == name);
    let mut answers = domain::answered(before).take_while(is_its).peekable();
    if answers.peek().is_none() {
        return false;
    }
    let asked = answers.filter_map(|answered| answered.asked);
    let said: Vec<String> = asked.flat_map(|turn| words::words(&turn.text)).map(|word| word.stem).collect();
    let claims: Vec<_> = choice.binding.arguments.iter().flat_map(Argument::places).collect();
    let is_own = |word: &&Word| {
        let is_value = claims.iter().any(|claim| overlaps(claim, &word.range));
        !word.is_stop && !is_value && !question.is_when(word)
    };
    // "Tomorrow" is not asked of what tells of now.
    let takes_all_times = choice.binding.unplaced_times(question).next().is_none()
        && choice.binding.unplaced_clock(question).is_none();
    let mut own = question.words.iter().filter(is_own).peekable();
    takes_all_times && own.peek().is_some() && own.all(|word| said.contains(&word.stem))
}

/// Whether an earlier call had an argument of this name, and whether it had one that shares a word with it.
pub(crate) fn given_before(choice: &Choice<'_>, argument: &str, history: &[Turn]) -> (bool, bool) {
    let arguments = || history.iter().flat_map(|turn| &turn.calls).flat_map(|call| call.arguments.keys());
    let own = choice.known.parameters.stems(argument);
    let is_alike = |other: &String| words::terms(other).iter().any(|term| own.contains(term));
    (arguments().any(|other| other == argument), arguments().any(is_alike))
}

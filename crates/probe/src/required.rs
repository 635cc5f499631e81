//! Which required arguments only the caller can give.

use domain::Turn;
use fit::fan::Fan;
use fit::lookup::{self, Lookup};
use fit::{Choice, Desk};
use policy::{Forest, Learned, OfArgument};
use reading::Question;
use reading::bind::{Argument, Binding, Role, Source};

use crate::numbers::{count, flag};
use crate::signals::{Held, Signals, given_before};
use crate::subject::Subject;

/// A required argument, and how likely it is that only the caller can give it.
#[derive(Clone, Debug)]
pub struct Required {
    /// Its name in the schema.
    pub name: String,
    /// What speaks for and against it.
    pub signals: Signals,
    /// How likely it is that only the caller can give it, from 0 to 1.
    pub is_the_callers: f64,
    /// Whether the question or another call fills it.
    pub is_filled: bool,
    /// Whether the question names only the whole that the value is a part of.
    pub names_whole: bool,
    /// Whether the last turn asked for it.
    pub was_asked: bool,
}

/// A method with what was said, now and before.
pub(crate) struct Case<'a, 'b> {
    pub(crate) desk: &'a Desk<'b>,
    pub(crate) question: &'a Question,
    pub(crate) history: &'a [Turn],
    pub(crate) choice: &'a Choice<'b>,
    /// What all that was said gives to the arguments.
    pub(crate) whole: &'a Binding,
    /// The look-ups that give the one argument that the question leaves open.
    pub(crate) chain: Option<&'a [Lookup<'b>]>,
    pub(crate) subject: &'a Subject,
    pub(crate) held: &'a Held,
}

/// The calls of a method one after the other, where the question gives several values to an argument.
pub(crate) fn fan(case: &Case<'_, '_>) -> Option<Fan> {
    let requires_any = case.whole.arguments.iter().any(|argument| argument.is_required);
    (!case.choice.is_listed && requires_any)
        .then(|| fit::fan::find(&case.desk.offer, case.question, case.choice))
        .flatten()
}

/// Every required argument of a method.
pub(crate) fn of(case: &Case<'_, '_>, fan: Option<&Fan>, learned: &Learned) -> Vec<Required> {
    let required = || case.whole.arguments.iter().filter(|argument| argument.is_required);
    let unfilled = case.whole.missing().count();
    let all = required().count();
    required()
        .map(|argument| {
            let is_fanned = case.choice.is_listed || fan.is_some_and(|fan| fan.is_over(&argument.name));
            let gives =
                |chain: &&[Lookup<'_>]| chain.last().is_some_and(|last| last.argument == argument.name);
            let chain = case.chain.filter(|chain| argument.bound().is_none() && gives(chain));
            let is_looked_up = chain.is_some();
            // A chain finds a part of what the question names by a second name; without one any part could be meant.
            let names_whole = is_looked_up
                && !is_fanned
                && chain.is_some_and(|chain| chain.len() > 1)
                && lookup::names_whole(case.question, case.choice);
            let is_found = is_fanned || is_looked_up && !names_whole;
            let is_filled = argument.bound().is_some() || is_found && !argument.is_left_open;
            let signals = signals(case, argument, is_filled, (unfilled, all));
            Required {
                name: argument.name.clone(),
                is_the_callers: is_the_callers(&learned.open, &signals),
                signals,
                is_filled,
                names_whole,
                was_asked: case.held.was_asked(&argument.name),
            }
        })
        .collect()
}

/// How likely it is, from 0 to 1, that only the caller can give an argument: surely, where what the caller gave is refused, or
/// is spoken of and not said.
#[must_use]
pub fn is_the_callers(open: &Forest<OfArgument>, signals: &[(&'static str, f64)]) -> f64 {
    let is_refused = signals.iter().any(|(name, value)| *name == "refused" && *value > 0.0);
    if is_refused { 1.0 } else { open.share(signals) }
}

#[expect(clippy::too_many_lines, reason = "a list, one signal after the other")]
fn signals(
    case: &Case<'_, '_>,
    argument: &Argument,
    is_filled: bool,
    (unfilled, all): (usize, usize),
) -> Signals {
    let facts = case.choice.known.parameters.facts(&argument.name);
    let now = case.choice.binding.argument(&argument.name).filter(|argument| argument.is_said());
    let open = flag(!is_filled);
    let source = argument.bound().map(|bound| &bound.source);
    let confidence = argument.bound().map_or(0.0, |bound| bound.confidence);
    let is_free = matches!(argument.role, Role::Search | Role::Text | Role::Formal);
    let role = |roles: &[Role]| open * flag(roles.contains(&argument.role));
    let own = case.choice.known.parameters.stems(&argument.name);
    let says =
        |stem: &String| case.subject.words.iter().any(|word| word.terms.contains(stem) && word.weight > 0.2);
    let is_asked = case.held.was_asked(&argument.name);
    let leftover = case.held.leftover(case.subject);
    let values = case.held.values_left(case.subject);
    let pending = count(unfilled).max(1.0);
    let is_vague = case.question.words.iter().any(|word| {
        matches!(
            word.lower.as_str(),
            "it" | "that"
                | "this"
                | "these"
                | "those"
                | "them"
                | "same"
                | "there"
                | "my"
                | "our"
                | "some"
                | "someone"
                | "something"
                | "certain"
                | "specific"
                | "one"
        )
    });
    let is_number = facts.is_number;
    let (is_given, is_alike) = given_before(case.choice, &argument.name, case.history);
    vec![
        ("open", open),
        ("now", flag(now.is_some()) * confidence),
        ("before", flag(now.is_none() && argument.is_said()) * confidence),
        ("said", flag(argument.is_said())),
        ("default", flag(source == Some(&Source::Default))),
        ("implied", flag(matches!(source, Some(Source::Implied { .. } | Source::Parts { .. })))),
        ("looked_up", flag(is_filled && argument.bound().is_none())),
        ("free_bound", flag(is_free && is_filled)),
        ("place", open * flag(argument.role.is_place())),
        (
            "time",
            role(&[
                Role::Start,
                Role::End,
                Role::Date,
                Role::Year,
                Role::Month,
                Role::Clock,
                Role::Window,
                Role::Grain,
            ]),
        ),
        ("id", role(&[Role::Id])),
        ("secret", role(&[Role::Secret])),
        ("symbol", role(&[Role::Symbol, Role::Currency, Role::Language])),
        ("free", role(&[Role::Search, Role::Text, Role::Formal])),
        ("address", role(&[Role::Path, Role::Url, Role::Email])),
        ("limit", role(&[Role::Limit, Role::Page])),
        (
            "named_thing",
            role(&[Role::Name])
                * flag(
                    !facts.is_choice && !is_number && !facts.is_flag && !facts.is_list && !facts.is_object,
                ),
        ),
        ("choice", open * flag(facts.is_choice)),
        ("number", open * flag(is_number)),
        ("flag", open * flag(facts.is_flag)),
        ("list", open * flag(facts.is_list)),
        ("object", open * flag(facts.is_object)),
        ("examples", open * flag(facts.has_examples)),
        ("explained", open * flag(facts.has_fallback)),
        ("mentioned", open * flag(own.iter().any(says))),
        ("asked_back", open * flag(is_asked)),
        ("asked_back_bound", (1.0 - open) * flag(is_asked)),
        ("vague", open * flag(is_vague)),
        ("vague_bound", (1.0 - open) * flag(is_vague)),
        ("leftover_each", open * (leftover / pending).ln_1p()),
        ("leftover_none", open * flag(leftover < 0.3)),
        ("values_each", open * (values / pending).ln_1p()),
        ("values_none", open * flag(values < 0.3)),
        ("first_turn", open * flag(case.subject.continuation == 0.0)),
        ("pending_share", open * count(unfilled) / count(all.max(1))),
        ("pending", open * count(unfilled).ln_1p()),
        ("only", open * flag(all == 1)),
        ("bound_leftover", (1.0 - open) * leftover.ln_1p()),
        ("bound_values", (1.0 - open) * values.ln_1p()),
        ("continues", case.subject.continuation * open),
        ("unspaced_leftover", open * flag(case.subject.is_unspaced) * (leftover / pending).ln_1p()),
        ("unspaced", open * flag(case.subject.is_unspaced)),
        ("short_of_leftover", open * (pending - leftover).max(0.0).ln_1p()),
        ("length", open * count(case.question.words.len()).ln_1p()),
        ("called_with", open * flag(is_given)),
        ("called_alike", open * flag(is_alike)),
        ("refused", flag(argument.refused().is_some() || argument.is_left_open) * open),
    ]
}

//! Readings of one method that differ in the argument that gets what the question names: "flights Paris" may be from Paris
//! or to Paris. Only where the question leaves it open.

use std::ops::Range;

use reading::Question;
use reading::bind::{Argument, Binding, Bound, Source, State, alternatives};

use crate::evidence::{Evidence, Open};

/// The other argument that what the question names could fill, with the binding of that reading.
pub(super) fn other(question: &Question, evidence: &Evidence) -> Option<(String, Binding)> {
    let arguments = &evidence.binding.arguments;
    arguments.iter().enumerate().find_map(|(at, filled)| {
        let (bound, range) = said(question, filled)?;
        if is_settled(question, evidence, filled, range) {
            return None;
        }
        let open = arguments.iter().enumerate().filter(|(_, open)| is_like(evidence, filled, open));
        open.into_iter().find_map(|(other_at, open)| {
            if is_settled(question, evidence, open, range) {
                return None;
            }
            let value = fits(question, evidence, (open, range), bound)?;
            let mut binding = (*evidence.binding).clone();
            let why = format!("the question may mean `{}` instead", open.name);
            binding.arguments[at].state = State::Unfilled { why, refused: None };
            binding.arguments[other_at].state = State::Bound(value);
            Some((open.name.clone(), binding))
        })
    })
}

/// The required arguments that stay open in the other reading: the two arguments have changed places.
pub(super) fn open(evidence: &Evidence, binding: &Binding) -> Vec<Open> {
    let mut open: Vec<Open> = evidence.open.clone();
    open.retain(|open| binding.argument(&open.name).is_some_and(|argument| argument.bound().is_none()));
    let model = evidence.open.first().map_or(1.0, |open| open.is_the_callers);
    for argument in binding.missing() {
        let was_filled = evidence.binding.argument(&argument.name).is_some_and(|it| it.bound().is_some());
        if was_filled {
            open.push(Open {
                name: argument.name.clone(),
                description: argument.description.clone(),
                role: argument.role,
                why: format!("the question does not say `{}`", argument.name),
                refused: None,
                is_the_callers: model,
            });
        }
    }
    open
}

/// What the question, and nothing said before it, gives to an argument.
fn said<'a>(question: &Question, argument: &'a Argument) -> Option<(&'a Bound, &'a Range<usize>)> {
    let bound = argument.bound()?;
    let value = bound.value.as_str()?;
    match &bound.source {
        Source::Said { range }
            if question.text.get(range.clone()).is_some_and(|said| said.contains(value)) =>
        {
            Some((bound, range))
        }
        Source::Said { .. }
        | Source::Default
        | Source::Window { .. }
        | Source::Implied { .. }
        | Source::Parts { .. }
        | Source::Before { .. } => None,
    }
}

/// Whether an open argument takes the same kind of thing: both are required, or their names are the two ends of one thing.
fn is_like(evidence: &Evidence, filled: &Argument, open: &Argument) -> bool {
    let parameters = &evidence.known.parameters;
    let ends = |one: &Argument, other: &Argument| {
        ENDS.iter().any(|(this, that)| {
            has(parameters.stems(&one.name), this) && has(parameters.stems(&other.name), that)
        })
    };
    open.bound().is_none()
        && open.role == filled.role
        && open.is_required == filled.is_required
        && parameters.choices(&open.name) == parameters.choices(&filled.name)
        && (open.is_required || ends(filled, open) || ends(open, filled))
}

/// Names of arguments that are the two ends of one thing, as stems.
const ENDS: [(&str, &str); 9] = [
    ("from", "to"),
    ("origin", "destin"),
    ("sourc", "target"),
    ("sourc", "destin"),
    ("sender", "recipi"),
    ("depart", "arriv"),
    ("departur", "arriv"),
    ("home", "away"),
    ("start", "end"),
];

fn has(stems: &[String], wanted: &str) -> bool {
    stems.iter().any(|stem| stem == wanted)
}

/// Whether the words before or after what is named say which argument it is for.
fn is_settled(question: &Question, evidence: &Evidence, argument: &Argument, range: &Range<usize>) -> bool {
    const SETTLES: [&str; 13] = [
        "arriving",
        "between",
        "departing",
        "for",
        "from",
        "in",
        "into",
        "leaving",
        "reaching",
        "to",
        "toward",
        "towards",
        "via",
    ];
    let before = question.words_before(range).last();
    let after = question.words_behind(range).first();
    let own = evidence.known.parameters.stems(&argument.name);
    before.is_some_and(|word| {
        SETTLES.contains(&word.lower.as_str())
            || word.lower.starts_with(|letter: char| letter.is_ascii_digit())
    }) || [before, after].into_iter().flatten().any(|word| !word.is_stop && own.contains(&word.stem))
}

/// The value that the named thing has in the other argument, where it fits that one about as well.
fn fits(
    question: &Question,
    evidence: &Evidence,
    (open, range): (&Argument, &Range<usize>),
    bound: &Bound,
) -> Option<Bound> {
    let offers = alternatives(question, &evidence.known.parameters, &open.name);
    offers.into_iter().find(|offer| {
        matches!(&offer.source, Source::Said { range: said } if said == range)
            && bound.confidence - offer.confidence <= CONFIDENCE_GAP_MAX
    })
}

/// A named thing that fits the other argument worse than this by the reading's confidence is meant for the first.
const CONFIDENCE_GAP_MAX: f64 = 0.2;

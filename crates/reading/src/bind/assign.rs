//! Who gets what: candidates of all parameters compete for the stretches of the question, the best pair first.

use std::cmp::Ordering;
use std::ops::Range;

use serde_json::Value;

use super::limits::{self, Limits};
use super::parameter::{Parameter, Parameters, Shape};
use super::{
    Argument, Bound, Candidate, Family, Refused, Source, State, boolean, choice, compound, length, literal,
    moment, number, page, text, vague,
};
use crate::Question;
use crate::bind::role::Role;
use crate::spans::overlaps;

/// A score below this is no evidence.
const REQUIRED_SCORE_MIN: f64 = 0.25;
/// An optional argument wants more than a fitting type.
const OPTIONAL_SCORE_MIN: f64 = 0.55;

/// The arguments of a method, filled.
pub(super) fn arguments(question: &Question, parameters: &Parameters) -> Vec<Argument> {
    let bound = filled(question, &parameters.list, parameters);
    let things = vague::things(question);
    let argument = |(parameter, own): (&Parameter, &Option<Bound>)| {
        let left_open = vague::left_open(question, &things, parameter, own.as_ref());
        let beyond = own.is_none().then(|| length::beyond(question, parameter)).flatten();
        let is_left_open = left_open.is_some() || beyond.is_some();
        let refused = || beyond.or_else(|| refused(question, parameter, parameters, (own.as_ref(), &bound)));
        Argument {
            name: parameter.name.clone(),
            description: parameter.description.clone(),
            is_required: parameter.is_required || is_left_open,
            role: parameter.role,
            is_left_open,
            state: if let Some(open) = left_open {
                State::Unfilled { why: open.why(question), refused: None }
            } else if let Some(refused) = refused() {
                unfilled(parameter, Some(refused))
            } else {
                let value = own.clone().or_else(|| default(parameter));
                value.map_or_else(|| unfilled(parameter, None), State::Bound)
            },
        }
    };
    parameters.list.iter().zip(&bound).map(argument).collect()
}

/// How much better than what a required argument gets something must fit that its schema does not take.
const REFUSED_LEAD_MIN: f64 = 0.3;

/// What the question says for a required argument and its schema does not take: an identifier of three digits where it has
/// five. What another argument takes is said for that one.
fn refused(
    question: &Question,
    parameter: &Parameter,
    parameters: &Parameters,
    (own, bound): (Option<&Bound>, &[Option<Bound>]),
) -> Option<Refused> {
    let shape = parameter.shape.unlimited().filter(|_| parameter.is_required)?;
    let is_taken = |claim: &Range<usize>| {
        let others = bound.iter().flatten().filter(|bound| Some(*bound) != own);
        others.filter_map(|bound| bound.source.range()).any(|range| overlaps(range, claim))
    };
    let least =
        own.map_or(OPTIONAL_SCORE_MIN, |own| OPTIONAL_SCORE_MIN.max(own.confidence + REFUSED_LEAD_MIN));
    let mut offers = candidates(question, &Parameter { shape, ..parameter.clone() }, parameters);
    offers.retain(|offer| offer.score >= least && offer.claim.as_ref().is_some_and(|claim| !is_taken(claim)));
    let range = offers.into_iter().min_by(compare)?.claim?;
    Some(Refused { said: question.text.get(range.clone())?.to_owned(), range })
}

/// The values that the question itself gives to a list of parameters.
pub(super) fn filled(question: &Question, list: &[Parameter], parameters: &Parameters) -> Vec<Option<Bound>> {
    let mut offers: Vec<(usize, Candidate)> = Vec::new();
    for (at, parameter) in list.iter().enumerate() {
        let least = if parameter.is_required { REQUIRED_SCORE_MIN } else { OPTIONAL_SCORE_MIN };
        let is_single = matches!(parameter.shape, Shape::Text(_));
        let mut candidates = candidates(question, parameter, parameters);
        candidates.retain(|candidate| {
            let is_one_of_several =
                || candidate.claim.as_ref().is_some_and(|claim| is_listed(question, claim));
            candidate.score >= least && !(is_single && is_one_of_several())
        });
        offers.extend(candidates.into_iter().map(|candidate| (at, candidate)));
    }
    offers.sort_by(|(one_at, one), (other_at, other)| {
        compare(one, other)
            .then_with(|| list[*other_at].is_required.cmp(&list[*one_at].is_required))
            .then(one_at.cmp(other_at))
    });
    let mut chosen: Vec<Option<&Candidate>> = vec![None; list.len()];
    for (at, candidate) in &offers {
        if chosen[*at].is_none() && !chosen.iter().flatten().any(|other| conflicts(other, candidate)) {
            chosen[*at] = Some(candidate);
        }
    }
    change_places(&offers, &mut chosen);
    put_in_order(list, &offers, &mut chosen);
    give_way(list, &offers, &mut chosen);
    let mut bound: Vec<Option<Bound>> = chosen.into_iter().map(|it| it.map(bound_of)).collect();
    for at in (0..list.len()).filter(|at| list[*at].is_required) {
        if bound[at].is_none() {
            bound[at] = from_a_list(question, &offers, at, &mut bound);
        }
    }
    bound
}

/// Lets two arguments change what they have where both together are then better off: a text that takes anything leaves
/// the title to the title.
fn change_places<'a>(offers: &'a [(usize, Candidate)], chosen: &mut [Option<&'a Candidate>]) {
    trade(offers, chosen, |_, _, gain| gain > EQUAL);
}

/// Scores no further apart are the same.
const EQUAL: f64 = 1e-9;
/// How much worse two numbered arguments may fit in the order in which the question says them.
const ORDER_LOSS_MAX: f64 = 0.3;

/// Gives `mass1` what is said before what `mass2` has; of other numbers that fit as well either way, the first to the first.
fn put_in_order<'a>(
    list: &[Parameter],
    offers: &'a [(usize, Candidate)],
    chosen: &mut [Option<&'a Candidate>],
) {
    let start = |candidate: &Candidate| candidate.claim.as_ref().map(|claim| claim.start);
    trade(offers, chosen, |(one, other), (to_one, to_other), gain| {
        let first = list[one].numbered();
        let are_twins = first.is_some() && first == list[other].numbered();
        let least = if are_twins { -ORDER_LOSS_MAX } else { -EQUAL };
        let are_counted = to_one.family == Family::Number;
        (are_twins || are_counted) && start(to_one) < start(to_other) && gain > least
    });
}

/// Lets any two arguments change places that should: told their places, what they would have and what they would gain.
fn trade<'a>(
    offers: &'a [(usize, Candidate)],
    chosen: &mut [Option<&'a Candidate>],
    should: impl Fn((usize, usize), (&Candidate, &Candidate), f64) -> bool,
) {
    for one in 0..chosen.len() {
        for other in one + 1..chosen.len() {
            let Some((to_one, to_other, gain)) = exchange(offers, chosen, (one, other)) else { continue };
            if should((one, other), (to_one, to_other), gain) {
                (chosen[one], chosen[other]) = (Some(to_one), Some(to_other));
            }
        }
    }
}

/// What two arguments would have if they changed places, and how much better they would fit.
fn exchange<'a>(
    offers: &'a [(usize, Candidate)],
    chosen: &[Option<&'a Candidate>],
    (one, other): (usize, usize),
) -> Option<(&'a Candidate, &'a Candidate, f64)> {
    let (first, second) = (chosen[one]?, chosen[other]?);
    let offered = |at: usize, like: &Candidate| {
        let is_it = |other: &Candidate| other.family == like.family && other.claim == like.claim;
        let mut own = offers.iter().filter(|(other, _)| *other == at).map(|(_, candidate)| candidate);
        own.find(|candidate| like.claim.is_some() && is_it(candidate))
    };
    let (to_one, to_other) = (offered(one, second)?, offered(other, first)?);
    Some((to_one, to_other, to_one.score + to_other.score - first.score - second.score))
}

/// How much worse a value may fit a required argument that has none than the optional one that has taken it.
const REQUIRED_LEAD_MAX: f64 = 0.2;

/// Lets an optional argument give up what a required one would be left without, where it fits that about as well: of
/// "Acme stock" the company, and not the kind of data.
fn give_way<'a>(list: &[Parameter], offers: &'a [(usize, Candidate)], chosen: &mut [Option<&'a Candidate>]) {
    for at in (0..list.len()).filter(|at| list[*at].is_required) {
        if chosen[at].is_some() {
            continue;
        }
        for (_, candidate) in offers.iter().filter(|(other, _)| *other == at) {
            let is_in_the_way =
                |other: &usize| chosen[*other].is_some_and(|taken| conflicts(taken, candidate));
            let takers: Vec<usize> = (0..list.len()).filter(is_in_the_way).collect();
            let gives_way = |taker: &usize| {
                let taken = chosen[*taker].filter(|taken| !taken.value.is_array());
                let is_close = |taken: &Candidate| candidate.score + REQUIRED_LEAD_MAX >= taken.score - EQUAL;
                !list[*taker].is_required && taken.is_some_and(is_close)
            };
            if takers.len() < 2 && takers.iter().all(gives_way) {
                for taker in takers {
                    chosen[taker] = None;
                }
                chosen[at] = Some(candidate);
                break;
            }
        }
    }
}

/// The first value that a required argument could have and a list of several beside it has taken, and takes no longer: of
/// "the euro against the dollar and the yen" the one that the others are held against, and none of a plain enumeration.
fn from_a_list(
    question: &Question,
    offers: &[(usize, Candidate)],
    at: usize,
    bound: &mut [Option<Bound>],
) -> Option<Bound> {
    let is_apart =
        |candidate: &Candidate| candidate.claim.as_ref().is_none_or(|claim| !is_enumerated(question, claim));
    let own = offers
        .iter()
        .filter(|(other, candidate)| *other == at && candidate.family == Family::Text && is_apart(candidate));
    for (_, candidate) in own {
        for other in bound.iter_mut().flatten() {
            if let Value::Array(values) = &mut other.value
                && values.len() > 1
                && let Some(place) = values.iter().position(|value| *value == candidate.value)
            {
                values.remove(place);
                return Some(bound_of(candidate));
            }
        }
    }
    None
}

/// Every value that the question names for one argument, in the order that it names them.
pub(super) fn alternatives(question: &Question, parameters: &Parameters, argument: &str) -> Vec<Bound> {
    let Some(parameter) = parameters.list.iter().find(|parameter| parameter.name == argument) else {
        return Vec::new();
    };
    let mut offers = candidates(question, parameter, parameters);
    offers.retain(|candidate| candidate.score >= REQUIRED_SCORE_MIN && candidate.claim.is_some());
    let best = offers.iter().map(|candidate| candidate.score).fold(0.0, f64::max);
    // What leads to the first of several leads to the others, too: "to EUR and GBP".
    offers.sort_by_key(|candidate| candidate.claim.as_ref().map(|claim| claim.start));
    let joins = |between: &str| !between.trim().is_empty() && compound::only_joins(between);
    let mut led_to: Option<usize> = None;
    offers.retain(|candidate| {
        let Some(claim) = &candidate.claim else { return false };
        let between = led_to.and_then(|end| question.text.get(end..claim.start));
        let is_kept = candidate.score >= best - 0.25 || between.is_some_and(joins);
        if is_kept {
            led_to = Some(claim.end);
        }
        is_kept
    });
    offers.sort_by(compare);
    let mut kept: Vec<Candidate> = Vec::new();
    for candidate in offers {
        if !kept.iter().any(|other| conflicts(other, &candidate) || other.value == candidate.value) {
            kept.push(candidate);
        }
    }
    kept.sort_by_key(|candidate| candidate.claim.as_ref().map(|claim| claim.start));
    kept.iter().map(bound_of).collect()
}

/// Whether a stretch has another one beside it, with nothing but a conjunction between.
fn is_enumerated(question: &Question, range: &Range<usize>) -> bool {
    let is_mark = |c: char| matches!(c, '\'' | '"' | '“' | '”' | '’' | ' ');
    let before = question.text[..range.start].trim_end_matches(is_mark);
    let after = question.text[range.end..].trim_start_matches(is_mark);
    let joins = ["and ", "or ", "& "];
    before.ends_with([',', '&'])
        || joins
            .iter()
            .any(|join| before.ends_with(&format!(" {}", join.trim_end())) || after.starts_with(join))
        || after.starts_with(',')
}

/// Whether a stretch is one of several in square brackets, which hold a list: "[Ann, Bob]", and not "[Paris]".
fn is_listed(question: &Question, range: &Range<usize>) -> bool {
    let (before, after) = (&question.text[..range.start], &question.text[range.end..]);
    let opens = before.rfind('[').filter(|at| !before[*at..].contains(']'));
    let closes = after.find(']').filter(|at| !after[..*at].contains('['));
    opens
        .zip(closes)
        .is_some_and(|(opens, closes)| before[opens..].contains(',') || after[..closes].contains(','))
}

/// What a parameter could be, each with its score.
pub(super) fn candidates(
    question: &Question,
    parameter: &Parameter,
    parameters: &Parameters,
) -> Vec<Candidate> {
    if matches!(parameter.role, Role::Page) {
        return Vec::new();
    }
    match &parameter.shape {
        Shape::Boolean => boolean::candidates(question, parameter, parameters),
        Shape::Choice => choice::candidates(question, parameter),
        Shape::Number(bounds) => {
            let mut found = moment::numbers(question, parameter, *bounds);
            found.extend(choice::explained(question, parameter));
            found.extend(number::candidates(question, parameter, *bounds));
            found
        }
        Shape::Text(limits) => {
            let mut found = moment::texts(question, parameter);
            if !moment::is_temporal(parameter.role) {
                found.extend(choice::examples(question, parameter));
                found.extend(text::candidates(question, parameter, parameters));
            }
            found.extend(limits::patterned(question, parameter, limits));
            found.into_iter().filter_map(|candidate| within(candidate, limits)).collect()
        }
        Shape::List(item) => literal::candidates(question, parameter)
            .unwrap_or_else(|| compound::lists(question, item, parameters)),
        Shape::Nested(children) => literal::candidates(question, parameter)
            .unwrap_or_else(|| compound::nested(question, parameter, children, parameters)),
        Shape::Other => Vec::new(),
    }
}

/// A candidate whose text is within the limits, in the case that they want.
fn within(candidate: Candidate, limits: &Limits) -> Option<Candidate> {
    let Some(text) = candidate.value.as_str() else { return Some(candidate) };
    let value = Value::String(limits.fitted(text)?);
    Some(Candidate { value, ..candidate })
}

/// The best first; among equals, what is said earlier.
fn compare(one: &Candidate, other: &Candidate) -> Ordering {
    let start = |candidate: &Candidate| candidate.claim.as_ref().map_or(usize::MAX, |claim| claim.start);
    let length = |candidate: &Candidate| candidate.claim.as_ref().map_or(0, ExactSizeIterator::len);
    other
        .score
        .total_cmp(&one.score)
        .then_with(|| start(one).cmp(&start(other)))
        .then_with(|| length(other).cmp(&length(one)))
}

fn conflicts(one: &Candidate, other: &Candidate) -> bool {
    match (&one.claim, &other.claim) {
        (Some(one_claim), Some(other_claim)) => {
            one.family == other.family && overlaps(one_claim, other_claim)
        }
        _ => false,
    }
}

fn bound_of(candidate: &Candidate) -> Bound {
    Bound {
        value: candidate.value.clone(),
        source: candidate.source.clone(),
        confidence: candidate.score.clamp(0.0, 1.0),
    }
}

const DEFAULT_CONFIDENCE: f64 = 0.6;

fn default(parameter: &Parameter) -> Option<Bound> {
    if let (Shape::Choice, [only]) = (&parameter.shape, parameter.choices.as_slice())
        && parameter.is_required
    {
        let why = format!("`{}` has only one value", parameter.name);
        return Some(Bound {
            value: only.value.clone(),
            source: Source::Implied { range: None, why },
            confidence: 1.0,
        });
    }
    let Some(value) = parameter.default.clone().filter(|value| is_valid(parameter, value)) else {
        return page::implied(parameter, DEFAULT_CONFIDENCE);
    };
    Some(Bound { value, source: Source::Default, confidence: DEFAULT_CONFIDENCE })
}

pub(super) fn is_valid(parameter: &Parameter, value: &Value) -> bool {
    match &parameter.shape {
        Shape::Choice => parameter.choices.iter().any(|choice| choice.value == *value),
        Shape::Boolean => value.is_boolean(),
        Shape::Number(bounds) => value.as_f64().is_some_and(|number| {
            number >= bounds.least && number <= bounds.most && (!bounds.is_integer || number.fract() == 0.0)
        }),
        Shape::Text(limits) => value.as_str().is_some_and(|text| limits.take(text)),
        Shape::List(_) => value.is_array(),
        Shape::Nested(_) => value.is_object(),
        Shape::Other => false,
    }
}

fn unfilled(parameter: &Parameter, refused: Option<Refused>) -> State {
    let why = match &refused {
        Some(it) => format!("`{}` does not take {}, which the question says", parameter.name, it.said),
        None if parameter.is_required => format!("the question does not say `{}`", parameter.name),
        None => format!("the question does not ask for a `{}`", parameter.name),
    };
    State::Unfilled { why, refused }
}

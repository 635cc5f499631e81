//! Places: where they stand, how they are written, and which of them an argument takes.

use std::ops::Range;

use serde_json::Value;

use super::parameter::{Parameter, Parameters};
use super::proximity::{direction, nearness};
use super::role::Role;
use super::{Argument, Candidate, Family, State, topic};
use crate::Question;
use crate::spans::{Kind, Span};
use crate::standards;
use crate::time::{is_city_of_a_zone, zone_of};

/// How much likelier the word before it makes it that a stretch is a place.
pub(super) fn bonus(question: &Question, range: &Range<usize>) -> f64 {
    // "Specialized in tax law" names no place.
    let is_skill = question.words_before(range).iter().rev().nth(1).is_some_and(|word| {
        matches!(
            word.stem.as_str(),
            "special" | "specialis" | "interest" | "experienc" | "expert" | "major" | "train"
        )
    });
    match topic::word_before(question, range) {
        "in" if is_skill => -0.3,
        "in" | "near" | "around" => 0.2,
        "at" | "from" | "to" | "for" => 0.15,
        "of" => 0.1,
        _ => 0.0,
    }
}

/// A name after "in" is a place more often than anything else; one that opens a sentence is often no name.
pub(super) fn score_like_one(question: &Question, span: &Span, near: &mut f64) {
    let is_place = matches!(topic::word_before(question, &span.range), "in" | "at" | "near");
    let opens =
        question.text[..span.range.start].trim_end().ends_with(['.', '?', '!', ':']) || span.range.start == 0;
    let is_short = !span.text.contains(' ');
    if is_place || (opens && is_short) {
        *near -= 0.4;
    }
}

/// Whether a place is the country or the state of the city that an argument takes: "a barber in Ohio".
pub(super) fn is_wider_than(parameter: &Parameter, place: &str) -> bool {
    let wants_city = parameter.own.iter().any(|stem| matches!(stem.as_str(), "citi" | "town"))
        && !parameter.own.iter().any(|stem| matches!(stem.as_str(), "countri" | "state" | "region"))
        && !["or country", "or state", "or region"].iter().any(|wider| parameter.notes.contains(wider));
    wants_city
        && (standards::country(place).is_some() || standards::is_us_state(place))
        && !is_city_of_a_zone(place)
}

/// Whether a name is one of a coin, and nothing says that it is a place: the "Ethereum" of "gas on Ethereum, and the weather".
pub(super) fn is_coin(question: &Question, span: &Span) -> bool {
    standards::coin(&span.text).is_some()
        && !matches!(topic::word_before(question, &span.range), "in" | "at" | "near" | "around")
}

/// Whether it is a city with its state behind it, or that state: "Walnut Creek, CA".
pub(super) fn is_city_or_state(question: &Question, span: &Span) -> bool {
    let behind = question.text[span.range.end..].strip_prefix(", ").unwrap_or_default();
    let end = behind.find(|sign: char| !sign.is_alphabetic()).unwrap_or(behind.len());
    let is_city = span.kind == Kind::Name && standards::is_us_state(&behind[..end]);
    let is_state = standards::is_us_state(&span.text) && question.text[..span.range.start].ends_with(", ");
    is_city || is_state
}

/// Whether the country or the state of a place is another argument's.
pub(super) fn is_told_apart(parameters: &Parameters) -> bool {
    let is_apart = |it: &Parameter| {
        matches!(it.role, Role::Country | Role::CountryCode)
            || it.role == Role::Place
                && it.own.iter().any(|stem| matches!(stem.as_str(), "state" | "provinc"))
    };
    parameters.list.len() > 1 && parameters.list.iter().any(is_apart)
}

/// Leaves the places open that a text names before this byte and that are something else: money, a coin, or what was `given` to
/// other arguments.
pub(super) fn leave_others_open(
    text: &str,
    before: usize,
    given: &[(&str, &str)],
    arguments: &mut [Argument],
) {
    let is_other = |argument: &Argument, name: &str| {
        let is_given =
            |(other, value): &(&str, &str)| *other != argument.name && value.eq_ignore_ascii_case(name);
        zone_of(name).is_none()
            && (standards::currency(name).is_some()
                || standards::coin(name).is_some()
                || given.iter().any(is_given))
    };
    for argument in arguments {
        let said = argument.said_at().filter(|said| argument.role.is_place() && said.end <= before);
        if said.is_some_and(|said| is_other(argument, &text[said.clone()])) {
            let why = "what was said before names no place".to_owned();
            argument.state = State::Unfilled { why, refused: None };
        }
    }
}

/// "San Francisco, CA" and "Lyon, France" as one place.
pub(super) fn joined(question: &Question, parameter: &Parameter) -> Vec<Candidate> {
    let is_part = |span: &&Span| matches!(span.kind, Kind::Name | Kind::Ticker);
    let names: Vec<&Span> = question.spans.iter().filter(is_part).collect();
    names
        .windows(2)
        .filter(|pair| {
            pair[0].range.end <= pair[1].range.start
                && question.text[pair[0].range.end..pair[1].range.start] == *", "
        })
        .filter(|pair| {
            let is_list = question.text[pair[1].range.end..].trim_start().starts_with([','])
                || question.text[pair[1].range.end..].starts_with(" and ");
            !is_list || matches!(pair[1].kind, Kind::Ticker)
        })
        .map(|pair| {
            let range = pair[0].range.start..pair[1].range.end;
            let near = nearness(question, parameter, &range);
            let score = 0.66 + 0.3 * near + bonus(question, &range) + direction(question, parameter, &range);
            Candidate::said(Value::from(&question.text[range.clone()]), score, range, Family::Text)
        })
        .collect()
}

/// "to 12 El Camino Real": a number before a name, where something is.
pub(super) fn addresses(question: &Question, parameter: &Parameter) -> Vec<Candidate> {
    let said = |range: Range<usize>| {
        let score = 0.85 + direction(question, parameter, &range);
        Candidate::said(Value::from(&question.text[range.clone()]), score, range, Family::Text)
    };
    addressed(question).map(said).collect()
}

/// Whether a number is the one of a house, and of nothing that is counted.
pub(super) fn is_of_house(question: &Question, number: &Span) -> bool {
    addressed(question).any(|range| range.start == number.range.start)
}

fn addressed(question: &Question) -> impl Iterator<Item = Range<usize>> {
    let pairs = question.spans.iter().zip(question.spans.iter().skip(1));
    pairs.filter_map(|(number, street)| {
        let is_number =
            number.text.len() <= HOUSE_DIGITS_MAX && number.text.bytes().all(|byte| byte.is_ascii_digit());
        let is_beside = question.text.get(number.range.end..street.range.start) == Some(" ");
        let is_where = matches!(
            topic::word_before(question, &number.range),
            "at" | "to" | "from" | "near" | "in" | "is"
        );
        let is_one = is_number && is_beside && is_where && street.kind == Kind::Name;
        is_one.then_some(number.range.start..street.range.end)
    })
}

/// Digits that a house's number has at most.
const HOUSE_DIGITS_MAX: usize = 5;

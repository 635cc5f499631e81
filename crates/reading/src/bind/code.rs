//! Values that published standards give a code to: zones, currencies, countries, languages.

use std::ops::Range;

use serde_json::Value;

use super::parameter::Parameter;
use super::proximity::{behind_clock, direction, nearness};
use super::role::Role;
use super::stretch::shouts;
use super::{Candidate, Family, topic};
use crate::Question;
use crate::spans::{Kind, Span};
use crate::standards::{self, Country};
use crate::time::{is_zone, zone_of};
use crate::words;

/// The zones of the places that a question names.
pub(super) fn zones(question: &Question, parameter: &Parameter) -> Vec<Candidate> {
    places(question)
        .into_iter()
        .filter_map(|range| {
            let said = &question.text[range.clone()];
            let zone = zone_of(said)?;
            let written = if is_zone(said) { 0.2 } else { 0.0 };
            let towards = direction(question, parameter, &range) + behind_clock(question, parameter, &range);
            let score = 0.7 + written + 0.3 * nearness(question, parameter, &range) + towards;
            if standards::country(said).is_some_and(has_several_zones) {
                let why = format!("{said} has several time zones, of which {zone} is taken");
                return Some(Candidate::implied(Value::from(zone), score, range, why));
            }
            let range = with_country(question, range, zone);
            Some(Candidate::said(Value::from(zone), score, range, Family::Text))
        })
        .collect()
}

/// Whether a country is so wide that its main zone is not that of many who live there.
fn has_several_zones(country: Country) -> bool {
    const WIDE: [&str; 10] = ["AU", "BR", "CA", "CD", "ID", "KZ", "MN", "MX", "RU", "US"];
    WIDE.contains(&country.alpha2)
}

/// A place with the country that is written behind it: "Sydney, Australia" is one place, and in one zone.
fn with_country(question: &Question, range: Range<usize>, zone: &str) -> Range<usize> {
    let behind = |end: usize| {
        let country = question.text.get(range.end..end)?.strip_prefix(", ")?;
        let own = standards::country(country)?.zone?;
        (continent(own) == continent(zone)).then_some(end)
    };
    let mut words = question.words_behind(&range).iter().take(COUNTRY_WORDS_MAX).rev();
    let end = words.find_map(|word| behind(word.range.end));
    range.start..end.unwrap_or(range.end)
}

fn continent(zone: &str) -> Option<&str> {
    zone.split_once('/').map(|(continent, _)| continent)
}

/// Words of a country's name.
const COUNTRY_WORDS_MAX: usize = 4;

/// Stretches of the question that a published standard gives a code to.
pub(super) fn coded(
    question: &Question,
    parameter: &Parameter,
    code_of: impl Fn(&str) -> Option<String>,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    for range in places(question) {
        let said = &question.text[range.clone()];
        let Some(code) = code_of(said) else { continue };
        let score =
            0.7 + 0.2 * nearness(question, parameter, &range) + direction(question, parameter, &range);
        if said.eq_ignore_ascii_case(&code) {
            found.push(Candidate::said(Value::from(code), score + 0.1, range, Family::Text));
        } else {
            let why = format!("\"{said}\" is read as {code}");
            found.push(Candidate::implied(Value::from(code), score, range, why));
        }
    }
    if parameter.role == Role::Currency {
        for span in &question.spans {
            // A currency that is said in words is a stretch of its own, and that of what is paid is not what it is turned into.
            if let Kind::Number(amount) = span.kind
                && let Some(code) = amount.currency
                && !found.iter().any(|it| it.value == code)
            {
                let score = 0.72 + direction(question, parameter, &span.range);
                found.push(Candidate::said(Value::from(code), score, span.range.clone(), Family::Text));
            }
        }
    }
    found
}

/// Capitals are an identifier right after its own name ("order ABC") or where the examples are such; else they name a thing, as a coin
/// and a currency do.
pub(super) fn is_coded(question: &Question, parameter: &Parameter, span: &Span) -> bool {
    let before = topic::word_before(question, &span.range).to_lowercase();
    let is_money = || standards::coin(&span.text).is_some() || standards::currency(&span.text).is_some();
    let is_labelled = before == "id" || parameter.own.contains(&words::stem(&before).into_owned());
    shouts(parameter) || is_labelled && !is_money()
}

/// One to three words in a row that may be a place, a currency or a language; the longest come first.
fn places(question: &Question) -> Vec<Range<usize>> {
    let words = &question.words;
    let mut ranges = Vec::new();
    for length in (1..=3).rev() {
        for window in words.windows(length) {
            let range = window[0].range.start..window[length - 1].range.end;
            let is_joined = window.windows(2).all(|pair| {
                matches!(&question.text[pair[0].range.end..pair[1].range.start], " " | "/" | "_" | "-")
            });
            let is_code = length == 1 && question.text[range.clone()].chars().all(char::is_uppercase);
            let is_word = length > 1
                || is_code
                || (!window[0].is_stop && window[0].lower.chars().count() > 2 || !window[0].lower.is_ascii());
            if is_joined && is_word {
                ranges.push(range);
            }
        }
    }
    ranges
}

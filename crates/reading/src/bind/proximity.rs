//! How near a stretch of a question stands to the words of a parameter.

use std::ops::Range;

use super::parameter::Parameter;
use super::role::Role;
use super::standard::holds_against;
use crate::Question;
use crate::spans::{Kind, Span, overlaps};
use crate::time::{Moment, Sense};
use crate::words::Word;

const BEFORE_MAX: usize = 6;
const AFTER_MAX: usize = 3;

/// From 0, nothing ties them, to 1: "rate of 5%" for `rate`.
pub(super) fn nearness(question: &Question, parameter: &Parameter, range: &Range<usize>) -> f64 {
    let words = &question.words;
    let first = question.words_before(range).len();
    let last = words.partition_point(|word| word.range.start < range.end).max(first);
    let is_number =
        question.text[range.clone()].starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '$'));
    // "Premier League" for `league`; "Leader Name: Ann" labels what comes.
    let says_it = |word: &Word| !word.is_stop && parameter.own.contains(&word.stem);
    let is_name =
        || question.text[range.clone()].starts_with(char::is_uppercase) && !is_label(question, range);
    let mut best: f64 = match &words[first..last] {
        [other, .., head] if says_it(head) && !says_it(other) && is_name() => 0.9,
        [_, head] if says_it(head) => 0.7,
        [_, _, ..] if words[first..last].iter().any(says_it) => 0.5,
        _ => 0.0,
    };
    for (at, word) in words.iter().enumerate().take(first).skip(first.saturating_sub(BEFORE_MAX)) {
        let between = word.range.end..range.start;
        let weight = weight(question, parameter, at, Some(&question.text[between.clone()]));
        if weight > 0.0 && !is_in_a_name(question, word) {
            best = best.max(weight * decay(first - at) * obstruction(question, between, is_number));
        }
    }
    for (at, word) in words.iter().enumerate().skip(last).take(AFTER_MAX).take_while(|(_, it)| !is_theme(it))
    {
        let mut weight = weight(question, parameter, at, None);
        // The unit of a number stands right after it.
        if at == last && weight > 0.0 {
            weight = weight.max(0.8);
        }
        if weight > 0.0 && !is_in_a_name(question, word) {
            let between = range.end..word.range.start;
            best = best.max(0.95 * weight * decay(at + 1 - last) * obstruction(question, between, is_number));
        }
    }
    best
}

/// Whether a Korean noun tells what follows is about: 제목은.
fn is_theme(word: &Word) -> bool {
    word.lower.strip_prefix(&word.stem).is_some_and(|particle| matches!(particle, "은" | "는"))
}

fn weight(question: &Question, parameter: &Parameter, at: usize, gap: Option<&str>) -> f64 {
    let word = &question.words[at];
    let said = &question.text[word.range.clone()];
    if let Some(gap) = gap {
        let is_named = said == parameter.name || word.stem.len() > 1 && parameter.own.contains(&word.stem);
        if is_named
            && matches!(
                gap.trim(),
                "=" | ":" | "is" | "of" | "==" | "equals" | "equal to" | "as" | "named" | "called"
            )
        {
            return 1.15;
        }
    }
    if word.stem.len() < 2 || word.is_stop && !parameter.own.contains(&word.stem) {
        return 0.0;
    }
    if parameter.own.contains(&word.stem) {
        return if matches!(word.stem.as_str(), "name" | "id" | "type" | "valu" | "number") {
            0.7
        } else {
            1.0
        };
    }
    if parameter.is_described_by(&word.stem) { 0.55 } else { 0.0 }
}

/// The hotel of "the Hilton Hotel in Chicago" is part of its name, and says nothing of what stands beside it.
fn is_in_a_name(question: &Question, word: &Word) -> bool {
    let is_name =
        |span: &Span| span.kind == Kind::Name && span.text.contains(' ') && !is_label(question, &span.range);
    question.spans.iter().any(|span| is_name(span) && overlaps(&span.range, &word.range))
}

/// Whether what stands there says what comes behind it: "Leader Name: Ann".
fn is_label(question: &Question, range: &Range<usize>) -> bool {
    question.text[range.end..].trim_start().starts_with([':', '=', '[', '{'])
}

fn decay(distance: usize) -> f64 {
    let steps = u32::try_from(distance.saturating_sub(1)).unwrap_or(u32::MAX);
    (1.0 - 0.13 * f64::from(steps)).max(0.2)
}

/// Other numbers and the ends of sentences stand in the way.
fn obstruction(question: &Question, between: Range<usize>, is_number: bool) -> f64 {
    if between.is_empty() {
        return 1.0;
    }
    let text = &question.text[between.clone()];
    let mut factor = 1.0;
    if text.contains(". ") || text.contains('?') || text.contains('\n') {
        factor *= 0.6;
    }
    if text.contains([',', ';']) {
        // "A player, Ann" names her; "30 in length, 20 in width" are two things.
        factor *= match (is_number, text.trim() == ",") {
            (true, _) => 0.6,
            (false, true) => 1.0,
            (false, false) => 0.85,
        };
    }
    let has_value = question
        .spans
        .iter()
        .any(|span| matches!(span.kind, Kind::Number(_) | Kind::Quoted) && overlaps(&span.range, &between));
    if has_value { factor * 0.55 } else { factor }
}

/// How well the preposition before a stretch fits the parameter's direction: a source or a target.
pub(super) fn direction(question: &Question, parameter: &Parameter, range: &Range<usize>) -> f64 {
    let before = question.words_before(range);
    let preposition = before.last().map_or("", |word| word.lower.as_str());
    let (is_source, is_target) = ends(parameter);
    if is_of_amount(question, range) {
        return towards(is_source, is_target);
    }
    let is_between = || before.iter().rev().take(BETWEEN_WORDS).any(|it| it.lower == "between");
    match preposition {
        "from" | "between" => towards(is_source, is_target),
        "to" | "into" => towards(is_target, is_source),
        "towards" => towards(is_target, false),
        "and" if is_between() => towards(is_target, is_source),
        // "Yen per dollar" are what a dollar is told in.
        "per" if parameter.role == Role::Currency => towards(is_source, is_target),
        _ if parameter.role == Role::Currency => {
            let is_target_told =
                is_told_in(before) || is_per(question, range) || is_held_against(question, before);
            if is_target_told { towards(is_target, is_source) } else { 0.0 }
        }
        _ => 0.0,
    }
}

/// Whether words lead to the currency that what rose or fell is held against: "on the" dollar, "against the" dollar.
fn is_held_against(question: &Question, before: &[Word]) -> bool {
    let lead = || before.iter().rev().find(|word| !word.is_article());
    question.form.way.is_some() && lead().is_some_and(|word| holds_against(word) || word.lower == "on")
}

/// More for the end that is meant, and less for the other one.
fn towards(is_meant: bool, is_other: bool) -> f64 {
    if is_meant {
        0.3
    } else if is_other {
        -0.3
    } else {
        0.0
    }
}

/// Whether words lead to the currency that a value is to be told in: "euros in" dollars, "how many" yen.
fn is_told_in(before: &[Word]) -> bool {
    let mut before = before.iter().rev().map(|word| word.lower.as_str());
    match (before.next(), before.next()) {
        (Some("in"), _) => true,
        (Some("many" | "much"), lead) => lead == Some("how"),
        _ => false,
    }
}

/// Whether so many of a currency are told "per" one of another.
fn is_per(question: &Question, range: &Range<usize>) -> bool {
    question.words_behind(range).first().is_some_and(|word| word.lower == "per")
}

/// How far before the second end of a stretch "between" may stand, in words.
const BETWEEN_WORDS: usize = 6;

/// Whether a currency is the one of a sum, which is what one has: "20 euros", "20 EUR", "€20".
fn is_of_amount(question: &Question, range: &Range<usize>) -> bool {
    question.spans.iter().any(|span| {
        let is_sum = matches!(span.kind, Kind::Number(amount) if amount.currency.is_some());
        is_sum && (overlaps(&span.range, range) || is_right_behind(question, &span.range, range))
    })
}

/// Whether nothing but a space stands between a stretch and another one behind it.
pub(super) fn is_right_behind(question: &Question, first: &Range<usize>, second: &Range<usize>) -> bool {
    question.text.get(first.end..second.start) == Some(" ")
}

/// How well a place that stands right behind a time of day, "9am in New York" or "9am New York", fits the parameter's
/// direction: the time is of that place.
pub(super) fn behind_clock(question: &Question, parameter: &Parameter, range: &Range<usize>) -> f64 {
    let is_behind = |moment: &Moment| {
        let between = question.text.get(moment.range.end..range.start);
        matches!(moment.sense, Sense::Clock(_)) && between.is_some_and(|it| matches!(it.trim(), "" | "in"))
    };
    match ends(parameter) {
        _ if !question.moments.iter().any(is_behind) => 0.0,
        (true, false) => 0.3,
        (false, true) => -0.3,
        (true, true) | (false, false) => 0.0,
    }
}

/// Whether a parameter is where something comes from, and whether it is where it goes.
fn ends(parameter: &Parameter) -> (bool, bool) {
    let named = |words: &[&str]| parameter.own.iter().any(|stem| words.contains(&stem.as_str()));
    (
        named(&[
            "from", "sourc", "origin", "base", "start", "departur", "depart", "begin", "sender", "payer",
        ]),
        named(&["to", "target", "destin", "quot", "end", "arriv", "dest", "receiv", "recipi", "paye"]),
    )
}

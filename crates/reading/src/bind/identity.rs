//! What may be somebody's or something's identifier.

use std::ops::Range;

use super::code;
use super::parameter::Parameter;
use super::proximity::is_right_behind;
use super::topic::is_limit;
use crate::Question;
use crate::form;
use crate::spans::{Kind, Span};
use crate::words::Word;

/// Whether a stretch may be the identifier that an argument takes.
pub(super) fn may_identify(question: &Question, parameter: &Parameter, span: &Span) -> bool {
    let is_plain = span.kind == Kind::Ticker && !code::is_coded(question, parameter, span);
    let is_other = is_quantity(question, parameter, span) || is_askers(question, parameter, &span.range);
    !is_plain && !is_other && !is_edition(question, parameter, span)
}

/// Whether a number is the year of a name: the 2026 of "World Cup 2026" and of "the 2026 world cup".
fn is_edition(question: &Question, parameter: &Parameter, span: &Span) -> bool {
    const YEARS: std::ops::RangeInclusive<u32> = 1900..=2100;
    let is_year = || span.text.len() == 4 && span.text.parse().is_ok_and(|year: u32| YEARS.contains(&year));
    let before = question.words_before(&span.range).last();
    let is_labelled = before.is_some_and(|word| parameter.own.contains(&word.stem));
    let is_beside = |between: Range<usize>| question.text[between] == *" ";
    let is_name = |word: &Word| question.text[word.range.clone()].starts_with(char::is_uppercase);
    let is_thing = |word: &Word| is_name(word) || !word.is_stop && !parameter.own.contains(&word.stem);
    let is_named = before.is_some_and(|word| is_name(word) && is_beside(word.range.end..span.range.start))
        || question
            .words_behind(&span.range)
            .first()
            .is_some_and(|word| is_thing(word) && is_beside(span.range.end..word.range.start));
    is_named && is_year() && !is_labelled
}

/// Whether a number says how many or how much, and is nobody's number: "150 shares", "greater than 20", and not "order 12 ships".
pub(super) fn is_quantity(question: &Question, parameter: &Parameter, span: &Span) -> bool {
    let before = question.words_before(&span.range).last();
    // A comma ends a label: "market, 10 levels" tells no market.
    let is_labelled = before.is_some_and(|word| {
        parameter.own.contains(&word.stem) && !question.text[word.range.end..span.range.start].contains(',')
    });
    if is_labelled || !matches!(span.kind, Kind::Number(_)) {
        return false;
    }
    let is_limit = question.words_in(&span.range).any(|word| is_limit(question, word));
    let is_bound = form::side(&question.text, &question.words, &span.range).is_some();
    let counted = question
        .words_behind(&span.range)
        .first()
        .filter(|word| is_right_behind(question, &span.range, &word.range) && !word.is_stop);
    let is_counted = |word: &Word| word.has_plural_ending() || form::turn::is_superlative(&word.lower);
    is_limit || is_bound || is_measure(question, span) || counted.is_some_and(is_counted)
}

/// Whether a number tells how much of something there is: "set the priority to 3", "a rating of 4".
fn is_measure(question: &Question, span: &Span) -> bool {
    let is_link = |word: &&Word| matches!(word.lower.as_str(), "to" | "of" | "is" | "at" | "as" | "level");
    let mut before = question.words_before(&span.range).iter().rev();
    before.find(|word| !is_link(word)).is_some_and(|word| {
        matches!(
            word.stem.as_str(),
            "prioriti" | "rate" | "score" | "quantiti" | "level" | "volum" | "budget" | "price"
        )
    })
}

/// Whether an identifier is the asker's own, where an argument takes the one of somebody else: "to Bob; my user id is U1".
pub(super) fn is_askers(question: &Question, parameter: &Parameter, said: &Range<usize>) -> bool {
    const OTHERS: [&str; 6] = ["receiv", "recipi", "to", "target", "friend", "contact"];
    let takes_others = parameter.own.iter().any(|stem| OTHERS.contains(&stem.as_str()));
    let mut label = question.words_before(said).iter().rev().take_while(|word| {
        matches!(word.stem.as_str(), "is" | "user" | "id" | "user_id" | "number" | "account" | "my")
    });
    takes_others && label.any(|word| word.lower == "my")
}

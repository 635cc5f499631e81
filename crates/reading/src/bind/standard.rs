//! What a question names that a published standard gives a code to: `EUR` for "euros", `fr` for "French".

use std::ops::Range;

use super::role::Role;
use crate::spans::{Kind, Span};
use crate::words::{self, Word};
use crate::{Question, standards};

/// The codes of a role's standard that a question names, each with where it does; the longer name goes first. None for a
/// role without a standard.
#[must_use]
pub fn standard_codes(question: &Question, role: Role) -> Vec<(&'static str, Range<usize>)> {
    let code_of = |name: &str| {
        if role == Role::Currency {
            standards::currency(name)
        } else if role == Role::Language {
            standards::language(name)
        } else if matches!(role, Role::Country | Role::CountryCode) {
            standards::country(name).map(|country| country.alpha2)
        } else {
            None
        }
    };
    let words = &question.words;
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let named = (1..=WORDS_MAX).rev().find_map(|length| {
            let last = words.get(at + length - 1)?;
            let range = words[at].range.start..last.range.end;
            let code = code_of(&question.text[range.clone()]).filter(|_| range.len() >= CHARS_MIN)?;
            Some((length, code, range))
        });
        let Some((length, code, range)) = named else {
            at += 1;
            continue;
        };
        found.push((code, range));
        at += length;
    }
    if role == Role::Currency {
        found.extend(question.spans.iter().filter_map(sign));
    }
    found
}

/// Whether a sum of money, from a byte of the question on, is to be told in another currency: "$20 in yen", "I have 20 yen, what's
/// that in dollars".
pub(crate) fn converts_money(question: &Question, from: usize) -> bool {
    let mut sums = question.spans.iter().filter(|span| span.range.start >= from).filter_map(|span| {
        let Kind::Number(amount) = span.kind else { return None };
        Some((span.range.end, amount.currency?))
    });
    let is_told_in = |(end, own): (usize, &str)| {
        standard_codes(question, Role::Currency).into_iter().any(|(code, range)| {
            let between = question.text.get(end..range.start);
            let is_led = |it: &str| {
                let told = it.trim().to_lowercase();
                let told = told.strip_prefix(&own.to_lowercase()).unwrap_or(&told).trim();
                // "1200 GBP CHF": one currency behind the other.
                matches!(told, "" | "in" | "to" | "into" | "as" | "=")
                    || matches!(told, "be in" | "be worth in" | "worth in" | "come to in" | "make in")
                    || told.ends_with(" in") && ["what", "how much"].iter().any(|asks| told.contains(asks))
                    || ["that in", "it in", "this in"].iter().any(|points| told.ends_with(points))
            };
            code != own && between.is_some_and(is_led)
        })
    };
    sums.any(is_told_in)
}

/// Whether a word holds one currency against another: "the pound against the franc".
pub(super) fn holds_against(word: &Word) -> bool {
    matches!(word.lower.as_str(), "against" | "versus" | "vs")
}

/// Whether a pair of currencies is named, from a byte of the question on, without a sum: its rate is what is asked for, as it is
/// where one is held against another, "the pound against the franc", or told in it, "euro to yen", or both are all that is said.
pub(crate) fn names_pair(question: &Question, from: usize) -> bool {
    let is_currency = |word: &Word| standards::currency(&word.lower).is_some();
    let is_pair = |span: &Span| {
        let sides = words::words(&span.text);
        span.kind == Kind::Pair && sides.len() == 2 && sides.iter().all(is_currency)
    };
    let is_sum = |span: &Span| matches!(span.kind, Kind::Number(_));
    let spans = || question.spans.iter().filter(|span| span.range.start >= from);
    let tells_in = |word: &Word| matches!(word.lower.as_str(), "in" | "to" | "into");
    let is_held_against = |pair: &[(&str, Range<usize>)]| {
        let between = pair[0].1.end..pair[1].1.start;
        pair[0].0 != pair[1].0 && pair[0].1.start >= from && question.words_in(&between).any(holds_against)
    };
    let is_told_in = |codes: &[(&str, Range<usize>)]| {
        let [one, other] = codes else { return false };
        let gap = one.1.end..other.1.start;
        let mut words = question.words_in(&gap);
        one.1.start >= from && words.next().is_some_and(tells_in) && words.next().is_none()
    };
    // Few questions hold anything against another, or are no longer than such a pair; the codes are only looked up for those.
    let names_two = || {
        if let [one, other] = question.words.as_slice() {
            return one.range.start >= from
                && is_currency(one)
                && is_currency(other)
                && one.lower != other.lower;
        }
        let is_short = question.words.len() <= PAIR_WORDS_MAX && question.words.iter().any(tells_in);
        if !is_short && !question.words.iter().any(holds_against) {
            return false;
        }
        let codes = standard_codes(question, Role::Currency);
        codes.windows(2).any(is_held_against) || is_short && is_told_in(&codes)
    };
    !spans().any(is_sum) && (spans().any(is_pair) || names_two())
}

/// The currency whose sign stands before a number, and where.
fn sign(span: &Span) -> Option<(&'static str, Range<usize>)> {
    let Kind::Number(amount) = span.kind else { return None };
    let sign = span.text.chars().next().filter(|sign| !sign.is_alphanumeric())?;
    let code =
        standards::currency(sign.encode_utf8(&mut [0; 4])).filter(|code| amount.currency == Some(code))?;
    Some((code, span.range.start..span.range.start + sign.len_utf8()))
}

/// Words of a question that may be no more than a pair: "what is the euro in yen".
const PAIR_WORDS_MAX: usize = 7;

/// "United States dollars".
const WORDS_MAX: usize = 3;
/// Shorter names are words of other meanings, too.
const CHARS_MIN: usize = 3;

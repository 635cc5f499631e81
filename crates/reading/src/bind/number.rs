//! Numbers.

use std::ops::Range;

use serde_json::{Number, Value};

use super::identity::is_quantity;
use super::parameter::{Bounds, Parameter};
use super::place::is_of_house;
use super::proximity::{is_right_behind, nearness};
use super::role::Role;
use super::{Candidate, Family, Source};
use crate::Question;
use crate::form;
use crate::spans::{Amount, Kind, Span, glued_multiplier, numeral};
use crate::standards;

pub(super) fn candidates(question: &Question, parameter: &Parameter, bounds: Bounds) -> Vec<Candidate> {
    let limit = limit_range(question);
    let mut found = Vec::new();
    for span in &question.spans {
        let Kind::Number(amount) = span.kind else { continue };
        let amount = in_money(question, parameter, span, amount);
        let is_limit = limit.is_some_and(|limit| amount.value.total_cmp(&limit).is_eq());
        let is_dated =
            matches!(parameter.role, Role::Year | Role::Month | Role::Start | Role::End | Role::Date);
        let score = match (parameter.role == Role::Limit, is_limit) {
            (true, true) => 0.9,
            (true, false) => counted(question, parameter, span),
            (false, _) if is_dated => tied(question, parameter, span, amount),
            // "Top 20" is no least sum.
            (false, true) if is_edge(parameter) => 0.0,
            (false, true) => 0.2,
            _ if parameter.role == Role::Id && is_quantity(question, parameter, span) => 0.0,
            _ if is_of_house(question, span) || is_of_budget(question, parameter, span) => 0.0,
            (false, false) => plain(question, parameter, span, amount),
        };
        if let Some(value) = value(parameter, amount, bounds) {
            let mut candidate = Candidate::said(value, score, span.range.clone(), Family::Number);
            let is_converted =
                candidate.value.as_f64().is_some_and(|sent| sent.total_cmp(&amount.value).is_ne());
            if is_converted {
                let why = format!("{} is passed as {} for `{}`", span.text, candidate.value, parameter.name);
                candidate.source = Source::Implied { range: Some(span.range.clone()), why };
            }
            found.push(candidate);
        }
    }
    found
}

/// How well a number fits: tied by words, by its dress, or only by being a number.
fn plain(question: &Question, parameter: &Parameter, span: &Span, amount: Amount) -> f64 {
    let near = nearness(question, parameter, &span.range);
    let mut score = 0.3 + 0.6 * near;
    // "Rounded to 2 decimal places" says how exactly, and not how much.
    let behind = question.words_behind(&span.range).first();
    let is_rounding = behind.is_some_and(|word| matches!(word.stem.as_str(), "decim" | "digit"));
    if is_rounding && !parameter.own.iter().any(|stem| ROUNDING.contains(&stem.as_str())) {
        return 0.0;
    }
    // "2024 ... 4장": how many there are of something, and not a year.
    score += match numeral::counts(&span.text) {
        Some(true) => 0.15,
        Some(false) => -0.1,
        None => 0.0,
    };
    // "Two numbers, 36 and 48": a spelled number often only counts the others.
    if span.text.starts_with(char::is_alphabetic) && has_digits(question) {
        score -= if parameter.numbered().is_some() { 0.7 } else { 0.35 };
    }
    let named = |words: &[&str]| {
        parameter.own.iter().chain(&parameter.context).any(|stem| words.contains(&stem.as_str()))
    };
    if named(&PEOPLE) && is_of_people(question, span) {
        score += 0.3;
    }
    if amount.is_percent {
        score += if named(&[
            "rate",
            "percent",
            "percentag",
            "probabl",
            "probability",
            "discount",
            "tax",
            "yield",
            "interest",
            "chanc",
            "share",
        ]) {
            0.15
        } else {
            -0.15
        };
    }
    // "1000 BTC" is no sum of dollars, nor are "15 transfers".
    if amount.currency.is_none() && named(&MONEY) && counts_things(question, span) {
        return 0.0;
    }
    if amount.currency.is_some() {
        score += if named(&[
            "price", "cost", "amount", "budget", "valu", "salari", "incom", "princip", "payment", "money",
            "dollar", "usd", "fee", "balanc", "revenu",
        ]) {
            0.28
        } else {
            -0.25
        };
    }
    score += edge(question, parameter, span);
    let is_length = matches!(parameter.role, Role::Length(_));
    if is_length && (amount.is_percent || amount.currency.is_some()) { score - 0.4 } else { score }
}

/// What an argument for money is named by.
const MONEY: [&str; 4] = ["usd", "dollar", "eur", "euro"];

/// A number of money: the "5m" of "transfers above 5m" is no length there.
fn in_money(question: &Question, parameter: &Parameter, span: &Span, amount: Amount) -> Amount {
    if !parameter.own.iter().any(|own| MONEY.contains(&own.as_str())) {
        return amount;
    }
    let letters = question.text[span.range.end..].split(|sign: char| !sign.is_alphanumeric()).next();
    let multiplier = letters.and_then(|letters| glued_multiplier(letters, true)).unwrap_or(1.0);
    Amount { value: amount.value * multiplier, ..amount }
}

/// Whether an argument takes the least or the most of something.
fn is_edge(parameter: &Parameter) -> bool {
    parameter.own.iter().any(|own| LEAST.contains(&own.as_str()) || MOST.contains(&own.as_str()))
}

/// What an argument for the least and for the most is named by.
const LEAST: [&str; 3] = ["least", "min", "minimum"];
const MOST: [&str; 3] = ["max", "maximum", "most"];

/// What it says for a parameter for the least or the most that a number is told to be one.
fn edge(question: &Question, parameter: &Parameter, span: &Span) -> f64 {
    let Some((side, _)) = form::side(&question.text, &question.words, &span.range) else { return 0.0 };
    let is_for = |edges: [&str; 3]| parameter.own.iter().any(|own| edges.contains(&own.as_str()));
    let (least, most) = (is_for(LEAST), is_for(MOST));
    let (wanted, other) = if side.is_least() { (least, most) } else { (most, least) };
    match (wanted, other) {
        (true, false) => 0.3,
        (false, true) => -0.3,
        (true, true) | (false, false) => 0.0,
    }
}

/// What says how exactly a number is to be told.
const ROUNDING: [&str; 7] = ["decim", "digit", "precis", "round", "place", "figur", "signific"];

/// Those for whom something is.
const PEOPLE: [&str; 11] =
    ["seat", "guest", "peopl", "person", "passeng", "adult", "travel", "diner", "parti", "occup", "attende"];

/// Whether a number is one of people: "a table for 4 people".
fn is_of_people(question: &Question, span: &Span) -> bool {
    let behind = question.words_behind(&span.range).first();
    behind.is_some_and(|word| PEOPLE.contains(&word.stem.as_str()) || word.lower == "pax")
}

/// Whether a sum is all that there is to spend, for what takes another one: "a budget of $500" is no price.
fn is_of_budget(question: &Question, parameter: &Parameter, span: &Span) -> bool {
    let before = question.words_before(&span.range).iter().rev();
    let label = before.take(LABEL_WORDS).find(|word| !word.is_stop);
    let is_money =
        || parameter.own.iter().any(|own| matches!(own.as_str(), "cost" | "price" | "fee" | "premium"));
    label.is_some_and(|word| word.stem == "budget" && !parameter.says(&word.stem)) && is_money()
}

/// Words before a number within which it is said what it is.
const LABEL_WORDS: usize = 3;

/// Whether what is counted is named right behind the number, by a symbol, as a coin or as things that are no money.
fn counts_things(question: &Question, span: &Span) -> bool {
    let is_behind = |range: &Range<usize>| is_right_behind(question, &span.range, range);
    let mut symbols = question.spans.iter().filter(|other| matches!(other.kind, Kind::Ticker));
    let next = question.words_behind(&span.range).first().filter(|word| is_behind(&word.range));
    symbols.any(|symbol| is_behind(&symbol.range))
        || next.is_some_and(|word| {
            standards::coin(&word.lower).is_some()
                || word.has_plural_ending() && standards::currency(&word.lower).is_none()
        })
}

fn has_digits(question: &Question) -> bool {
    question
        .spans
        .iter()
        .any(|span| matches!(span.kind, Kind::Number(_)) && span.text.contains(|c: char| c.is_ascii_digit()))
}

/// Words behind a number within which it says what it counts: "5 latest sports headlines".
const ROW_WORDS: usize = 3;

/// A count of rows wants its own word beside it.
fn counted(question: &Question, parameter: &Parameter, span: &Span) -> f64 {
    let near = nearness(question, parameter, &span.range);
    let has_row_word =
        question.words_behind(&span.range).iter().take(ROW_WORDS).take_while(|word| !word.is_stop).any(
            |word| {
                word.lower == "news"
                    || matches!(
                        word.stem.as_str(),
                        "result" | "item" | "row" | "entri" | "record" | "articl" | "headlin" | "exampl"
                    )
            },
        );
    if has_row_word { 0.8 } else { 0.15 + 0.55 * near }
}

/// Bare numbers are dates only where a word says so.
fn tied(question: &Question, parameter: &Parameter, span: &Span, amount: Amount) -> f64 {
    let near = nearness(question, parameter, &span.range);
    let is_year =
        amount.value.fract() == 0.0 && (1_000.0..=2_200.0).contains(&amount.value) && span.text.len() == 4;
    if parameter.role == Role::Year && is_year {
        0.75
    } else if near > 0.7 {
        0.25 + 0.5 * near
    } else {
        0.0
    }
}

/// The value in the parameter's own terms, where it is within the bounds.
pub(super) fn value(parameter: &Parameter, amount: Amount, bounds: Bounds) -> Option<Value> {
    let mut value = amount.value;
    let wants_percent =
        bounds.most > 1.0 && ["percent", "%"].iter().any(|mark| parameter.notes.contains(mark));
    let wants_fraction = !wants_percent && !parameter.own.iter().any(|stem| stem.starts_with("percent"));
    if amount.is_percent && !bounds.is_integer && wants_fraction {
        value /= 100.0;
    }
    if value < bounds.least || value > bounds.most || (bounds.is_integer && value.fract() != 0.0) {
        return None;
    }
    number(value)
}

/// A JSON number, an integer where it is one.
pub(super) fn number(value: f64) -> Option<Value> {
    const EXACT_MAX: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() <= EXACT_MAX {
        #[allow(clippy::cast_possible_truncation, reason = "within the exact integers of a double")]
        return Some(Value::from(value as i64));
    }
    Number::from_f64(value).map(Value::Number)
}

fn limit_range(question: &Question) -> Option<f64> {
    #[allow(clippy::cast_precision_loss, reason = "limits are at most a thousand")]
    question.form.limit.map(|limit| limit as f64)
}

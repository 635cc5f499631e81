//! Numbers: signs, thousands separators, multipliers, percentages, currencies, number words.

use std::ops::Range;

use crate::spans::{Amount, Kind, Span, numeral};
use crate::standards;
use crate::words::Word;

/// The numbers of a text, in order.
pub(super) fn numbers(text: &str, words: &[Word]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if spans.last().is_some_and(|last| word.range.start < last.range.end) {
            continue;
        }
        let is_within = text[..word.range.start].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        if let Some(span) = numeral::at(text, word.range.start).filter(|_| !is_within) {
            spans.push(span);
        } else if word.lower.starts_with(|c: char| c.is_ascii_digit()) {
            spans.extend(digits(text, words, at));
        } else if let Some(value) = standards::number_word(&word.lower)
            && !(word.lower == "one" && is_pronoun(words, at))
        {
            #[allow(clippy::cast_precision_loss, reason = "number words are small")]
            spans.push(spelled(text, words, (at, at + 1), value as f64));
        } else if let Some(first) = scale(words, at) {
            let value = if word.lower == "half" { 0.5 } else { 1.0 };
            spans.push(spelled(text, words, (at, first), value));
        }
    }
    spans
}

fn digits(text: &str, words: &[Word], at: usize) -> Option<Span> {
    let start = words[at].range.start;
    let before = &text[..start];
    if before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '^')) {
        return None;
    }
    let is_in_brackets = before.rfind('[') > before.rfind(']');
    let (length, value) = literal(&text[start..], !is_in_brackets)?;
    let mut end = start + length;
    let mut amount = Amount { value, is_percent: false, currency: None };
    let suffix_end =
        words[at..].iter().map(|word| word.range.end).find(|&word_end| word_end > end).unwrap_or(end);
    let suffix = text.get(end..suffix_end).unwrap_or("");
    let glued: String = suffix.chars().take_while(|c| c.is_alphabetic()).collect();
    let is_money = before
        .ends_with(|sign: char| standards::currency(sign.encode_utf8(&mut [0; 4])).is_some())
        || !glued.is_empty() && currency_behind(text, words, end + glued.len()).is_some();
    if let Some(multiplier) = glued_multiplier(&glued, is_money) {
        amount.value *= multiplier;
        end += glued.len();
    } else if matches!(glued.as_str(), "st" | "nd" | "rd" | "th") {
        end += glued.len();
    }
    let next = words.iter().position(|word| word.range.start >= end);
    if let Some(word) = next.map(|next| &words[next])
        && text[end..word.range.start] == *" "
        && let Some(multiplier) = multiplier(&word.lower)
    {
        amount.value *= multiplier;
        end = word.range.end;
    }
    let mut start = start;
    dress(text, words, (&mut start, &mut end), &mut amount);
    if amount.value.is_finite() {
        Some(Span { range: start..end, text: text[start..end].to_owned(), kind: Kind::Number(amount) })
    } else {
        None
    }
}

/// Takes in a sign, a currency and a percent sign around a number.
fn dress(text: &str, words: &[Word], (start, end): (&mut usize, &mut usize), amount: &mut Amount) {
    if let Some(sign) = text[..*start].chars().next_back()
        && let Some(code) =
            standards::currency(sign.encode_utf8(&mut [0; 4])).filter(|_| !sign.is_alphabetic())
    {
        *start -= sign.len_utf8();
        amount.currency = Some(code);
    }
    let before = &text[..*start];
    let is_signed = before.strip_suffix('-').is_some_and(|rest| {
        rest.is_empty()
            || rest.ends_with(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '=' | ',' | ':'))
    });
    if is_signed {
        *start -= 1;
        amount.value = -amount.value;
    }
    let rest = &text[*end..];
    if let Some(percent) = ["%", " %", " percent", " per cent"].iter().find(|mark| rest.starts_with(**mark)) {
        *end += percent.len();
        amount.is_percent = true;
    } else if amount.currency.is_none()
        && let Some((name, code)) = currency_behind(text, words, *end)
    {
        amount.currency = Some(code);
        // The code itself stays free to be an argument of its own.
        if name.len() > CODE_LENGTH {
            *end = name.end;
        }
    } else if amount.currency.is_none() {
        amount.currency = code_before(&text[..*start]);
    }
}

/// The currency whose code stands before a number, in capitals: "SEK 48,900".
pub(super) fn code_before(before: &str) -> Option<&'static str> {
    let code = before.strip_suffix(' ')?.rsplit(|c: char| !c.is_alphanumeric()).next()?;
    let is_code = code.len() == CODE_LENGTH && code.bytes().all(|it| it.is_ascii_uppercase());
    standards::currency(code).filter(|_| is_code)
}

/// Letters of a currency's code.
const CODE_LENGTH: usize = 3;

/// Words of a currency's name: "new zealand dollars".
const CURRENCY_WORDS_MAX: usize = 3;

/// Codes that are words, too, where they are not written in capitals.
const WORDS_TOO: [&str; 12] =
    ["all", "bob", "cop", "cup", "gel", "mad", "mop", "pen", "ron", "sos", "top", "try"];

/// The currency that is named right behind a number, and where.
fn currency_behind(text: &str, words: &[Word], end: usize) -> Option<(Range<usize>, &'static str)> {
    let next = words.partition_point(|word| word.range.start < end);
    let named = |count: usize| {
        let range = end + 1..words.get(next + count - 1)?.range.end;
        let name = text.get(end..range.end)?.strip_prefix(' ')?;
        let is_word = || WORDS_TOO.contains(&name);
        let is_name = name.len() > CODE_LENGTH || !is_word();
        standards::currency(name).filter(|_| is_name).map(|code| (range, code))
    };
    (1..=CURRENCY_WORDS_MAX).rev().find_map(named)
}

/// The digits at the start of a text: how many bytes, and their value.
fn literal(text: &str, has_separators: bool) -> Option<(usize, f64)> {
    let bytes = text.as_bytes();
    let mut end = 0;
    let mut plain = String::new();
    let mut has_point = false;
    while end < bytes.len() {
        let digits_after = bytes[end + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        match bytes[end] {
            byte if byte.is_ascii_digit() => plain.push(char::from(byte)),
            b',' if has_separators && digits_after == 3 && !has_point && end > 0 => {}
            b'.' if digits_after > 0 && !has_point => {
                has_point = true;
                plain.push('.');
            }
            _ => break,
        }
        end += 1;
    }
    let exponent = exponent(&text[end..]);
    plain.push_str(exponent);
    plain.parse().ok().map(|value| (end + exponent.len(), value))
}

/// `e-9` right after the digits.
fn exponent(text: &str) -> &str {
    let Some(rest) = text.strip_prefix(['e', 'E']) else { return "" };
    let digits = rest.strip_prefix(['-', '+']).unwrap_or(rest);
    let count = digits.bytes().take_while(u8::is_ascii_digit).count();
    let ends = !digits[count..].starts_with(char::is_alphanumeric);
    if count > 0 && count < 4 && ends { &text[..1 + rest.len() - digits.len() + count] } else { "" }
}

/// A number in words from `at` on, whose multipliers begin at `next`: "two hundred thousand".
fn spelled(text: &str, words: &[Word], (at, mut next): (usize, usize), value: f64) -> Span {
    let mut amount = Amount { value, is_percent: false, currency: None };
    while let Some(multiplier) = words.get(next).and_then(|word| multiplier(&word.lower)) {
        amount.value *= multiplier;
        next += 1;
    }
    let (mut start, mut end) = (words[at].range.start, words[next - 1].range.end);
    dress(text, words, (&mut start, &mut end), &mut amount);
    Span { text: text[start..end].to_owned(), range: start..end, kind: Kind::Number(amount) }
}

/// Where the multiplier of "a million" and "half a million" stands.
fn scale(words: &[Word], at: usize) -> Option<usize> {
    let is_one = |at: usize| words.get(at).is_some_and(|word| matches!(word.lower.as_str(), "a" | "an"));
    let next = at + usize::from(words[at].lower == "half" && is_one(at + 1));
    (is_one(next) && multiplier(&words.get(next + 1)?.lower).is_some()).then_some(next + 1)
}

fn multiplier(word: &str) -> Option<f64> {
    Some(match word {
        "hundred" => 1e2,
        "thousand" => 1e3,
        "mil" | "mn" | "million" | "millions" => 1e6,
        "bn" | "billion" | "billions" => 1e9,
        "tn" | "trillion" | "trillions" => 1e12,
        _ => return None,
    })
}

/// By how much letters right after the digits multiply them. Metres, kelvins and bytes share theirs with the multipliers of money.
pub(crate) fn glued_multiplier(letters: &str, is_money: bool) -> Option<f64> {
    match letters {
        "k" => Some(1e3),
        "K" if is_money => Some(1e3),
        "m" | "M" | "mm" if is_money => Some(1e6),
        "b" | "B" if is_money => Some(1e9),
        "t" | "T" if is_money => Some(1e12),
        "M" | "mn" => Some(1e6),
        _ => multiplier(letters),
    }
}

/// "this one", "the one that", "one of", "which one".
fn is_pronoun(words: &[Word], at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |before| words[before].lower.as_str());
    let after = words.get(at + 1).map_or("", |after| after.lower.as_str());
    matches!(before, "this" | "that" | "the" | "which" | "each" | "every" | "any" | "another" | "in" | "no")
        || matches!(after, "" | "of" | "that" | "which" | "who" | "is" | "has" | "looks")
}

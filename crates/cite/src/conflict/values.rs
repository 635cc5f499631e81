//! The values in a sentence: numbers with their units, dates, versions.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use reading::time::MONTHS;
use reading::words;

use super::ConflictKind;

/// The values of a sentence.
#[derive(Debug, Default)]
pub(super) struct Values {
    /// By what they can be compared with: their kind, and of numbers the unit. Each value with how it is told.
    by_kind: BTreeMap<(ConflictKind, String), BTreeMap<String, String>>,
    ranges: Vec<Range<usize>>,
}

impl Values {
    /// Whether a word is part of a value.
    pub(super) fn covers(&self, word: &Range<usize>) -> bool {
        self.ranges.iter().any(|range| range.start < word.end && word.start < range.end)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_kind.is_empty()
    }

    /// Whether both have values of a kind.
    pub(super) fn compare_with(&self, other: &Self) -> bool {
        self.by_kind.keys().any(|key| other.by_kind.contains_key(key))
    }

    /// The kinds of which both have values and none in common, with what each says.
    pub(super) fn differences(&self, other: &Self) -> Vec<(ConflictKind, [String; 2])> {
        let mut differences: Vec<(ConflictKind, [String; 2])> = Vec::new();
        for (key, own) in &self.by_kind {
            let Some(others) = other.by_kind.get(key) else { continue };
            let known: BTreeSet<&String> = others.keys().collect();
            if own.keys().any(|value| known.contains(value))
                || differences.iter().any(|(kind, _)| *kind == key.0)
            {
                continue;
            }
            differences.push((key.0, [told(own), told(others)]));
        }
        differences
    }

    fn add(&mut self, kind: ConflictKind, unit: &str, value: String, told: &str, range: Range<usize>) {
        self.ranges.push(range);
        self.by_kind.entry((kind, unit.to_owned())).or_default().insert(value, told.to_owned());
    }
}

fn told(values: &BTreeMap<String, String>) -> String {
    values.values().map(String::as_str).collect::<Vec<_>>().join(", ")
}

/// Reads the values of a sentence.
pub(super) fn values(sentence: &str) -> Values {
    let tokens = tokens(sentence);
    let mut values = Values::default();
    let mut at = 0;
    while at < tokens.len() {
        at += date(sentence, &tokens[at..], &mut values)
            .or_else(|| number(sentence, &tokens, at, &mut values))
            .unwrap_or(1);
    }
    values
}

/// The words of a sentence, split at blanks, without the marks around them.
fn tokens(sentence: &str) -> Vec<Range<usize>> {
    let mut tokens = Vec::new();
    let mut start = 0;
    for part in sentence.split_inclusive(char::is_whitespace) {
        let is_mark = |character: char| {
            !(character.is_alphanumeric() || matches!(character, '-' | '%' | '$' | '€' | '£'))
        };
        let left = part.trim_start_matches(is_mark);
        let token = left.trim_end_matches(|character: char| is_mark(character) || character == '-');
        if !token.is_empty() {
            let from = start + part.len() - left.len();
            tokens.push(from..from + token.len());
        }
        start += part.len();
    }
    tokens
}

fn month(word: &str) -> Option<usize> {
    let lower = word.to_lowercase();
    let found = MONTHS.iter().position(|month| lower.len() >= 3 && month.starts_with(&lower));
    found.map(|at| at + 1)
}

/// A date at the start of the tokens: how many it takes.
fn date(sentence: &str, tokens: &[Range<usize>], values: &mut Values) -> Option<usize> {
    let word = |at: usize| tokens.get(at).map(|range| &sentence[range.clone()]);
    let year =
        |at: usize| word(at).and_then(|word| whole(word, 4)).filter(|year| (1500..2200).contains(year));
    let day = |at: usize| word(at).and_then(|word| whole(word, 2)).filter(|day| (1..=31).contains(day));
    let first = word(0)?;
    let (value, taken) = if let Some(iso) = iso(first) {
        (iso, 1)
    } else if let (Some(month), Some(day), Some(year)) = (month(first), day(1), year(2)) {
        (format!("{year}-{month:02}-{day:02}"), 3)
    } else if let (Some(day), Some(month), Some(year)) = (day(0), word(1).and_then(month), year(2)) {
        (format!("{year}-{month:02}-{day:02}"), 3)
    } else if let (Some(month), Some(year)) = (month(first), year(1)) {
        (format!("{year}-{month:02}"), 2)
    } else {
        (year(0)?.to_string(), 1)
    };
    let range = tokens[0].start..tokens[taken - 1].end;
    // Dates of different precision cannot be compared.
    let precision = value.len().to_string();
    values.add(ConflictKind::Date, &precision, value.clone(), &value, range);
    Some(taken)
}

fn iso(word: &str) -> Option<String> {
    let parts: Vec<&str> = word.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return None };
    let is_date = year.len() == 4
        && month.len() == 2
        && day.len() == 2
        && parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    is_date.then(|| word.to_owned())
}

fn whole(word: &str, digits_max: usize) -> Option<u32> {
    (word.len() <= digits_max && word.bytes().all(|byte| byte.is_ascii_digit())).then(|| word.parse().ok())?
}

/// A number or a version at a token: how many it takes.
fn number(sentence: &str, tokens: &[Range<usize>], at: usize, values: &mut Values) -> Option<usize> {
    let range = tokens[at].clone();
    let word = &sentence[range.clone()];
    let before = at.checked_sub(1).map_or("", |before| &sentence[tokens[before].clone()]);
    let bare = word.trim_start_matches(['v', 'V']);
    let is_marked = bare.len() < word.len()
        || matches!(before.to_lowercase().as_str(), "version" | "revision" | "release" | "v");
    let parts = bare.split('.').count();
    let is_dotted =
        bare.split('.').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    if is_dotted && (parts > 2 || is_marked) {
        values.add(ConflictKind::Version, "", bare.to_owned(), bare, range);
        return Some(1);
    }
    let (currency, rest) = match word.chars().next().filter(|first| matches!(first, '$' | '€' | '£')) {
        Some(sign) => (sign.to_string(), &word[sign.len_utf8()..]),
        None => (String::new(), word),
    };
    let digits = rest.len()
        - rest
            .trim_start_matches(|next: char| next.is_ascii_digit() || matches!(next, '.' | ',' | '-'))
            .len();
    let value = rest[..digits].replace(',', "");
    value.parse::<f64>().ok()?;
    let suffix = &rest[digits..];
    let next = tokens.get(at + 1).map(|next| &sentence[next.clone()]);
    let unit_word = next.filter(|next| suffix.is_empty() && is_unit(next));
    let unit = match unit_word {
        Some(next) => words::stem(&next.to_lowercase()).into_owned(),
        None => format!("{currency}{}", suffix.to_lowercase()),
    };
    let end = unit_word.map_or(range.end, |_| tokens[at + 1].end);
    let told = sentence[range.start..end].to_owned();
    values.add(ConflictKind::Number, &unit, value, &told, range.start..end);
    Some(if unit_word.is_some() { 2 } else { 1 })
}

/// Whether a word after a number says what is counted.
fn is_unit(word: &str) -> bool {
    let lower = word.to_lowercase();
    word.chars().all(char::is_alphabetic)
        && !words::is_stop(&lower)
        && !matches!(lower.as_str(), "per" | "or" | "and")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sentence: &str, expected: &[(ConflictKind, &str, &str)]) {
        let values = values(sentence);
        let told: Vec<(ConflictKind, &str, &str)> = values
            .by_kind
            .iter()
            .flat_map(|((kind, unit), values)| {
                values.keys().map(|value| (*kind, unit.as_str(), value.as_str()))
            })
            .collect();
        assert_eq!(told, expected, "{sentence}");
    }

    #[test]
    fn values_are_read_with_their_units() {
        use ConflictKind::{Date, Number, Version};
        check(
            "It costs $1,200.50 or 30% of 4 bytes.",
            &[(Number, "$", "1200.50"), (Number, "%", "30"), (Number, "byte", "4")],
        );
        check(
            "On 28 July 2026 and in May 2025, v2.1 and 1.2.3.",
            &[
                (Date, "10", "2026-07-28"),
                (Date, "7", "2025-05"),
                (Version, "", "1.2.3"),
                (Version, "", "2.1"),
            ],
        );
        check(
            "In 1998 the code (-32602) was 8MB.",
            &[(Number, "", "-32602"), (Number, "mb", "8"), (Date, "4", "1998")],
        );
        check("Nothing here, not even A-1.", &[]);
    }
}

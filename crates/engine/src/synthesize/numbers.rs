//! The numbers and dates of an answer, held against those that its sources give.

use std::collections::BTreeSet;

use llm::SynthesisBrief;
use policy::NumberRules;
use serde_json::Value;

/// Everything that may be said.
pub(super) struct Known {
    values: Vec<f64>,
    words: BTreeSet<String>,
    /// What the answer has said so far: sums and differences of it may follow.
    said: Vec<f64>,
}

/// What became of one sentence.
pub(super) struct Check {
    pub(super) unsupported: Vec<String>,
    pub(super) is_withheld: bool,
}

/// A number as prose writes it.
struct Figure<'t> {
    text: &'t str,
    value: f64,
    /// Half of what its last digit stands for: what it may have been rounded by.
    slack: f64,
    digits: usize,
}

impl Known {
    /// What the evidence, the question and the data give.
    pub(super) fn of(brief: &SynthesisBrief<'_>, data: &Value) -> Self {
        let evidence = brief.evidence;
        let mut known = Self { values: Vec::new(), words: BTreeSet::new(), said: Vec::new() };
        known.read(brief.question);
        known.take(data);
        for fact in &evidence.facts {
            known.read(&fact.label);
            known.take(&fact.value);
        }
        for source in &evidence.sources {
            known.read(&source.observed_at.to_string());
            source.published_at.iter().for_each(|at| known.read(&at.to_string()));
            source.note.iter().for_each(|note| known.read(note));
        }
        evidence.view.rows.iter().flat_map(|row| &row.cells).for_each(|cell| known.read(cell));
        evidence.assumptions.iter().chain(&evidence.known_unknowns).for_each(|text| known.read(text));
        known
    }

    fn take(&mut self, value: &Value) {
        match value {
            Value::Number(number) => self.values.extend(number.as_f64()),
            Value::String(text) => self.read(text),
            Value::Array(items) => items.iter().for_each(|item| self.take(item)),
            Value::Object(object) => {
                for (key, value) in object {
                    self.read(key);
                    self.take(value);
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn read(&mut self, text: &str) {
        for figure in figures(text) {
            self.values.push(figure.value);
            self.words.insert(figure.text.to_owned());
        }
    }

    /// Looks at one sentence.
    pub(super) fn check(&mut self, sentence: &str, rules: &NumberRules) -> Check {
        let figures: Vec<Figure<'_>> =
            figures(sentence).filter(|figure| figure.digits >= rules.digits_min).collect();
        let (given, open): (Vec<_>, Vec<_>) = figures.into_iter().partition(|figure| self.gives(figure));
        self.said.extend(given.iter().map(|figure| figure.value));
        let open: Vec<Figure<'_>> = open.into_iter().filter(|figure| !self.follows(figure)).collect();
        #[expect(clippy::cast_precision_loss, reason = "numbers of one sentence")]
        let share = open.len() as f64 / (open.len() + given.len()).max(1) as f64;
        Check {
            is_withheld: !open.is_empty() && share >= rules.withhold_share_min,
            unsupported: open.iter().map(|figure| figure.text.to_owned()).collect(),
        }
    }

    fn gives(&self, figure: &Figure<'_>) -> bool {
        let is_near = |value: &f64| figure.is(value.abs()) || figure.is(value.abs() * 100.0);
        self.words.contains(figure.text) || self.values.iter().any(is_near)
    }

    /// Whether it is a sum, a difference or a share of two numbers that were said.
    fn follows(&self, figure: &Figure<'_>) -> bool {
        let pairs = self.said.iter().flat_map(|one| self.said.iter().map(move |other| (*one, *other)));
        pairs.into_iter().any(|(one, other)| {
            let share = if other == 0.0 { f64::INFINITY } else { 100.0 * one / other };
            [one + other, one - other, share, share - 100.0].iter().any(|value| figure.is(value.abs()))
        })
    }
}

impl Figure<'_> {
    fn is(&self, value: f64) -> bool {
        (value - self.value.abs()).abs() <= self.slack + value.abs() * 1e-9
    }
}

/// The numbers of a text. A marker is none, and neither is the number of a list's item.
fn figures(text: &str) -> impl Iterator<Item = Figure<'_>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let start = at;
            if !bytes[at].is_ascii_digit() {
                at += 1;
                continue;
            }
            while at < bytes.len()
                && (bytes[at].is_ascii_digit()
                    || (matches!(bytes[at], b'.' | b',')
                        && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)))
            {
                at += 1;
            }
            let is_word = start > 0 && (bytes[start - 1].is_ascii_alphabetic() || bytes[start - 1] == b'_');
            let is_marker = start > 0 && matches!(bytes[start - 1], b'[') && bytes.get(at) == Some(&b']');
            if is_word || is_marker {
                continue;
            }
            if let Some(figure) = figure(&text[start..at], &text[at..]) {
                return Some(figure);
            }
        }
        None
    })
}

fn figure<'t>(text: &'t str, after: &str) -> Option<Figure<'t>> {
    let plain: String = text.chars().filter(|sign| *sign != ',').collect();
    let value: f64 = plain.parse().ok()?;
    let scale = magnitude(after);
    let places = plain.split_once('.').map_or(0, |(_, places)| places.len());
    let unit = 10_f64.powi(-i32::try_from(places).unwrap_or(0));
    let digits = plain.chars().filter(char::is_ascii_digit).count();
    // Zeros at the end of a round number are not said to the last.
    let zeros = if places == 0 { plain.chars().rev().take_while(|sign| *sign == '0').count() } else { 0 };
    let round = if zeros >= 3 { 10_f64.powi(i32::try_from(zeros).unwrap_or(0)) } else { unit };
    Some(Figure { text, value: value * scale, slack: 0.5 * round.max(unit) * scale, digits })
}

/// What a number is multiplied by: "1.2 million", "3k".
fn magnitude(after: &str) -> f64 {
    let word: String =
        after.trim_start_matches([' ', '\u{a0}']).chars().take_while(|sign| sign.is_alphabetic()).collect();
    match word.to_lowercase().as_str() {
        "k" | "thousand" => 1e3,
        "m" | "mn" | "million" | "millions" => 1e6,
        "b" | "bn" | "billion" | "billions" => 1e9,
        "t" | "tn" | "trillion" | "trillions" => 1e12,
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: NumberRules = NumberRules { digits_min: 3, withhold_share_min: 0.5 };

    fn known(texts: &[&str]) -> Known {
        let mut known = Known { values: Vec::new(), words: BTreeSet::new(), said: Vec::new() };
        for text in texts {
            known.read(text);
        }
        known
    }

    #[test]
    fn a_rounded_number_is_one_that_is_given() {
        let mut known = known(&["118886744", "0.2512", "2026-06-01T12:00:00Z"]);
        for sentence in [
            "Binance took in $118.9 million [1].",
            "That is 118,886,744 dollars.",
            "It is 25.12 % of all, as of 2026-06-01.",
            "See [123] and item42.",
        ] {
            assert!(known.check(sentence, &RULES).unsupported.is_empty(), "{sentence}");
        }
    }

    #[test]
    fn a_number_of_nobody_is_flagged_and_alone_withheld() {
        let mut known = known(&["118886744", "5000000"]);
        let check = known.check("It lost $777.7 million.", &RULES);
        assert!(check.is_withheld);
        assert_eq!(check.unsupported, ["777.7"]);
        let check = known.check("Of 118,886,744 and 5,000,000 only 4,321 were left.", &RULES);
        assert!(!check.is_withheld);
        assert_eq!(check.unsupported, ["4,321"]);
    }

    #[test]
    fn a_sum_of_what_was_said_may_follow() {
        let mut known = known(&["1200", "340"]);
        assert!(
            known.check("1,200 came in and 340 left, 860 more in than out.", &RULES).unsupported.is_empty()
        );
    }
}

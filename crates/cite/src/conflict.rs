//! Conflicts by construction: where two sources say different things of the same subject.
//!
//! Two sentences of different sources whose terms largely agree speak of the same thing. Where each of them then gives values
//! of one kind (a number of the same unit, a date, a version) and none of them is the same, or where one of them denies what
//! the other says, that is a conflict. Nobody is asked, and each conflict names its two sides.

mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use policy::ConflictRules;
use reading::words;

use crate::sentence::sentences;
use values::{Values, values};

/// Two sources that say different things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// What they differ in.
    pub kind: ConflictKind,
    /// The words that they have in common.
    pub subject: String,
    /// What each says; the source that was given first comes first.
    pub sides: [Side; 2],
}

/// What two sources differ in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConflictKind {
    /// A number of the same unit.
    Number,
    /// A date or a year.
    Date,
    /// A version.
    Version,
    /// One denies what the other says.
    Negation,
}

/// What one source says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// The source's ordinal.
    pub source: usize,
    /// The value; of a negation `yes` or `no`.
    pub value: String,
    /// Where the sentence stands in the source, in bytes.
    pub range: Range<usize>,
}

/// A source's text.
#[derive(Clone, Copy, Debug)]
pub struct SourceText<'a> {
    /// The source's ordinal.
    pub source: usize,
    /// Its text.
    pub text: &'a str,
}

/// The conflicts between sources, those of the most alike sentences first. `rarity` says how much a term tells, from 0.
#[must_use]
pub fn conflicts(
    sources: &[SourceText<'_>],
    rarity: impl Fn(&str) -> f64,
    rules: &ConflictRules,
) -> Vec<Conflict> {
    let statements = statements(sources, &rarity, rules.sentences_max);
    let mut found: BTreeMap<(usize, usize, ConflictKind), (f64, Conflict)> = BTreeMap::new();
    for (at, one) in statements.iter().enumerate() {
        for other in statements[at + 1..].iter().filter(|other| other.source != one.source) {
            if !one.may_differ(other) {
                continue;
            }
            let Some(likeness) = one.likeness(other, rules) else { continue };
            for (kind, values) in one.differences(other) {
                let conflict = one.conflict(other, kind, values);
                let place = (one.source, other.source, kind);
                if found.get(&place).is_none_or(|(known, _)| *known < likeness) {
                    found.insert(place, (likeness, conflict));
                }
            }
        }
    }
    let mut found: Vec<(f64, Conflict)> = found.into_values().collect();
    found.sort_by(|one, other| other.0.total_cmp(&one.0));
    found.into_iter().take(rules.conflicts_max).map(|(_, conflict)| conflict).collect()
}

struct Statement {
    source: usize,
    range: Range<usize>,
    /// The terms of the subject, with how much each tells.
    terms: BTreeMap<String, f64>,
    /// The words of the subject, in order, with their terms.
    words: Vec<(String, String)>,
    weight: f64,
    values: Values,
    is_denied: bool,
}

fn statements(
    sources: &[SourceText<'_>],
    rarity: &impl Fn(&str) -> f64,
    sentences_max: usize,
) -> Vec<Statement> {
    let all = sources
        .iter()
        .flat_map(|source| sentences(source.text).into_iter().map(move |range| (source, range)));
    let all: Vec<_> = all
        .take(sentences_max)
        .map(|(source, range)| {
            (source, range.clone(), values(&source.text[range.clone()]), denies(&source.text[range]))
        })
        .collect();
    // Where nothing is denied, a sentence without a value differs from none.
    let is_any_denied = all.iter().any(|(.., is_denied)| *is_denied);
    all.into_iter()
        .filter(|(_, _, values, _)| is_any_denied || !values.is_empty())
        .map(|(source, range, values, is_denied)| {
            let statement = Statement::new(source.source, range.clone(), values, is_denied);
            statement.of(&source.text[range], rarity)
        })
        .collect()
}

impl Statement {
    fn new(source: usize, range: Range<usize>, values: Values, is_denied: bool) -> Self {
        Self { source, range, terms: BTreeMap::new(), words: Vec::new(), weight: 0.0, values, is_denied }
    }

    /// It with the words of its sentence.
    fn of(self, sentence: &str, rarity: &impl Fn(&str) -> f64) -> Self {
        let mut statement = self;
        for word in words::words(sentence) {
            let is_value = statement.values.covers(&word.range);
            if word.is_stop || is_value || is_denial(&word.lower) || word.lower.len() < 2 {
                continue;
            }
            statement.words.push((word.lower, word.stem.clone()));
            statement.terms.entry(word.stem).or_insert_with_key(|term| rarity(term));
        }
        statement.weight = statement.terms.values().sum();
        statement
    }

    /// Whether their values or what they deny can differ, whatever they speak of.
    fn may_differ(&self, other: &Self) -> bool {
        self.is_denied != other.is_denied || self.values.compare_with(&other.values)
    }

    /// The share of both sentences' terms that they have in common, by rarity; none where they speak of different things.
    fn likeness(&self, other: &Self, rules: &ConflictRules) -> Option<f64> {
        let common = self.terms.iter().filter(|(term, _)| other.terms.contains_key(*term));
        let (count, weight) = common.fold((0, 0.0), |(count, sum), (_, weight)| (count + 1, sum + weight));
        let share = 2.0 * weight / (self.weight + other.weight);
        (count >= rules.subject_terms_min && share >= rules.subject_overlap_min).then_some(share)
    }

    fn differences(&self, other: &Self) -> Vec<(ConflictKind, [String; 2])> {
        let mut differences = self.values.differences(&other.values);
        if differences.is_empty() && self.is_denied != other.is_denied {
            let word = |is_denied: bool| if is_denied { "no" } else { "yes" }.to_owned();
            differences.push((ConflictKind::Negation, [word(self.is_denied), word(other.is_denied)]));
        }
        differences
    }

    fn conflict(&self, other: &Self, kind: ConflictKind, [own, others]: [String; 2]) -> Conflict {
        let mut seen = BTreeSet::new();
        let common =
            self.words.iter().filter(|(_, term)| other.terms.contains_key(term) && seen.insert(term));
        Conflict {
            kind,
            subject: common.map(|(word, _)| word.as_str()).collect::<Vec<_>>().join(" "),
            sides: [
                Side { source: self.source, value: own, range: self.range.clone() },
                Side { source: other.source, value: others, range: other.range.clone() },
            ],
        }
    }
}

fn denies(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let by_words = words::spelled(&lower).iter().filter(|(_, word)| is_denial(word)).count();
    let by_endings = lower.matches("n't").count() + lower.matches("n’t").count();
    (by_words + by_endings) % 2 == 1
}

fn is_denial(lower: &str) -> bool {
    matches!(
        lower,
        "not"
            | "no"
            | "never"
            | "cannot"
            | "without"
            | "neither"
            | "nor"
            | "none"
            | "remove"
            | "removed"
            | "removes"
            | "lacks"
            | "forbidden"
            | "prohibited"
            | "disallowed"
            | "unsupported"
            | "false"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: ConflictRules = ConflictRules {
        subject_overlap_min: 0.6,
        subject_terms_min: 3,
        conflicts_max: 10,
        sentences_max: 400,
    };

    fn check(one: &str, other: &str, expected: &[(ConflictKind, &str, &str)]) {
        let sources = [SourceText { source: 1, text: one }, SourceText { source: 2, text: other }];
        let found = conflicts(&sources, |_| 1.0, &RULES);
        let told: Vec<(ConflictKind, &str, &str)> = found
            .iter()
            .map(|one| (one.kind, one.sides[0].value.as_str(), one.sides[1].value.as_str()))
            .collect();
        assert_eq!(told, expected, "{one} / {other}");
    }

    #[test]
    fn values_that_differ_are_conflicts() {
        use ConflictKind::{Date, Negation, Number, Version};
        check(
            "Intro. A session token expires after 60 minutes.",
            "The session token expires after 30 minutes of silence.",
            &[(Number, "60 minutes", "30 minutes")],
        );
        check(
            "Servers return error code -32002 for a missing resource.",
            "For a missing resource servers return the error code `-32602`.",
            &[(Number, "-32002", "-32602")],
        );
        check(
            "The transport specification was released on 2025-11-25.",
            "The transport specification was released on July 28, 2026.",
            &[(Date, "2025-11-25", "2026-07-28")],
        );
        check(
            "The server needs runtime version 1.2.3 installed.",
            "The server needs runtime version 1.3 installed.",
            &[(Version, "1.2.3", "1.3")],
        );
        check(
            "The protocol supports sessions between client and server.",
            "The protocol does not support sessions between client and server.",
            &[(Negation, "yes", "no")],
        );
    }

    #[test]
    fn values_that_agree_or_have_nothing_to_do_with_each_other_are_none() {
        check(
            "A session token expires after 60 minutes.",
            "The session token expires after 60 minutes.",
            &[],
        );
        check("A session token expires after 60 minutes.", "A session token expires after 2 attempts.", &[]);
        check("A session token expires after 60 minutes.", "Build jobs are stopped after 30 minutes.", &[]);
        check(
            "It isn't true that the cache never expires here.",
            "It is true that the cache expires here.",
            &[],
        );
        check("The cache holds 1,000 entries for readers.", "The cache holds 1000 entries for readers.", &[]);
    }

    #[test]
    fn one_source_does_not_contradict_itself() {
        let text = "The session token expires after 60 minutes. The session token expires after 30 minutes.";
        assert!(conflicts(&[SourceText { source: 1, text }], |_| 1.0, &RULES).is_empty());
    }
}

//! How well a sentence is carried by what it cites.
//!
//! A score of words alone: the share of the sentence's terms that the passage has, each by its rarity, and what its pairs of
//! words, its names and its numbers add. It finds citations of the wrong passage; that a passage says something else with the
//! same words it cannot see. So it flags and never deletes.

use std::collections::BTreeSet;
use std::ops::Range;

use policy::SupportWeights;
use reading::words;

use crate::markers::Cited;
use crate::sentence::sentences;

/// A text by what it is compared by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passage {
    terms: BTreeSet<String>,
    pairs: BTreeSet<(String, String)>,
    names: BTreeSet<String>,
    numbers: BTreeSet<String>,
}

/// How far a passage carries a sentence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Support {
    /// From 0 to 1.
    pub score: f64,
    /// What that means under the policy.
    pub strength: Strength,
}

/// What a score means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// The passage does not speak of what the sentence says.
    Weak,
    /// It does.
    Strong,
}

/// A sentence of an answer with what it cites.
#[derive(Clone, Debug, PartialEq)]
pub struct SentenceSupport {
    /// Where it stands in the answer, in bytes.
    pub range: Range<usize>,
    /// What it cites, each source once, in order; none where it cites nothing.
    pub citations: Vec<CitedSupport>,
}

/// A citation of a sentence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CitedSupport {
    /// The number that readers see.
    pub number: usize,
    /// How far the source carries the sentence.
    pub support: Support,
}

impl Passage {
    /// Reads a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut passage = Self { numbers: numbers(text), ..Self::default() };
        let mut before: Option<(String, usize)> = None;
        for word in words::words(text) {
            let starts_a_sentence = starts_sentence(&text[..word.range.start]);
            if !starts_a_sentence && text[word.range.clone()].starts_with(char::is_uppercase) {
                passage.names.insert(word.stem.clone());
            }
            if word.is_stop {
                continue;
            }
            if let Some((stem, end)) = before.take()
                && word.range.start - end <= GAP_BYTES_MAX
            {
                passage.pairs.insert((stem, word.stem.clone()));
            }
            before = Some((word.stem.clone(), word.range.end));
            passage.terms.insert(word.stem);
        }
        passage
    }
}

/// Two words of content with at most so much between them are a pair.
const GAP_BYTES_MAX: usize = 12;

fn starts_sentence(before: &str) -> bool {
    before
        .trim_end()
        .chars()
        .next_back()
        .is_none_or(|last| matches!(last, '.' | '!' | '?' | ':' | '\n' | '"' | '“'))
        || before.ends_with('\n')
}

/// The numbers of a text, without the marks that group their digits.
pub(crate) fn numbers(text: &str) -> BTreeSet<String> {
    let parts = text.split(|character: char| !(character.is_ascii_digit() || matches!(character, '.' | ',')));
    let trimmed = parts.map(|part| part.trim_matches(['.', ',']).replace(',', ""));
    trimmed.filter(|part| !part.is_empty()).collect()
}

/// How far a passage carries a sentence. `rarity` says how much a term tells, from 0.
#[must_use]
pub fn support(
    sentence: &Passage,
    passage: &Passage,
    rarity: impl Fn(&str) -> f64,
    weights: &SupportWeights,
) -> Support {
    let told: f64 = sentence.terms.iter().map(|term| rarity(term)).sum();
    let found: f64 = sentence.terms.intersection(&passage.terms).map(|term| rarity(term)).sum();
    let parts = [
        (1.0, (told > 0.0).then(|| found / told)),
        (
            weights.pairs_weight,
            share(sentence.pairs.len(), sentence.pairs.intersection(&passage.pairs).count()),
        ),
        (
            weights.names_weight,
            share(sentence.names.len(), sentence.names.intersection(&passage.terms).count()),
        ),
        (
            weights.numbers_weight,
            share(sentence.numbers.len(), sentence.numbers.intersection(&passage.numbers).count()),
        ),
    ];
    let present = parts.iter().filter_map(|(weight, part)| part.map(|part| (weight, part)));
    let (sum, total) =
        present.fold((0.0, 0.0), |(sum, total), (weight, part)| (sum + weight * part, total + weight));
    // A sentence that says nothing needs no support.
    let score = if total > 0.0 { sum / total } else { 1.0 };
    let strength = if score >= weights.strong_min { Strength::Strong } else { Strength::Weak };
    Support { score, strength }
}

#[expect(clippy::cast_precision_loss, reason = "words of a sentence")]
fn share(of: usize, hits: usize) -> Option<f64> {
    (of > 0).then(|| hits as f64 / of as f64)
}

/// Holds each sentence of an answer against what it cites; `passage` gives the text of a source by its ordinal.
#[must_use]
pub fn supports<'a>(
    cited: &Cited,
    passage: impl Fn(usize) -> Option<&'a Passage>,
    rarity: impl Fn(&str) -> f64,
    weights: &SupportWeights,
) -> Vec<SentenceSupport> {
    let mut placed = cited.placed.iter().peekable();
    let mut supports = Vec::new();
    for range in sentences(&cited.text) {
        let mut own = Vec::new();
        while let Some(one) = placed.next_if(|one| one.range.start < range.end) {
            own.push(one);
        }
        let sentence = Passage::of(&without(&cited.text, &range, own.iter().map(|one| &one.range)));
        let mut citations: Vec<CitedSupport> = Vec::new();
        for one in own {
            if citations.iter().all(|known| known.number != one.number)
                && let Some(passage) = passage(one.ordinal)
            {
                let support = support(&sentence, passage, &rarity, weights);
                citations.push(CitedSupport { number: one.number, support });
            }
        }
        supports.push(SentenceSupport { range, citations });
    }
    supports
}

fn without<'a>(text: &str, range: &Range<usize>, markers: impl Iterator<Item = &'a Range<usize>>) -> String {
    let mut plain = String::new();
    let mut at = range.start;
    for marker in markers {
        plain.push_str(&text[at.min(marker.start)..marker.start]);
        at = marker.end;
    }
    plain.push_str(&text[at.min(range.end)..range.end]);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Sources, Style, cite};

    const WEIGHTS: SupportWeights =
        SupportWeights { pairs_weight: 0.5, names_weight: 0.3, numbers_weight: 0.3, strong_min: 0.45 };

    fn score(sentence: &str, passage: &str) -> f64 {
        support(&Passage::of(sentence), &Passage::of(passage), |_| 1.0, &WEIGHTS).score
    }

    #[test]
    fn what_is_said_is_carried_and_what_is_not_is_not() {
        let passage =
            "The char type takes four bytes. It was chosen by Graydon in 2011 for 1,112,064 values.";
        assert!(score("A char takes four bytes.", passage) > 0.8);
        assert!(
            score("It holds 1112064 values.", passage) > score("It holds 1112063 values.", passage) + 0.1
        );
        assert!(score("Sessions expire after an hour of silence.", passage) < 0.1);
        assert!((score("", passage) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn each_sentence_is_held_against_its_own_citations() {
        let sources = Sources::from_iter(["a", "b"]);
        let text = "Chars take four bytes [2]. Sessions expire. [1][2] Nothing cited.";
        let cited = cite(text, &sources, Style::Numbers, 256);
        let passages = [Passage::of("Sessions expire after an hour."), Passage::of("Chars take four bytes.")];
        let found = supports(&cited, |ordinal| passages.get(ordinal - 1), |_| 1.0, &WEIGHTS);
        let told: Vec<(usize, Vec<(usize, Strength)>)> = found
            .iter()
            .map(|one| {
                let citations = one.citations.iter().map(|cited| (cited.number, cited.support.strength));
                (one.range.start, citations.collect())
            })
            .collect();
        let (strong, weak) = (Strength::Strong, Strength::Weak);
        assert_eq!(told, [(0, vec![(1, strong)]), (27, vec![(2, strong), (1, weak)]), (51, vec![])]);
    }
}

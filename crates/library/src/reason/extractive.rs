//! An answer in the sources' own words: the sentences that have most of the question, each with its source.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::future::{Ready, ready};

use policy::Reasoning;
use reading::words;

use super::plain;
use super::{Evidence, SynthesisFault, Synthesizer, Written};

/// Answers with sentences of the sources, without a model.
#[derive(Clone, Copy, Debug)]
pub struct Extractive {
    /// Sentences of an answer.
    pub sentences_max: usize,
    /// Characters of code that a sentence leads to.
    pub code_chars_max: usize,
}

impl From<&Reasoning> for Extractive {
    fn from(policy: &Reasoning) -> Self {
        Self { sentences_max: policy.sentences_max, code_chars_max: policy.quote_chars_max }
    }
}

struct Sentence {
    ordinal: usize,
    place: usize,
    text: String,
    code: Option<String>,
    terms: BTreeSet<String>,
}

impl Synthesizer for Extractive {
    fn write(&self, evidence: &Evidence<'_>) -> impl Future<Output = Result<Written, SynthesisFault>> + Send {
        let answered: Ready<Result<Written, SynthesisFault>> = ready(Ok(self.answer(evidence)));
        answered
    }
}

impl Extractive {
    /// Sentences are taken one by one: each time the one that has most of what the question still lacks, and among equals
    /// the one of the better source. They are told in the order of their sources.
    fn answer(self, evidence: &Evidence<'_>) -> Written {
        let wanted: BTreeSet<String> = words::terms(evidence.question).into_iter().collect();
        let mut left = wanted.clone();
        let mut sentences: Vec<Sentence> = evidence
            .sources
            .iter()
            .enumerate()
            .flat_map(|(at, source)| sentences(at + 1, &source.content, self.code_chars_max))
            .collect();
        let mut taken: Vec<Sentence> = Vec::new();
        while taken.len() < self.sentences_max {
            let value = |sentence: &Sentence| {
                let fresh = sentence.terms.intersection(&left).count();
                (
                    fresh,
                    if taken.is_empty() || fresh > 0 {
                        sentence.terms.intersection(&wanted).count()
                    } else {
                        0
                    },
                )
            };
            let best = sentences.iter().enumerate().map(|(at, sentence)| (value(sentence), at));
            let best = best.reduce(|best, next| if next.0 > best.0 { next } else { best });
            let Some((_, at)) = best.filter(|((fresh, _), _)| *fresh > 0) else { break };
            let sentence = sentences.remove(at);
            left.retain(|term| !sentence.terms.contains(term));
            taken.push(sentence);
        }
        taken.sort_by_key(|sentence| (sentence.ordinal, sentence.place));
        let gaps = if taken.is_empty() { Vec::new() } else { gaps(evidence.question, &left) };
        Written {
            answer: told(&taken),
            cited: taken.iter().map(|sentence| sentence.ordinal).collect(),
            is_sufficient: gaps.is_empty() && !taken.is_empty(),
            gaps,
            conflicts: Vec::new(),
        }
    }
}

fn told(taken: &[Sentence]) -> String {
    let mut told = String::new();
    for Sentence { ordinal, text, code, .. } in taken {
        if !told.is_empty() && !told.ends_with('\n') {
            told.push(' ');
        }
        let _ = write!(told, "{text} [{ordinal}]");
        if let Some(code) = code {
            let _ = write!(told, "\n\n```\n{}\n```\n\n", code.trim_end());
        }
    }
    told.trim_end().to_owned()
}

/// The question's words that no sentence has. What is asked for by "how" is none of them: no source says "many".
fn gaps(question: &str, left: &BTreeSet<String>) -> Vec<String> {
    let is_measure = |start: usize| {
        let before = question[..start].trim_end();
        before.split_whitespace().next_back().is_some_and(|word| word.eq_ignore_ascii_case("how"))
    };
    let missing: Vec<&str> = words::words(question)
        .into_iter()
        .filter(|word| left.contains(&word.stem) && !is_measure(word.range.start))
        .map(|word| &question[word.range])
        .collect();
    if missing.is_empty() { Vec::new() } else { vec![format!("Not found: {}", missing.join(", "))] }
}

/// The sentences of a source as plain text. A sentence that leads to code, with a colon, has it with it.
fn sentences(ordinal: usize, content: &str, code_chars_max: usize) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    for piece in plain::pieces(content) {
        let ranges = cite::sentences(&piece.text);
        let last = ranges.len();
        for (at, range) in ranges.into_iter().enumerate() {
            let text = piece.text[range].split_whitespace().collect::<Vec<_>>().join(" ");
            let code = piece.code.as_ref().filter(|code| {
                at + 1 == last && text.ends_with(':') && code.chars().count() <= code_chars_max
            });
            let terms: BTreeSet<String> = words::terms(&text).into_iter().collect();
            if !terms.is_empty() {
                let place = sentences.len();
                sentences.push(Sentence { ordinal, place, code: code.cloned(), text, terms });
            }
        }
    }
    sentences
}

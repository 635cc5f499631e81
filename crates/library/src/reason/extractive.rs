//! An answer in the sources' own words: the sentences that have most of the question, each with its source.

use std::collections::BTreeSet;
use std::future::{Ready, ready};

use pulldown_cmark::{Event, Options, Parser, TagEnd};
use reading::words;

use super::{Evidence, SynthesisFault, Synthesizer, Written};

/// Answers with sentences of the sources, without a model.
#[derive(Clone, Copy, Debug)]
pub struct Extractive {
    /// Sentences of an answer.
    pub sentences_max: usize,
}

struct Sentence {
    ordinal: usize,
    place: usize,
    text: String,
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
            .flat_map(|(at, source)| sentences(at + 1, &source.content))
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
        let told = taken.iter().map(|sentence| format!("{} [{}]", sentence.text, sentence.ordinal));
        let gaps = if left.is_empty() || taken.is_empty() {
            Vec::new()
        } else {
            let named: Vec<String> = words::words(evidence.question)
                .into_iter()
                .filter(|word| left.contains(&word.stem))
                .map(|word| evidence.question[word.range].to_owned())
                .collect();
            if named.is_empty() { Vec::new() } else { vec![format!("Not found: {}", named.join(", "))] }
        };
        Written {
            answer: told.collect::<Vec<_>>().join(" "),
            cited: taken.iter().map(|sentence| sentence.ordinal).collect(),
            is_sufficient: gaps.is_empty() && !taken.is_empty(),
            gaps,
            conflicts: Vec::new(),
        }
    }
}

/// The sentences of a source as plain text: what its marks mean is left out, and code and tables with them.
fn sentences(ordinal: usize, content: &str) -> Vec<Sentence> {
    let plain = plain(content);
    let found = cite::sentences(&plain).into_iter().enumerate().map(|(place, range)| {
        let text = plain[range].split_whitespace().collect::<Vec<_>>().join(" ");
        Sentence { ordinal, place, terms: words::terms(&text).into_iter().collect(), text }
    });
    found.filter(|sentence| !sentence.terms.is_empty()).collect()
}

/// A text without its marks; brackets and backticks, which could be taken for marks again, are told apart.
#[expect(clippy::wildcard_enum_match_arm, reason = "every other event says nothing")]
fn plain(content: &str) -> String {
    let mut plain = String::new();
    let mut is_code = false;
    let push = |text: &str, plain: &mut String| {
        for character in text.chars() {
            plain.push(match character {
                '[' | '【' | '［' => '(',
                ']' | '】' | '］' => ')',
                '`' => '\'',
                other => other,
            });
        }
    };
    for event in Parser::new_ext(content, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Start(pulldown_cmark::Tag::CodeBlock(_)) => is_code = true,
            Event::End(TagEnd::CodeBlock) => is_code = false,
            Event::Text(text) if !is_code => push(&text, &mut plain),
            Event::Code(text) => push(&text, &mut plain),
            Event::SoftBreak | Event::HardBreak | Event::End(TagEnd::TableCell) => plain.push(' '),
            Event::End(
                TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item | TagEnd::TableRow | TagEnd::TableHead,
            ) => {
                plain.push_str("\n\n");
            }
            _ => {}
        }
    }
    plain
}

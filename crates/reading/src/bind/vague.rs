//! What a question says that there is and does not say which: "a specific exchange", "a different file".

use std::ops::Range;

use super::parameter::Parameter;
use super::proximity::direction;
use crate::Question;
use crate::words::Word;

/// The words of a question that say that there is a certain one: the "specific" of "a specific exchange". Few say any.
pub(super) fn certain(question: &Question) -> Vec<usize> {
    let says = |pair: &[Word]| is_certain(&pair[0].lower, &pair[1].lower);
    let pairs = question.words.windows(2).enumerate();
    pairs.filter(|(_, pair)| says(pair)).map(|(at, _)| at + 1).collect()
}

/// Where the question speaks of a certain one of what a parameter takes, and names none behind it.
///
/// Only of what is asked last: what an earlier turn left open, the next one may have told.
pub(super) fn left_open(
    question: &Question,
    certain: &[usize],
    parameter: &Parameter,
) -> Option<Range<usize>> {
    let words = &question.words;
    let is_of_it = |word: &&Word| parameter.own.contains(&word.stem) || parameter.is_described_by(&word.stem);
    let is_measure =
        |word: &&Word| matches!(word.lower.as_str(), "number" | "amount" | "kind" | "type" | "of");
    let noun = |at: usize| {
        let behind = words[at + 1..].iter().skip_while(is_measure);
        behind.take(NOUN_WORDS).take_while(|word| !word.is_stop).find(is_of_it)
    };
    let said = certain.iter().find_map(|at| Some(words[at - 1].range.start..noun(*at)?.range.end))?;
    if direction(question, parameter, &said) < 0.0 {
        return None;
    }
    let behind = &question.text[said.end..];
    let is_told = question.spans.iter().any(|span| span.range.start >= said.end)
        || behind.contains(['\n', '"', '\'', ':', '(']);
    (!is_told).then_some(said)
}

/// Words within which the noun follows: "a specific stock symbol".
const NOUN_WORDS: usize = 2;

/// "A certain", "one specific": there is one, and it is not said.
fn is_certain(before: &str, word: &str) -> bool {
    matches!(before, "a" | "an" | "one" | "some" | "for" | "of" | "in")
        && matches!(word, "certain" | "specific" | "particular" | "special")
        || matches!((before, word), ("a", "different"))
}

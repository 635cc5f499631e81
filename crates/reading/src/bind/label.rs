//! Values beside the words that name them.

use serde_json::Value;

use super::parameter::{Parameter, Parameters};
use super::text::shouts;
use super::{Candidate, Family};
use crate::Question;
use crate::standards;
use crate::words::Word;

/// "with id dentist", "(ID: 282828)": the word after the one that says that it is an identifier.
pub(super) fn identified(question: &Question) -> Vec<Candidate> {
    let is_id = |word: &Word| matches!(word.lower.as_str(), "id" | "identifier" | "ids");
    let is_link = |word: &Word| matches!(word.lower.as_str(), "is" | "was" | "of" | "number");
    let mut found = Vec::new();
    for (at, _) in question.words.iter().enumerate().filter(|(_, word)| is_id(word)) {
        let value = question.words[at + 1..].iter().take(2).find(|word| !is_link(word));
        if let Some(value) = value.filter(|word| !word.is_stop) {
            let text = Value::from(&question.text[value.range.clone()]);
            found.push(Candidate::said(text, 0.5, value.range.clone(), Family::Text));
        }
    }
    found
}

/// "genre jazz" and "jazz genre": the content word beside the parameter's own word.
pub(super) fn beside(question: &Question, parameter: &Parameter, parameters: &Parameters) -> Vec<Candidate> {
    if shouts(parameter) {
        return Vec::new();
    }
    let words = &question.words;
    let is_value = |at: usize| {
        let word = &words[at];
        !word.is_stop
            && !parameters.knows(&word.stem)
            && word.lower.len() > 2
            && !is_filler(&word.lower)
            && question.moments.iter().all(|moment| !crate::spans::overlaps(&moment.range, &word.range))
    };
    let mut found = Vec::new();
    for at in 0..words.len() {
        if words[at].is_stop || !parameter.own.contains(&words[at].stem) {
            continue;
        }
        let beside = |other: usize| {
            let gap = if other < at {
                words[other].range.end..words[at].range.start
            } else {
                words[at].range.end..words[other].range.start
            };
            question.text[gap] == *" "
        };
        let after = (at + 1 < words.len() && beside(at + 1) && is_value(at + 1)).then_some(at + 1);
        let before = (at > 0 && beside(at - 1) && is_value(at - 1)).then(|| at - 1);
        if let Some(value) = before.or(after) {
            let range = words[value].range.clone();
            found.push(Candidate::said(
                Value::from(&question.text[range.clone()]),
                0.45,
                range,
                Family::Text,
            ));
        }
    }
    found
}

/// Words that stand before any noun.
fn is_filler(lower: &str) -> bool {
    standards::number_word(lower).is_some()
        || matches!(
            lower,
            "next"
                | "last"
                | "first"
                | "top"
                | "latest"
                | "current"
                | "each"
                | "every"
                | "new"
                | "old"
                | "without"
                | "only"
                | "same"
                | "different"
                | "given"
                | "certain"
                | "specific"
                | "all"
                | "any"
                | "many"
                | "much"
                | "more"
                | "most"
                | "best"
                | "good"
                | "using"
                | "get"
                | "find"
                | "list"
                | "check"
                | "update"
                | "change"
                | "create"
                | "use"
                | "set"
                | "add"
                | "search"
                | "available"
                | "following"
                | "particular"
                | "nearby"
                | "local"
                | "not"
                | "no"
                | "see"
                | "look"
                | "looking"
        )
}

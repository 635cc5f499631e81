//! Phrases after prepositions: "weather in new york".

use std::ops::Range;

use super::parameter::Parameters;
use super::topic::is_request;
use crate::Question;
use crate::spans::{Kind, is_instruction, overlaps};
use crate::words::Word;

/// Words that a phrase has at most.
const PHRASE_WORDS_MAX: usize = 4;

/// The phrases after prepositions that do not only repeat the method's words.
pub(super) fn phrases<'a>(
    question: &'a Question,
    parameters: &'a Parameters,
) -> impl Iterator<Item = &'a Range<usize>> {
    let is_own = |word: &Word| !parameters.knows(&word.stem);
    question.phrases.iter().filter(move |range| question.words_in(range).any(is_own))
}

/// The phrases after prepositions, up to the next one, in order, in bytes.
pub(crate) fn behind_prepositions(question: &Question) -> Vec<Range<usize>> {
    let words = &question.words;
    let mut phrases = Vec::new();
    for at in 0..words.len() {
        if !is_preposition(&words[at].lower) {
            continue;
        }
        let mut first = at + 1;
        while words.get(first).is_some_and(|word| {
            matches!(word.lower.as_str(), "the" | "a" | "an" | "my" | "our" | "this" | "user")
        }) {
            first += 1;
        }
        let mut end = first;
        while end < words.len() && end < first + PHRASE_WORDS_MAX {
            let word = &words[end];
            let gap_is_space = end == first
                || matches!(&question.text[words[end - 1].range.end..word.range.start], " " | "-" | "'");
            let is_number = word.lower.starts_with(|c: char| c.is_ascii_digit());
            if word.is_stop
                || is_preposition(&word.lower)
                || !gap_is_space
                || question.is_when(word)
                || is_number
            {
                break;
            }
            end += 1;
        }
        // "Into my watchlist effectively": how, and not where to.
        while end > first + 1 && ends_in("ly", &words[end - 1], question) {
            end -= 1;
        }
        let range = || words[first].range.start..words[end - 1].range.end;
        let is_named = end > first
            && question.spans.iter().any(|span| {
                matches!(span.kind, Kind::Name | Kind::Quoted | Kind::Ticker)
                    && overlaps(&span.range, &range())
            });
        let names = end > first
            && !is_named
            && !is_to_do(question, &words[at], &words[first..end], words.get(end))
            && !ends_in("ing", &words[first], question)
            && (end > first + 1 || !IDIOMS.split(' ').any(|idiom| idiom == words[first].lower));
        if names {
            phrases.push(range());
        }
    }
    phrases
}

/// What prepositions lead to without naming anything: "for a bit", "comes to my mind", "in general".
const IDIOMS: &str = "accordance addition advance bit capacity case chance detail example fact free full fun general hand \
    help here least light love max maximum mind moment order particular person short sure total while";

/// What begins the object of a verb, or goes with one.
const OBJECTS: &str =
    "a an my me some any it its them this that these those your our his her their him us into up off out";

/// Whether "to" leads to what is to be done, and to no place: "a house to rent", "to find a cab".
fn is_to_do(question: &Question, preposition: &Word, phrase: &[Word], next: Option<&Word>) -> bool {
    // "To proceed, ..." says what for.
    let opens = opens_sentence(question, preposition);
    let ends_clause = |last: &Word| question.text[last.range.end..].starts_with(',');
    let is_aim = || opens && phrase.last().is_some_and(ends_clause);
    let has_object = || next.is_some_and(|next| OBJECTS.split(' ').any(|object| object == next.lower));
    let is_done = |verb: &Word| DONE.split(' ').any(|done| done == verb.lower);
    let leads = match phrase {
        [verb] => is_done(verb) || is_instruction(&verb.lower) || is_request(&verb.lower) || has_object(),
        [verb, next] => is_done(verb) && matches!(next.lower.as_str(), "back" | "up" | "out" | "off"),
        _ => false,
    };
    let before = question.words_before(&preposition.range).last();
    let is_wanted = before.is_some_and(|word| WANTING.split(' ').any(|wanting| wanting == word.lower));
    preposition.lower == "to" && (leads || is_wanted || is_aim())
}

/// Whether a word is the first of a sentence.
pub(super) fn opens_sentence(question: &Question, word: &Word) -> bool {
    let before = question.text[..word.range.start].trim_end();
    before.is_empty() || before.ends_with(['.', '!', '?'])
}

/// Whether a word in lower case has an ending: "ing" of what somebody does ("thinking of visiting my friend", "one sector is
/// buzzing"), "ly" of how it is done.
fn ends_in(ending: &str, word: &Word, question: &Question) -> bool {
    word.lower.len() > ENDED_MIN
        && word.lower.ends_with(ending)
        && question.text[word.range.clone()] == word.lower
}

/// Letters of "spring", "family" and others that have no ending.
const ENDED_MIN: usize = 6;

/// What wants a verb behind "to".
const WANTING: &str = "want wants wanted need needs needed like love wish wishes able eager keen hope hoping plan planning try \
    trying ready happy how decided have";

/// What people do, beside what they ask to be done.
const DONE: &str = "attend book buy cook drink eat explore go hire join learn listen live order pay play read rent sell \
    shop stay travel try use visit watch wear work";

/// Whether a phrase may stand behind it.
pub(super) fn is_preposition(lower: &str) -> bool {
    matches!(
        lower,
        "in" | "at"
            | "near"
            | "around"
            | "for"
            | "of"
            | "about"
            | "on"
            | "to"
            | "from"
            | "with"
            | "by"
            | "named"
            | "called"
            | "titled"
            | "into"
            | "between"
            | "against"
            | "under"
            | "within"
            | "as"
            | "using"
            | "is"
            | "located"
            | "including"
            | "without"
            | "than"
            | "via"
    )
}

//! Free text: what a search is about, what is to be said or worked on, and phrases that may be values.

use std::ops::Range;

use serde_json::Value;

use super::parameter::{Parameter, Parameters};
use super::phrase::is_preposition;
use super::role::Role;
use super::stretch::is_labelled_otherwise;
use super::{Candidate, Family};
use crate::Question;
use crate::form;
use crate::spans::{Kind, Span, overlaps};
use crate::words::Word;

/// The topic of a search, the text of a message.
pub(super) fn candidates(
    question: &Question,
    parameter: &Parameter,
    parameters: &Parameters,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    for span in &question.spans {
        if matches!(span.kind, Kind::Quoted | Kind::Code) {
            let value = Value::from(span.text.as_str());
            let score = 0.85 + told_as_text(question, parameter, span);
            found.push(Candidate::said(value, score, span.range.clone(), Family::Text));
        }
    }
    let asks = parameter.own.iter().any(|stem| matches!(stem.as_str(), "question" | "prompt"));
    // A part of an object is no place for all that is said.
    if asks && parameters.list.iter().any(|own| own.name == parameter.name) {
        found.push(free(&question.text, 0.7, 0..question.text.len()));
    }
    if parameter.role == Role::Text
        && let Some(range) = after_colon(question)
    {
        found.push(free(&question.text[range.clone()], 0.8, range));
    }
    if parameter.role == Role::Text {
        found.extend(
            instructed(question, parameters).map(|range| free(&question.text[range.clone()], 0.6, range)),
        );
    } else if let Some(range) = topic(question, parameters).filter(|it| names_thing(question, parameters, it))
    {
        found.push(free(&question.text[range.clone()], 0.62, range));
    }
    found
}

/// How much likelier what is quoted is the text that an argument takes than any other: "the message 'I am late'" is, and "in
/// 'START' mode" and 'notes.txt' name something.
fn told_as_text(question: &Question, parameter: &Parameter, span: &Span) -> f64 {
    const TEXTS: [&str; 5] = ["message", "body", "text", "note", "comment"];
    if parameter.role != Role::Text {
        return 0.0;
    }
    let label = question.words_before(&span.range).last();
    let is_labelled = label
        .is_some_and(|label| parameter.own.contains(&label.stem) || TEXTS.contains(&label.lower.as_str()));
    let named = if span.text.contains(' ') { 0.0 } else { -0.1 };
    if is_labelled {
        named + 0.1
    } else if is_labelled_otherwise(question, parameter, span) {
        named - 0.2
    } else {
        named
    }
}

/// Free text shares the question with every other argument.
fn free(text: &str, score: f64, range: Range<usize>) -> Candidate {
    let mut candidate = Candidate::said(Value::from(text), score, range, Family::Text);
    candidate.claim = None;
    candidate
}

/// "Translate this: ..."
fn after_colon(question: &Question) -> Option<Range<usize>> {
    let at = question.text.find(": ")? + 2;
    let rest = question.text[at..].trim();
    let start = at + (question.text[at..].len() - question.text[at..].trim_start().len());
    (rest.split_whitespace().count() > 1).then(|| start..start + rest.len())
}

/// "Echo hello world": what follows the method's own verb.
fn instructed(question: &Question, parameters: &Parameters) -> Option<Range<usize>> {
    let words = &question.words;
    let verb = words.iter().take(4).position(|word| parameters.name.contains(&word.stem))?;
    let mut first = verb + 1;
    while words.get(first).is_some_and(|word| {
        matches!(word.lower.as_str(), "the" | "a" | "back" | "me" | "this")
            || parameters.knows(&word.stem) && word.is_stop
    }) {
        first += 1;
    }
    let is_label = |word: &Word| {
        matches!(word.stem.as_str(), "text" | "messag" | "sentenc" | "word" | "phrase" | "string")
    };
    while words.get(first).is_some_and(is_label) {
        first += 1;
    }
    // "Add a reminder at 5 pm" says when, and not of what.
    let says =
        |word: &Word| !word.is_stop && !parameters.name.contains(&word.stem) && !question.is_when(word);
    if !words[first.min(words.len())..].iter().any(says) {
        return None;
    }
    let start = words.get(first)?.range.start;
    Some(start..question.text.trim_end_matches(['.', '?', '!']).len().max(start))
}

/// What a question is about: the phrase after "about", else its named things, else the words that are the question's
/// own.
fn topic(question: &Question, parameters: &Parameters) -> Option<Range<usize>> {
    let words = &question.words;
    // "On each side" says where, and of all.
    let counts_all = |at: usize| {
        words.get(at).is_some_and(|word| matches!(word.lower.as_str(), "each" | "every" | "both" | "either"))
    };
    let leads = |word: &Word| {
        matches!(
            word.lower.as_str(),
            "about"
                | "regarding"
                | "concerning"
                | "mentioning"
                | "containing"
                | "matching"
                | "named"
                | "called"
                | "titled"
                | "on"
        )
    };
    let lead = (0..words.len()).rev().find(|at| leads(&words[*at]) && !counts_all(at + 1));
    if let Some(lead) = lead
        && let Some(range) = content(question, lead + 1, |_| false)
    {
        return Some(range);
    }
    let is_the_methods = |word: &Word| parameters.knows(&word.stem) || only_requests(question, word);
    let own = content(question, 0, is_the_methods);
    let named = || question.form.entities.iter().map(|entity| &entity.range);
    let inside = |range: &Range<usize>| named().filter(|name| overlaps(name, range)).count();
    // Most searches want few words: of several names, the longest.
    let longest = || {
        named().max_by_key(|range| (question.text[(*range).clone()].split(' ').count(), range.len())).cloned()
    };
    match own {
        Some(range) if inside(&range) == 1 => {
            named().find(|name| overlaps(name, &range)).map(|name| from_name(question, range, name))
        }
        Some(range) if named().next().is_none() => Some(range),
        own => longest().or(own).or_else(|| {
            let told = content(question, 0, |word| only_requests(question, word))?;
            // The events of "top market events" are what the method searches, and none of them.
            let is_kind = question.words_in(&told).last().is_some_and(Word::has_plural_ending);
            (!is_kind).then_some(told)
        }),
    }
}

/// Whether a stretch says more than which rows are wanted, or in which order, by what the method's results measure: "highest
/// volume", "volume over 5 million", "closing before January" and the "rose" of "rose the most" are nothing to search for.
fn names_thing(question: &Question, parameters: &Parameters, range: &Range<usize>) -> bool {
    let orders = |word: &Word| {
        word.is_stop
            || is_preposition(&word.lower)
            || question.is_of_order(word)
            || question.is_done_most(word)
            || matches!(word.lower.as_str(), "all" | "every" | "each" | "soon")
            || question.is_when(word)
            || question.is_of_bound(word)
            || parameters.gives(&word.stem)
    };
    question.words_in(range).any(|word| !orders(word))
}

/// Whether a word of a question says that something is wanted, how much of it or in which order, and not what.
#[must_use]
pub fn only_requests(question: &Question, word: &Word) -> bool {
    // The verb of an instruction: the "open" of "open the article".
    let instructs = || matches!(question.words.as_slice(), [first, next, ..] if first.range == word.range && next.is_article());
    is_request(&word.lower) || says_how_much(question, word) || instructs()
}

/// Whether a word says how much of what follows is meant, or by what the most of something is told: the "whole" of "the whole
/// article", "most heavily traded", "all the open markets".
fn says_how_much(question: &Question, word: &Word) -> bool {
    let mut before = question.words_before(&word.range).iter().rev().map(|word| word.lower.as_str());
    let (last, lead) = (before.next().unwrap_or_default(), before.next().unwrap_or_default());
    let is_ranked = |word: &str| matches!(word, "most" | "least");
    let is_all = |word: &str| matches!(word, "all" | "every" | "any" | "which");
    matches!(word.lower.as_str(), "whole" | "entire" | "full")
        || is_limit(question, word)
        || question.is_of_order(word) && word.lower != "best"
        || is_ranked(last) && (word.lower.ends_with("ly") || word.lower.ends_with("ed"))
        || is_ranked(lead) && last.ends_with("ly") && word.lower.ends_with("ed")
        || matches!(word.lower.as_str(), "open" | "live" | "active")
            && (is_all(last) || is_all(lead) && last == "the")
}

/// Whether a word says how many are asked for: the "5" of "latest 5 articles".
pub(crate) fn is_limit(question: &Question, word: &Word) -> bool {
    let is_it = |word: &Word| form::count(&word.lower).is_some_and(|it| Some(it) == question.form.limit);
    is_it(word) && !question.words_before(&word.range).iter().any(is_it)
}

/// "Odds of the next World Cup final" is about the "next World Cup final": what stands behind the last preposition before the name.
fn from_name(question: &Question, range: Range<usize>, name: &Range<usize>) -> Range<usize> {
    // "The final, ten levels": what a comma sets off behind the name is something else.
    let behind = question.text.get(name.end..range.end).and_then(|behind| behind.find(','));
    let range = range.start..behind.map_or(range.end, |at| name.end + at);
    let inside = |word: &&Word| word.range.start >= range.start && word.range.end <= name.start;
    let before: Vec<&Word> = question.words.iter().filter(inside).collect();
    let Some(preposition) = before.iter().rposition(|word| is_preposition(&word.lower)) else { return range };
    let start = before[preposition + 1..]
        .iter()
        .find(|word| !word.is_stop)
        .map_or(name.start, |word| word.range.start);
    start..range.end.max(name.end)
}

/// What a question that names nothing in capitals looks for, in bytes: where it has most words that are not known, be it behind a
/// preposition, as the "recession" of "the exact rules of the recession", or as a stretch of them, of several the last.
#[must_use]
pub fn looked_for(question: &Question, is_known: impl Fn(&Word) -> bool) -> Option<Range<usize>> {
    let unknown = |range: &Range<usize>| {
        question.words_in(range).filter(|word| !word.is_stop && !is_known(word)).count()
    };
    let stretch = stretches(question, 0, &is_known).max_by_key(|(weight, _)| *weight).map(|(_, range)| range);
    let found = stretch.into_iter().chain(question.phrases.iter().cloned());
    found.filter(|range| unknown(range) > 0).max_by_key(unknown)
}

/// The longest stretch of content words from a word on, of several the first.
fn content(question: &Question, from: usize, out: impl Fn(&Word) -> bool) -> Option<Range<usize>> {
    let longer = |best: (Weight, Range<usize>), other: (Weight, Range<usize>)| {
        if other.0 > best.0 { other } else { best }
    };
    stretches(question, from, out).reduce(longer).map(|(_, range)| range)
}

/// Whether a stretch is of what a sentence asks, and not only said beside that, and how many words of content it has.
type Weight = (bool, usize);

/// The stretches of content words from a word on, in order and in bytes, time left out; words that are `out` break them, but for names.
fn stretches(
    question: &Question,
    from: usize,
    out: impl Fn(&Word) -> bool,
) -> impl Iterator<Item = (Weight, Range<usize>)> {
    let words = &question.words;
    let is_aside = |word: &Word| question.asides.iter().any(|aside| aside.contains(&word.range.start));
    let mut at = from;
    let stretch = move || {
        let first = at;
        if first >= words.len() {
            return None;
        }
        let is_asked = !is_aside(&words[first]);
        let mut end = first;
        let mut last_content = None;
        let mut count = 0;
        while end < words.len() {
            let word = &words[end];
            let is_time = is_of_time(question, end);
            // "Is the news about Acme positive" asks how it is, and not for what is called so.
            let is_sign =
                matches!(word.lower.as_str(), "positive" | "negative") && question.is_of_bound(word);
            let is_out = (out(word) || is_sign) && !is_named(question, &word.range);
            let joins =
                matches!(word.lower.as_str(), "of" | "the" | "and" | "in" | "for" | "on" | "to" | "a");
            let is_break = end > first
                && question.text[words[end - 1].range.end..word.range.start].contains(['.', '?', '!', ';'])
                || is_aside(word) == is_asked;
            if is_time || is_out || is_break || (word.is_stop && (!joins || last_content.is_none())) {
                break;
            }
            if !word.is_stop {
                last_content = Some(end);
                count += 1;
            }
            end += 1;
        }
        at = end.max(first + 1);
        Some(last_content.map(|last| ((is_asked, count), words[first].range.start..words[last].range.end)))
    };
    std::iter::from_fn(stretch).flatten()
}

/// Whether a word is part of when, or leads there: "since" of "since May".
fn is_of_time(question: &Question, at: usize) -> bool {
    let leads = matches!(
        question.words[at].lower.as_str(),
        "since" | "until" | "till" | "before" | "after" | "during" | "over" | "between" | "within"
    );
    let is_when = |word: &Word| question.is_when(word);
    let behind = || question.words[at + 1..].iter().find(|word| !word.is_article());
    is_when(&question.words[at]) || leads && behind().is_some_and(is_when)
}

fn is_named(question: &Question, range: &Range<usize>) -> bool {
    question.form.entities.iter().any(|entity| overlaps(&entity.range, range))
}

/// Whether a word says that something is wanted, and not what: "find", "read", "latest".
pub(super) fn is_request(lower: &str) -> bool {
    matches!(
        lower,
        "find"
            | "search"
            | "look"
            | "get"
            | "list"
            | "fetch"
            | "check"
            | "retrieve"
            | "lookup"
            | "recent"
            | "latest"
            | "newest"
            | "ongoing"
            | "upcoming"
            | "top"
            | "results"
            | "information"
            | "info"
            | "details"
            | "there"
            | "any"
            | "anything"
            | "everything"
            | "say"
            | "says"
            | "news"
            | "article"
            | "articles"
            | "headlines"
            | "happening"
            | "up"
            | "many"
            | "much"
            | "most"
            | "read"
            | "see"
            | "query"
    )
}

/// The word before a stretch, articles skipped.
pub(super) fn word_before<'a>(question: &'a Question, range: &Range<usize>) -> &'a str {
    question
        .words_before(range)
        .iter()
        .rev()
        .find(|word| !word.is_article())
        .map_or("", |word| word.lower.as_str())
}

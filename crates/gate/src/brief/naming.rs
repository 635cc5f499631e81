//! What a question names, held against one option.

use domain::{Candidate, Method};
use probe::Evidence;
use reading::bind::{Argument, Binding, Source};
use reading::{Question, words};
use serde_json::Value;

/// The method's title; its name in words where it has none.
pub(super) fn title(method: &Method) -> String {
    match method.title.as_deref().map(str::trim).filter(|title| !title.is_empty()) {
        Some(title) => title.to_owned(),
        None => words::identifier_words(method.name.as_str()).join(" "),
    }
}

/// What the question itself gives to the arguments.
pub(super) fn said(binding: &Binding) -> Vec<(String, String)> {
    let said = binding.arguments.iter().filter(|argument| argument.is_said());
    said.filter_map(|argument| Some((argument.name.clone(), text(&argument.bound()?.value)))).collect()
}

pub(super) fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The values that an argument may take, where its schema lists them.
pub(super) fn listed(evidence: &Evidence, argument: &str) -> Vec<String> {
    evidence.known.parameters.choices(argument).iter().map(text).collect()
}

/// How many of the named things have a place in the arguments.
pub(super) fn placed(question: &Question, binding: &Binding) -> usize {
    let is_placed = |named: &str| binding.arguments.iter().any(|argument| takes(argument, named));
    question.form.entities.iter().filter(|entity| is_placed(&entity.text)).count()
}

/// Whether an argument takes what is named. Held by value: where something was said before the question, an argument's
/// stretch of text is not one of the question.
pub(super) fn takes(argument: &Argument, named: &str) -> bool {
    let named = named.to_lowercase();
    let bound = argument.bound().filter(|bound| bound.source != Source::Default);
    bound.is_some_and(|bound| {
        let value = text(&bound.value).to_lowercase();
        !value.is_empty()
            && (value.contains(&named) || named.contains(&value) || words::is_slip(&named, &value))
    })
}

/// Whether the question writes the method's own name, or all of its listing's.
pub(super) fn is_named(question: &Question, candidate: &Candidate) -> bool {
    let name = candidate.method.name.as_str();
    // A name of one word may be a word of the question like any other.
    let is_identifier = name.contains(['_', '.', '-']) && question.text.contains(name);
    is_identifier || names_listing(question, &candidate.listing.name)
}

/// A capital at the start of a question says nothing.
fn names_listing(question: &Question, listing: &str) -> bool {
    let own = words::identifier_words(listing);
    let is_written = |(at, word): (usize, &words::Word)| {
        let starts = at == 0 && own.len() == 1;
        !starts && question.text[word.range.clone()].starts_with(char::is_uppercase)
    };
    let names = |wanted: &String| {
        question.words.iter().enumerate().any(|(at, word)| word.lower == *wanted && is_written((at, word)))
    };
    !own.is_empty() && own.iter().all(names)
}

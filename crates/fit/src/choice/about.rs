//! Whether a method is about the question at all.

use reading::{Question, words};

use super::Choice;

/// Whether anything ties the method to the question: a word of its own, or an argument that is neither free text nor a
/// bare number, where what is asked of it is not foreign to the method. A question without a word of content is taken at
/// its word. What asks for a change is about a method that knows the verb.
pub(super) fn is_about(choice: &Choice<'_>, question: &Question) -> bool {
    if asks_unknown_change(choice, question) {
        return false;
    }
    let is_named = |word: &words::Word| {
        question.form.entities.iter().any(|entity| entity.range.contains(&word.range.start))
    };
    let content = || question.words.iter().filter(|word| !word.is_stop && !is_named(word));
    // Words of another language cannot be compared with an English description.
    let is_foreign = question.words.iter().any(|word| !word.lower.is_ascii());
    content().next().is_none()
        || is_foreign
        || content().any(|word| choice.knows(&word.stem))
        || {
            let listing = words::terms(&choice.candidate.listing.name);
            content().any(|word| listing.contains(&word.stem))
        }
        || choice.tied_by_value() && !is_foreign_measure(choice, question)
}

/// Whether the question asks for something by name that the method's words and results do not know.
fn is_foreign_measure(choice: &Choice<'_>, question: &Question) -> bool {
    let asked = &question.form.measures;
    let is_wh =
        question.words.first().is_some_and(|word| matches!(word.lower.as_str(), "what" | "who" | "which"));
    is_wh && !asked.is_empty() && !asked.iter().any(|stem| choice.knows(stem))
}

/// "Delete the user" where the method knows nothing of deleting.
fn asks_unknown_change(choice: &Choice<'_>, question: &Question) -> bool {
    const CHANGES: [&str; 15] = [
        "delete", "remove", "drop", "erase", "cancel", "book", "buy", "sell", "send", "insert", "rename",
        "upload", "publish", "submit", "reserve",
    ];
    let first = question.words.iter().find(|word| !word.is_stop);
    first.is_some_and(|word| {
        let opens = question
            .words
            .iter()
            .take_while(|other| other.range != word.range)
            .all(|other| matches!(other.lower.as_str(), "please" | "can" | "could" | "you" | "kindly"));
        opens && CHANGES.contains(&word.lower.as_str()) && !choice.knows(&word.stem)
    })
}

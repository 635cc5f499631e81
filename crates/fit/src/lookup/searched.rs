//! What a look-up searches for.

use std::sync::Arc;

use reading::bind::{self, Role, State, only_requests};
use reading::words::Word;
use reading::{Question, words};
use serde_json::Value;

use crate::choice::Choice;

/// Lets a search look for what the method that it serves knows nothing of, where the question names nothing in capitals: the "best
/// picture" of "odds for best picture", where that method tells odds.
pub(super) fn search_rest(search: &mut Choice<'_>, question: &Question, choice: &Choice<'_>) {
    if !question.form.entities.is_empty() || !search.binding.searches() {
        return;
    }
    let left = &choice.binding.coverage.left;
    let is_known = |word: &Word| !left.contains(&word.stem) || only_requests(question, word);
    let Some(range) = bind::looked_for(question, is_known) else { return };
    let said = &question.text[range];
    for argument in &mut Arc::make_mut(&mut search.binding).arguments {
        if let (Role::Search, State::Bound(bound)) = (argument.role, &mut argument.state)
            // An example of the schema, in its spelling, is known to be searched for so.
            && bound.value.as_str().is_some_and(|value| question.text.contains(value))
        {
            bound.value = Value::from(said);
        }
    }
}

/// The words that a method is to search for, in lower case.
pub(super) fn words_of(search: &Choice<'_>) -> Vec<String> {
    let said = search.binding.arguments.iter().filter(|argument| argument.role == Role::Search);
    let texts = said.filter_map(|argument| argument.bound()?.value.as_str());
    texts.flat_map(words::words).filter(|word| !word.is_stop).map(|word| word.lower).collect()
}

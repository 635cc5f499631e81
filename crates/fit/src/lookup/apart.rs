//! The things that a question names, in capitals or in small letters.

use reading::words::Word;
use reading::{Question, form, standards, time};

use super::telling_words;
use crate::choice::Choice;

/// What a word is to the things that a question names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Of a name in capitals.
    Name,
    /// A word in small letters that the method does not know, or a year that it does not take.
    Untold,
    Other,
}

/// The things that a question names, each by its words in lower case: its names, and what the method does not know in small letters
/// behind a preposition, or behind an article and before nothing that it knows. Those of "price of Brazil in the world cup" are Brazil
/// and the world cup.
#[must_use]
pub fn named_apart(question: &Question, choice: &Choice<'_>) -> Vec<Vec<String>> {
    let part = |word: &Word| {
        let is = |other: &Word| other.range == word.range;
        let is_untold = || {
            let is_left = choice.binding.coverage.left.contains(&word.stem);
            is_left
                && telling_words(question, choice).any(is)
                && standards::number_word(&word.lower).is_none()
                || time::year_of(&word.lower).is_some() && !choice.binding.uses(&word.range)
        };
        if question.named_words().any(is) {
            Part::Name
        } else if is_untold() {
            Part::Untold
        } else {
            Part::Other
        }
    };
    let parts: Vec<(Part, &Word)> = question.words.iter().map(|word| (part(word), word)).collect();
    let mut things = Vec::new();
    let mut before: &[Word] = &[];
    for words in parts.chunk_by(|(one, _), (other, _)| one == other) {
        let next = parts.get(before.len() + words.len());
        // "The 2028 Acme market" names one thing.
        let is_of_name = next.is_some_and(|(part, _)| *part == Part::Name);
        let ends = next.is_none_or(|(_, word)| word.is_stop);
        let is_thing = match words[0].0 {
            Part::Name => true,
            Part::Untold => {
                !is_of_name && (is_led(before) || ends && before.last().is_some_and(Word::is_article))
            }
            Part::Other => false,
        };
        if is_thing {
            let telling = words.iter().filter(|(_, word)| !word.is_stop);
            things.push(telling.map(|(_, word)| word.lower.clone()).collect());
        }
        before = &question.words[..before.len() + words.len()];
    }
    things
}

/// Whether words end in a preposition, and perhaps an article and a superlative behind it: "for the best".
fn is_led(words: &[Word]) -> bool {
    let last = words.iter().rev().find(|word| !word.is_article() && !form::is_superlative(&word.lower));
    last.is_some_and(|word| reading::is_led(&word.lower))
}

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

/// Whether a question names a thing and no second one, by which one part of it could be told from the others.
#[must_use]
pub fn names_whole(question: &Question, choice: &Choice<'_>) -> bool {
    question.form.entities.len() < 2 && words_of_several(question, choice).is_none()
}

/// The words, in lower case, of all that a question names where it names several things, one of them at the most in capitals.
pub(super) fn words_of_several(question: &Question, choice: &Choice<'_>) -> Option<Vec<String>> {
    let things = if question.form.entities.len() < 2 { named_apart(question, choice) } else { Vec::new() };
    (things.len() > 1).then(|| things.concat())
}

/// The things that a question names, each by its words in lower case: its names, and what the method does not know in small letters
/// behind a preposition, or behind an article and before nothing that it knows. Those of "price of Brazil in the world cup" are Brazil
/// and the world cup.
fn named_apart(question: &Question, choice: &Choice<'_>) -> Vec<Vec<String>> {
    let telling: Vec<&Word> = telling_words(question, choice).collect();
    let part = |word: &Word| {
        let is = |other: &Word| other.range == word.range;
        let is_untold = || {
            let is_left = choice.binding.coverage.left.contains(&word.stem);
            is_left
                && telling.iter().any(|telling| is(telling))
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
        let last = words[words.len() - 1].1.range.end;
        let is_apart =
            |word: &Word| question.text[last..word.range.start].contains([',', ';', '.', '?', '!']);
        let ends = next.is_none_or(|(_, word)| word.is_stop || is_apart(word));
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{Candidate, Listing, Method};
    use jiff::Timestamp;
    use serde_json::json;

    use super::*;
    use crate::choice::{self, tests::offer};
    use crate::known::{Desk, Knowledge};

    fn things(question: &str) -> Vec<String> {
        let schema = json!({"properties": {"market_id": {"type": "string"}}, "required": ["market_id"]});
        let description = "The price of one market.".to_owned();
        let method = Arc::new(Method { description, ..Method::new("get_price", schema, None) });
        let listing = Arc::new(Listing::new("Markets", vec![Arc::clone(&method)]));
        let candidates = [Candidate { listing, method, score: 1.0 }];
        let knowledge = Knowledge::default();
        let question = Question::read(question, Timestamp::UNIX_EPOCH);
        let choice = choice::read(&Desk::new(offer(&candidates), &knowledge), &candidates[0], &question);
        named_apart(&question, &choice).iter().map(|thing| thing.join(" ")).collect()
    }

    #[test]
    fn what_is_named_in_small_letters_is_a_thing_of_its_own() {
        assert_eq!(things("price of Brazil in the world cup"), ["brazil", "world cup"]);
        assert_eq!(things("price for Bayern Munich winning the league?"), ["bayern munich", "league"]);
        assert_eq!(things("price of Acme for 2028"), ["acme", "2028"]);
        assert_eq!(things("the price of the 2028 White House market"), ["white house"]);
        assert_eq!(things("give me the gas price on Arbitrum"), ["arbitrum"]);
        assert_eq!(things("price of ten"), [""; 0]);
    }
}

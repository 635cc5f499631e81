//! What comes first or last in time: "which closes first", "the earliest sunrise", "the oldest article".

use std::ops::Range;

use super::Order;
use super::shape::lower;
use crate::words::Word;

/// Which in time a question asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// How it says so: "earliest".
    pub text: String,
    /// Where, in bytes.
    pub range: Range<usize>,
    /// Whether the first or the last come first.
    pub order: Order,
    /// Stem of what is to be the first or last, where it says: the sunrise of "earliest sunrise".
    pub of: Option<String>,
    /// Whether the clock of each place tells: "the earliest sunrise" is that at the smallest hour.
    pub is_by_clock: bool,
}

/// What a question asks for by its turn; a number or a length of time behind "first" and its like asks for none.
pub(super) fn turn(words: &[Word], is_when: impl Fn(&Word) -> bool) -> Option<Turn> {
    let asks = words.iter().any(|word| matches!(word.lower.as_str(), "which" | "what" | "who"));
    let content = |word: &&Word| !word.is_stop && !word.lower.starts_with(|c: char| c.is_ascii_digit());
    words.iter().enumerate().find_map(|(at, word)| {
        let behind = words.get(at + 1).filter(content).map(|word| word.stem.clone());
        let before = || at.checked_sub(1).map(|before| &words[before]).filter(content);
        let is_last = words.get(at + 1).is_none_or(|next| next.is_stop);
        let (order, of, is_by_clock) = match word.lower.as_str() {
            "earliest" | "soonest" if behind.is_some() => (Order::Ascending, behind, true),
            "earliest" | "soonest" => (Order::Ascending, before().map(|verb| verb.stem.clone()), false),
            "latest" => (Order::Descending, behind, true),
            "oldest" => (Order::Ascending, None, false),
            "newest" => (Order::Descending, None, false),
            "first" | "next" | "last" if asks && is_last && !is_when(word) => {
                let order = if word.lower == "last" { Order::Descending } else { Order::Ascending };
                (order, Some(before()?.stem.clone()), false)
            }
            _ => return None,
        };
        let is_counted = !matches!(word.lower.as_str(), "newest" | "oldest")
            && lower(words, at + 1).starts_with(|c: char| c.is_ascii_digit());
        (!is_counted).then(|| Turn {
            text: word.lower.clone(),
            range: word.range.clone(),
            order,
            of,
            is_by_clock,
        })
    })
}

/// Whether a word is the superlative of a time: of "3 oldest articles" there are to be so many.
pub(crate) fn is_superlative(lower: &str) -> bool {
    matches!(lower, "earliest" | "latest" | "newest" | "oldest")
}

/// Whether a word says which in time something comes: "closes first".
pub(super) fn is_adverb(lower: &str) -> bool {
    matches!(lower, "earliest" | "soonest" | "first" | "next" | "last")
}

#[cfg(test)]
mod tests {
    use crate::Question;
    use crate::form::Order;

    fn turn(text: &str) -> Option<(Order, Option<String>)> {
        let form = Question::read(text, "2026-03-18T14:30:00Z".parse().unwrap()).form;
        form.turn.map(|turn| (turn.order, turn.of))
    }

    #[test]
    fn a_turn_is_said_before_a_noun_or_behind_a_verb() {
        let of = |stem: &str| Some(stem.to_owned());
        assert_eq!(turn("which city has the earliest sunrise"), Some((Order::Ascending, of("sunris"))));
        assert_eq!(turn("Which market closes first?"), Some((Order::Ascending, of("close"))));
        assert_eq!(turn("what event ends last"), Some((Order::Descending, of("end"))));
        assert_eq!(turn("the oldest article on rain"), Some((Order::Ascending, None)));
    }

    #[test]
    fn numbers_and_lengths_are_no_turns() {
        for text in [
            "what were the first 10 results",
            "which venue led last week",
            "First, show me BTC",
            "last trades",
        ] {
            assert_eq!(turn(text), None, "{text}");
        }
    }
}

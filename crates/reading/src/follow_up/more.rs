//! What asks for more of what was listed: "more", "the rest", "next 5".

use jiff::Timestamp;

use super::Given;
use super::lead::after_lead;
use crate::Question;
use crate::bind::is_limit;
use crate::form::{self, is_superlative, turn};
use crate::words::Word;

/// The earlier question for so many more of its rows as a follow-up says, or as many again as were listed.
pub(super) fn of_the_list(earlier: &Question, given: Given<'_>, own: &Question) -> Option<String> {
    let said = own.words.iter().find_map(|word| form::count(&word.lower));
    if let Some(count) = said.filter(|_| given.rows > 0 && is_so_many_of_them(own)) {
        return Some(counting(earlier, count));
    }
    let more = said.unwrap_or(given.rows);
    (given.rows > 0 && is_all(own)).then(|| counting(earlier, given.rows + more))
}

/// Whether all that a follow-up says is how many of what was listed are wanted: "12 of them".
fn is_so_many_of_them(own: &Question) -> bool {
    let [count, of, them] = own.words.as_slice() else { return false };
    form::count(&count.lower).is_some()
        && of.lower == "of"
        && matches!(them.lower.as_str(), "them" | "those" | "these")
}

/// Whether all that a follow-up asks for is more.
fn is_all(own: &Question) -> bool {
    let is_more = |word: &Word| {
        matches!(word.lower.as_str(), "else" | "more" | "next" | "others" | "remaining" | "rest")
    };
    let is_beside = |word: &Word| {
        word.is_stop && word.lower != "than"
            || asks_to_see(word)
            || matches!(word.lower.as_str(), "anything" | "ones" | "page")
            || form::count(&word.lower).is_some()
    };
    own.words.iter().any(is_more) && own.words.iter().all(|word| is_more(word) || is_beside(word))
}

/// Whether a word only asks to see what follows.
fn asks_to_see(word: &Word) -> bool {
    form::asks_to_show(&word.lower) || matches!(word.lower.as_str(), "list" | "load" | "see" | "tell")
}

/// Whether all that a message asks for is more of what was listed: "more", "the rest", "next 5".
#[must_use]
pub fn asks_for_more(text: &str) -> bool {
    is_all(&Question::read(after_lead(text).0, Timestamp::UNIX_EPOCH))
}

/// A question with another number of rows: in the place of the one that it says, behind the "latest" or the "which" that leads what
/// it asks for, or before that.
fn counting(question: &Question, count: usize) -> String {
    let mut whole = question.text.clone();
    if let Some(said) = question.words.iter().find(|word| is_limit(question, word)) {
        whole.replace_range(said.range.clone(), &count.to_string());
        return whole;
    }
    let kind = question.form.dimension.as_ref();
    let orders = |word: &&Word| is_superlative(&word.lower) || turn::is_superlative(&word.lower);
    let asks_which = |word: &&Word| matches!(word.lower.as_str(), "which" | "what") && kind.is_some();
    let says_what = |word: &&Word| !word.is_stop && !asks_to_see(word);
    let first = question.words.iter().find(says_what);
    let before = |word: &Word| question.words_before(&word.range).last();
    // Of "which city is warmest" each city is told.
    let are_several = kind.is_none_or(|kind| kind.is_plural);
    let (Some(first), true) = (first, are_several) else { return whole };
    match Some(first).filter(orders).or_else(|| before(first).filter(asks_which)) {
        Some(lead) => whole.insert_str(lead.range.end, &format!(" {count}")),
        None => whole.insert_str(first.range.start, &format!("first {count} ")),
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(earlier: &str, rows: usize, text: &str) -> Option<String> {
        let now = "2026-03-18T14:30:00Z".parse().unwrap();
        super::super::completed(earlier, Given { rows, ..Given::default() }, text, now)
    }

    #[test]
    fn more_of_a_list_is_the_same_list_with_more_rows() {
        for (earlier, rows, text, expected) in [
            ("top 5 ships by length", 5, "more", "top 10 ships by length"),
            ("top five ships by length", 5, "show me the next 3", "top 8 ships by length"),
            ("Latest harbour news", 5, "and the rest?", "Latest 10 harbour news"),
            ("show me the biggest ships", 10, "any more?", "show me the biggest 20 ships"),
            ("Which harbours are closed?", 4, "what else?", "Which 8 harbours are closed?"),
            ("show stories about fog", 6, "5 more please", "show first 11 stories about fog"),
            ("which harbour is the largest", 9, "more", "which harbour is the largest"),
            ("top 5 ships by length", 5, "12 of them", "top 12 ships by length"),
        ] {
            assert_eq!(whole(earlier, rows, text).as_deref(), Some(expected), "{earlier} {text}");
        }
    }

    #[test]
    fn where_nothing_was_listed_there_is_no_more_of_it() {
        assert_eq!(whole("How long is the ship?", 0, "more"), None);
        assert_eq!(whole("top 5 ships by length", 5, "more about the first"), None);
        assert_eq!(whole("top 5 ships by length", 5, "is it more than that?"), None);
    }
}

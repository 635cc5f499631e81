//! What points back to what was said before: "and", "there", "that".

use super::lead::{GOES_ON, opened_by};
use crate::time;
use crate::words;

/// Whether a question points back to what was said before it: "and the forecast?", "what time is it there?"
#[must_use]
pub fn points_back(text: &str) -> bool {
    let said = text.trim();
    let goes_on = GOES_ON.iter().any(|lead| opened_by(said, lead).is_some());
    let words: Vec<String> = words::spelled(said).into_iter().map(|(_, word)| word).collect();
    let is_pointer = |at: usize| match words[at].as_str() {
        "there" => !says_that_it_is(&words, at),
        "that" => !leads_limit(&words, at),
        word => matches!(word, "its" | "them" | "those" | "these" | "same" | "his" | "her" | "their"),
    };
    goes_on || (0..words.len()).any(is_pointer)
}

/// Whether the "there" at a place says that there is something, and not where: "how much is there in stock", "will there be rain".
fn says_that_it_is(words: &[String], there: usize) -> bool {
    let is_verb = |word: &String| {
        matches!(
            word.as_str(),
            "are" | "be" | "been" | "has" | "is" | "s" | "was" | "were" | "will" | "would"
        )
    };
    let before = there.checked_sub(1).is_some_and(|before| is_verb(&words[before]));
    words.get(there + 1).is_some_and(|next| is_verb(next) || before)
}

/// Whether the "that" at a place leads what limits the things before it, "events that close this week", and not what they are of: the
/// "odds that Rome wins" may be those that were shown.
fn leads_limit(words: &[String], that: usize) -> bool {
    let are_several = |word: &String| {
        let is_of_what_follows = matches!(word.as_str(), "chances" | "odds");
        word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && !is_of_what_follows
    };
    that.checked_sub(1).is_some_and(|before| are_several(&words[before]))
        && words.get(that + 1).is_some_and(|next| !time::is_unit(next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_points_back_goes_on() {
        for text in [
            "and the forecast?",
            "What time is it there?",
            "how is it there today",
            "who is there",
            "is that high",
            "the flows that day",
            "odds that Rome wins",
        ] {
            assert!(points_back(text), "{text}");
        }
        for text in [
            "only BTC",
            "What time is it?",
            "",
            "how much is there in stock",
            "will there be rain",
            "events that close soon",
        ] {
            assert!(!points_back(text), "{text}");
        }
    }
}

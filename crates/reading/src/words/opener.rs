//! What a text opens with that says nothing of what it asks.

use super::{Word, words};

/// How many words at the beginning say nothing of what is asked: those of a greeting, "hi there", and the "back" of "back to Rome".
pub(crate) fn opener(text: &str, words: &[Word]) -> usize {
    let count = greeting(text, words);
    let returns = matches!(&words[count..], [back, to, ..] if back.lower == "back" && to.lower == "to");
    count + usize::from(returns)
}

/// A text without the words at its beginning that only greet.
pub(crate) fn behind_greeting(text: &str) -> &str {
    let words = words(text);
    words.get(greeting(text, &words)).map_or(text, |first| &text[first.range.start..])
}

/// How many words at the beginning greet, "hi there", "good morning", take note of what was said before, "lovely, and", or only ask
/// to be shown something: "pull up".
fn greeting(text: &str, words: &[Word]) -> usize {
    let mut count = 0;
    while let Some(more) = greeted_by(text, &words[count..]) {
        count += more;
    }
    count
}

fn greeted_by(text: &str, words: &[Word]) -> Option<usize> {
    let lower = |at: usize| words.get(at).map_or("", |word| word.lower.as_str());
    let ends = |last: usize| {
        let behind = words.get(last).and_then(|word| text.get(word.range.end..));
        behind.is_some_and(|behind| behind.starts_with([',', '.', '!']))
    };
    match (lower(0), lower(1)) {
        ("hi" | "hello" | "hey", "there" | "everyone" | "all")
        | ("good", "morning" | "afternoon" | "evening" | "day")
        | ("pull" | "bring", "up") => Some(2),
        ("hi" | "hello" | "hey" | "hiya" | "greetings", _) => Some(1),
        (thanks, _) if is_noted(thanks) && ends(0) => Some(1),
        ("thank" | "thanks" | "got" | "many" | "very", "you" | "it" | "thanks" | "good") if ends(1) => {
            Some(2)
        }
        _ => None,
    }
}

/// Whether a word in lower case takes note of what was said before, where it stands by itself.
pub(crate) fn is_noted(lower: &str) -> bool {
    NOTED.contains(&lower)
}

/// Words that take note of what was said before, where they stand by themselves.
const NOTED: [&str; 24] = [
    "ah",
    "alright",
    "awesome",
    "cheers",
    "cool",
    "excellent",
    "fine",
    "good",
    "great",
    "hm",
    "hmm",
    "interesting",
    "lovely",
    "nice",
    "oh",
    "ok",
    "okay",
    "perfect",
    "right",
    "super",
    "thanks",
    "thx",
    "well",
    "wow",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_text_begins_with_opens_it() {
        for (text, count) in [
            ("Hi there, what is the odds of Acme?", 2),
            ("Good morning! Rome to Paris", 2),
            ("hey what is up", 1),
            ("bring up the latest prices", 2),
            ("bring the rates", 0),
            ("good restaurants in Rome", 0),
            ("Lovely. And in Rome?", 1),
            ("Thank you! Great, and in Rome?", 3),
            ("great lakes", 0),
            ("Nice, back to Rome then", 2),
            ("a song named Hello", 0),
            ("", 0),
        ] {
            assert_eq!(opener(text, &words(text)), count, "{text}");
        }
        assert_eq!(behind_greeting("Nice, and in Rome?"), "and in Rome?");
        assert_eq!(behind_greeting("Nice!"), "Nice!");
    }
}

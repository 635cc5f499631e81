//! What a text opens with that says nothing of what it asks.

use super::Word;

/// How many words at the beginning greet, "hi there", "good morning", or only ask to be shown something: "pull up".
pub(crate) fn opener(words: &[Word]) -> usize {
    let lower = |at: usize| words.get(at).map_or("", |word| word.lower.as_str());
    match (lower(0), lower(1)) {
        ("hi" | "hello" | "hey", "there" | "everyone" | "all")
        | ("good", "morning" | "afternoon" | "evening" | "day")
        | ("pull" | "bring", "up") => 2,
        ("hi" | "hello" | "hey" | "hiya" | "greetings", _) => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::words;

    #[test]
    fn only_what_a_text_begins_with_opens_it() {
        for (text, count) in [
            ("Hi there, what is the odds of Acme?", 2),
            ("Good morning! Rome to Paris", 2),
            ("hey what is up", 1),
            ("bring up the latest prices", 2),
            ("bring the rates", 0),
            ("good restaurants in Rome", 0),
            ("a song named Hello", 0),
            ("", 0),
        ] {
            assert_eq!(opener(&words(text)), count, "{text}");
        }
    }
}

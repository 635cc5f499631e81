//! Clauses: the separate things that one question asks for.

use std::ops::Range;

use crate::words;

/// A word of the question: where it stands, and it in lower case.
type Word = (Range<usize>, String);

/// The clauses of a question, each a question of its own; one where it asks one thing.
///
/// A cut needs a sentence's end or a conjunction with a question word or an instruction right after it, so that
/// "rock and roll" and a sentence that only tells something stay whole.
#[must_use]
pub fn clauses(text: &str) -> Vec<String> {
    let words = words::spelled(text);
    let mut starts = vec![0];
    for at in 1..words.len() {
        let gap = &text[words[at - 1].0.end..words[at].0.start];
        let ends_sentence = gap.contains(['?', ';']) || gap.contains(". ") || gap.contains("! ");
        let follows = matches!(words[at].1.as_str(), "and" | "then" | "also" | "plus");
        if (ends_sentence || follows) && opens(&words, at) && !starts.contains(&at) {
            starts.push(at);
        }
    }
    let ends = starts.iter().skip(1).copied().chain([words.len()]);
    let mut parts: Vec<&[Word]> = starts.iter().zip(ends).map(|(&start, end)| &words[start..end]).collect();
    for part in &mut parts {
        while part.first().is_some_and(|word| is_connective(&word.1)) {
            *part = &part[1..];
        }
    }
    let is_asked = |part: &&[Word]| part.len() >= WORDS_MIN && part.first().is_some_and(is_opening);
    if parts.len() < 2 || !parts.iter().all(is_asked) {
        return vec![text.to_owned()];
    }
    let said: Vec<&str> = parts.iter().map(|part| slice(text, part)).collect();
    said.iter().enumerate().map(|(at, part)| resolved(part, &said[..at])).collect()
}

/// A clause with fewer words asks nothing by itself.
const WORDS_MIN: usize = 3;

/// Whether a clause opens here, connectives skipped.
fn opens(words: &[Word], at: usize) -> bool {
    let skipped = words[at..].iter().take_while(|word| is_connective(&word.1)).count();
    // "then" and the like inside a sentence need what they join to be asked for.
    words.get(at + skipped).is_some_and(is_opening)
        && !words[..at].last().is_some_and(|word| is_connective(&word.1))
}

fn is_connective(lower: &str) -> bool {
    matches!(lower, "and" | "then" | "also" | "plus" | "finally" | "please")
}

fn is_opening(word: &Word) -> bool {
    OPENINGS.split(' ').any(|opening| opening == word.1)
}

const OPENINGS: &str = "what which who when where how is are was were does did will can could calculate check compare compute \
    convert count describe display echo explain fetch find get give list look read run search show summarize tell \
    translate";

/// The text of some words, with the signs that close it.
fn slice<'t>(text: &'t str, part: &[Word]) -> &'t str {
    let start = part.first().map_or(0, |word| word.0.start);
    let end = part.last().map_or(0, |word| word.0.end);
    let closing = text[end..].chars().take_while(|sign| matches!(sign, '"' | '\'' | '”' | ')' | '%' | '`'));
    &text[start..end + closing.map(char::len_utf8).sum::<usize>()]
}

/// A clause in which "there" is the place that an earlier clause names.
fn resolved(part: &str, before: &[&str]) -> String {
    let Some(at) = part.find(" there").filter(|at| part[at + 6..].is_empty()) else { return part.to_owned() };
    let place = before.iter().rev().find_map(|clause| clause.rsplit_once(" in ").map(|(_, place)| place));
    place.map_or_else(|| part.to_owned(), |place| format!("{} in {place}", &part[..at]))
}

#[cfg(test)]
mod tests {
    use super::clauses;
    use proptest::prelude::*;

    #[test]
    fn separate_things_are_apart() {
        assert_eq!(
            clauses("What is the weather in Paris? Also what is the rate from EUR to USD?"),
            ["What is the weather in Paris", "what is the rate from EUR to USD"]
        );
        assert_eq!(
            clauses("What time is it in Tokyo and what is the weather there?"),
            ["What time is it in Tokyo", "what is the weather in Tokyo"]
        );
        assert_eq!(
            clauses("Get the sum of 2 and 3. Then echo \"done\" to me."),
            ["Get the sum of 2 and 3", "echo \"done\" to me"]
        );
    }

    #[test]
    fn one_thing_stays_whole() {
        for text in [
            "Compare Paris and Rome",
            "I am in Paris. What is the weather?",
            "Find rock and roll shows",
            "Which city is warmest and driest?",
            "",
        ] {
            assert_eq!(clauses(text), [text]);
        }
    }

    proptest! {
        #[test]
        fn any_text_has_a_clause(text in "\\PC*|(what|and|then|is|the|there|in|\\. |\\? |x| ){0,12}") {
            prop_assert!(!clauses(&text).is_empty());
        }
    }
}

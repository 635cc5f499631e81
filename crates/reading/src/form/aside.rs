//! What a sentence says beside what it asks: "a recipe for pancakes, ensuring that they are fluffy".

use std::ops::Range;

use crate::words::Word;

/// Words of content that a sentence has before anything in it is an aside.
const ASKED_MIN: usize = 2;

/// What opens an aside wherever it stands.
const OPENERS: &str = "including which who whose whereas whilst because";

/// What opens an aside behind a comma, beside what ends in "ing".
const AFTER_COMMA: &str = "as with where specifically especially particularly preferably along";

/// What opens an aside with the word behind it.
const PAIRS: [(&str, &str); 5] =
    [("such", "as"), ("so", "that"), ("in", "order"), ("taking", "into"), ("as", "well")];

/// What follows "that" where it opens a clause: "websites that allow", and not "that website".
const CLAUSE_VERBS: &str = "are is was were can could will would may might should must have has had do does did i you we they it \
    allows allow helps help includes include provides provide features makes make shows show covers cover offers offer suits \
    suit meets meet caters reflects effectively specifically accurately";

/// The asides of a text, in order, in bytes: each from what opens it to the end of its sentence.
pub(crate) fn asides(text: &str, words: &[Word]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut asked = 0;
    let mut opened: Option<usize> = None;
    for (at, word) in words.iter().enumerate() {
        let gap = at.checked_sub(1).map_or("", |before| &text[words[before].range.end..word.range.start]);
        if gap.contains(['.', '?', '!', ';', '\n']) {
            if let Some(start) = opened.take() {
                found.push(start..words[at - 1].range.end);
            }
            asked = 0;
        }
        if opened.is_none() && asked >= ASKED_MIN && opens(words, at, gap) {
            opened = Some(word.range.start);
        }
        asked += usize::from(!word.is_stop);
    }
    found.extend(opened.zip(words.last()).map(|(start, last)| start..last.range.end));
    found
}

fn opens(words: &[Word], at: usize, gap: &str) -> bool {
    let (word, next) = (&words[at], words.get(at + 1).map_or("", |next| next.lower.as_str()));
    let is_in = |listed: &str, lower: &str| listed.split(' ').any(|other| other == lower);
    let lower = word.lower.as_str();
    let is_pair = PAIRS.iter().any(|(one, other)| *one == lower && *other == next);
    let is_clause = lower == "that" && !words[at - 1].is_stop && is_in(CLAUSE_VERBS, next);
    let is_done =
        gap.contains(',') && (is_in(AFTER_COMMA, lower) || lower.len() > 5 && lower.ends_with("ing"));
    is_in(OPENERS, lower) || is_pair || is_clause || is_done
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words;

    fn found(text: &str) -> Vec<&str> {
        asides(text, &words::words(text)).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn an_aside_goes_on_to_the_end_of_its_sentence() {
        assert_eq!(
            found(
                "Find a recipe for pancakes that are fluffy, with syrup. Also one for waffles, ensuring they are crisp!"
            ),
            ["that are fluffy, with syrup", "ensuring they are crisp"]
        );
        assert_eq!(found("Book a quiet hotel in order to rest"), ["in order to rest"]);
    }

    #[test]
    fn what_is_asked_is_none() {
        for text in [
            "Which coins rose most?",
            "Who is that man?",
            "Tell me the price of that coin",
            "Staying in Rome, what is the weather?",
            "I fly to Rome tomorrow, so find me the weather",
        ] {
            assert!(found(text).is_empty(), "{text}: {:?}", found(text));
        }
    }
}

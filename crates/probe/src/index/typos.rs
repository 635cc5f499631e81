//! Words that are one slip away from a known word.
//!
//! Every known word is kept under itself and under each text that it becomes by losing a letter; words that are one slip
//! apart meet there (Garbe, "Symmetric delete spelling correction", 2012), so that a lookup never walks the vocabulary.

use std::collections::HashMap;

/// The known words by what they become.
#[derive(Debug)]
pub(super) struct Typos {
    known: HashMap<String, Vec<String>>,
    chars_min: usize,
}

impl Typos {
    /// Keeps those of `words` that are long enough for a slip to leave no doubt.
    pub(super) fn of<'a>(words: impl Iterator<Item = &'a String>, chars_min: usize) -> Self {
        let mut known: HashMap<String, Vec<String>> = HashMap::new();
        for word in words.filter(|word| word.len() >= chars_min && is_plain(word)) {
            for text in shortened(word).chain([word.clone()]) {
                known.entry(text).or_default().push(word.clone());
            }
        }
        Self { known, chars_min }
    }

    /// The known word that is meant by an unknown one: one letter more, less or other, or two swapped. The first letter
    /// is taken to be right. None where it is short or nothing is near.
    pub(super) fn meant(&self, word: &str) -> Option<&str> {
        if word.len() < self.chars_min || !is_plain(word) {
            return None;
        }
        let near = |known: &&String| {
            known.as_bytes()[0] == word.as_bytes()[0] && strsim::osa_distance(known, word) == 1
        };
        let under = |text: &str| self.known.get(text).into_iter().flatten().filter(near).min();
        under(word)
            .or_else(|| shortened(word).filter_map(|shorter| under(&shorter)).min())
            .map(String::as_str)
    }
}

fn is_plain(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// What a plain word becomes by losing one letter.
fn shortened(word: &str) -> impl Iterator<Item = String> + '_ {
    (0..word.len()).map(|at| [&word[..at], &word[at + 1..]].concat())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn typos(words: &[&str]) -> Typos {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        Typos::of(words.iter(), 5)
    }

    #[test]
    fn one_slip_is_understood() {
        let typos = typos(&["weather", "exchang", "rain", "get price"]);
        for slip in ["wether", "weatther", "weathre", "weathar"] {
            assert_eq!(typos.meant(slip), Some("weather"), "{slip}");
        }
        for other in ["feather", "wethar", "rainn", "ran", "wetter", "Weather", "get prica"] {
            assert_eq!(typos.meant(other), None, "{other}");
        }
    }

    proptest! {
        #[test]
        fn what_is_meant_is_known_and_near(word in "[a-c]{0,9}", known in prop::collection::vec("[a-c]{0,9}", 0..9)) {
            let typos = typos(&known.iter().map(String::as_str).collect::<Vec<_>>());
            if let Some(meant) = typos.meant(&word) {
                prop_assert!(known.iter().any(|known| known == meant));
                prop_assert_eq!(strsim::osa_distance(meant, &word), 1);
            }
        }
    }
}

//! Words for a time that are misspelt: "tomorow".

use super::{Word, is_slip, stem};

/// Words for a time that no other word is a slip away from.
const TIMES: [&str; 11] = [
    "december",
    "february",
    "november",
    "saturday",
    "september",
    "thursday",
    "tomorrow",
    "tuesday",
    "wednesday",
    "weekend",
    "yesterday",
];

/// What is written so often that it is no slip, with what it is.
const USUAL: [(&str, &str); 5] = [
    ("rn", "now"),
    ("tmrw", "tomorrow"),
    ("tommorow", "tomorrow"),
    ("tonite", "tonight"),
    ("wensday", "wednesday"),
];

/// Puts the word that is meant in the place of a misspelt one.
pub(crate) fn put_right(words: &mut [Word]) {
    for word in words.iter_mut().filter(|word| !word.is_stop) {
        if let Some(meant) = meant(&word.lower) {
            (word.lower, word.stem) = (meant.to_owned(), stem(meant).into_owned());
        }
    }
}

fn meant(lower: &str) -> Option<&'static str> {
    let is_slip = |time: &&str| is_slip(lower, time) && lower.strip_suffix('s') != Some(*time);
    let usual = USUAL.into_iter().find(|(said, _)| *said == lower);
    usual.map(|(_, meant)| meant).or_else(|| TIMES.into_iter().find(is_slip))
}

#[cfg(test)]
mod tests {
    use super::super::words;
    use super::*;

    #[test]
    fn a_misspelt_time_is_the_one_that_is_meant() {
        let said = |text: &str| {
            let mut words = words(text);
            put_right(&mut words);
            words.into_iter().map(|word| word.lower).collect::<Vec<_>>()
        };
        for (slip, time) in [
            ("tomorow", "tomorrow"),
            ("tommorow", "tomorrow"),
            ("yesteday", "yesterday"),
            ("wensday", "wednesday"),
            ("febuary", "february"),
            ("rn", "now"),
        ] {
            assert_eq!(said(slip), [time], "{slip}");
        }
        for other in ["Saturdays", "Tuesday", "remember", "sturdy", "tomato", "yes"] {
            assert_eq!(said(other), [other.to_lowercase()], "{other}");
        }
    }
}

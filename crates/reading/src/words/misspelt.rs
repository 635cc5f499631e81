//! Everyday words that are misspelt: "tomorow", "wether".

use super::{Word, is_slip, stem};

/// Words for a time and others that are asked for every day, that no other word of everyday is a slip away from.
const EVERYDAY: [&str; 19] = [
    "currency",
    "december",
    "dollar",
    "exchange",
    "february",
    "forecast",
    "interest",
    "liquidation",
    "november",
    "saturday",
    "september",
    "temperature",
    "thursday",
    "tomorrow",
    "tuesday",
    "weather",
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
    let one = lower.strip_suffix('s').unwrap_or(lower);
    let is_slip = |word: &&str| one != *word && (is_slip(lower, word) || is_slip(one, word));
    let usual = USUAL.into_iter().find(|(said, _)| *said == lower);
    usual.map(|(_, meant)| meant).or_else(|| EVERYDAY.into_iter().find(is_slip))
}

#[cfg(test)]
mod tests {
    use super::super::words;
    use super::*;

    #[test]
    fn a_misspelt_word_is_the_one_that_is_meant() {
        let said = |text: &str| {
            let mut words = words(text);
            put_right(&mut words);
            words.into_iter().map(|word| word.lower).collect::<Vec<_>>()
        };
        for (slip, word) in [
            ("tomorow", "tomorrow"),
            ("tommorow", "tomorrow"),
            ("yesteday", "yesterday"),
            ("wensday", "wednesday"),
            ("febuary", "february"),
            ("wether", "weather"),
            ("intrest", "interest"),
            ("liqudations", "liquidation"),
            ("temprature", "temperature"),
            ("rn", "now"),
        ] {
            assert_eq!(said(slip), [word], "{slip}");
        }
        for other in
            ["Saturdays", "Tuesday", "remember", "sturdy", "tomato", "yes", "exchanges", "leather", "whether"]
        {
            assert_eq!(said(other), [other.to_lowercase()], "{other}");
        }
    }
}

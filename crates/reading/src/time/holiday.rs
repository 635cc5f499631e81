//! Holidays that have the same date everywhere: "Christmas Day 2024", "on Halloween".

use super::{Scan, Sense, date};

/// The holiday that starts at the word `at`, and the word after it. Alone such a name may be of anything.
pub(super) fn at(scan: &Scan<'_>, at: usize) -> Option<(usize, Sense)> {
    let after = |words: &[&str]| {
        words
            .iter()
            .enumerate()
            .all(|(place, word)| scan.word(at + place) == *word)
            .then_some(at + words.len())
    };
    let (named, (month, day)) = HOLIDAYS.iter().find_map(|(words, date)| Some((after(words)?, *date)))?;
    let (next, year) = date::year_after(scan, named);
    let is_day = matches!(scan.back(named, 1), "day" | "eve") || next > named;
    let is_led = matches!(
        scan.back(at, 1),
        "on" | "at" | "by" | "since" | "until" | "before" | "after" | "next" | "last"
    );
    let ends = scan.words.get(named).is_none_or(|word| word.is_stop) || scan.gap_before(named) != " ";
    let this_year = date::date_of(year, month, day)?;
    let told = match scan.back(at, 1) {
        "next" if this_year <= scan.today => date::date_of(year + 1, month, day)?,
        "last" if this_year >= scan.today => date::date_of(year - 1, month, day)?,
        _ => this_year,
    };
    (is_day || is_led && ends).then(|| scan.day(at, next, told)).flatten()
}

/// Holidays, the longer names first, with their month and day.
const HOLIDAYS: [(&[&str], (i16, i16)); 12] = [
    (&["christmas", "eve"], (12, 24)),
    (&["christmas", "day"], (12, 25)),
    (&["christmas"], (12, 25)),
    (&["boxing", "day"], (12, 26)),
    (&["new", "year", "s", "eve"], (12, 31)),
    (&["new", "years", "eve"], (12, 31)),
    (&["new", "year", "s", "day"], (1, 1)),
    (&["new", "years", "day"], (1, 1)),
    (&["halloween"], (10, 31)),
    (&["valentine", "s", "day"], (2, 14)),
    (&["valentines", "day"], (2, 14)),
    (&["st", "patrick", "s", "day"], (3, 17)),
];

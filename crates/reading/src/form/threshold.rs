//! Bounds that a question sets for a number: "over 10 million", "at least 2,000 shares", "5 or more", "negative".

use std::ops::Range;

use super::counted_in;
use super::way::{self, Way};
use crate::spans::{Amount, Kind, Span, overlaps};
use crate::standards;
use crate::time::Moment;
use crate::words::{self, Word};

/// The least or the most that a number is to be.
#[derive(Clone, Debug, PartialEq)]
pub struct Threshold {
    /// How the question says it: "over 10 million".
    pub text: String,
    /// Where, in bytes.
    pub range: Range<usize>,
    /// Where it says the number alone, in bytes; the word for a sign where it says no number.
    pub number: Range<usize>,
    /// The number; nought for a sign.
    pub value: f64,
    /// Whether it is told in percent: 5 of "over 5%".
    pub is_percent: bool,
    /// Which side of it is meant.
    pub side: Side,
    /// Stems of the words beside it, the nearest first, those behind it before those that lead to it: "shares" of "trades over 2000
    /// shares", "volume" of "a volume above 5 million".
    pub beside: Vec<String>,
}

/// A side of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Above it.
    Above,
    /// It, and above.
    AtLeast,
    /// Below it.
    Below,
    /// It, and below.
    AtMost,
}

impl Side {
    /// Whether the number is the least of what is meant.
    #[must_use]
    pub fn is_least(self) -> bool {
        matches!(self, Self::Above | Self::AtLeast)
    }
}

impl Threshold {
    /// Which way the changes go that it bounds: "fell by more than 2%". What "fell below 5" is bounded itself, and not how far it fell.
    #[must_use]
    pub fn way(&self) -> Option<Way> {
        let begins = |words: &[&str]| words.iter().any(|word| self.text.to_lowercase().starts_with(word));
        let is_of_change = |way: &Way| match way {
            Way::Up => self.is_percent || !begins(&["above"]),
            Way::Down => !begins(&["below", "under"]),
            Way::Either => true,
        };
        self.beside.iter().find_map(|stem| Way::of(stem)).filter(is_of_change)
    }

    /// Stem of what is bounded: the change of what rises or falls, else what is said nearest.
    #[must_use]
    pub fn measure(&self) -> Option<&str> {
        let said = || self.beside.iter().find(|stem| Way::of(stem).is_none());
        self.way().map(|_| way::CHANGE).or_else(|| said().map(String::as_str))
    }

    /// Whether a number is on the side that is meant.
    #[must_use]
    pub fn holds(&self, number: f64) -> bool {
        match self.side {
            Side::Above => number > self.value,
            Side::AtLeast => number >= self.value,
            Side::Below => number < self.value,
            Side::AtMost => number <= self.value,
        }
    }
}

/// The bounds that a question sets for numbers that are no times.
pub(super) fn thresholds(text: &str, said: &[Word], spans: &[Span], moments: &[Moment]) -> Vec<Threshold> {
    let is_when = |range: &Range<usize>| moments.iter().any(|moment| overlaps(&moment.range, range));
    let read = |span: &Span| {
        let Kind::Number(Amount { value, is_percent, .. }) = span.kind else { return None };
        let number = span.range.clone();
        let (side, range) = side(text, said, &number).filter(|_| !is_when(&number))?;
        let beside = beside(said, &range);
        let text = text[range.clone()].to_owned();
        Some(Threshold { text, range, number, value, is_percent, side, beside })
    };
    let of_numbers = spans.iter().filter_map(read);
    of_numbers.chain(signs(said, spans)).collect()
}

/// The bounds of nought that words for signs set: "exchanges with negative flow", "is the rate positive"; but not "how positive is".
fn signs(said: &[Word], spans: &[Span]) -> impl Iterator<Item = Threshold> {
    let is_named = |word: &Word| spans.iter().any(|span| overlaps(&span.range, &word.range));
    let is_asked = move |at: usize| at.checked_sub(1).is_some_and(|before| said[before].lower == "how");
    said.iter().enumerate().filter(move |(at, _)| !is_asked(*at)).filter_map(move |(at, word)| {
        let side = match word.lower.as_str() {
            "positive" => Side::Above,
            "negative" => Side::Below,
            _ => return None,
        };
        let behind = said[at + 1..].iter().take_while(|word| !word.is_stop);
        let before = said[..at].iter().rev().filter(|word| !word.is_stop);
        let near = behind.chain(before).filter(|word| !is_named(word)).take(BESIDE);
        Some(Threshold {
            text: word.lower.clone(),
            range: word.range.clone(),
            number: word.range.clone(),
            value: 0.0,
            is_percent: false,
            side,
            beside: near.map(|word| word.stem.clone()).collect(),
        })
    })
}

/// Stems of the words around a bound, the one behind it first. What is counted in degrees is a temperature, what is counted in a coin
/// an amount of its native unit.
fn beside(said: &[Word], bound: &Range<usize>) -> Vec<String> {
    let behind = said.iter().find(|word| word.range.start >= bound.end);
    let before = said.iter().rev().filter(|word| word.range.end <= bound.start);
    let near = behind.into_iter().chain(before).filter(|word| !word.is_stop).take(BESIDE);
    let is_counted = |word: &Word| word.range.start >= bound.end && standards::coin(&word.lower).is_some();
    let stem = |word: &Word| match counted_in(&word.lower) {
        Some(measure) => words::stem(measure).into_owned(),
        None if is_counted(word) => words::stem("native").into_owned(),
        None => word.stem.clone(),
    };
    near.map(stem).collect()
}

/// The side that a comparative leads to: "warmer than 20", "cheaper than 5".
pub(super) fn compared(lower: &str) -> Option<Side> {
    const BELOW: [&str; 12] = [
        "less", "fewer", "smaller", "lower", "colder", "cooler", "cheaper", "shorter", "slower", "lighter",
        "younger", "nearer",
    ];
    let is_other = matches!(lower, "other" | "rather" | "whether" | "further");
    if BELOW.contains(&lower) {
        Some(Side::Below)
    } else {
        (lower == "more" || lower.ends_with("er") && !is_other).then_some(Side::Above)
    }
}

fn lower(word: Option<&Word>) -> &str {
    word.map_or("", |word| word.lower.as_str())
}

/// Words beside a bound that may say what is bounded.
const BESIDE: usize = 3;

/// On which side of a number something is to be, and where that is said, the number included: "above 5", "> 5", "5 or more".
pub(crate) fn side(text: &str, words: &[Word], number: &Range<usize>) -> Option<(Side, Range<usize>)> {
    let mut before = words.iter().rev().filter(|word| word.range.end <= number.start);
    let (last, lead) = (before.next(), before.next());
    let mut behind = words.iter().filter(|word| word.range.start >= number.end);
    let (next, then) = (behind.next(), behind.next());
    let from = |word: Option<&Word>| word.map_or(number.start, |word| word.range.start)..number.end;
    let before_it = match (lower(lead), lower(last)) {
        (_, "above" | "over" | "exceeding") => Some((Side::Above, from(last))),
        (_, "below" | "under") => Some((Side::Below, from(last))),
        ("at", "least") => Some((Side::AtLeast, from(lead))),
        ("at", "most") => Some((Side::AtMost, from(lead))),
        (comparative, "than") => compared(comparative).map(|side| (side, from(lead))),
        _ => None,
    };
    let to = || number.start..then.map_or(number.end, |word| word.range.end);
    let followed = || match (lower(next), lower(then)) {
        ("or", "more" | "above" | "bigger" | "larger" | "higher") => Some((Side::AtLeast, to())),
        ("or", "less" | "below" | "smaller" | "lower" | "fewer") => Some((Side::AtMost, to())),
        _ => None,
    };
    let signed = || {
        let head = text[..number.start].trim_end();
        let bare = head.trim_end_matches('=');
        let sign = bare.trim_end().chars().next_back()?;
        let at = bare.trim_end().len() - sign.len_utf8();
        let side = match (sign, bare.len() < head.len()) {
            ('>', false) => Side::Above,
            ('>', true) | ('≥', _) => Side::AtLeast,
            ('<', false) => Side::Below,
            ('<', true) | ('≤', _) => Side::AtMost,
            _ => return None,
        };
        Some((side, at..number.end))
    };
    signed().or(before_it).or_else(followed)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Question;

    fn read(text: &str) -> Vec<(String, f64, Side, Vec<String>)> {
        let question = Question::read(text, "2026-03-18T14:30:00Z".parse().unwrap());
        let thresholds = question.form.thresholds.into_iter();
        thresholds.map(|it| (it.text, it.value, it.side, it.beside)).collect()
    }

    #[test]
    fn a_bound_is_led_to_or_followed_or_signed() {
        let one = |text: &str| match read(text).as_slice() {
            [(said, value, side, _)] => (said.clone(), *value, *side),
            other => panic!("{other:?}"),
        };
        assert_eq!(one("transfers over 10 million"), ("over 10 million".to_owned(), 10e6, Side::Above));
        assert_eq!(one("at least 2,000 shares"), ("at least 2,000".to_owned(), 2000.0, Side::AtLeast));
        assert_eq!(one("a price lower than 0.5"), ("lower than 0.5".to_owned(), 0.5, Side::Below));
        assert_eq!(one("5 or more holders"), ("5 or more".to_owned(), 5.0, Side::AtLeast));
        assert_eq!(one("volume >= 300k"), (">= 300k".to_owned(), 300_000.0, Side::AtLeast));
        assert_eq!(one("is it warmer than 20 degrees"), ("warmer than 20".to_owned(), 20.0, Side::Above));
        assert_eq!(one("a rate < 2%"), ("< 2%".to_owned(), 2.0, Side::Below));
    }

    #[test]
    fn times_and_bare_numbers_are_no_bounds() {
        assert!(read("inflows over the last 24 hours").is_empty());
        assert!(read("the top 5 transfers of 10 million").is_empty());
        assert!(read("news from under 3 days ago").is_empty());
    }

    #[test]
    fn what_is_bounded_stands_behind_the_number_or_before_the_bound() {
        assert_eq!(read("trades over 2000 shares")[0].3, ["share", "trade"]);
        assert_eq!(read("events with a volume above 5 million")[0].3, ["volum", "event"]);
        assert_eq!(read("inflows over 1000 BTC")[0].3, ["nativ", "inflow"]);
        assert_eq!(read("cities above 20 degrees")[0].3, ["temperatur", "citi"]);
    }

    #[test]
    fn a_sign_is_a_bound_of_nought() {
        let [(said, value, side, beside)] = &read("exchanges with negative BTC net flow")[..] else {
            panic!()
        };
        assert_eq!((said.as_str(), *value, *side), ("negative", 0.0, Side::Below));
        assert_eq!(beside, &["net", "flow", "exchang"]);
        assert_eq!(read("is the rate positive on Acme")[0].3, ["rate"]);
    }

    proptest! {
        #[test]
        fn a_side_holds_what_it_says(least in 1_u32..1_000_000, other in 0_u32..1_000_000) {
            let held = [
                (format!("trades over {least} shares"), other > least),
                (format!("at least {least} shares"), other >= least),
                (format!("{least} shares or fewer, that is, fewer than {least}"), other < least),
                (format!("trades of at most {least}"), other <= least),
                (format!("{least} or more"), other >= least),
            ];
            for (text, is_held) in held {
                let question = Question::read(&text, "2026-03-18T14:30:00Z".parse().unwrap());
                let [bound] = question.form.thresholds.as_slice() else { panic!("{text}") };
                prop_assert_eq!(bound.holds(f64::from(other)), is_held, "{}", text);
            }
        }
    }

    #[test]
    fn what_rises_or_falls_is_bounded_by_its_change() {
        let read = |text: &str| {
            let form = Question::read(text, "2026-03-18T14:30:00Z".parse().unwrap()).form;
            let [bound] = &form.thresholds[..] else { panic!("{text}") };
            (bound.measure().map(str::to_owned), form.way)
        };
        assert_eq!(read("ships that fell more than 2%"), (Some("chang".to_owned()), Some(Way::Down)));
        assert_eq!(read("price movers above 5%"), (Some("chang".to_owned()), Some(Way::Either)));
        assert_eq!(read("ships whose load fell below 5").1, None);
        assert_eq!(read("ships whose load rose above 5"), (Some("load".to_owned()), None));
        assert_eq!(read("ships with a load above 5"), (Some("load".to_owned()), None));
    }
}

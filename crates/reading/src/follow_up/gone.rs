//! How what was asked about has gone: "did it rise since yesterday?", "is that high?" after the open interest of a coin.

use jiff::Timestamp;

use super::Given;
use super::lead::after_lead;
use super::named::{Like, named, with_lead};
use super::ranked::asked_without;
use crate::Question;
use crate::form::{FormKind, Way};
use crate::words::{self, Word};

/// A follow-up that asks which way "it" went and says nothing else but since when, of what the earlier question asks: "did BTC open
/// interest rise since yesterday".
pub(super) fn of_it(earlier: &Question, own: &Question) -> Option<String> {
    let [auxiliary, it, ..] = own.words.as_slice() else { return None };
    let goes = |word: &Word| {
        Way::of(&word.stem).is_some() || matches!(word.lower.as_str(), "up" | "down" | "higher" | "lower")
    };
    let is_more = |word: &Word| !word.is_stop && !own.is_when(word) && !goes(word);
    if !asks_of_it(auxiliary, it) || !own.words.iter().any(goes) || own.words.iter().any(is_more) {
        return None;
    }
    let asked = asked_without_time(earlier)?;
    let said = words::unended(&own.text);
    Some(format!("{}{asked}{}", &said[..it.range.start], &said[it.range.end..]))
}

/// A follow-up that asks whether "that" is much or little, of what the earlier question asks: its course says it.
pub(super) fn beside_its_course(earlier: &Question, own: &Question) -> Option<String> {
    judges(own).then(|| asked_without_time(earlier)).flatten().map(|asked| asked + COURSE)
}

/// Whether all that a message asks is whether a figure is much or little: "and is that unusually high?"
#[must_use]
pub fn asks_if_much(text: &str) -> bool {
    judges(&Question::read(after_lead(text).0, Timestamp::UNIX_EPOCH))
}

fn judges(own: &Question) -> bool {
    let [auxiliary, it, degree @ .., last] = own.words.as_slice() else { return false };
    let is_degree = |word: &Word| {
        matches!(
            word.lower.as_str(),
            "a" | "so" | "too" | "very" | "quite" | "pretty" | "really" | "unusually"
        )
    };
    asks_of_it(auxiliary, it) && JUDGED.contains(&last.lower.as_str()) && degree.iter().all(is_degree)
}

/// What a figure is called that is held against what it usually is.
const JUDGED: [&str; 14] = [
    "high", "low", "large", "small", "big", "normal", "unusual", "usual", "typical", "average", "common",
    "rare", "lot", "much",
];

/// How far back the course goes that a figure is held against.
const COURSE: &str = " over the last week";

/// "Did it", "is that".
fn asks_of_it(auxiliary: &Word, it: &Word) -> bool {
    matches!(auxiliary.lower.as_str(), "did" | "has" | "have" | "is" | "are" | "was")
        && matches!(it.lower.as_str(), "it" | "that" | "this" | "they")
}

/// What a question asks of one thing, without when.
fn asked_without_time(earlier: &Question) -> Option<String> {
    let is_of_one = earlier.form.kind == FormKind::Single && earlier.form.limit.is_none();
    let times = named(earlier, Given::default()).into_iter().filter(|it| it.like == Like::Time);
    asked_without(earlier, times.map(|it| with_lead(earlier, &it))).filter(|_| is_of_one)
}

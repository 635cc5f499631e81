//! How what was asked about has gone: "did it rise since yesterday?", "is that high?" after the open interest of a coin.

use std::ops::Range;

use jiff::Timestamp;

use super::Given;
use super::lead::{after_lead, leads_to_time};
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

/// A follow-up that asks only how "it" has gone, and perhaps since when, or to be told it step by step: the course of what the earlier
/// question asks.
pub(super) fn its_course(earlier: &Question, own: &Question) -> Option<String> {
    let is_when = |word: &Word| word.is_stop || own.is_when(word) || leads_to_time(own, word);
    let asks_how = |words: &[Word]| match words {
        [how, auxiliary, it, verb, rest @ ..] => {
            how.lower == "how"
                && matches!(auxiliary.lower.as_str(), "did" | "has" | "have")
                && asks_of_it(auxiliary, it)
                && GONE.contains(&verb.lower.as_str())
                && rest.iter().all(is_when)
        }
        _ => false,
    };
    let when = || own.moments.first().map(|moment| format!(" over {}", &own.text[moment.range.clone()]));
    if asks_how(&own.words) {
        return Some(asked_without_time(earlier)? + &when().unwrap_or_else(|| COURSE.to_owned()));
    }
    let is_stepwise = STEPWISE.contains(&own.text.to_lowercase().as_str());
    is_stepwise.then(|| format!("{} {}", words::unended(&earlier.text), own.text))
}

/// What something did whose course is asked for: "how did it develop".
const GONE: [&str; 16] = [
    "behave",
    "behaved",
    "change",
    "changed",
    "develop",
    "developed",
    "do",
    "done",
    "evolve",
    "evolved",
    "fare",
    "go",
    "gone",
    "look",
    "move",
    "moved",
];

/// How a course is told.
const STEPWISE: [&str; 4] = ["hour by hour", "day by day", "hourly", "daily"];

/// A follow-up that asks whether "that" is much or little, of what the earlier question asks: its course says it, or it is asked
/// itself where a method is named by it.
pub(super) fn beside_its_course(earlier: &Question, given: Given<'_>, own: &Question) -> Option<String> {
    let judged = own.words.last().filter(|_| judges(own))?;
    let tells_it = given.methods.iter().any(|method| ANOMALY.iter().any(|stem| method.has(stem)));
    if tells_it && ORDINARY.contains(&judged.lower.as_str()) {
        let asked = asked_without(earlier, std::iter::empty::<Range<usize>>())?;
        return Some(format!("is {asked} unusual"));
    }
    Some(asked_without_time(earlier)? + COURSE)
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

/// Those of them that ask whether it is as it usually is.
const ORDINARY: [&str; 6] = ["normal", "unusual", "usual", "typical", "common", "rare"];

/// Stems of what a method is called by that tells that.
const ANOMALY: [&str; 4] = ["anomali", "anomal", "unusu", "outlier"];

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

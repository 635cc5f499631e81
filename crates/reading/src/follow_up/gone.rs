//! How what was asked about has gone: "did it rise since yesterday?" after the open interest of a coin.

use super::Given;
use super::named::{Like, named, with_lead};
use super::ranked::asked_without;
use crate::Question;
use crate::form::{FormKind, Way};
use crate::words::{self, Word};

/// A follow-up that asks which way "it" went and says nothing else but since when, of what the earlier question asks: "did BTC open
/// interest rise since yesterday".
pub(super) fn of_it(earlier: &Question, own: &Question) -> Option<String> {
    let [auxiliary, it, ..] = own.words.as_slice() else { return None };
    let asks = matches!(auxiliary.lower.as_str(), "did" | "has" | "have" | "is" | "are" | "was");
    let is_it = matches!(it.lower.as_str(), "it" | "that" | "this" | "they");
    let goes = |word: &Word| {
        Way::of(&word.stem).is_some() || matches!(word.lower.as_str(), "up" | "down" | "higher" | "lower")
    };
    let is_more = |word: &Word| !word.is_stop && !own.is_when(word) && !goes(word);
    let is_one_of_them = earlier.form.kind == FormKind::Single && earlier.form.limit.is_none();
    if !asks || !is_it || !is_one_of_them || !own.words.iter().any(goes) || own.words.iter().any(is_more) {
        return None;
    }
    let times = named(earlier, Given::default()).into_iter().filter(|it| it.like == Like::Time);
    let asked = asked_without(earlier, times.map(|it| with_lead(earlier, &it)))?;
    let said = words::unended(&own.text);
    Some(format!("{}{asked}{}", &said[..it.range.start], &said[it.range.end..]))
}

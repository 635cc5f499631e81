//! How what was asked about has gone: "did it rise since yesterday?" after the open interest of a coin.

use super::ranked::start;
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
    let start = start(earlier)?;
    let is_time = |at: usize| earlier.moments.iter().any(|moment| moment.range.contains(&(start + at)));
    let said = earlier.text[start..].char_indices().filter(|(at, _)| !is_time(*at));
    let timeless: String = said.map(|(_, sign)| sign).collect();
    let mut asked: Vec<&str> = words::unended(&timeless).split_whitespace().collect();
    while asked.last().is_some_and(|word| leads_to_time(word)) {
        asked.pop();
    }
    let said = words::unended(&own.text);
    let says_something = !asked.is_empty();
    says_something.then(|| format!("{}{}{}", &said[..it.range.start], asked.join(" "), &said[it.range.end..]))
}

/// Whether a word is left over where the time behind it is taken away.
fn leads_to_time(word: &str) -> bool {
    matches!(
        word.to_lowercase().as_str(),
        "after"
            | "at"
            | "before"
            | "by"
            | "during"
            | "from"
            | "in"
            | "on"
            | "over"
            | "since"
            | "till"
            | "until"
            | "within"
    )
}

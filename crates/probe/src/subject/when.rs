//! The words of a question that say when.

use reading::Question;
use reading::time::{Direction, Moment, Window};
use reading::words::Word;

/// Whether a word refers to a time without telling it: "on that day".
pub(super) fn refers_to_when(before: &[Word], word: &Word) -> bool {
    before.last().is_some_and(|before| matches!(before.lower.as_str(), "that" | "those" | "same"))
        && matches!(word.stem.as_str(), "day" | "date" | "time" | "moment" | "week" | "month" | "year")
}

/// Whether a word only says that it is about now, which is what a question is about that names no time.
pub(super) fn is_now_said(whole: &Question, word: &Word) -> bool {
    window_of(whole, word).is_some_and(|it| it.direction == Direction::Present && it.start == it.end)
}

/// Whether a thing may be looked up by a word: one of a name, or of a time that has not ended.
pub(super) fn is_sought(whole: &Question, word: &Word) -> bool {
    let is_to_come = || window_of(whole, word).is_some_and(|it| it.end > whole.now);
    whole.form.entities.iter().any(|name| name.range.contains(&word.range.start)) || is_to_come()
}

/// The window of time that a word is part of.
fn window_of<'q>(whole: &'q Question, word: &Word) -> Option<&'q Window> {
    whole.moments_of(word).find_map(Moment::window)
}

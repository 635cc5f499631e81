//! The words of a question that say when.

use reading::Question;
use reading::time::Moment;
use reading::words::Word;

/// Whether a word refers to a time without telling it: "on that day".
pub(super) fn refers_to_when(before: &[Word], word: &Word) -> bool {
    before.last().is_some_and(|before| matches!(before.lower.as_str(), "that" | "those" | "same"))
        && matches!(word.stem.as_str(), "day" | "date" | "time" | "moment" | "week" | "month" | "year")
}

/// Whether a thing may be looked up by a word: one of a name, or of a time that has not ended.
pub(super) fn is_sought(whole: &Question, word: &Word) -> bool {
    let is_to_come = || whole.moments_of(word).find_map(Moment::window).is_some_and(|it| it.end > whole.now);
    whole.form.entities.iter().any(|name| name.range.contains(&word.range.start)) || is_to_come()
}

//! What counts off what was listed before it: "the second one".

use std::ops::Range;

use jiff::Timestamp;

use crate::Question;
use crate::place::Place;
use crate::words::Word;

/// Whether a question counts off what was listed before it, and names nothing: "the second one", "open the first article".
#[must_use]
pub fn counts_off(question: &Question) -> bool {
    question.form.entities.is_empty() && counted(question).is_some()
}

/// The one thing that a question counts off, and where it has said so, in bytes: "the last week", "the last trades" and "the first
/// 10" count off none.
#[must_use]
pub fn counted(question: &Question) -> Option<(Place, Range<usize>)> {
    let is_one = |word: &Word| {
        let are_several = word.lower.ends_with('s') && !word.lower.ends_with("ss");
        !are_several && !word.lower.starts_with(|sign: char| sign.is_ascii_digit())
    };
    // "Which closes first" asks for one, and counts off none.
    let turn = question.form.turn.as_ref();
    let is_turn = |word: &Word| turn.is_some_and(|turn| turn.range == word.range);
    let words = question.words.iter().enumerate();
    words.filter(|(_, word)| !question.is_when(word) && !is_turn(word)).find_map(|(at, word)| {
        let place = Place::said(&word.lower)?;
        question.words.get(at + 1).is_none_or(is_one).then(|| (place, word.range.clone()))
    })
}

/// The earlier question with another place in that of the one that it counts off, where a follow-up says no more than that: "and the
/// second?" after "the odds of the first one".
#[must_use]
pub fn counted_next(earlier: &str, text: &str, now: Timestamp) -> Option<String> {
    let own = Question::read(text, now);
    let (_, next) = counted(&own)?;
    let (_, place) = counted(&Question::read(earlier, now))?;
    let says_more = |word: &Word| !word.is_stop && word.range != next && word.lower != "one";
    (!own.words.iter().any(says_more)).then(|| {
        let mut whole = earlier.to_owned();
        whole.replace_range(place, &text[next]);
        whole
    })
}

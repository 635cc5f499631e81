//! The last two questions side by side: "compare them" after the open interest of one coin and that of another.

use std::ops::Range;

use jiff::Timestamp;

use super::Given;
use super::named::{Like, Named, named};
use crate::Question;
use crate::form::FormKind;
use crate::standards;
use crate::words::{self, Word};

/// The last question with the one thing that the question before it names in its place put beside it, or as it is where it compares
/// things. None where a text asks for no comparison, or the two differ in more.
#[must_use]
pub fn compared(
    before: Option<&str>,
    last: &str,
    given: Given<'_>,
    text: &str,
    now: Timestamp,
) -> Option<String> {
    if !compares_both(text) {
        return None;
    }
    let last = Question::read(last, now);
    if last.form.kind == FormKind::Comparison || words::behind_opening(&last.text, "compare").is_some() {
        return Some(last.text);
    }
    let before = Question::read(before?, now);
    let [one, other] = [apart(&before, &last, given)?, apart(&last, &before, given)?];
    let (one, other) = (with_quote(&before, &one), with_quote(&last, &other));
    let (first, second) = (&before.text[one], &last.text[other.clone()]);
    let with = |phrase: &str| {
        let mut whole = last.text.clone();
        whole.replace_range(other.clone(), phrase);
        whole
    };
    with(first)
        .eq_ignore_ascii_case(&before.text)
        .then(|| format!("compare {}", with(&format!("{first} and {second}"))))
}

/// Where a thing stands, with the currency that one is told in right behind it: "eur usd".
fn with_quote(question: &Question, named: &Named) -> Range<usize> {
    let is_quote = |next: &&Word| {
        let is_beside = next.range.start == named.range.end + 1;
        named.like == Like::Currency && is_beside && standards::currency(&next.lower).is_some()
    };
    let quote = question.words_behind(&named.range).first().filter(is_quote);
    named.range.start..quote.map_or(named.range.end, |quote| quote.range.end)
}

/// The only thing that a question names and another one does not.
fn apart(question: &Question, other: &Question, given: Given<'_>) -> Option<Named> {
    let said = other.text.to_lowercase();
    let is_own = |it: &Named| !said.contains(&question.text[it.range.clone()].to_lowercase());
    let mut own = named(question, given).into_iter().filter(is_own);
    own.next().filter(|_| own.next().is_none())
}

/// Whether a text asks how two things stand beside each other, and names neither: "compare the two", "which one is higher?"
fn compares_both(text: &str) -> bool {
    let spelled = words::spelled(text);
    let said: Vec<&str> = spelled.iter().map(|(_, word)| word.as_str()).collect();
    match said[..] {
        ["compare", "them" | "both" | "these" | "those"] | ["compare", "the" | "these" | "those", "two"] => {
            true
        }
        ["which", "is", degree]
        | ["which", "one", "is", degree]
        | ["which", "of", "them" | "these" | "those", "is", degree] => degree.ends_with("er"),
        _ => false,
    }
}

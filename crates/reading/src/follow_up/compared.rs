//! The last two questions side by side: "compare them" after the open interest of one coin and that of another.

use std::ops::Range;

use jiff::Timestamp;

use super::Given;
use super::named::{Like, Named, named};
use super::ranked::ranks_them;
use crate::Question;
use crate::clause::clauses;
use crate::form::FormKind;
use crate::standards;
use crate::words::{self, Word};

/// The last question with the one thing that the question before it names in its place put beside it, behind the degree that is asked
/// for, "which is warmer, weather in Rome or Paris"; or as it is where it compares things. None where a text asks for no comparison, or
/// the two differ in more.
#[must_use]
pub fn compared(
    before: Option<&str>,
    last: &str,
    given: Given<'_>,
    text: &str,
    now: Timestamp,
) -> Option<String> {
    let by_degree = ranks_them(&Question::read(text, now));
    if !by_degree && !compares_both(text) {
        return None;
    }
    let last = Question::read(last, now);
    if last.form.kind == FormKind::Comparison || words::behind_opening(&last.text, "compare").is_some() {
        // What is asked one by one is told so, whichever is more.
        let is_apart = clauses(&last.text).len() > 1;
        return (!by_degree || is_apart).then_some(last.text);
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
    with(first).eq_ignore_ascii_case(&before.text).then(|| {
        if by_degree {
            format!("{}, {}", words::unended(text), with(&format!("{first} or {second}")))
        } else {
            format!("compare {}", with(&format!("{first} and {second}")))
        }
    })
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

/// Whether a text asks how two things stand beside each other, and names neither: "compare the two".
fn compares_both(text: &str) -> bool {
    let spelled = words::spelled(text);
    let said: Vec<&str> = spelled.iter().map(|(_, word)| word.as_str()).collect();
    matches!(
        said[..],
        ["compare", "them" | "both" | "these" | "those"] | ["compare", "the" | "these" | "those", "two"]
    )
}

//! The last two questions side by side: "compare them" after the open interest of one coin and that of another.

use jiff::Timestamp;

use super::Given;
use super::named::{Named, named};
use crate::Question;
use crate::words;

/// The last question with the one thing that the question before it names in its place put beside it. None where a text asks for no
/// comparison, or the two differ in more.
#[must_use]
pub fn compared(before: &str, last: &str, given: Given<'_>, text: &str, now: Timestamp) -> Option<String> {
    if !compares_both(text) {
        return None;
    }
    let (before, last) = (Question::read(before, now), Question::read(last, now));
    let [one, other] = [apart(&before, &last, given)?, apart(&last, &before, given)?];
    let (first, second) = (&before.text[one.range.clone()], &last.text[other.range.clone()]);
    let with = |phrase: &str| {
        let mut whole = last.text.clone();
        whole.replace_range(other.range.clone(), phrase);
        whole
    };
    with(first)
        .eq_ignore_ascii_case(&before.text)
        .then(|| format!("compare {}", with(&format!("{first} and {second}"))))
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

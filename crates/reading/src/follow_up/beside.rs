//! What another method tells of the same: "show the history" after the funding rate of a coin.

use super::{Given, NAME_WORDS_MAX, told_by};
use crate::Question;
use crate::bind::only_requests;
use crate::form::FormKind;
use crate::words::{self, Word};

/// A follow-up that says a word which a method beside those that gave the answer is named by, with the words of the earlier
/// question that the same method is named by, and with what that question names. None behind a question for several things, of
/// which one may have been looked at since.
pub(super) fn of_the_same(earlier: &Question, given: Given<'_>, own: &Question) -> Option<String> {
    if matches!(earlier.form.kind, FormKind::List | FormKind::Ranking | FormKind::Which | FormKind::Count) {
        return None;
    }
    let says = |word: &&Word| !word.is_stop && !own.is_when(word) && !only_requests(own, word);
    let said: Vec<&Word> = own.words.iter().filter(says).collect();
    let first = said.first().filter(|_| said.len() <= NAME_WORDS_MAX)?;
    let named_by_all = given.methods.iter().filter(|method| said.iter().all(|word| method.has(&word.stem)));
    let shared = named_by_all.map(|method| -> Vec<&str> {
        let is_said_again = |word: &Word| said.iter().any(|own| own.stem == word.stem);
        let is_its = |word: &&Word| !word.is_stop && method.has(&word.stem) && !is_said_again(word);
        earlier.words.iter().filter(is_its).map(|word| word.lower.as_str()).collect()
    });
    let shared = shared.max_by_key(Vec::len).filter(|shared| !shared.is_empty())?;
    let (lead, rest) = words::unended(&own.text).split_at_checked(first.range.start)?;
    let named = told_by(&earlier.text, None, earlier.now).join(" ");
    Some(format!("{lead}{} {rest} {named}", shared.join(" ")))
}

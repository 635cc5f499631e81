//! Several things of a kind in the place of as many: "gbp usd" after "eur usd".

use super::Given;
use super::named::{Named, named};
use crate::Question;

/// The earlier question with the things that a follow-up names in the place of as many of their kind, each in its order. None where
/// they are not all of one kind, or are told apart by the words before them.
pub(super) fn in_order(
    earlier: &Question,
    given: Given<'_>,
    (own, told): (&Question, &[Named]),
) -> Option<String> {
    let [first, _, ..] = told else { return None };
    let mut before = named(earlier, given);
    before.retain(|it| it.like == first.like);
    let is_bare = |it: &Named| it.like == first.like && it.preposition.is_none();
    (before.len() == told.len() && told.iter().all(is_bare)).then(|| {
        let mut whole = earlier.text.clone();
        for (it, next) in before.iter().zip(told).rev() {
            whole.replace_range(it.range.clone(), &own.text[next.range.clone()]);
        }
        whole
    })
}

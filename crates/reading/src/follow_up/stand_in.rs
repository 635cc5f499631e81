//! What stands for a thing that a question does not name: "it", a pair of currencies for one of them, or for a sum.

use std::ops::Range;

use super::Given;
use super::lead::Lead;
use super::named::{self, Like, Named};
use crate::Question;
use crate::clause::is_of_the_hour;

/// What stands for a thing in a question that names none of its like, with what takes its place: "it" for what is named next, a
/// pair of currencies for another one against its first, and for a sum so much of its first.
pub(super) fn of(
    earlier: &Question,
    (own, named, lead): (&Question, &Named, Option<Lead>),
) -> Option<(Range<usize>, String)> {
    let phrase = &own.text[named.range.clone()];
    let of_earlier = || named::named(earlier, Given::default()).into_iter();
    if named.like == Like::Number && named.bounding(own).is_none() {
        return summed(earlier, phrase, &of_earlier().collect::<Vec<_>>());
    }
    if named.like == Like::Currency {
        let pair = of_earlier().find(|it| it.like == Like::Pair)?.range;
        let (base, quote) = earlier.text[pair.clone()].split_once(['/', '-'])?;
        let is_base = named.preposition.as_deref() == Some("from");
        return Some((
            pair,
            if is_base { format!("{phrase} to {quote}") } else { format!("{base} to {phrase}") },
        ));
    }
    let it = earlier.words.iter().position(|word| word.lower == "it")?;
    let is_meant = named.like.is_name() && lead == Some(Lead::GoesOn) && named.preposition.is_none();
    (is_meant && !is_of_the_hour(&earlier.words[..it])).then(|| {
        let article = own.words_before(&named.range).last().filter(|word| word.is_article());
        let start = article.map_or(named.range.start, |word| word.range.start);
        (earlier.words[it].range.clone(), own.text[start..named.range.end].to_owned())
    })
}

/// So much of the first of two currencies of a question that names no sum, and where they are said: "500 USD to EUR".
fn summed(earlier: &Question, figures: &str, named: &[Named]) -> Option<(Range<usize>, String)> {
    let mut money = named.iter().filter(|it| matches!(it.like, Like::Pair | Like::Currency | Like::Sum));
    let (first, second) = (money.next()?, money.next());
    let range = first.range.clone();
    let said = &earlier.text[range.clone()];
    match (first.like, second.map(|it| it.like)) {
        (Like::Pair, None) => {
            let (base, quote) = said.split_once(['/', '-'])?;
            Some((range, format!("{figures} {base} to {quote}")))
        }
        (Like::Currency, Some(Like::Currency)) => Some((range, format!("{figures} {said}"))),
        (_, _) => None,
    }
}

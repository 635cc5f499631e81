//! What stands for a thing that a question does not name: "it", a pair of currencies for one of them or for a sum, and two of them
//! for a pair.

use std::ops::Range;

use super::Given;
use super::lead::Lead;
use super::named::{self, Like, Named};
use crate::Question;
use crate::clause::is_of_the_hour;
use crate::words::Word;

/// What stands for a thing in a question that names none of its like, with what takes its place: "it" for what is named next, a
/// pair of currencies for another one against its first, and for a sum so much of its first, and two currencies for a pair.
pub(super) fn of(
    earlier: &Question,
    (own, named, lead): (&Question, &Named, Option<Lead>),
) -> Option<(Range<usize>, String)> {
    let phrase = &own.text[named.range.clone()];
    let of_earlier = || named::named(earlier, Given::default()).into_iter();
    if named.like == Like::Number {
        let sum = if named.bounding(own).is_none() { summed(earlier, phrase, of_earlier()) } else { None };
        return sum.or_else(|| of_length(earlier, (own, named), of_earlier()));
    }
    if named.like == Like::Pair {
        return of_two(earlier, phrase, of_earlier());
    }
    if named.like == Like::Currency {
        let pair = of_earlier().find(|it| it.like == Like::Pair)?.range;
        let (base, quote) = sides(&earlier.text[pair.clone()])?;
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

/// Another number of the only length of a question that says no other number: the 30 of "and over 30" behind "the last 7 days".
fn of_length(
    earlier: &Question,
    (own, number): (&Question, &Named),
    named: impl Iterator<Item = Named>,
) -> Option<(Range<usize>, String)> {
    let is_led = |word: &Word| matches!(word.lower.as_str(), "over" | "for" | "last" | "past");
    let mut counted = named.filter(|it| matches!(it.like, Like::Time | Like::Number | Like::Sum));
    let length = counted.next().filter(|it| it.like == Like::Time && counted.next().is_none())?;
    let figures = named::figures(&earlier.text, &length.range);
    let is_number = earlier.text[figures.clone()].bytes().all(|byte| byte.is_ascii_digit());
    let is_meant =
        is_number && figures != length.range && own.words_before(&number.range).last().is_some_and(is_led);
    is_meant.then(|| (figures, own.text[named::figures(&own.text, &number.range)].to_owned()))
}

/// So much of the first of two currencies of a question that names no sum, and where they are said: "500 USD to EUR".
fn summed(
    earlier: &Question,
    figures: &str,
    named: impl Iterator<Item = Named>,
) -> Option<(Range<usize>, String)> {
    let mut money = named.filter(|it| matches!(it.like, Like::Pair | Like::Currency | Like::Sum));
    let (first, second) = (money.next()?, money.next());
    let range = first.range;
    let said = &earlier.text[range.clone()];
    match (first.like, second.map(|it| it.like)) {
        (Like::Pair, None) => {
            let (base, quote) = sides(said)?;
            Some((range, format!("{figures} {base} to {quote}")))
        }
        (Like::Currency, Some(Like::Currency)) => Some((range, format!("{figures} {said}"))),
        (_, _) => None,
    }
}

/// A pair in the place of two currencies, and of the sum that is one of the first: "20 GBP to USD".
fn of_two(
    earlier: &Question,
    pair: &str,
    named: impl Iterator<Item = Named>,
) -> Option<(Range<usize>, String)> {
    let mut money = named.filter(|it| matches!(it.like, Like::Currency | Like::Sum));
    let (first, second) = (money.next()?.range, money.next().filter(|it| it.like == Like::Currency)?.range);
    let (base, quote) = sides(pair)?;
    let figures = Some(named::figures(&earlier.text, &first)).filter(|figures| *figures != first);
    let sum = figures.map(|figures| format!("{} ", &earlier.text[figures])).unwrap_or_default();
    let between = &earlier.text[first.end..second.start];
    Some((first.start..second.end, format!("{sum}{base}{between}{quote}")))
}

/// The two currencies of a pair.
fn sides(pair: &str) -> Option<(&str, &str)> {
    pair.split_once(['/', '-'])
}

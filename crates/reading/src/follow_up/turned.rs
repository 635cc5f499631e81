//! What is asked the other way round: "and the other direction?" after 100 dollars in euros.

use std::ops::Range;

use super::Given;
use super::named::{Like, Named, figures, named};
use crate::Question;
use crate::bind::{Role, standard_codes};
use crate::spans::overlaps;
use crate::standards;
use crate::words;

/// Whether a follow-up asks for the other way round and nothing else: "vice versa", "back to dollars".
pub(super) fn turns(said: &str) -> bool {
    let spelled = words::spelled(said);
    let mut said: Vec<&str> = spelled.iter().map(|(_, word)| word.as_str()).collect();
    said.retain(|word| !matches!(*word, "convert" | "in" | "into" | "the" | "it" | "that" | "them" | "to"));
    matches!(
        said[..],
        ["other" | "opposite" | "reverse", "direction" | "way"]
            | ["other", "way", "round" | "around"]
            | ["vice", "versa"]
            | ["reverse" | "reversed" | "swap" | "back"]
    ) || matches!(said[..], ["back", currency] if standards::currency(currency).is_some())
}

/// The earlier question with its two currencies, or the two things of a kind of which one is told "to" the other, in each other's
/// place. None where it has no two of them.
pub(super) fn turned(earlier: &Question, given: Given<'_>) -> Option<String> {
    let named = named(earlier, given);
    if let Some(pair) = named.iter().find(|it| it.like == Like::Pair) {
        let said = &earlier.text[pair.range.clone()];
        let sign = said.chars().find(|sign| matches!(sign, '/' | '-'))?;
        let (base, quote) = said.split_once(sign)?;
        return Some(replaced(&earlier.text, [(pair.range.clone(), format!("{quote}{sign}{base}"))]));
    }
    let mut codes = standard_codes(earlier, Role::Currency);
    codes.sort_by_key(|(_, range)| range.start);
    if let [(one, one_at), (other, other_at)] = &codes[..]
        && one != other
    {
        let told = |code: &str, at: &Range<usize>| {
            let Some(sum) = named.iter().find(|it| it.like == Like::Sum && overlaps(&it.range, at)) else {
                return Some((at.clone(), code.to_owned()));
            };
            let figures = figures(&earlier.text, &sum.range);
            let is_told = figures != sum.range;
            is_told.then(|| (sum.range.clone(), format!("{} {code}", &earlier.text[figures])))
        };
        let (first, second) = (told(other, one_at)?, told(one, other_at)?);
        return (first.0.end <= second.0.start).then(|| replaced(&earlier.text, [first, second]));
    }
    let things: Vec<&Named> = named.iter().filter(|it| it.like.is_name()).collect();
    let [one, other] = things[..] else { return None };
    let are_alike = one.like == other.like && other.preposition.as_deref() == Some("to");
    let text = |it: &Named| earlier.text[it.range.clone()].to_owned();
    are_alike.then(|| {
        replaced(&earlier.text, [(one.range.clone(), text(other)), (other.range.clone(), text(one))])
    })
}

/// A text with other words in some places, which are in order and apart.
fn replaced<const N: usize>(text: &str, places: [(Range<usize>, String); N]) -> String {
    let mut text = text.to_owned();
    for (range, words) in places.into_iter().rev() {
        text.replace_range(range, &words);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turned_round(earlier: &str) -> Option<String> {
        turned(&Question::read(earlier, "2026-03-18T14:30:00Z".parse().unwrap()), Given::default())
    }

    #[test]
    fn what_is_converted_is_converted_back() {
        let turned = |earlier| turned_round(earlier).unwrap();
        assert_eq!(turned("convert 100 USD to EUR"), "convert 100 EUR to USD");
        assert_eq!(turned("How much is $100 in yen?"), "How much is 100 JPY in USD?");
        assert_eq!(turned("EUR/USD rate"), "USD/EUR rate");
        assert_eq!(turned("Trains from Rome to Paris"), "Trains from Paris to Rome");
        let unturned = ["Weather in Rome", "Rome and Paris", "five dollars in euros", "$100 USD", "USD USD"];
        assert_eq!(unturned.map(turned_round), [const { None }; 5]);
    }

    #[test]
    fn the_other_way_is_asked_in_many_words() {
        let ways = [
            "the other direction",
            "the other way round",
            "vice versa",
            "reverse it",
            "in reverse",
            "back to usd",
            "convert it back",
        ];
        assert!(ways.into_iter().all(turns));
        assert!(!turns("the other one") && !turns("way round") && !turns("the reverse proxy"));
    }
}

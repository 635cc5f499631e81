//! What ranks by what was asked before: "which exchange has the highest?" after the funding rate of a coin.

use std::ops::Range;

use super::Given;
use super::named::{Like, named, with_lead};
use crate::Question;
use crate::bind::only_requests;
use crate::form::is_superlative;
use crate::words::{self, Word};

/// A follow-up that says over what it ranks and not by what, with what the earlier question asks, but for the one that it asked it of.
/// None where that question ranks, too.
pub(super) fn by_the_same(earlier: &Question, given: Given<'_>, own: &Question) -> Option<String> {
    let (first, last) = (own.words.first()?, own.words.last()?);
    let kind =
        own.form.dimension.as_ref().filter(|_| first.lower == "which" && is_superlative(&last.lower))?;
    if earlier.form.order.is_some() {
        return None;
    }
    let ranks_coins = kind.stems.iter().any(|stem| matches!(stem.as_str(), "asset" | "coin" | "token"));
    let mut apart: Vec<Range<usize>> = Vec::new();
    for it in named(earlier, given) {
        let is_one_of_them = match it.like {
            Like::Symbol => ranks_coins,
            Like::Name | Like::Place | Like::Listed(_) => !ranks_coins,
            Like::Time | Like::Contrast | Like::Number | Like::Sum | Like::Currency | Like::Pair => false,
        };
        if is_one_of_them {
            let lead = || earlier.words_before(&it.range).iter().rev().find(|word| !word.is_article());
            let lead = it.preposition.is_some().then(lead).flatten();
            let start = lead.map_or(it.range.start, |word| word.range.start);
            apart.push(start..with_lead(earlier, &it).end);
        }
    }
    let asks = |word: &&Word| !word.is_stop && !only_requests(earlier, word);
    let start = earlier.words.iter().find(asks)?.range.start;
    let mut asked = earlier.text[start..].to_owned();
    for range in apart.into_iter().rev().filter(|range| range.start >= start) {
        asked.replace_range(range.start - start..range.end - start, "");
    }
    let asked: Vec<&str> = words::unended(&asked).split_whitespace().collect();
    let says_something = !asked.is_empty();
    says_something.then(|| format!("{} {}", words::unended(&own.text), asked.join(" ")))
}

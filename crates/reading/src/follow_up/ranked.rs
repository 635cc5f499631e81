//! What ranks by what was asked before, "which exchange has the highest?" after the funding rate of a coin, or what was told then:
//! "which is warmer?" after the weather in two cities.

use std::ops::Range;

use super::Given;
use super::named::{Like, named, with_lead};
use crate::Question;
use crate::bind::only_requests;
use crate::form::{Noun, is_comparative, is_superlative};
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
            Like::Time
            | Like::Unit
            | Like::Contrast
            | Like::Number
            | Like::Sum
            | Like::Currency
            | Like::Pair => false,
        };
        if is_one_of_them {
            let lead = || earlier.words_before(&it.range).iter().rev().find(|word| !word.is_article());
            let lead = it.preposition.is_some().then(lead).flatten();
            let start = lead.map_or(it.range.start, |word| word.range.start);
            apart.push(start..with_lead(earlier, &it).end);
        }
    }
    let asked = asked_without(earlier, apart.into_iter())?;
    Some(format!("{} {asked}", words::unended(&own.text)))
}

/// What a question asks, without the words that only request it and without some stretches, in order; none where nothing is left.
pub(super) fn asked_without(
    question: &Question,
    apart: impl DoubleEndedIterator<Item = Range<usize>>,
) -> Option<String> {
    let start = start(question)?;
    let mut asked = question.text[start..].to_owned();
    for range in apart.rev().filter(|range| range.start >= start) {
        asked.replace_range(range.start - start..range.end - start, "");
    }
    let asked: Vec<&str> = words::unended(&asked).split_whitespace().collect();
    (!asked.is_empty()).then(|| asked.join(" "))
}

/// A follow-up that ranks and says neither what nor over what, with what the earlier question asks: "which is warmer, weather in Rome
/// or Paris". "Which closes first" of events asks which event does.
pub(super) fn among_them(earlier: &Question, own: &Question) -> Option<String> {
    let asked = of_them(earlier).filter(|_| ranks_them(own))?;
    let said = words::unended(&own.text);
    let is_kind = !asked.contains(' ') && asked.ends_with('s');
    Some(match said.split_once(' ').filter(|(first, _)| is_kind && first.eq_ignore_ascii_case("which")) {
        Some((which, said)) => format!("{which} {asked} {said}"),
        None => format!("{said}, {}", asked.replace(" and ", " or ")),
    })
}

/// Whether a question ranks and names neither what nor what kind of things: "which is warmer", "where is it windiest", "the cheapest".
pub(super) fn ranks_them(own: &Question) -> bool {
    let Some((first, said)) = own.words.split_first() else { return false };
    let points = first.is_article() || matches!(first.lower.as_str(), "which" | "who" | "where");
    // Of "which closes first" the verb says what comes first.
    let turn = own.form.turn.as_ref().filter(|turn| turn.of.is_some());
    let is_turn = |word: &Word| turn.is_some_and(|turn| turn.range == word.range);
    let ranks = |word: &Word| (is_turn(word) || is_degree(&word.lower)) && !own.is_when(word);
    let is_more = |word: &&Word| !word.is_stop && !ranks(word) && !own.is_when(word);
    let is_pointer = |stem: &String| stem == "one" || turn.and_then(|turn| turn.of.as_ref()) == Some(stem);
    let is_no_kind = |kind: &Noun| kind.stems.last().is_some_and(is_pointer);
    points
        && said.iter().any(ranks)
        && said.iter().filter(is_more).count() <= MEASURE_WORDS_MAX
        && own.form.entities.is_empty()
        && own.form.dimension.as_ref().is_none_or(is_no_kind)
}

/// Words that may say by what things are ranked: "the most trading volume".
const MEASURE_WORDS_MAX: usize = 2;

/// What a question asks, without the words that only request it and without what already ranks it so.
fn of_them(question: &Question) -> Option<&str> {
    let asked = &question.text[start(question)?..];
    let ranked = question.text.split_once(", ");
    let ranked = ranked.filter(|(ranks, _)| ranks_them(&Question::read(ranks, question.now)));
    Some(words::unended(ranked.map_or(asked, |(_, asked)| asked)))
}

/// Where a question says what it asks, behind the words that only request it, in bytes.
fn start(question: &Question) -> Option<usize> {
    let asks = |word: &&Word| !word.is_stop && !only_requests(question, word);
    Some(question.words.iter().find(asks)?.range.start)
}

/// Whether a word says which one of several, or which of two: "warmest", "warmer", "more".
fn is_degree(lower: &str) -> bool {
    const OTHERS: &str = "closer dearer fewer greater later longer milder nearer newer older quicker safer shorter stronger taller \
        weaker wetter worse younger";
    is_superlative(lower)
        || is_comparative(lower)
        || lower.ends_with("ier")
        || OTHERS.split(' ').any(|other| other == lower)
}

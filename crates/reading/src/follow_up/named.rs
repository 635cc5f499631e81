//! What a question names, and the words that belong to it.

use std::ops::Range;

use super::Given;
use crate::Question;
use crate::bind::{Role, standard_codes};
use crate::form::{self, is_superlative};
use crate::spans::{Kind, overlaps};
use crate::standards;
use crate::time::{self, zone_of};
use crate::words::{self, Word};

/// Something that a question names.
pub(super) struct Named {
    pub(super) range: Range<usize>,
    pub(super) like: Like,
    /// The word before it, where it is one that tells what the name is to the rest.
    pub(super) preposition: Option<String>,
}

/// What is put in whose place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Like {
    Time,
    /// What the earlier question says the opposite of.
    Contrast,
    Number,
    /// A number of some currency.
    Sum,
    Currency,
    Pair,
    Place,
    Symbol,
    Name,
    /// What something is measured in.
    Unit,
    /// One of the values that are listed for an argument, by the place of their list.
    Listed(usize),
}

impl Like {
    /// Whether it is somebody, something or some place.
    pub(super) fn is_name(self) -> bool {
        matches!(self, Self::Place | Self::Symbol | Self::Name | Self::Listed(_))
    }
}

/// What a question names, of values that were given before or are listed for the same arguments wherever it says them.
pub(super) fn named(question: &Question, given: Given<'_>) -> Vec<Named> {
    let lengths = time::lengths(&question.text, &question.words).map(|(range, _)| range);
    let times = question.moments.iter().map(|moment| moment.range.clone()).chain(lengths);
    let times = times.map(|range| (range, Like::Time));
    let currencies = standard_codes(question, Role::Currency).into_iter();
    let currencies = currencies.map(|(_, range)| (range, Like::Currency));
    let spans = question.spans.iter().flat_map(|span| {
        let like = match span.kind {
            Kind::Number(amount) if amount.currency.is_some() => Like::Sum,
            Kind::Number(_) => Like::Number,
            Kind::Pair => Like::Pair,
            Kind::Ticker if standards::coin(&span.text).is_some() => Like::Symbol,
            Kind::Name if zone_of(&span.text).is_some() => Like::Place,
            Kind::Name => return names_apart(question, &span.range),
            Kind::Ticker
            | Kind::Quoted
            | Kind::Code
            | Kind::Url
            | Kind::Email
            | Kind::Path
            | Kind::File
            | Kind::Uuid
            | Kind::Identifier => Like::Name,
        };
        vec![(span.range.clone(), like)]
    });
    let words = question.words.iter().filter_map(|word| {
        let is_given = || {
            given.values.iter().any(|value| {
                value.eq_ignore_ascii_case(&word.lower) || are_numbered_alike(value, &word.lower)
            })
        };
        if standards::coin(&word.lower).is_some() {
            Some((word.range.clone(), Like::Symbol))
        } else if let Some(list) = given.list_of(&word.lower) {
            Some((word.range.clone(), Like::Listed(list)))
        } else {
            is_given().then(|| (word.range.clone(), Like::Name))
        }
    });
    let mut named: Vec<Named> = Vec::new();
    let (whole, parts): (Vec<_>, Vec<_>) =
        spans.partition(|(_, like)| matches!(like, Like::Sum | Like::Pair));
    for (range, like) in times.chain(whole).chain(currencies).chain(parts).chain(words) {
        let list = given.list_of(&question.text[range.clone()]).filter(|_| like == Like::Name);
        let like = list.map_or(like, Like::Listed);
        if !named.iter().any(|it| overlaps(&it.range, &range)) {
            named.push(Named { preposition: preposition(question, &range), range, like });
        }
    }
    named.sort_by_key(|it| it.range.start);
    // "100 usd" is a sum as "$100" is one.
    named.dedup_by(|currency, number| {
        let is_sum = matches!(number.like, Like::Number | Like::Sum)
            && currency.like == Like::Currency
            && currency.range.start == number.range.end + 1;
        if is_sum {
            (number.like, number.range.end) = (Like::Sum, currency.range.end);
        }
        is_sum
    });
    named
}

/// A name without a superlative that opens the question, and without the coin that is named beside it: "Acme BTC flow", "Largest
/// BTC transfers".
fn names_apart(question: &Question, name: &Range<usize>) -> Vec<(Range<usize>, Like)> {
    let mut apart: Vec<(Range<usize>, Like)> = Vec::new();
    for word in question.words_in(name) {
        let like = if standards::coin(&word.lower).is_some() { Like::Symbol } else { Like::Name };
        match apart.last_mut() {
            _ if word.range.start == 0 && is_superlative(&word.lower) => {}
            Some((range, Like::Name)) if like == Like::Name => range.end = word.range.end,
            _ => apart.push((word.range.clone(), like)),
        }
    }
    apart
}

/// Whether two words are the same but for their digits: `n5` and `n12`.
fn are_numbered_alike(one: &str, other: &str) -> bool {
    let letters = |word: &str| word.trim_end_matches(|sign: char| sign.is_ascii_digit()).to_lowercase();
    let is_numbered = |word: &str| letters(word).len() < word.len() && word.starts_with(char::is_alphabetic);
    is_numbered(one) && is_numbered(other) && letters(one) == letters(other)
}

/// The figures of a sum of money.
pub(super) fn figures(text: &str, sum: &Range<usize>) -> Range<usize> {
    let is_figure = |sign: char| sign.is_ascii_digit();
    let said = &text[sum.clone()];
    match (said.find(is_figure), said.rfind(is_figure)) {
        (Some(first), Some(last)) => sum.start + first..sum.start + last + 1,
        (_, _) => sum.clone(),
    }
}

pub(super) fn preposition(question: &Question, range: &Range<usize>) -> Option<String> {
    let before = question.words_before(range).iter().rev().find(|word| !word.is_article())?;
    is_preposition(&before.lower).then(|| before.lower.clone())
}

/// Whether a word tells what a name behind it is to the rest.
pub(super) fn is_preposition(lower: &str) -> bool {
    const PREPOSITIONS: [&str; 14] = [
        "about", "against", "at", "by", "for", "from", "in", "into", "near", "of", "on", "to", "via", "with",
    ];
    PREPOSITIONS.contains(&lower)
}

/// Whether a text begins with the word that tells what it is to the question that it belongs to: "to euros", "for 30 days".
#[must_use]
pub fn is_led(text: &str) -> bool {
    words::spelled(text).first().is_some_and(|(_, word)| is_preposition(word))
}

impl Named {
    /// Whether it is a name, and is said to be what the question is about like a value of the earlier one: "of the fed" behind "sentiment
    /// on inflation".
    pub(super) fn tells_of_as(&self, other: &Self) -> bool {
        let tells =
            |it: &Self| it.preposition.as_deref().is_some_and(|it| matches!(it, "about" | "of" | "on"));
        self.like == Like::Name && other.like != Like::Name && tells(self) && tells(other)
    }

    /// Where it is said to be a bound of others: "over 10 million".
    pub(super) fn bounding(&self, question: &Question) -> Option<Range<usize>> {
        let is_number = matches!(self.like, Like::Number | Like::Sum);
        let side = is_number.then(|| form::side(&question.text, &question.words, &self.range)).flatten();
        side.map(|(_, said)| said)
    }

    /// The same with what it counts, where it says that: "at least 2000 shares".
    pub(super) fn counting(&self, question: &Question) -> Option<Range<usize>> {
        let said = self.bounding(question)?;
        let counted = question.words_behind(&said).first()?;
        let is_beside = counted.has_plural_ending() && counted.range.start == said.end + 1;
        is_beside.then_some(said.start..counted.range.end)
    }
}

/// Where a phrase stands, a time and a bound with the words that lead to it: "on Friday", "over the last week".
pub(super) fn with_lead(question: &Question, named: &Named) -> Range<usize> {
    let leads = |word: &&Word| {
        matches!(
            word.lower.as_str(),
            "the" | "over" | "during" | "within" | "for" | "on" | "in" | "at" | "from" | "since"
        )
    };
    if let Some(said) = named.counting(question).or_else(|| named.bounding(question)) {
        // The "m" of "over 10m" is of the number.
        let whole = question.words_in(&named.range).last().map_or(named.range.end, |word| word.range.end);
        return said.start..said.end.max(whole);
    }
    let before = question.words_before(&named.range).iter().rev();
    let first = before.take_while(|word| named.like == Like::Time && leads(word)).last();
    first.map_or(named.range.start, |word| word.range.start)..named.range.end
}

/// Where a name stands, with the noun that it only tells more of: "of a US recession".
pub(super) fn noun_phrase(question: &Question, named: Named) -> Range<usize> {
    if follows_article(question, &named.range) && named.like.is_name() {
        with_tail(question, named.range)
    } else {
        named.range
    }
}

/// A name with the words of its own behind it: "US recession".
pub(super) fn with_tail(question: &Question, name: Range<usize>) -> Range<usize> {
    question.words_behind(&name).iter().fold(name.clone(), |name, word| {
        let follows = name.end + 1 == word.range.start && !word.is_stop && !question.is_when(word);
        if follows { name.start..word.range.end } else { name }
    })
}

/// Whether an article stands right before a stretch.
pub(super) fn follows_article(question: &Question, range: &Range<usize>) -> bool {
    question.words_before(range).last().is_some_and(Word::is_article)
}

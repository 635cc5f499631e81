//! The kinds of things that a question asks over: the exchanges of "which exchanges", the cities of "cities above 20 degrees".

use super::shape::{
    asks_to_show, behind, count, holds_most, is_sorted, lower, measures_alone, order_of, sorts,
};
use super::{Noun, turn, way};
use crate::words::Word;

/// The noun after "which", "each", "every", "per", "by", "across", "what" with a plural, or after "top 5" and its like.
pub(super) fn dimension(text: &str, words: &[Word], is_when: impl Fn(&Word) -> bool) -> Option<Noun> {
    let after = |at: usize| noun(text, until_when(words, at, &is_when), at);
    let mut found = None;
    for (at, word) in words.iter().enumerate() {
        let candidate = match word.lower.as_str() {
            "which" if tells_more(words, at) => None,
            "which" => after(behind_count(words, at + 1)),
            "each" | "every" | "per" | "across" => after(at + 1),
            "what" if at == 0 => after(behind_count(words, at + 1))
                .filter(|noun| noun.is_plural || has_most(words, at + 1 + noun.stems.len())),
            // "Rank exchanges by volume": the measure stands after "by".
            "by" if is_sorted(words) => None,
            verb if verb == "rank" || sorts(words) == Some(at) => after(at + 1).filter(|noun| noun.is_plural),
            "all" | "by" => after(at + 1).filter(|noun| noun.is_plural || word.lower == "by"),
            // "Most of the liquidations" are of no end.
            superlative if order_of(superlative).is_some() && lower(words, at + 1) != "of" => {
                // "What is the windiest city" asks which of them it is, and so does "windiest city".
                let is_one = || (at == 0 || at == 3 && asks_for_one(words)) && measures_alone(words, at);
                after(behind(words, at)).filter(|noun| noun.is_plural || is_one())
            }
            _ => None,
        };
        let is_which = matches!(word.lower.as_str(), "which" | "what" | "each" | "every" | "per");
        if candidate.is_some() && (is_which || found.is_none()) {
            found = candidate;
            if is_which {
                break;
            }
        }
    }
    found
}

/// Whether a question asks which of some things it is.
pub(super) fn asks_which(words: &[Word]) -> bool {
    let asks = |(at, word): (usize, &Word)| word.lower == "which" && !tells_more(words, at);
    words.iter().enumerate().any(asks) || words.first().is_some_and(|word| word.lower == "what")
}

/// Whether a "which" says more of the thing before it: "songs which suit my mood", "a song which fits".
fn tells_more(words: &[Word], at: usize) -> bool {
    let Some((thing, before)) = words[..at].split_last() else { return false };
    let is_thing = thing.has_plural_ending() || before.last().is_some_and(Word::is_article);
    !thing.is_stop && is_thing
}

/// The place itself, or that behind the number that stands there: "which 3 exchanges".
fn behind_count(words: &[Word], at: usize) -> usize {
    at + usize::from(count(lower(words, at)).is_some())
}

/// The words up to the first behind a place that says when: the noun of "each city tomorrow" ends before that.
pub(super) fn until_when(words: &[Word], from: usize, is_when: impl Fn(&Word) -> bool) -> &[Word] {
    let behind = words.get(from + 1..).unwrap_or_default();
    let end = behind.iter().position(is_when).map_or(words.len(), |at| from + 1 + at);
    &words[..end]
}

/// Whether a question asks what or which one thing is: "which is the …".
fn asks_for_one(words: &[Word]) -> bool {
    matches!(lower(words, 0), "which" | "what")
        && matches!(lower(words, 1), "is" | "was" | "s")
        && lower(words, 2) == "the"
}

/// Stem of the last of the words that stand side by side at the beginning, or of what it is told by.
pub(super) fn head(text: &str, words: &[Word]) -> Option<String> {
    let is_apart = |pair: &[Word]| &text[pair[0].range.end..pair[1].range.start] != " " || pair[1].is_stop;
    let last = words.windows(2).position(is_apart).unwrap_or(words.len().saturating_sub(1));
    let stem = words.get(last).filter(|word| !word.is_stop).map(|word| word.stem.clone())?;
    way::made_by(&stem).or(Some(stem))
}

/// The noun behind the last "by".
pub(super) fn by(text: &str, words: &[Word], is_when: impl Fn(&Word) -> bool) -> Option<Noun> {
    let at = words.iter().rposition(|word| word.lower == "by")? + 1;
    noun(text, until_when(words, at, is_when), at)
}

/// The things that a question opens with, where it goes on with which of them it means, by a bound or a time: the cities of
/// "cities warmer than 20 degrees", the events of "events that close this week".
pub(super) fn restricted(
    text: &str,
    words: &[Word],
    is_bound: impl Fn(&Word) -> bool,
    is_when: impl Fn(&Word) -> bool,
) -> Option<Noun> {
    let opens = |word: &&Word| asks_to_show(&word.lower) || matches!(word.lower.as_str(), "me" | "us");
    let noun = noun(text, words, words.iter().take_while(opens).count()).filter(|noun| noun.is_plural)?;
    let at = words.iter().position(|word| noun.stems.last() == Some(&word.stem))? + 1;
    // "Odds that it rains" are those of what follows.
    let are_of_it =
        noun.stems.last().is_some_and(|stem| matches!(stem.as_str(), "odd" | "chanc" | "probabl"));
    let restricts = match lower(words, at) {
        "that" if are_of_it => false,
        "with" | "that" | "which" | "whose" | "where" => true,
        next => next.len() > PARTICIPLE_MIN && next.ends_with("ing") || words.get(at).is_some_and(&is_bound),
    };
    (restricts && words[at..].iter().any(|word| is_bound(word) || is_when(word))).then_some(noun)
}

/// Whether the verb at a place says that something has or is the most: "what exchange has the most", "what city is the warmest".
fn has_most(words: &[Word], at: usize) -> bool {
    let is_verb = |verb: &str| is_verb(verb) || matches!(verb, "has" | "had" | "is" | "was");
    let article = usize::from(lower(words, at + 1) == "the");
    is_verb(lower(words, at)) && order_of(lower(words, at + 1 + article)).is_some()
}

/// What a question opens with, where it asks for that which has the most or the least of something, and how many of it: the exchanges
/// of "3 exchanges with the highest fees".
pub(super) fn holders(text: &str, words: &[Word]) -> Option<(Noun, Option<usize>)> {
    let before = &words[..(1..words.len()).find(|at| holds_most(words, *at).is_some())?];
    let opens = |word: &&Word| {
        word.is_stop
            || asks_to_show(&word.lower)
            || matches!(word.lower.as_str(), "list" | "name")
            || order_of(&word.lower).is_some()
            || count(&word.lower).is_some()
    };
    let start = before.iter().take_while(opens).count();
    let last = before.iter().rfind(|word| !matches!(word.lower.as_str(), "that" | "which"))?;
    let noun = noun(text, before, start).filter(|noun| noun.stems.last() == Some(&last.stem))?;
    Some((noun, start.checked_sub(1).and_then(|before| count(lower(words, before)))))
}

/// Letters that a participle is longer than: "thing" and "during" are none.
const PARTICIPLE_MIN: usize = 6;

fn noun(text: &str, words: &[Word], from: usize) -> Option<Noun> {
    let skipped = words[from.min(words.len())..]
        .iter()
        .take_while(|word| matches!(word.lower.as_str(), "of" | "the" | "all" | "other"))
        .count();
    let start = from + skipped;
    let mut end = start;
    while end < words.len() && end < start + 3 {
        let word = &words[end];
        let breaks = end > start
            && !text[words[end - 1].range.end..word.range.start].chars().all(|c| c == ' ' || c == '-');
        if word.is_stop
            || breaks
            || is_verb(&word.lower)
            || end > start && (turn::is_adverb(lower(words, end + 1)) || has_object(words, end))
            || order_of(&word.lower).is_some()
            || word.lower.parse::<i64>().is_ok()
        {
            break;
        }
        end += 1;
        if is_plural(&word.lower) {
            break;
        }
    }
    if end == start {
        return None;
    }
    let stems = words[start..end].iter().map(|word| word.stem.clone()).collect();
    let is_plural = is_plural(&words[end - 1].lower);
    Some(Noun { text: text[words[start].range.start..words[end - 1].range.end].to_owned(), stems, is_plural })
}

/// Whether the word at a place is the verb of what stands behind it: the "holds" of "which exchange holds the most".
fn has_object(words: &[Word], at: usize) -> bool {
    let next = lower(words, at + 1);
    matches!(next, "the" | "a" | "an") || order_of(next).is_some()
}

fn is_plural(word: &str) -> bool {
    word.len() > 3
        && word.ends_with('s')
        && !word.ends_with("ss")
        && !word.ends_with("us")
        && !word.ends_with("is")
        || matches!(word, "people" | "children" | "men" | "women" | "data")
}

fn is_verb(word: &str) -> bool {
    matches!(
        word,
        "saw"
            | "got"
            | "made"
            | "offer"
            | "offers"
            | "list"
            | "lists"
            | "show"
            | "shows"
            | "support"
            | "supports"
            | "trade"
            | "trades"
            | "won"
            | "gained"
            | "lost"
            | "looks"
            | "look"
            | "took"
            | "pays"
            | "pay"
            | "costs"
            | "cost"
            | "using"
            | "use"
            | "uses"
            | "between"
            | "over"
            | "during"
            | "since"
            | "after"
            | "before"
            | "currently"
            | "now"
            | "happened"
            | "happens"
            | "comes"
            | "came"
            | "goes"
            | "went"
            | "ranks"
            | "leads"
            | "received"
            | "recorded"
    )
}

//! What a question measures, by its words.

use super::shape::{Superlative, sorts};
use super::{Noun, Way, way};
use crate::standards;
use crate::words::{self, Word};

/// Stems of what is measured, by superlatives, adjectives, verbs and nouns.
pub(super) fn measures(
    words: &[Word],
    superlative: Option<&Superlative>,
    dimension: Option<&Noun>,
    way: Option<Way>,
    is_apart: impl Fn(&Word) -> bool,
) -> Vec<String> {
    let implied = superlative.into_iter().flat_map(|found| found.implied);
    let mut measures: Vec<String> = implied.map(|noun| words::stem(noun).into_owned()).collect();
    measures.extend(super::implied_by_adjective(words));
    let said = said(words, superlative, dimension, is_apart);
    // Which way it flows takes the place of the flow.
    let motion = way::implied_by_motion(words);
    let said = said.into_iter().filter(|stem| motion.is_none() || stem != "flow");
    measures.extend(motion.iter().cloned().chain(said));
    if way.is_some() && !measures.iter().any(|stem| stem == way::CHANGE) {
        measures.push(way::CHANGE.to_owned());
    }
    measures
}

/// Stems of what is measured: of what stands behind the superlative that ranks, else of all that is not apart and not the kind of
/// thing that is asked for.
fn said(
    words: &[Word],
    superlative: Option<&Superlative>,
    dimension: Option<&Noun>,
    is_apart: impl Fn(&Word) -> bool,
) -> Vec<String> {
    let among = |words: &[Word]| {
        let mut stems = Vec::new();
        for word in words {
            let is_dimension = dimension.is_some_and(|noun| noun.stems.contains(&word.stem));
            let is_number = word.lower.starts_with(|c: char| c.is_ascii_digit());
            let stem = way::made_by(&word.stem).unwrap_or_else(|| word.stem.clone());
            if !word.is_stop && !is_apart(word) && !is_dimension && !is_number && !stems.contains(&stem) {
                stems.push(stem);
            }
        }
        stems
    };
    let Some(superlative) = superlative else {
        return among(&words[sorts(words).map_or(0, |verb| verb + 1)..]);
    };
    let behind = words.get(superlative.next..).unwrap_or_default();
    let said = if behind.first().is_some_and(says_where) { Vec::new() } else { among(behind) };
    if !said.is_empty() || !superlative.implied.is_empty() {
        return said;
    }
    // Nothing is behind "the most" of "which fell the most" and "which holds the most BTC": the verb says what is measured. The
    // noun of "biggest losers" does.
    let of_verb = among(&words[..superlative.at]);
    let of_noun = || dimension.and_then(|noun| way::made_by(noun.stems.last()?));
    // Of "which has the most BTC" and "which lost the most BTC", how much it holds.
    let verb = words[..superlative.at].iter().rev().find(|word| !word.is_article());
    let is_held = |of_what: &Word, verb: &Word| {
        matches!(verb.lower.as_str(), "had" | "has" | "have") && is_apart(of_what)
            || Way::of(&verb.stem).is_some() && standards::coin(&of_what.lower).is_some()
    };
    if behind.first().zip(verb).is_some_and(|(of_what, verb)| is_held(of_what, verb)) {
        return vec![HOLD.to_owned()];
    }
    if !of_verb.is_empty() {
        return of_verb;
    }
    of_noun().into_iter().collect()
}

/// The stem of what is done by who has something.
pub(crate) const HOLD: &str = "hold";

/// The place of the "has" that asks who holds a coin: "which exchange has the most bitcoin".
pub(crate) fn holding(words: &[Word], measures: &[String]) -> Option<usize> {
    let has = |place: &usize| {
        let behind = words[place + 1..].iter().skip_while(|word| word.is_article());
        matches!(words[*place].lower.as_str(), "had" | "has" | "have")
            && behind.take(2).last().is_some_and(|held| standards::coin(&held.lower).is_some())
    };
    (0..words.len()).find(has).filter(|_| *measures == [HOLD])
}

/// Whether what a word leads says where or when, and not what: the "in" of "fell the most in Rome".
fn says_where(word: &Word) -> bool {
    const WORDS: [&str; 9] = ["against", "among", "at", "during", "in", "on", "over", "since", "within"];
    WORDS.contains(&word.lower.as_str())
}

#[cfg(test)]
mod tests {
    use crate::Question;

    fn measures(text: &str) -> Vec<String> {
        Question::read(text, "2026-03-18T14:30:00Z".parse().unwrap()).form.measures
    }

    #[test]
    fn a_ranking_measures_what_stands_behind_its_superlative() {
        assert_eq!(measures("which barge has the largest load"), ["load"]);
        assert_eq!(measures("which barge carries the most gold"), ["gold"]);
    }

    #[test]
    fn where_nothing_does_the_verb_says_what_is_measured() {
        assert_eq!(measures("which barge holds the most"), ["hold"]);
        assert_eq!(measures("which barge has the most GOLD"), ["hold"]);
        assert_eq!(measures("which harbour holds the most ether"), ["hold"]);
        assert_eq!(measures("which barge lost the most ether"), ["hold", "chang"]);
        assert_eq!(measures("which barge rose the most today"), ["rose", "chang"]);
        assert_eq!(measures("which barge rose the most"), ["rose", "chang"]);
        assert_eq!(measures("what fell the most in the harbour"), ["fell", "chang"]);
    }

    #[test]
    fn those_that_are_called_after_what_they_did_are_told_by_it() {
        assert_eq!(measures("biggest losers"), ["chang"]);
        assert_eq!(measures("top 3 movers today"), ["chang"]);
        assert_eq!(measures("biggest loser"), ["chang"]);
    }
}

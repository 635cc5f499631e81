//! What each term adds to each method's score.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use policy::{Kin, LightWords, Ranking};
use reading::words;

use super::fields::{self, FIELDS, Fields, Weight};

/// What a term adds to the score of one method.
#[derive(Clone, Copy, Debug)]
pub(super) struct Posting {
    /// The method, by its place in the index.
    pub(super) document: u32,
    /// What the term adds.
    pub(super) impact: f32,
}

type Postings = HashMap<String, Vec<Posting>>;

/// The postings of every term: of the methods' own words and neighbors, and of the kin of their words.
pub(super) fn postings(documents: &[Fields], ranking: &Ranking) -> Postings {
    let total = length(documents);
    let impacts = |term: &str, holders: Vec<(u32, f64)>| {
        let containing = length(&holders);
        let rarity = (1.0 + (total - containing + 0.5) / (containing + 0.5)).ln();
        let share = if term.contains(' ') { ranking.pair_share } else { 1.0 };
        let impact = |frequency: f64| share * rarity * frequency / (ranking.saturation + frequency);
        let postings = holders
            .into_iter()
            .map(|(document, frequency)| Posting { document, impact: narrow(impact(frequency)) });
        postings.collect()
    };
    let mut postings: Postings = frequencies(documents, ranking)
        .into_iter()
        .map(|(term, holders)| {
            let impacts = impacts(&term, holders);
            (term.into_owned(), impacts)
        })
        .collect();
    add_kin(&mut postings, &ranking.kin);
    lighten(&mut postings, &ranking.light);
    postings
}

/// Single precision, which is all that a score needs.
#[expect(clippy::cast_possible_truncation, reason = "a score needs no more than single precision")]
pub(super) fn narrow(score: f64) -> f32 {
    score as f32
}

/// How often each term stands in each method, weighted by where and by how long that field is.
fn frequencies<'a>(documents: &'a [Fields], ranking: &Ranking) -> HashMap<Cow<'a, str>, Vec<(u32, f64)>> {
    let weights = fields::weights(ranking);
    let averages = average_lengths(documents);
    let mut frequencies: HashMap<Cow<'a, str>, Vec<(u32, f64)>> = HashMap::new();
    for (document, Fields(fields)) in (0_u32..).zip(documents) {
        let mut weighted: BTreeMap<Cow<'a, str>, f64> = BTreeMap::new();
        for ((terms, Weight { words, pairs }), average) in fields.iter().zip(weights).zip(averages) {
            let relative_length = length(terms) / average;
            let norm = 1.0 - ranking.length_normalization + ranking.length_normalization * relative_length;
            for term in terms {
                *weighted.entry(Cow::Borrowed(term)).or_default() += words / norm;
            }
            for (neighbors, weight) in terms.windows(2).zip(pairs.into_iter().cycle()) {
                *weighted.entry(Cow::Owned(fields::pair(neighbors))).or_default() += weight / norm;
            }
        }
        for (term, frequency) in weighted {
            frequencies.entry(term).or_default().push((document, frequency));
        }
    }
    frequencies
}

/// Lets a word find what only its kin finds, for a share of what the kin itself adds.
fn add_kin(postings: &mut Postings, kin: &Kin) {
    let share = narrow(kin.share);
    let mut borrowed: BTreeMap<String, BTreeMap<u32, f32>> = BTreeMap::new();
    for group in &kin.groups {
        let stems: BTreeSet<String> = group.split_whitespace().map(words::term).collect();
        for stem in &stems {
            let impacts = borrowed.entry(stem.clone()).or_default();
            let others = stems.iter().filter(|other| *other != stem);
            for posting in others.filter_map(|other| postings.get(other)).flatten() {
                let impact = impacts.entry(posting.document).or_default();
                *impact = impact.max(posting.impact * share);
            }
        }
    }
    for (term, mut impacts) in borrowed.into_iter().filter(|(_, impacts)| !impacts.is_empty()) {
        let own = postings.entry(term).or_default();
        for posting in own.drain(..) {
            let impact = impacts.entry(posting.document).or_default();
            *impact = impact.max(posting.impact);
        }
        own.extend(impacts.into_iter().map(|(document, impact)| Posting { document, impact }));
    }
}

/// Words that say how people ask count for less.
fn lighten(postings: &mut Postings, light: &LightWords) {
    let share = narrow(light.share);
    let stems: BTreeSet<Cow<'_, str>> =
        light.words.iter().flat_map(|line| line.split_whitespace()).map(words::stem).collect();
    for stem in stems {
        for posting in postings.get_mut(stem.as_ref()).into_iter().flatten() {
            posting.impact *= share;
        }
    }
}

fn average_lengths(documents: &[Fields]) -> [f64; FIELDS] {
    std::array::from_fn(|field| {
        let total: f64 = documents.iter().map(|Fields(fields)| length(&fields[field])).sum();
        (total / length(documents).max(1.0)).max(1.0)
    })
}

#[expect(clippy::cast_precision_loss, reason = "counts of words and methods are far below 2^52")]
fn length<T>(items: &[T]) -> f64 {
    items.len() as f64
}

//! The ranking to beat: BM25 over the stemmed words of each item, stop words left out (Robertson and Zaragoza, 2009).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use reading::words;

use crate::metrics::number;

const SATURATION: f64 = 1.2;
const LENGTH_NORMALIZATION: f64 = 0.75;

pub(super) struct Flat {
    lengths: Vec<f64>,
    average_length: f64,
    postings: HashMap<String, Vec<(usize, f64)>>,
}

impl Flat {
    pub(super) fn build<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut postings: HashMap<String, Vec<(usize, f64)>> = HashMap::new();
        let mut lengths = Vec::new();
        for (item, text) in texts.enumerate() {
            let terms = terms(text);
            lengths.push(number(terms.len()));
            let mut counts: BTreeMap<String, f64> = BTreeMap::new();
            for term in terms {
                *counts.entry(term).or_default() += 1.0;
            }
            for (term, count) in counts {
                postings.entry(term).or_default().push((item, count));
            }
        }
        let average_length = (lengths.iter().sum::<f64>() / number(lengths.len().max(1))).max(1.0);
        Self { lengths, average_length, postings }
    }

    /// The items of a scope that share a word with the question, best first.
    pub(super) fn search(&self, question: &str, is_in_scope: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut scores = vec![0.0; self.lengths.len()];
        for term in terms(question).into_iter().collect::<BTreeSet<_>>() {
            let Some(holders) = self.postings.get(&term) else { continue };
            let (total, containing) = (number(self.lengths.len()), number(holders.len()));
            let rarity = (1.0 + (total - containing + 0.5) / (containing + 0.5)).ln();
            for &(item, count) in holders {
                let relative = self.lengths[item] / self.average_length;
                let norm = 1.0 - LENGTH_NORMALIZATION + LENGTH_NORMALIZATION * relative;
                scores[item] += rarity * count * (SATURATION + 1.0) / (count + SATURATION * norm);
            }
        }
        let mut ranked: Vec<(usize, f64)> = scores
            .into_iter()
            .enumerate()
            .filter(|(item, score)| *score > 0.0 && is_in_scope(*item))
            .collect();
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1));
        ranked.into_iter().map(|(item, _)| item).collect()
    }
}

fn terms(text: &str) -> Vec<String> {
    words::words(text).into_iter().filter(|word| !word.is_stop).map(|word| word.stem).collect()
}

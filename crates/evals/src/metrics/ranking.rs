//! How well a ranking puts what is relevant first. Relevance is binary.

use std::collections::BTreeSet;

use super::number;

/// What is relevant to a query.
#[derive(Clone, Debug)]
pub struct Relevance {
    /// The relevant items.
    pub items: BTreeSet<usize>,
    /// Whether one of them is enough, so that the others neither help nor count as missing.
    pub any_of: bool,
}

impl Relevance {
    /// The ranks, from zero, at which `ranked` has a hit. With `any_of`, the first alone.
    fn hits<'a>(&'a self, ranked: &'a [usize]) -> impl Iterator<Item = usize> + 'a {
        let hits = ranked.iter().enumerate().filter(|(_, item)| self.items.contains(item));
        hits.map(|(rank, _)| rank).take(self.wanted())
    }

    /// How many hits a perfect ranking has.
    fn wanted(&self) -> usize {
        if self.any_of { self.items.len().min(1) } else { self.items.len() }
    }
}

/// The share of the wanted hits among the first `k`; 0 where nothing is relevant. `ranked` names no item twice.
#[must_use]
pub fn recall_at(k: usize, ranked: &[usize], relevance: &Relevance) -> f64 {
    let hits = relevance.hits(&ranked[..k.min(ranked.len())]).count();
    number(hits) / number(relevance.wanted().max(1))
}

/// Normalized discounted cumulative gain of the first `k` (Järvelin and Kekäläinen, 2002).
#[must_use]
pub fn ndcg_at(k: usize, ranked: &[usize], relevance: &Relevance) -> f64 {
    let gain = |rank: usize| 1.0 / number(rank + 2).log2();
    let ideal: f64 = (0..relevance.wanted().min(k)).map(gain).sum();
    let gained: f64 = relevance.hits(&ranked[..k.min(ranked.len())]).map(gain).sum();
    if gained > 0.0 { gained / ideal } else { 0.0 }
}

/// One over the rank, from one, of the first hit; 0 without a hit.
#[must_use]
pub fn reciprocal_rank(ranked: &[usize], relevance: &Relevance) -> f64 {
    relevance.hits(ranked).next().map_or(0.0, |rank| 1.0 / number(rank + 1))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn relevance(items: &[usize], any_of: bool) -> Relevance {
        Relevance { items: items.iter().copied().collect(), any_of }
    }

    fn close(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-9
    }

    #[test]
    fn two_of_three_at_ranks_one_and_three() {
        let (ranked, both) = ([4, 9, 5, 8], relevance(&[4, 5, 6], false));
        assert!(close(recall_at(1, &ranked, &both), 1.0 / 3.0));
        assert!(close(recall_at(3, &ranked, &both), 2.0 / 3.0));
        let ideal = 1.0 + 1.0 / 3.0_f64.log2() + 0.5;
        assert!(close(ndcg_at(10, &ranked, &both), 1.5 / ideal));
        assert!(close(reciprocal_rank(&[9, 4], &both), 0.5));
    }

    #[test]
    fn any_of_wants_one_hit() {
        let (ranked, any) = ([9, 4, 5], relevance(&[4, 5, 6], true));
        assert!(close(recall_at(2, &ranked, &any), 1.0));
        assert!(close(ndcg_at(10, &ranked, &any), 1.0 / 3.0_f64.log2()));
        assert!(close(ndcg_at(1, &ranked, &any), 0.0));
        assert!(close(ndcg_at(10, &ranked, &relevance(&[], false)), 0.0));
    }

    proptest! {
        #[test]
        fn measures_are_shares_and_perfect_rankings_perfect(
            order in Just((0..30_usize).collect::<Vec<_>>()).prop_shuffle(),
            relevant in 1_usize..12,
            any_of in any::<bool>(),
        ) {
            let relevance = relevance(&(0..relevant).collect::<Vec<_>>(), any_of);
            for measure in [ndcg_at(10, &order, &relevance), recall_at(5, &order, &relevance), reciprocal_rank(&order, &relevance)] {
                prop_assert!((0.0..=1.0 + 1e-12).contains(&measure));
            }
            let sorted: Vec<usize> = (0..30).collect();
            prop_assert!(close(ndcg_at(10, &sorted, &relevance), 1.0));
            prop_assert!(recall_at(5, &order, &relevance) <= recall_at(10, &order, &relevance));
        }
    }
}

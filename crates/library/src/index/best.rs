//! The best chunks of a scope for a question, by one of two ways that give the same.
//!
//! In a narrow scope its chunks are gone through. In a wide one blocks of chunks that cannot come among the best are passed over
//! (block-max WAND), and of the others only those count that are in the scope: no chunk outside of it ever takes a place.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use tantivy::collector::TopDocs;
use tantivy::query::{Bm25StatisticsProvider, BooleanQuery, EnableScoring, Query};
use tantivy::{DocAddress, Score, Searcher};

/// A scope as the index knows it.
pub(super) struct Within {
    /// What chooses its chunks.
    pub(super) only: BooleanQuery,
    /// How many chunks it may have at the most.
    pub(super) chunks_max: u64,
}

/// A scope with one of so many chunks, or more, is wide.
const WIDE: u64 = 8;

pub(super) fn best(
    searcher: &Searcher,
    question: BooleanQuery,
    within: &Within,
    statistics: &dyn Bm25StatisticsProvider,
    limit: usize,
) -> tantivy::Result<Vec<(Score, DocAddress)>> {
    if within.chunks_max.saturating_mul(WIDE) >= searcher.num_docs() {
        return in_a_wide_scope(searcher, &question, within, statistics, limit);
    }
    let both = BooleanQuery::intersection(vec![Box::new(question), Box::new(within.only.clone())]);
    let top = TopDocs::with_limit(limit).order_by_score();
    searcher.search_with_statistics_provider(&both, &top, statistics)
}

fn in_a_wide_scope(
    searcher: &Searcher,
    question: &BooleanQuery,
    within: &Within,
    statistics: &dyn Bm25StatisticsProvider,
    limit: usize,
) -> tantivy::Result<Vec<(Score, DocAddress)>> {
    let question = question.weight(EnableScoring::enabled_from_statistics_provider(statistics, searcher))?;
    let only = within.only.weight(EnableScoring::disabled_from_searcher(searcher))?;
    let mut kept: BinaryHeap<Kept> = BinaryHeap::with_capacity(limit + 1);
    let mut threshold = Score::MIN;
    for (segment, reader) in (0..).zip(searcher.segment_readers()) {
        let mut scope = only.scorer(reader, 1.0)?;
        let alive = reader.alive_bitset();
        question.for_each_pruning(threshold, reader, &mut |doc, score| {
            if scope.doc() < doc {
                scope.seek(doc);
            }
            if scope.doc() == doc && alive.is_none_or(|alive| alive.is_alive(doc)) {
                kept.push(Kept { score, address: DocAddress::new(segment, doc) });
                if kept.len() > limit {
                    kept.pop();
                }
                if kept.len() == limit {
                    threshold = kept.peek().map_or(threshold, |worst| worst.score);
                }
            }
            threshold
        })?;
    }
    Ok(kept.into_sorted_vec().into_iter().map(|kept| (kept.score, kept.address)).collect())
}

/// A chunk among the best so far; the greatest is the worst of them.
struct Kept {
    score: Score,
    address: DocAddress,
}

impl Ord for Kept {
    fn cmp(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then(self.address.cmp(&other.address))
    }
}

impl PartialOrd for Kept {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Kept {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Kept {}

//! BM25's statistics: each level has its own number of chunks.

use tantivy::query::Bm25StatisticsProvider;
use tantivy::schema::Field;
use tantivy::{Searcher, Term};

/// BM25's statistics of one level.
pub(super) struct Statistics<'a> {
    pub(super) searcher: &'a Searcher,
    pub(super) chunks: u64,
}

impl Bm25StatisticsProvider for Statistics<'_> {
    fn total_num_tokens(&self, field: Field) -> tantivy::Result<u64> {
        Bm25StatisticsProvider::total_num_tokens(self.searcher, field)
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        Ok(self.chunks.max(1))
    }

    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        self.searcher.doc_freq(term)
    }
}

/// BM25's inverse document frequency.
#[expect(clippy::cast_precision_loss, reason = "counts of chunks are far below 2^52")]
pub(super) fn rarity(holding: u64, all: u64) -> f64 {
    let all = all.max(holding);
    (1.0 + ((all - holding) as f64 + 0.5) / (holding as f64 + 0.5)).ln()
}

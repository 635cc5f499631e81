//! The measures, as functions of counts and ranks alone.

mod confusion;
mod interval;
mod latency;
mod ranking;

pub use confusion::Confusion;
pub use interval::{Interval, Mean, Share};
pub use latency::Quantiles;
pub use ranking::{Relevance, ndcg_at, recall_at, reciprocal_rank};

#[expect(clippy::cast_precision_loss, reason = "counts of cases and ranks are far below 2^52")]
pub(crate) fn number(count: usize) -> f64 {
    count as f64
}

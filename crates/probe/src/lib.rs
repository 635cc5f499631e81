//! Metadata evidence: which methods are safe for a query, and how well their words fit a question.
//!
//! The two pools of the deep lane are two types. What may be executed is ranked for fit; what may be asked about is
//! gathered for difference in effect. No function takes one where the other is meant.

mod index;
mod pools;
mod safety;

pub use index::{Index, Ranked};
pub use pools::{AmbiguityPool, ExecutionShortlist, Probed};
pub use safety::{Unsafe, asks_for_change, query_safe};

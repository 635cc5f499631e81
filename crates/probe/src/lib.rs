//! Metadata evidence: which methods are safe for a query, how well their words fit a question, and what the question
//! could mean.
//!
//! The two pools of the deep lane are two types. What may be executed is ranked for fit; what may be asked about is
//! gathered for difference in effect. No function takes one where the other is meant.

mod index;
mod lexicon;
mod safety;
mod selection;

mod found;
mod metadata;
mod numbers;
mod parts;

mod effect;
mod evidence;
mod pools;
mod required;
mod signals;
mod situation;
mod subject;
mod verdict;

pub use effect::{Cardinality, Difference, Effect, Granularity, Profile, Scope};
pub use evidence::{Evidence, Open};
pub use index::{Index, Ranked};
pub use lexicon::Lexicon;
pub use metadata::{Adequacy, Probed, metadata};
pub use pools::{AmbiguityPool, ExecutionShortlist, Interpretation};
pub use required::{Required, is_the_callers};
pub use safety::{Unsafe, asks_for_change, query_safe};
pub use selection::select;
pub use signals::{Follows, Signals};
pub use situation::{Standing, rank, situation};

//! Documents: three-level chunks, index, search, read, expand, reason.
//!
//! A document is cut into itself, its sections and its paragraphs (`tree`), which are kept in the store in one transaction
//! and found through an index beside it (`index`). Everything that is read is read within a [`Scope`], which is resolved
//! before candidates are drawn.

mod error;
mod extract;
#[cfg(test)]
mod fixture;
mod fusion;
mod index;
mod library;
mod literal;
mod navigate;
mod reason;
mod scope;
mod search;
mod session;
mod tree;
mod vectors;

pub use error::Error;
pub use extract::Format;
pub use library::{Added, Given, Library};
pub use literal::LiteralMatch;
pub use navigate::{Direction, Quote, QuoteState};
pub use reason::{
    Citation, Draft, Ending, Evidence, Extractive, Gathered, Rarities, ReasonGap, ReasonGapKind,
    ReasonLimits, ReasonReport, Reasoned, Source, SourceConflict, SynthesisFault, Synthesizer, Written,
    check_by, draft,
};
pub use scope::Scope;
pub use search::{Found, Question, Retrieval, SearchResult};
pub use session::Session;
pub use vectors::Embedded;

//! Citations: what the sources are, where a text cites them, whether they carry it, and where they contradict each other.
//!
//! Pure. A model is told of sources by ordinal (or by identifier); what it writes goes through [`Markers`] as it streams, so
//! that every marker a reader sees is numbered from 1 by first appearance and leads somewhere. [`support`] then holds each
//! sentence against what it cites, and [`conflicts`] finds values that two sources give differently.

mod conflict;
mod markers;
mod sentence;
mod sources;
mod support;

pub use conflict::{Conflict, ConflictKind, Side, SourceText, conflicts};
pub use markers::{Cited, Delta, Dropped, Markers, Placed, Style, cite};
pub use sentence::sentences;
pub use sources::Sources;
pub use support::{CitedSupport, Passage, SentenceSupport, Strength, Support, support, supports};

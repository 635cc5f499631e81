//! How well a method serves a question, and by which calls it can.
//!
//! What is known of a method is read once; a [`Desk`] holds an offer of methods against a question; a [`Choice`] is one of
//! them with all that speaks for it; [`fan`] and [`lookup`] find the calls that fill what the question leaves open.

pub mod choice;
pub mod fan;
pub mod lookup;

mod carried;
mod known;
mod outline;
mod shown;
mod vocabulary;

pub use choice::{Choice, Fit};
pub use known::{Contract, Desk, Knowledge, Known, Offer};
pub use outline::{Array, Leaf, LeafKind, Outline};
pub use vocabulary::Vocabulary;

/// The only one, where there is no other.
fn only<T>(mut these: impl Iterator<Item = T>) -> Option<T> {
    these.next().filter(|_| these.next().is_none())
}

//! Time as an input.

use jiff::Timestamp;

/// The one source of wall-clock time.
///
/// Production gives the system's clock or, when a trace is replayed, the recorded one; tests give a fixed one.
pub trait Clock: Send + Sync {
    /// The time now, in UTC.
    fn now(&self) -> Timestamp;
}

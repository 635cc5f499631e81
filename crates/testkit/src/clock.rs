//! A clock that moves only when it is told to.

use std::sync::{Mutex, PoisonError};

use domain::Clock;
use jiff::{SignedDuration, Timestamp};

/// A clock that stands still until it is set.
#[derive(Debug)]
pub struct FixedClock(Mutex<Timestamp>);

impl FixedClock {
    /// A clock that stands at `now`.
    #[must_use]
    pub fn new(now: Timestamp) -> Self {
        Self(Mutex::new(now))
    }

    /// A clock that stands at the time that `text` says, as in `2026-06-01T12:00:00Z`.
    ///
    /// # Panics
    ///
    /// Where `text` is no time.
    #[must_use]
    #[expect(clippy::expect_used, reason = "a test that names no time is broken")]
    pub fn at(text: &str) -> Self {
        Self::new(text.parse().expect("a time in RFC 3339"))
    }

    /// Sets the time.
    pub fn set(&self, now: Timestamp) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }

    /// Moves the time on, or back where `by` is negative.
    pub fn advance(&self, by: SignedDuration) {
        let mut now = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *now += by;
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_moves_when_told() {
        let clock = FixedClock::at("2026-06-01T12:00:00Z");
        clock.advance(SignedDuration::from_mins(5));
        assert_eq!(clock.now().to_string(), "2026-06-01T12:05:00Z");
        clock.set(Timestamp::UNIX_EPOCH);
        assert_eq!(clock.now(), Timestamp::UNIX_EPOCH);
    }
}

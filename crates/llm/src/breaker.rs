//! A circuit breaker: an endpoint that failed too often in a row is left alone for a while, then tried by one request.

use std::time::Duration;

use policy::BreakerLimits;
use tokio::time::Instant;

/// The breaker of one endpoint. Time comes in with every call.
#[derive(Debug)]
pub(crate) struct Breaker {
    failures_max: u32,
    open: Duration,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Requests go through; so many failed in a row.
    Closed(u32),
    /// No request goes through until then.
    OpenUntil(Instant),
    /// One request is under way to see whether the endpoint is well again; another one may be sent at that time, should
    /// nothing be heard of the first.
    Trying(Instant),
}

impl Breaker {
    pub(crate) fn new(limits: &BreakerLimits) -> Self {
        Self {
            failures_max: limits.failures_max,
            open: Duration::from_millis(limits.open_ms),
            state: State::Closed(0),
        }
    }

    /// Whether a request may be sent now. One that is allowed while the circuit is open is the one that tries.
    pub(crate) fn allows(&mut self, now: Instant) -> bool {
        match self.state {
            State::Closed(_) => true,
            State::OpenUntil(until) | State::Trying(until) => {
                let is_due = now >= until;
                if is_due {
                    self.state = State::Trying(now + self.open);
                }
                is_due
            }
        }
    }

    /// A request was answered.
    pub(crate) fn succeeded(&mut self) {
        self.state = State::Closed(0);
    }

    /// A request failed by the endpoint's fault.
    pub(crate) fn failed(&mut self, now: Instant) {
        self.state = match self.state {
            State::Closed(failures) if failures + 1 < self.failures_max => State::Closed(failures + 1),
            State::Closed(_) | State::OpenUntil(_) | State::Trying(_) => State::OpenUntil(now + self.open),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_opens_tries_and_closes() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut breaker = Breaker::new(&BreakerLimits { failures_max: 2, open_ms: 100 });
        breaker.failed(at(0));
        assert!(breaker.allows(at(1)));
        breaker.failed(at(1));
        assert!(!breaker.allows(at(100)), "open for 100 ms after the second failure");
        assert!(breaker.allows(at(101)), "one tries");
        assert!(!breaker.allows(at(102)), "and no other");
        breaker.failed(at(103));
        assert!(!breaker.allows(at(202)));
        assert!(breaker.allows(at(203)));
        breaker.succeeded();
        breaker.failed(at(204));
        assert!(breaker.allows(at(204)), "the count starts anew");
    }

    #[test]
    fn a_try_that_is_never_heard_of_blocks_nothing() {
        let start = Instant::now();
        let mut breaker = Breaker::new(&BreakerLimits { failures_max: 1, open_ms: 10 });
        breaker.failed(start);
        assert!(breaker.allows(start + Duration::from_millis(10)));
        assert!(!breaker.allows(start + Duration::from_millis(19)));
        assert!(breaker.allows(start + Duration::from_millis(20)));
    }
}

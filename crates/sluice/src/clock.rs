//! The system's clock.

use domain::Clock;
use jiff::Timestamp;

/// The wall clock of the machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is where the injected clock comes from")]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

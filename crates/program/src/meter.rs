//! What a running program has used, against the policy: operations, wall time, memory, cancellation.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use policy::Sandbox;

use crate::allocation;
use crate::held::Signals;
use crate::step::Cancellation;

/// Why the interpreter was stopped. As a token of termination it passes every `catch` of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The program used a value that is not there yet.
    Suspended,
    /// It used a failed call's result where no error can be raised.
    Poisoned,
    /// It passed the limit with this policy key.
    Limit(&'static str),
    /// The host does not want it any more.
    Cancelled,
}

/// The meter of one pass; it lives on the interpreter's thread, whose heap it reads.
#[derive(Debug)]
pub(crate) struct Meter {
    started: Instant,
    wall_max: Duration,
    memory_max: isize,
    memory_before: AtomicIsize,
    memory_peak: AtomicIsize,
    operations: AtomicU64,
    cancelled: Arc<AtomicBool>,
    pub(crate) signals: Arc<Signals>,
}

impl Meter {
    /// Starts the clock; `wall_used` is what earlier passes took of the program's wall time.
    pub(crate) fn start(limits: &Sandbox, wall_used: Duration, cancellation: &Cancellation) -> Self {
        Self {
            started: now(),
            wall_max: Duration::from_millis(limits.wall_ms_max).saturating_sub(wall_used),
            memory_max: isize::try_from(limits.memory_bytes_max).unwrap_or(isize::MAX),
            memory_before: AtomicIsize::new(allocation::held_bytes()),
            memory_peak: AtomicIsize::new(0),
            operations: AtomicU64::new(0),
            cancelled: cancellation.flag(),
            signals: Arc::default(),
        }
    }

    /// Looks at everything that can stop a program; called at every operation of the interpreter.
    pub(crate) fn observe(&self, operations: u64) -> Option<Stop> {
        self.operations.store(operations, Ordering::Relaxed);
        let late = || if operations.is_multiple_of(OPERATIONS_BETWEEN_CLOCKS) { self.late() } else { None };
        self.signals.stop().or_else(|| self.unwelcome()).or_else(late)
    }

    /// What stops the program now, for work that runs outside the interpreter.
    pub(crate) fn overrun(&self) -> Option<Stop> {
        self.unwelcome().or_else(|| self.late())
    }

    /// Whether it holds too much, or is not wanted any more.
    fn unwelcome(&self) -> Option<Stop> {
        let held = allocation::held_bytes() - self.memory_before.load(Ordering::Relaxed);
        self.memory_peak.fetch_max(held, Ordering::Relaxed);
        if held > self.memory_max {
            Some(Stop::Limit("memory_bytes_max"))
        } else if self.cancelled.load(Ordering::Relaxed) {
            Some(Stop::Cancelled)
        } else {
            None
        }
    }

    fn late(&self) -> Option<Stop> {
        (self.started.elapsed() > self.wall_max).then_some(Stop::Limit("wall_ms_max"))
    }

    pub(crate) fn operations(&self) -> u64 {
        self.operations.load(Ordering::Relaxed)
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The most that the pass held at a look, in bytes.
    pub(crate) fn memory_peak(&self) -> usize {
        usize::try_from(self.memory_peak.load(Ordering::Relaxed)).unwrap_or(0)
    }
}

/// Operations between two looks at the clock, which takes longer than most operations do.
const OPERATIONS_BETWEEN_CLOCKS: u64 = 8;

#[expect(
    clippy::disallowed_methods,
    reason = "the interpreter's own stopwatch; no decision but a limit rests on it"
)]
fn now() -> Instant {
    Instant::now()
}

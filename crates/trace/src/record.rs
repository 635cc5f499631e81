//! The record of one request.

use std::sync::{Arc, Mutex, PoisonError};

use domain::Clock;
use jiff::Timestamp;

use crate::Event;

/// An event and when it happened.
#[derive(Clone, Debug)]
pub struct Stamped {
    /// When, in UTC.
    pub at: Timestamp,
    /// What.
    pub event: Event,
}

/// Hears every event at once. Must not block.
pub type Listener = Arc<dyn Fn(&Stamped) + Send + Sync>;

/// Everything that happened to one request, in order.
pub struct Record {
    clock: Arc<dyn Clock>,
    listener: Option<Listener>,
    events: Mutex<Vec<Stamped>>,
}

impl Record {
    /// An empty record; `listener` hears each event as it is added.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>, listener: Option<Listener>) -> Self {
        Self { clock, listener, events: Mutex::new(Vec::new()) }
    }

    /// Adds an event, stamped with the time.
    pub fn add(&self, event: Event) {
        let stamped = Stamped { at: self.clock.now(), event };
        if let Some(listener) = &self.listener {
            listener(&stamped);
        }
        self.events.lock().unwrap_or_else(PoisonError::into_inner).push(stamped);
    }

    /// Tells an event to whoever listens, and does not keep it. It bears the time of the last one that was kept: the clock
    /// is read as often whether anybody listens or not.
    pub fn tell(&self, event: Event) {
        if let Some(listener) = &self.listener {
            let last = self.events.lock().unwrap_or_else(PoisonError::into_inner).last().map(|it| it.at);
            listener(&Stamped { at: last.unwrap_or_default(), event });
        }
    }

    /// The events so far, for whoever keeps them: the record is empty from here on.
    #[must_use]
    pub fn take(&self) -> Vec<Stamped> {
        std::mem::take(&mut *self.events.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl std::fmt::Debug for Record {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Record").finish_non_exhaustive()
    }
}

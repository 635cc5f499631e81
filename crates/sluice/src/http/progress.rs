//! Progress: what a run tells of itself while it is under way, for a stream and for a job.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use contract::events::{Event, ToolPhase};
use tokio::sync::{mpsc, watch};
use trace::Listener;

use crate::to_wire;

/// The events of a run, as they happen.
pub(crate) struct Progress {
    events: mpsc::Receiver<Event>,
    fell_behind: Arc<AtomicBool>,
}

impl Progress {
    /// The events that the listener will hear, `buffered_max` of them at most beyond what was read.
    pub(crate) fn channel(buffered_max: usize) -> (Listener, Self) {
        let (sender, events) = mpsc::channel(buffered_max.min(tokio::sync::Semaphore::MAX_PERMITS));
        let fell_behind = Arc::new(AtomicBool::new(false));
        let behind = Arc::clone(&fell_behind);
        let listener: Listener = Arc::new(move |stamped| {
            let Some(event) = to_wire::progress::progress(stamped) else { return };
            if let Err(mpsc::error::TrySendError::Full(_)) = sender.try_send(event) {
                behind.store(true, Ordering::Release);
            }
        });
        (listener, Self { events, fell_behind })
    }

    /// The next event; none when there will be no more.
    ///
    /// # Cancel safety
    /// May be dropped and called again.
    pub(crate) async fn next(&mut self) -> Option<Event> {
        self.events.recv().await
    }

    /// Whether events were lost, because they were not read in time.
    pub(crate) fn fell_behind(&self) -> bool {
        self.fell_behind.load(Ordering::Acquire)
    }
}

/// The phase that a run is in, in words; changes only when the phase does.
pub(crate) fn phases() -> (Listener, watch::Receiver<&'static str>) {
    let (sender, phases) = watch::channel("");
    let listener: Listener = Arc::new(move |stamped| {
        let Some(Event::ToolStatus { status, .. }) = to_wire::progress::progress(stamped) else { return };
        let words = words(status);
        sender.send_if_modified(|now| std::mem::replace(now, words) != words);
    });
    (listener, phases)
}

fn words(phase: ToolPhase) -> &'static str {
    match phase {
        ToolPhase::Discovering => "Looking for tools",
        ToolPhase::Discovered => "Tools found",
        ToolPhase::Planning => "Writing the program",
        ToolPhase::Executing | ToolPhase::ToolComplete => "Calling tools",
        ToolPhase::Retrying => "Trying a mended program",
        ToolPhase::Reflecting => "Looking at the results",
        ToolPhase::Synthesizing => "Writing the answer",
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use trace::{Stage, Stamped};

    use super::*;

    fn started(stage: Stage) -> Stamped {
        Stamped { at: Timestamp::UNIX_EPOCH, event: trace::Event::StageStarted { stage } }
    }

    #[tokio::test]
    async fn a_slow_reader_does_not_block_the_run() {
        let (listener, mut progress) = Progress::channel(2);
        listener(&started(Stage::Selection));
        listener(&started(Stage::Planning));
        assert!(!progress.fell_behind());
        listener(&started(Stage::Synthesis));
        assert!(progress.fell_behind());
        drop(listener);
        assert_eq!(progress.next().await, Some(Event::phase(ToolPhase::Discovering)));
        assert_eq!(progress.next().await, Some(Event::phase(ToolPhase::Planning)));
        assert_eq!(progress.next().await, None);
    }

    #[test]
    fn a_job_tells_of_changes_only() {
        let (listener, mut phases) = phases();
        listener(&started(Stage::Planning));
        assert_eq!(*phases.borrow_and_update(), "Writing the program");
        listener(&started(Stage::Planning));
        assert!(!phases.has_changed().unwrap());
        listener(&started(Stage::Synthesis));
        assert_eq!(*phases.borrow_and_update(), "Writing the answer");
    }
}

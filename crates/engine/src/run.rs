//! One request's run: its deadline, its cancellation, its budgets, its record.

use std::future::Future;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::{Clock, RequestId, Usd};
use jiff::Timestamp;
use llm::Model;
use policy::Budgets;
use std::sync::Arc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use trace::{Event, Listener, Record, Stage, Stamped};

use crate::failure::Failure;
use crate::spent::Spent;

/// The run of one request. Shared by reference with every stage; small on purpose.
#[derive(Debug)]
pub struct Run {
    request: RequestId,
    caller: String,
    clock: ClockHandle,
    started_at: Timestamp,
    began: Instant,
    deadline: Instant,
    answer_reserve: Duration,
    spend_max: Usd,
    cancel: CancellationToken,
    record: Record,
    spent: Mutex<Spent>,
}

struct ClockHandle(Arc<dyn Clock>);

impl std::fmt::Debug for ClockHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Clock")
    }
}

impl Run {
    /// A run that begins now. `caller` names who pays, never by a key; `listener` hears every event at once.
    #[must_use]
    pub fn start(
        request: RequestId,
        caller: String,
        clock: Arc<dyn Clock>,
        budgets: &Budgets,
        cancel: CancellationToken,
        listener: Option<Listener>,
    ) -> Self {
        Self {
            request,
            caller,
            started_at: clock.now(),
            began: Instant::now(),
            deadline: Instant::now() + Duration::from_millis(budgets.deadline_ms_max),
            answer_reserve: Duration::from_millis(budgets.answer_reserve_ms),
            spend_max: budgets.spend_max(),
            cancel,
            record: Record::new(Arc::clone(&clock), listener),
            clock: ClockHandle(clock),
            spent: Mutex::new(Spent::default()),
        }
    }

    /// Counts what was spent on models for it before it began.
    pub fn charge(&self, cost: Usd) {
        self.spent().models.cost += cost;
    }

    /// The request's identifier.
    #[must_use]
    pub fn request(&self) -> &RequestId {
        &self.request
    }

    /// Who pays.
    #[must_use]
    pub fn caller(&self) -> &str {
        &self.caller
    }

    /// When the run began.
    #[must_use]
    pub fn started_at(&self) -> Timestamp {
        self.started_at
    }

    /// Milliseconds since the run began.
    #[must_use]
    pub fn elapsed_ms(&self) -> u64 {
        milliseconds_between(self.started_at, self.clock.0.now())
    }

    /// The time now.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.0.now()
    }

    /// The moment after which no call may be under way, so that what was found can still be told.
    pub(crate) fn calls_until(&self) -> Instant {
        self.deadline.checked_sub(self.answer_reserve).unwrap_or(self.deadline)
    }

    /// How much of the time for calls is left, from 0 to 1.
    pub(crate) fn headroom_share(&self) -> f64 {
        let end = self.calls_until();
        let whole = end.saturating_duration_since(self.began).as_secs_f64();
        let left = end.saturating_duration_since(Instant::now()).as_secs_f64();
        if whole > 0.0 { left / whole } else { 0.0 }
    }

    /// How long a plan may wait for models: for this share of the time that is left for calls.
    pub(crate) fn plan_until(&self, share: f64) -> Instant {
        share_of(share, self.calls_until())
    }

    /// How long an answer may wait for models: for this share of the time that is left.
    pub(crate) fn answer_until(&self, share: f64) -> Instant {
        share_of(share, self.deadline)
    }

    /// Records an event.
    pub(crate) fn note(&self, event: Event) {
        self.record.add(event);
    }

    /// Tells an event to whoever listens, and does not keep it.
    pub(crate) fn tell(&self, event: Event) {
        self.record.tell(event);
    }

    /// Waits for a stage within the run's deadline and records how long it took.
    ///
    /// # Cancel safety
    /// The stage's future is dropped when the run is cancelled, or when its deadline passes while it waits.
    pub(crate) async fn stage<T>(&self, stage: Stage, work: impl Future<Output = T>) -> Result<T, Failure> {
        let began = self.clock.0.now();
        self.note(Event::StageStarted { stage });
        let late = async {
            tokio::time::sleep_until(self.deadline).await;
            // Calls whose time is over at the same moment say so first.
            tokio::task::yield_now().await;
        };
        let ending = tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(Failure::Cancelled),
            // What waits for nothing is not late: a deadline ends the waiting for a call, a model or a program, each of which
            // a recording knows of.
            value = work => Ok(value),
            () = late => Err(Failure::DeadlinePassed),
        };
        self.note(Event::StageEnded { stage, duration_ms: milliseconds_between(began, self.clock.0.now()) });
        ending
    }

    /// Waits for a stage that asks models, and records what they did, however it ends.
    ///
    /// # Cancel safety
    /// As [`stage`](Self::stage).
    pub(crate) async fn asking<T>(
        &self,
        stage: Stage,
        model: &dyn Model,
        work: impl Future<Output = T>,
    ) -> Result<T, Failure> {
        model.allow(self.spend_max.saturating_sub(self.spent().cost()));
        let ending = self.stage(stage, work).await;
        self.hear(model);
        ending
    }

    /// Records and charges what the models did since this was last done.
    pub(crate) fn hear(&self, model: &dyn Model) {
        for report in model.take_reports() {
            self.spent().models += report.usage();
            self.note(Event::ModelAsked(Box::new(report)));
        }
    }

    /// Takes a stage that waits for nothing, and records how long it took.
    pub(crate) fn timed<T>(&self, stage: Stage, work: impl FnOnce() -> T) -> T {
        let began = self.now();
        self.note(Event::StageStarted { stage });
        let value = work();
        self.note(Event::StageEnded { stage, duration_ms: milliseconds_between(began, self.now()) });
        value
    }

    /// The events so far, handed over when the run has ended.
    pub(crate) fn take_events(&self) -> Vec<Stamped> {
        self.record.take()
    }

    /// What was spent so far.
    pub(crate) fn spent(&self) -> MutexGuard<'_, Spent> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn share_of(share: f64, end: Instant) -> Instant {
    let now = Instant::now();
    now + end.saturating_duration_since(now).mul_f64(share)
}

pub(crate) fn milliseconds_between(earlier: Timestamp, later: Timestamp) -> u64 {
    u64::try_from(later.duration_since(earlier).as_millis()).unwrap_or(0)
}

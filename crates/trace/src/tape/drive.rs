//! Plays a tape: a run over it, on virtual time.
//!
//! The runtime has to be one of a single thread, with its time paused. It stands still but for what the recording says
//! that passed: what waited two minutes when it was recorded waits no time at all.

use std::future::{Future, poll_fn};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::task::Poll;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{Keeping, Mismatch, State, Tape, Turn};

/// How far time is moved where what was given up at a recorded moment is still waited for, and how often at most.
const NUDGE: Duration = Duration::from_millis(10);
const NUDGES_MAX: usize = 60_000;

/// How long a run of other policies is left to itself before its time moves on by ten times as much.
const GLANCE: Duration = Duration::from_micros(100);

/// How much sooner things come than they did, where nothing else is waited for. A deadline may have been seen late, and a
/// reply have come in meanwhile: what was let go of is on the tape, and nothing else is.
const LEAD: Duration = Duration::from_millis(20);

impl Turn {
    pub(super) fn lead(&self) -> Duration {
        match self {
            Self::LetGo { .. } | Self::GivenUp { .. } => Duration::ZERO,
            Self::Reply(_)
            | Self::ModelReply(_)
            | Self::Pass(_)
            | Self::Clock(_)
            | Self::Catalog(_)
            | Self::Made { .. }
            | Self::Looked { .. } => LEAD,
        }
    }
}

enum Step<T> {
    Over(Result<T, Mismatch>),
    Wait(Duration),
    Nudge,
    Pass,
    Cancel,
}

impl Tape {
    /// Runs `run` over the tape; `cancel` is tripped where the recorded request was.
    ///
    /// # Errors
    /// Where the run parts from the recording.
    pub async fn drive<T>(
        self: &Arc<Self>,
        cancel: &CancellationToken,
        run: impl Future<Output = T>,
    ) -> Result<T, Mismatch> {
        let _still = Still::stand();
        let began = Instant::now();
        {
            let mut state = self.state();
            state.began = Some(began);
            state.cancel = Some(cancel.clone());
        }
        let mut run = Box::pin(run);
        let mut seen = None;
        let mut nudges = 0;
        loop {
            let step = poll_fn(|context| {
                self.give_up_where_due(&mut self.state());
                if let Poll::Ready(value) = run.as_mut().poll(context) {
                    return Poll::Ready(Step::Over(self.ended(value)));
                }
                let mut state = self.state();
                if let Some(mismatch) = &state.mismatch {
                    return Poll::Ready(Step::Over(Err(mismatch.clone())));
                }
                state.waiting.push(context.waker().clone());
                if state.computing > 0 && self.keeping == Keeping::Strict {
                    return Poll::Pending;
                }
                if seen != Some(state.cursor) {
                    seen = Some(state.cursor);
                    context.waker().wake_by_ref();
                    return Poll::Pending;
                }
                self.when_idle(state.cursor, began.elapsed(), cancel.is_cancelled())
                    .map_or(Poll::Pending, Poll::Ready)
            })
            .await;
            match step {
                Step::Over(ending) => return ending,
                Step::Wait(time) => {
                    tokio::time::advance(time).await;
                    Self::wake(&mut self.state());
                }
                Step::Cancel => cancel.cancel(),
                Step::Nudge if nudges < NUDGES_MAX => {
                    nudges += 1;
                    tokio::time::advance(NUDGE).await;
                }
                // It may be computing, on a thread that is not seen from here.
                Step::Pass => {
                    std::thread::sleep(GLANCE);
                    tokio::time::advance(GLANCE * 10).await;
                }
                Step::Nudge => {
                    let next = self.told(self.turn_at(self.state().cursor));
                    return Err(Mismatch(format!("the run never comes to {next}")));
                }
            }
        }
    }

    /// Between two steps of the run, as [`Journal::attend`](crate::Journal::attend) does.
    fn give_up_where_due(&self, state: &mut State) {
        let next = self.reel.turns.get(state.cursor).filter(|_| self.keeping == Keeping::Strict);
        if next.is_some_and(|(us, turn)| state.has_begun_all(turn) && state.has_come(*us, turn)) {
            Self::give_up(state);
        }
    }

    fn ended<T>(&self, value: T) -> Result<T, Mismatch> {
        match self.state().mismatch.clone() {
            Some(mismatch) => Err(mismatch),
            None => Ok(value),
        }
    }

    /// What brings a run on that waits for nothing on the tape: time, or its end. Nothing where it computes.
    fn when_idle<T>(&self, cursor: usize, elapsed: Duration, is_cancelled: bool) -> Option<Step<T>> {
        if self.keeping == Keeping::Free {
            return Some(Step::Pass);
        }
        let (us, turn) = self.reel.turns.get(cursor)?;
        let due = Duration::from_micros(*us);
        let left = |due: Duration| due.checked_sub(elapsed).filter(|left| !left.is_zero()).map(Step::Wait);
        if let Some(wait) = left(due.saturating_sub(turn.lead())) {
            return Some(wait);
        }
        match turn {
            Turn::LetGo { cancelled: true, .. } => (!is_cancelled).then_some(Step::Cancel),
            // A pause before another attempt has a random part, so it may last longer than it did; and what the request had
            // begun when it was given up is begun first.
            Turn::LetGo { .. } | Turn::ModelReply(_) | Turn::GivenUp { .. } => Some(Step::Nudge),
            Turn::Clock(_)
            | Turn::Catalog(_)
            | Turn::Made { .. }
            | Turn::Reply(_)
            | Turn::Pass(_)
            | Turn::Looked { .. } => left(due),
        }
    }
}

impl State {
    /// Whether this is the giving up of the request, and all that it had begun by then is begun.
    fn has_begun_all(&self, turn: &Turn) -> bool {
        matches!(turn, Turn::GivenUp { calls, exchanges, passes }
            if self.calls_taken.len() >= *calls
                && self.exchanges_taken.len() >= *exchanges
                && self.passes >= *passes)
    }
}

/// Keeps paused time from moving by itself for as long as it lives: a run waits for threads of its own, which the runtime
/// cannot see.
#[derive(Debug)]
pub struct Still {
    #[expect(dead_code, reason = "let go of when it is dropped, and for nothing else")]
    held: Sender<()>,
}

impl Still {
    /// From now on time moves only when it is moved.
    #[must_use]
    pub fn stand() -> Self {
        let (held, holding) = channel::<()>();
        drop(tokio::task::spawn_blocking(move || holding.recv().is_ok()));
        Self { held }
    }
}

//! A recording as the outside of a request: its clock, its catalog, its methods and its models, with nothing behind them.

mod drive;
mod near;
mod passes;
mod ports;

pub use drive::Still;

use std::collections::{BTreeMap, BTreeSet};
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use domain::{Call, Reply, Snapshot};
use futures::future::pending;
use jiff::Timestamp;
use llm::ModelReply;
use serde_json::Value;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::format::pass::PassEnd;
use crate::journal::Waited;

/// How closely a replay keeps to its recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// Everything comes in the recorded order, and what was not recorded ends the replay.
    Strict,
    /// What was recorded is given whenever it is asked for, and what was not is a fault: for other policies.
    Free,
}

/// A recorded call.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedCall {
    /// The call.
    pub call: Call,
    /// What came of it; none where nobody waited for it.
    pub reply: Option<Reply>,
}

/// A recorded request to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedExchange {
    /// The stage's word.
    pub stage: String,
    /// The model, by its name in the policies.
    pub model: String,
    /// The body that was sent.
    pub body: Value,
    /// What came of it; none where nobody waited for it.
    pub reply: Option<ModelReply>,
}

/// Something that a request waits for or reads, in its turn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Turn {
    Clock(Timestamp),
    Catalog(usize),
    Made {
        what: String,
        text: String,
    },
    Reply(usize),
    ModelReply(usize),
    /// Nobody waited any more.
    LetGo {
        what: Waited,
        cancelled: bool,
    },
    /// The whole request was given up, when it had made so many calls, asked models so often and begun so many passes.
    GivenUp {
        calls: usize,
        exchanges: usize,
        passes: usize,
    },
    Pass(usize),
    Looked {
        what: String,
        given: Value,
        found: Value,
    },
}

/// What a tape is made of.
#[derive(Default)]
pub(crate) struct Reel {
    pub(crate) calls: Vec<RecordedCall>,
    pub(crate) exchanges: Vec<RecordedExchange>,
    pub(crate) catalogs: Vec<Arc<Snapshot>>,
    pub(crate) passes: BTreeMap<usize, PassEnd>,
    /// Passes that nobody waited for to their end.
    pub(crate) passes_let_go: BTreeSet<usize>,
    /// With the microseconds at which each came.
    pub(crate) turns: Vec<(u64, Turn)>,
}

impl Reel {
    /// The giving up of the request, after what is on the reel by now.
    pub(crate) fn given_up(&self, passes: usize) -> Turn {
        Turn::GivenUp { calls: self.calls.len(), exchanges: self.exchanges.len(), passes }
    }

    /// The end of waiting for something that never came.
    pub(crate) fn let_go(&mut self, what: Waited, cancelled: bool) -> Turn {
        if let Waited::Pass(number) = what {
            self.passes_let_go.insert(number);
        }
        Turn::LetGo { what, cancelled }
    }
}

/// A recording, being played.
pub struct Tape {
    keeping: Keeping,
    reel: Reel,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    cursor: usize,
    calls_taken: BTreeSet<usize>,
    exchanges_taken: BTreeSet<usize>,
    clock: Option<Timestamp>,
    waiting: Vec<Waker>,
    misses: Vec<String>,
    mismatch: Option<Mismatch>,
    began: Option<Instant>,
    /// Passes that were run.
    passes: usize,
    /// Passes that are run just now.
    computing: usize,
    /// Tells the run that it is given up.
    cancel: Option<CancellationToken>,
}

impl State {
    /// Whether it is as late as it was when something came: deadlines that are reckoned from there have to be the same.
    fn has_come(&self, us: u64, turn: &Turn) -> bool {
        self.began.is_none_or(|began| began.elapsed() + turn.lead() >= Duration::from_micros(us))
    }
}

/// Where a run parts from its recording.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Mismatch(pub String);

impl Tape {
    pub(crate) fn new(reel: Reel, keeping: Keeping) -> Arc<Self> {
        Arc::new(Self { keeping, reel, state: Mutex::default() })
    }

    /// What was made up for the request when it was recorded, or `otherwise`.
    pub fn made(&self, what: &str, otherwise: &str) -> String {
        let mut state = self.state();
        if self.keeping == Keeping::Free {
            let found = self.reel.turns.iter().find_map(|(_, turn)| {
                let Turn::Made { what: recorded, text } = turn else { return None };
                (recorded == what).then(|| text.clone())
            });
            return found.unwrap_or_else(|| otherwise.to_owned());
        }
        match self.turn_of(&mut state) {
            Some(Turn::Made { what: recorded, text }) if recorded == what => {
                Self::advance(&mut state);
                text.clone()
            }
            other => {
                let message =
                    format!("the run makes up `{what}` where the recording has {}", self.told(other));
                Self::fail(&mut state, message);
                otherwise.to_owned()
            }
        }
    }

    /// What was found where something outside was looked into. Waits for ever where the recording has something else, which
    /// ends the replay; none where other policies look for what was not looked for.
    pub async fn looked(&self, what: &str, given: &Value) -> Option<Value> {
        let found = self.found(what, given);
        if found.is_none() && self.keeping == Keeping::Strict {
            pending::<()>().await;
        }
        found
    }

    fn found(&self, what: &str, given: &Value) -> Option<Value> {
        let mut state = self.state();
        let is_it = |turn: &Turn| {
            let Turn::Looked { what: recorded, given: wanted, found } = turn else { return None };
            (recorded == what && wanted == given).then(|| found.clone())
        };
        if self.keeping == Keeping::Free {
            let found = self.reel.turns.iter().find_map(|(_, turn)| is_it(turn));
            if found.is_none() {
                state.misses.push(format!("the run looks into `{what}` for {given}, which is not recorded"));
            }
            return found;
        }
        let turn = self.turn_of(&mut state);
        let found = turn.and_then(is_it);
        if found.is_some() {
            Self::advance(&mut state);
        } else {
            let told = self.told(turn);
            Self::fail(
                &mut state,
                format!("the run looks into `{what}` for {given} where the recording has {told}"),
            );
        }
        found
    }

    /// Calls and requests to models that were asked for and are not on the tape.
    #[must_use]
    pub fn misses(&self) -> Vec<String> {
        self.state().misses.clone()
    }

    /// Whether it keeps to the recorded order.
    #[must_use]
    pub fn is_strict(&self) -> bool {
        self.keeping == Keeping::Strict
    }

    /// Whether it says when the request was given up. Recordings of version 1 do only of one that waited for a call or a
    /// model: of one that was computing nothing told how far it had come.
    #[must_use]
    pub fn tells_when_given_up(&self) -> bool {
        self.reel
            .turns
            .iter()
            .any(|(_, turn)| matches!(turn, Turn::GivenUp { .. } | Turn::LetGo { cancelled: true, .. }))
    }

    /// What is on the tape and was not asked for.
    #[must_use]
    pub fn rest(&self) -> Option<String> {
        let mut state = self.state();
        let left = self.turn_of(&mut state).filter(|_| self.keeping == Keeping::Strict)?;
        Some(format!("the recording goes on with {} where the run has ended", self.told(Some(left))))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn turn_at(&self, cursor: usize) -> Option<&Turn> {
        self.reel.turns.get(cursor).map(|(_, turn)| turn)
    }

    /// The turn of something that waits for nothing. Where the request was given up just before, it is by now.
    fn turn_of(&self, state: &mut State) -> Option<&Turn> {
        if matches!(self.turn_at(state.cursor), Some(Turn::GivenUp { .. })) {
            Self::give_up(state);
        }
        self.turn_at(state.cursor)
    }

    fn give_up(state: &mut State) {
        Self::advance(state);
        if let Some(cancel) = &state.cancel {
            cancel.cancel();
        }
    }

    fn advance(state: &mut State) {
        state.cursor += 1;
        Self::wake(state);
    }

    fn wake(state: &mut State) {
        state.waiting.drain(..).for_each(Waker::wake);
    }

    /// The first mismatch is the one that counts.
    fn fail(state: &mut State, message: String) {
        state.mismatch.get_or_insert(Mismatch(message));
        Self::wake(state);
    }

    /// A turn, in words.
    fn told(&self, turn: Option<&Turn>) -> String {
        let call =
            |number: &usize| self.reel.calls.get(*number).map_or_else(String::new, |it| near::told(&it.call));
        let model = |number: &usize| self.reel.exchanges.get(*number).map_or("", |it| it.model.as_str());
        match turn {
            None => "its end".to_owned(),
            Some(Turn::Clock(at)) => format!("the clock at {at}"),
            Some(Turn::Catalog(_)) => "a look at the catalog".to_owned(),
            Some(Turn::Made { what, .. }) => format!("the making of `{what}`"),
            Some(Turn::Reply(number)) => format!("the reply to {}", call(number)),
            Some(Turn::ModelReply(number)) => format!("the reply of the model `{}`", model(number)),
            Some(Turn::LetGo { what: Waited::Call(number), .. }) => {
                format!("the giving up of {}", call(number))
            }
            Some(Turn::LetGo { what: Waited::Exchange(number), .. }) => {
                format!("the giving up of the model `{}`", model(number))
            }
            Some(Turn::LetGo { what: Waited::Pass(number), .. }) => {
                format!("the giving up of pass {number} of a program")
            }
            Some(Turn::GivenUp { .. }) => "the giving up of the request".to_owned(),
            Some(Turn::Pass(number)) => format!("the ending of pass {number} by the machine"),
            Some(Turn::Looked { what, given, .. }) => format!("a look into `{what}` for {given}"),
        }
    }

    /// Waits until it is the turn of what `is_due` looks for, and takes it.
    fn poll_turn(&self, context: &Context<'_>, is_due: impl Fn(&Turn) -> bool) -> Poll<()> {
        let mut state = self.state();
        let next = self.reel.turns.get(state.cursor);
        if next.is_some_and(|(us, turn)| is_due(turn) && state.has_come(*us, turn)) {
            Self::advance(&mut state);
            return Poll::Ready(());
        }
        state.waiting.push(context.waker().clone());
        Poll::Pending
    }

    async fn due(&self, is_due: impl Fn(&Turn) -> bool + Copy) {
        if self.keeping == Keeping::Strict {
            let mut left = Left { tape: self, is_over: false };
            poll_fn(|context| self.poll_turn(context, is_due)).await;
            left.is_over = true;
        }
    }

    /// Waits until it is as late as it was when the next thing came: what came before that may have taken longer then.
    async fn caught_up(&self) {
        poll_fn(|context| {
            let mut state = self.state();
            let next = self.reel.turns.get(state.cursor).filter(|_| self.keeping == Keeping::Strict);
            if next.is_none_or(|(us, turn)| state.has_come(*us, turn)) {
                return Poll::Ready(());
            }
            state.waiting.push(context.waker().clone());
            Poll::Pending
        })
        .await;
    }

    /// Waits for ever. When nobody waits any more, that was its turn.
    async fn never<T>(&self, what: Waited) -> T {
        let _left = Leaves { tape: self, what };
        pending().await
    }
}

/// Nobody waits any more for what was recorded as a reply.
struct Left<'a> {
    tape: &'a Tape,
    is_over: bool,
}

impl Drop for Left<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            let mut state = self.tape.state();
            let next = self.tape.told(self.tape.turn_at(state.cursor));
            Tape::fail(&mut state, format!("the run gives up waiting where the recording has {next}"));
        }
    }
}

/// Nobody waits any more for what nobody waited for when it was recorded.
struct Leaves<'a> {
    tape: &'a Tape,
    what: Waited,
}

impl Drop for Leaves<'_> {
    fn drop(&mut self) {
        let mut state = self.tape.state();
        let next = self.tape.turn_at(state.cursor);
        if matches!(next, Some(Turn::LetGo { what, .. }) if *what == self.what) {
            Tape::advance(&mut state);
        }
    }
}

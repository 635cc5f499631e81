//! The run of a turn: a task of its own, told as it goes and kept when it ends.

use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use contract::chat::{Chunk, Quota, UiMessage, Writer};
use domain::Usd;
use engine::Failure;
use futures::FutureExt;
use jiff::SignedDuration;
use store::{Clarification, MessageState, ThreadKey, TurnEnd};
use trace::Listener;
use tracing::{Instrument, Span};
use uuid::Uuid;

use crate::chat::runs::{Run, UnderWay};
use crate::chat::turn::{self, Aside, Beginning};
use crate::desk::explore::Inquiry;
use crate::http::Api;
use crate::http::chat::{documents, recap};
use crate::http::fault::Fault;
use crate::reply::{self, Admitted, NoReply};
use crate::to_wire;
use crate::to_wire::chat::{self as telling, Around, Spoken, Steps, Told};

/// What is said where a question is turned away.
const TURNED_AWAY: &str =
    "That is not something this service answers. Ask about the data that its tools give.";

/// A turn that is about to run.
pub(super) struct Job {
    pub(super) under_way: UnderWay,
    pub(super) owner: String,
    pub(super) thread: String,
    pub(super) question: String,
    /// What of the thread is to be put in short first.
    pub(super) beginning: Option<Beginning>,
    pub(super) work: Work,
    /// How long it goes on where nobody reads it; for ever where nothing is said.
    pub(super) patience: Option<Duration>,
    pub(super) quota: Option<Quota>,
    pub(super) writer: Writer,
    pub(super) message: UiMessage,
}

/// What a turn is to do.
pub(super) enum Work {
    /// Nothing but reply.
    Aside(Aside),
    /// Ask the core.
    Query(Box<Admitted>),
    /// Ask the documents of an owner.
    Documents {
        owner: String,
        inquiry: Inquiry,
        /// Whether it runs under the narrower budgets of callers without a key.
        is_guarded: bool,
        /// Dollars that were spent on models before it began.
        spent_before: Usd,
        /// Whether its trace is asked for.
        wants_trace: bool,
    },
}

/// What is told of a run so far.
pub(super) struct Telling {
    run: Arc<Run>,
    steps: Steps,
    pub(super) spoken: Spoken,
    writer: Writer,
    message: UiMessage,
}

impl Job {
    /// Runs on the tracker: a connection that goes away takes nothing with it.
    pub(super) fn launch(self, api: &Arc<Api>) {
        let own = Arc::clone(api);
        let work = async move { Box::pin(perform(&own, self)).await };
        api.runs.spawn(work.instrument(Span::current()));
    }
}

async fn perform(api: &Api, job: Job) {
    let Job { under_way, owner, thread, question, beginning, work, patience, quota, writer, message } = job;
    let run = Arc::clone(&under_way.run);
    let spoken = Spoken::new(api.policy().delta_chars_max);
    let telling = Telling { run: Arc::clone(&run), steps: Steps::default(), spoken, writer, message };
    let telling = Arc::new(Mutex::new(telling));
    let key = ThreadKey { owner: &owner, thread: &thread };
    let work = match beginning {
        Some(beginning) => recalling(api, work, (key, &beginning), &telling).await,
        None => work,
    };
    let (told, state) = match work {
        Work::Aside(aside) => {
            let spoken = &mut lock(&telling).spoken;
            let told = match aside {
                Aside::OutOfScope => telling::refused((TURNED_AWAY, &question), spoken, quota),
                Aside::Courtesy(reply) => telling::replied(&reply, spoken, quota),
            };
            (told, MessageState::Done)
        }
        Work::Query(admitted) => {
            let work = reply::to(&api.assembly, *admitted, run.cancel.clone(), Some(listener(&telling)));
            let reply = attended(AssertUnwindSafe(work).catch_unwind(), &run, patience).await;
            ending(api, reply, (&question, quota), &mut lock(&telling).spoken)
        }
        Work::Documents { owner, inquiry, is_guarded, spent_before, wants_trace } => {
            let (owner, inquiry) = (&owner, &inquiry);
            let of = documents::Asked { owner, inquiry, is_guarded, spent_before, wants_trace };
            let work = documents::answer(api, of, &telling, quota);
            let told = attended(AssertUnwindSafe(work).catch_unwind(), &run, patience).await;
            told.unwrap_or_else(|_| broken(Fault::internal("a panic", "a run").to_string()))
        }
    };
    let Told { chunks, finish, pending } = told;
    let (last, body) = {
        let mut telling = lock(&telling);
        let broken = telling.steps.broken();
        telling.tell(broken);
        telling.tell(chunks);
        let last = telling.written(vec![finish]);
        (last, serde_json::to_string(&telling.message).unwrap_or_default())
    };
    let clarification = pending.and_then(|pending| {
        Some(Clarification {
            clarification_id: pending.card.clarification_id.clone(),
            expires_at: pending.card.expires_at.parse().ok()?,
            body: serde_json::to_string(&pending).ok()?,
        })
    });
    let now = api.assembly.clock.now();
    let end = TurnEnd {
        key,
        message_id: &run.message_id,
        state,
        body: &body,
        clarification: clarification.as_ref(),
        now,
    };
    if let Err(error) = api.assembly.store.end_turn(&end).await {
        tracing::error!(%error, "an answer could not be kept");
    }
    // Who reads the end finds the answer kept.
    run.tell(last);
    under_way.end(now);
}

/// The work with the beginning of its thread told in short, where a model has put it so.
async fn recalling(
    api: &Api,
    mut work: Work,
    of: (ThreadKey<'_>, &Beginning),
    telling: &Arc<Mutex<Telling>>,
) -> Work {
    let (history, spent_before, is_guarded) = match &mut work {
        Work::Aside(_) => return work,
        Work::Query(admitted) => {
            (&mut admitted.query.history, &mut admitted.spent_before, admitted.is_guarded)
        }
        Work::Documents { inquiry, spent_before, is_guarded, .. } => {
            (&mut inquiry.history, spent_before, *is_guarded)
        }
    };
    let policy = if is_guarded { &api.assembly.conversations.guarded } else { &api.assembly.policy };
    let (text, spent) = recap::of(api, of, policy.budgets.spend_max(), telling).await;
    *spent_before = spent;
    if let Some(text) = text {
        turn::told_in_short(history, &text);
    }
    work
}

/// Does the work, which is stopped where nobody has read the run for so long.
async fn attended<T>(work: impl Future<Output = T>, run: &Run, patience: Option<Duration>) -> T {
    let Some(patience) = patience else { return work.await };
    let mut work = pin!(work);
    tokio::select! {
        biased;
        done = &mut work => return done,
        () = run.left_alone(patience) => run.cancel.cancel(),
    }
    work.await
}

type Reply = Result<Result<Arc<contract::result::QueryResult>, NoReply>, Box<dyn std::any::Any + Send>>;

/// The ending of a run, as it is told and kept.
fn ending(
    api: &Api,
    reply: Reply,
    (question, quota): (&str, Option<Quota>),
    spoken: &mut Spoken,
) -> (Told, MessageState) {
    match reply {
        Ok(Ok(result)) => {
            let policy = &api.assembly.policy;
            let good_for = SignedDuration::from_mins(policy.gate.token_minutes.into());
            let now = api.assembly.clock.now();
            let around = Around {
                question,
                clarification_id: &format!("clar_{}", Uuid::new_v4().simple()),
                expires_at: now.checked_add(good_for).unwrap_or(now),
                quota,
            };
            (telling::told(Arc::unwrap_or_clone(result), spoken, around), MessageState::Done)
        }
        Ok(Err(NoReply::Failed(Failure::Cancelled))) if !api.stop.is_cancelled() => {
            (telling::aborted(), MessageState::Stopped)
        }
        Ok(Err(NoReply::Failed(Failure::Cancelled))) => broken(api.shutting_down().to_string()),
        Ok(Err(NoReply::Failed(failure))) => {
            tracing::warn!(%failure, "a run failed");
            broken(to_wire::failure::failure(&failure).1.error)
        }
        Ok(Err(NoReply::UnknownAttempt)) => broken(Fault::SessionNotFound.to_string()),
        Ok(Err(NoReply::Store(error))) => broken(Fault::internal(&error, "keeping a run").to_string()),
        Err(_) => broken(Fault::internal("a panic", "a run").to_string()),
    }
}

/// The ending of a run that failed.
pub(super) fn broken(error_text: String) -> (Told, MessageState) {
    (telling::failed(error_text), MessageState::Failed)
}

fn listener(telling: &Arc<Mutex<Telling>>) -> Listener {
    let telling = Arc::clone(telling);
    Arc::new(move |stamped| {
        let mut telling = lock(&telling);
        let mut chunks = telling.steps.tell(stamped);
        chunks.extend(telling.spoken.hear(stamped));
        telling.tell(chunks);
    })
}

pub(super) fn lock(telling: &Mutex<Telling>) -> MutexGuard<'_, Telling> {
    telling.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Telling {
    pub(super) fn run(&self) -> Arc<Run> {
        Arc::clone(&self.run)
    }

    pub(super) fn tell(&mut self, chunks: Vec<Chunk>) {
        let written = self.written(chunks);
        self.run.tell(written);
    }

    /// What leaves for some chunks, taken into the message that is kept.
    fn written(&mut self, chunks: Vec<Chunk>) -> Vec<Chunk> {
        let mut written = Vec::new();
        for chunk in chunks {
            written.extend(self.writer.push(chunk));
        }
        for chunk in &written {
            self.message.take(chunk);
        }
        written
    }
}

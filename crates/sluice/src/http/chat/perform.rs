//! The run of a turn: a task of its own, told as it goes and kept when it ends.

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use contract::chat::{Chunk, Quota, UiMessage, Writer};
use engine::Failure;
use futures::FutureExt;
use jiff::SignedDuration;
use store::{Clarification, MessageState, ThreadKey, TurnEnd};
use trace::Listener;
use tracing::{Instrument, Span};
use uuid::Uuid;

use crate::chat::citing;
use crate::chat::runs::{Run, UnderWay};
use crate::http::Api;
use crate::http::fault::Fault;
use crate::reply::{self, Admitted, NoReply};
use crate::to_wire;
use crate::to_wire::chat::{self as telling, Around, Steps, Told};

/// What is said where a question is turned away.
const TURNED_AWAY: &str =
    "That is not something this service answers. Ask about the data that its tools give.";

/// A turn that is about to run.
pub(super) struct Job {
    pub(super) under_way: UnderWay,
    pub(super) owner: String,
    pub(super) thread: String,
    pub(super) question: String,
    /// What is to be answered; none where the question is turned away.
    pub(super) admitted: Option<Admitted>,
    pub(super) quota: Option<Quota>,
    pub(super) writer: Writer,
    pub(super) message: UiMessage,
}

/// What is told of a run so far.
struct Telling {
    run: Arc<Run>,
    steps: Steps,
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
    let Job { under_way, owner, thread, question, admitted, quota, writer, message } = job;
    let run = Arc::clone(&under_way.run);
    let telling = Telling { run: Arc::clone(&run), steps: Steps::default(), writer, message };
    let telling = Arc::new(Mutex::new(telling));
    let (told, state) = match admitted {
        None => (telling::refused(TURNED_AWAY, &question, quota), MessageState::Done),
        Some(admitted) => {
            let work = reply::to(&api.assembly, admitted, run.cancel.clone(), Some(listener(&telling)));
            let reply = AssertUnwindSafe(work).catch_unwind().await;
            ending(api, reply, &question, quota)
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
    let key = ThreadKey { owner: &owner, thread: &thread };
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

type Reply = Result<Result<contract::result::QueryResult, NoReply>, Box<dyn std::any::Any + Send>>;

/// The ending of a run, as it is told and kept.
fn ending(api: &Api, reply: Reply, question: &str, quota: Option<Quota>) -> (Told, MessageState) {
    let failed = |error_text: String| (telling::failed(error_text), MessageState::Failed);
    match reply {
        Ok(Ok(result)) => {
            let policy = &api.assembly.policy;
            let cited =
                citing::cited(&result, policy.library.markers.hold_bytes_max, policy.server.delta_chars_max);
            let good_for = SignedDuration::from_mins(policy.gate.token_minutes.into());
            let now = api.assembly.clock.now();
            let around = Around {
                question,
                clarification_id: &format!("clar_{}", Uuid::new_v4().simple()),
                expires_at: now.checked_add(good_for).unwrap_or(now),
                quota,
            };
            (telling::told(result, &cited, around), MessageState::Done)
        }
        Ok(Err(NoReply::Failed(Failure::Cancelled))) if !api.stop.is_cancelled() => {
            (telling::aborted(), MessageState::Stopped)
        }
        Ok(Err(NoReply::Failed(Failure::Cancelled))) => failed(api.shutting_down().to_string()),
        Ok(Err(NoReply::Failed(failure))) => {
            tracing::warn!(%failure, "a run failed");
            failed(to_wire::failure::failure(&failure).1.error)
        }
        Ok(Err(NoReply::UnknownAttempt)) => failed(Fault::SessionNotFound.to_string()),
        Ok(Err(NoReply::Store(error))) => failed(Fault::internal(&error, "keeping a run").to_string()),
        Err(_) => failed(Fault::internal("a panic", "a run").to_string()),
    }
}

fn listener(telling: &Arc<Mutex<Telling>>) -> Listener {
    let telling = Arc::clone(telling);
    Arc::new(move |stamped| {
        let mut telling = lock(&telling);
        let chunks = telling.steps.tell(stamped);
        telling.tell(chunks);
    })
}

fn lock(telling: &Mutex<Telling>) -> MutexGuard<'_, Telling> {
    telling.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Telling {
    fn tell(&mut self, chunks: Vec<Chunk>) {
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

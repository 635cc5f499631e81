//! The journal of one request: everything that is no pure function of its input, in the order in which it came.
//!
//! The journal stands between the request and the outside: it is the request's clock and makes its exchanges with models,
//! and wraps its catalog and its methods. What it notes is kept in memory and copied nowhere while the request runs.
//!
//! What is asked of the outside is never answered in the same breath: whatever else is asked along with it goes first, as
//! it does when the journal is played. A server in the same process could reply before the next call of its wave is made.
//!
//! What comes in one step of the request came at one time: a deadline that had passed by then let all of it in, or none.
//!
//! That a request is given up comes from the outside too: [`Journal::attend`] lets the request learn of it between two of
//! its steps, and notes after what it was.

mod attend;
mod passes;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::{Call, Clock, Query, Reply, Snapshot};
use futures::FutureExt;
use futures::future::BoxFuture;
use jiff::Timestamp;
use llm::{Exchanges, HearText, ModelReply, ModelRequest};
use mcp::{Catalog, Tools};
use serde_json::Value;
use tokio::task::yield_now;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::format::exchange::microseconds;
use crate::format::pass::PassEnd;
use crate::format::query::{Asked, AskedOfDocuments, AskedQuery};

/// What a request takes from the outside.
pub struct Journal {
    live: Arc<dyn Clock>,
    began: Instant,
    cancel: CancellationToken,
    /// What the request sees of its being given up.
    gate: CancellationToken,
    bytes_max: usize,
    asked: Opening,
    notes: Mutex<Notes>,
}

/// What was asked.
#[derive(Clone)]
pub(crate) enum Opening {
    Query(Box<Asked>),
    Documents(Box<AskedOfDocuments>),
}

#[derive(Default)]
struct Notes {
    /// When the step of the request began that is being made.
    step: Option<u64>,
    entries: Vec<Noted>,
    calls: usize,
    exchanges: usize,
    passes: usize,
    bytes: usize,
    is_cut: bool,
}

/// An entry, and how many microseconds after the first one could have been made.
pub(crate) type Noted = (u64, Entry);

/// Something that came from the outside, or went there.
pub(crate) enum Entry {
    Clock(Timestamp),
    Catalog(Arc<Snapshot>),
    Made { what: &'static str, text: String },
    Call { number: usize, call: Call },
    Reply { number: usize, reply: Reply },
    Model { number: usize, stage: &'static str, model: String, body: Value },
    ModelReply { number: usize, reply: ModelReply },
    LetGo { what: Waited, cancelled: bool },
    Pass { number: usize, ended: PassEnd },
    Looked { what: &'static str, given: Value, found: Value },
    Cancelled { passes: usize },
}

/// Something that a request waits for, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waited {
    Call(usize),
    Exchange(usize),
    Pass(usize),
}

/// What a journal holds, handed over at the request's end.
pub(crate) struct Kept {
    pub(crate) asked: Opening,
    pub(crate) entries: Vec<Noted>,
    pub(crate) is_whole: bool,
}

impl Journal {
    /// The journal of a query that is about to run; `around` is what else its reply hangs on. What is over `bytes_max` is
    /// not kept, and the recording cannot be replayed.
    #[must_use]
    pub fn of(
        query: &Query,
        around: BTreeMap<String, String>,
        ends: (Arc<dyn Clock>, CancellationToken),
        bytes_max: usize,
    ) -> Arc<Self> {
        let asked = Asked { query: AskedQuery::of(query), around };
        Self::opened(Opening::Query(Box::new(asked)), ends, bytes_max)
    }

    /// The journal of a question about documents, in whatever words it is asked again.
    #[must_use]
    pub fn of_documents(
        question: Value,
        around: BTreeMap<String, String>,
        ends: (Arc<dyn Clock>, CancellationToken),
        bytes_max: usize,
    ) -> Arc<Self> {
        let asked = AskedOfDocuments { question, around };
        Self::opened(Opening::Documents(Box::new(asked)), ends, bytes_max)
    }

    fn opened(
        asked: Opening,
        (live, cancel): (Arc<dyn Clock>, CancellationToken),
        bytes_max: usize,
    ) -> Arc<Self> {
        Arc::new(Self {
            live,
            began: Instant::now(),
            cancel,
            gate: CancellationToken::new(),
            bytes_max,
            asked,
            notes: Mutex::default(),
        })
    }

    /// The catalog, with what is seen of it noted.
    pub fn catalog<'a>(&'a self, live: &'a dyn Catalog) -> impl Catalog + 'a {
        Recorded { journal: self, live }
    }

    /// The methods, with their calls noted.
    pub fn tools<'a>(&'a self, live: &'a dyn Tools) -> impl Tools + 'a {
        Recorded { journal: self, live }
    }

    /// Notes something random that was made up for the request.
    pub fn made(&self, what: &'static str, text: &str) {
        self.note(Entry::Made { what, text: text.to_owned() }, text.len());
    }

    /// Notes what was found where something outside was looked into.
    pub fn looked(&self, what: &'static str, given: Value, found: Value) {
        let bytes = found.to_string().len();
        self.note(Entry::Looked { what, given, found }, bytes);
    }

    /// What was noted. The journal is empty from here on.
    pub(crate) fn take(&self) -> Kept {
        let notes = std::mem::take(&mut *self.notes());
        Kept { asked: self.asked.clone(), entries: notes.entries, is_whole: !notes.is_cut }
    }

    fn note(&self, entry: Entry, bytes: usize) {
        let mut notes = self.notes();
        let at = notes.step.unwrap_or_else(|| microseconds(self.began.elapsed()));
        notes.bytes = notes.bytes.saturating_add(bytes);
        if notes.bytes > self.bytes_max {
            notes.is_cut = true;
        }
        if !notes.is_cut {
            notes.entries.push((at, entry));
        }
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next_call(&self) -> usize {
        let mut notes = self.notes();
        notes.calls += 1;
        notes.calls - 1
    }

    fn next_pass(&self) -> usize {
        let mut notes = self.notes();
        notes.passes += 1;
        notes.passes - 1
    }

    fn next_exchange(&self) -> usize {
        let mut notes = self.notes();
        notes.exchanges += 1;
        notes.exchanges - 1
    }
}

impl Clock for Journal {
    fn now(&self) -> Timestamp {
        let now = self.live.now();
        self.note(Entry::Clock(now), 0);
        now
    }
}

impl Exchanges for Journal {
    fn exchange<'a>(
        &'a self,
        request: ModelRequest<'a>,
        live: BoxFuture<'a, ModelReply>,
        _: &'a HearText<'a>,
    ) -> BoxFuture<'a, ModelReply> {
        async move {
            let number = self.next_exchange();
            let ModelRequest { stage, model, body } = request;
            self.note(Entry::Model { number, stage: stage.word(), model: model.to_owned(), body }, 0);
            let waits = Waits { journal: self, what: Some(Waited::Exchange(number)) };
            yield_now().await;
            let reply = live.await;
            waits.end();
            self.note(Entry::ModelReply { number, reply: reply.clone() }, reply.text.len());
            reply
        }
        .boxed()
    }
}

/// A port with a journal beside it.
struct Recorded<'a, P: ?Sized> {
    journal: &'a Journal,
    live: &'a P,
}

impl Catalog for Recorded<'_, dyn Catalog + '_> {
    fn snapshot(&self) -> Arc<Snapshot> {
        let snapshot = self.live.snapshot();
        self.journal.note(Entry::Catalog(Arc::clone(&snapshot)), 0);
        snapshot
    }
}

impl Tools for Recorded<'_, dyn Tools + '_> {
    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Reply> {
        async move {
            let number = self.journal.next_call();
            self.journal.note(Entry::Call { number, call: call.clone() }, 0);
            let waits = Waits { journal: self.journal, what: Some(Waited::Call(number)) };
            yield_now().await;
            let reply = self.live.call(call).await;
            waits.end();
            let bytes = reply.as_ref().map_or(0, |delivered| delivered.bytes);
            self.journal.note(Entry::Reply { number, reply: reply.clone() }, bytes);
            reply
        }
        .boxed()
    }
}

/// Notes that nobody waits any more, unless that came first which was waited for.
struct Waits<'a> {
    journal: &'a Journal,
    what: Option<Waited>,
}

impl Waits<'_> {
    fn end(mut self) {
        self.what = None;
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        if let Some(what) = self.what {
            let cancelled = self.journal.gate.is_cancelled();
            self.journal.note(Entry::LetGo { what, cancelled }, 0);
        }
    }
}

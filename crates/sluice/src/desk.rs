//! The library as callers have it: what is asked in the wire's words, answered in them. Every surface comes through here:
//! HTTP, the MCP tools, the command line and the catalog's listing. What a caller may see is settled first, by [`Desk::of`].

mod answer;
mod catalog;
mod documents;
pub(crate) mod explore;
mod find;
mod show;
pub(crate) mod sitting;
pub(crate) mod text;
pub(crate) mod tools;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use contract::error::BodyFault;
use contract::library::Citation;
use domain::Clock;
use library::{Library, Scope};
use llm::Portfolio;
use policy::Policy;
use store::Store;
use telemetry::Telemetry;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use trace::Recorder;

use crate::outside::NotFound;
pub(crate) use catalog::Shelved;
pub(crate) use documents::{DEFAULT_COLLECTION, GivenDocument};

/// The library with what answers from it. Clones share both.
#[derive(Clone)]
pub(crate) struct Desk {
    pub(crate) library: Library,
    portfolio: Arc<Portfolio>,
    policy: Arc<Policy>,
    clock: Arc<dyn Clock>,
    /// Where questions are recorded; none where they are not.
    recorder: Option<Arc<Recorder>>,
    /// What watches questions; none where nothing does.
    telemetry: Option<Arc<Telemetry>>,
}

/// The desk as one caller has it.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    desk: &'a Desk,
    caller: &'a str,
}

/// Why the library does not serve a request. The words may be shown to callers.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DeskFault {
    /// A part of the request is wrong.
    #[error(transparent)]
    Request(#[from] BodyFault),
    /// The caller has no such document.
    #[error("no document with this id")]
    NoDocument,
    /// The caller has no such collection.
    #[error("no collection with this id")]
    NoCollection,
    /// The collection has documents.
    #[error("the collection has documents: delete them first")]
    NotEmpty,
    /// The caller's documents have no such chunk.
    #[error("no chunk with this id; search again where its document has changed")]
    NoChunk,
    /// The models failed. What was gathered is not lost with them.
    #[error("{reason}")]
    Unwritten {
        /// Why.
        reason: String,
        /// What was gathered.
        evidence: Vec<Citation>,
    },
    /// The library failed.
    #[error(transparent)]
    Library(#[from] library::Error),
    /// Nobody waits for the answer any more.
    #[error("the question was given up")]
    GivenUp,
    /// The library failed when this was recorded, or was not asked.
    #[error("{0}")]
    NotRecorded(String),
}

impl From<NotFound> for DeskFault {
    fn from(NotFound(why): NotFound) -> Self {
        Self::NotRecorded(why)
    }
}

impl Desk {
    /// The library of a store, with its index in a directory, or in memory where there is none.
    pub(crate) async fn open(
        store: Store,
        index: Option<&Path>,
        portfolio: Arc<Portfolio>,
        policy: Arc<Policy>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, library::Error> {
        let library = Library::open(store, index, policy.library.clone(), portfolio.embedder()).await?;
        Ok(Self { library, portfolio, policy, clock, recorder: None, telemetry: None })
    }

    /// The same, with questions recorded into a directory until the recorder is told to stop.
    pub(crate) fn recording(
        self,
        place: (PathBuf, Option<String>),
        tasks: (&TaskTracker, CancellationToken),
    ) -> Self {
        let recorder = Recorder::start(place, &self.policy.recording, Arc::clone(&self.clock), tasks);
        Self { recorder: Some(Arc::new(recorder)), ..self }
    }

    /// The same, with questions watched.
    pub(crate) fn watched_by(self, telemetry: Arc<Telemetry>) -> Self {
        Self { telemetry: Some(telemetry), ..self }
    }

    /// Where questions are recorded; none where they are not.
    pub(crate) fn recorder(&self) -> Option<&Recorder> {
        self.recorder.as_deref()
    }

    /// What watches questions; none where nothing does.
    pub(crate) fn telemetry(&self) -> Option<&Arc<Telemetry>> {
        self.telemetry.as_ref()
    }

    /// Closes the store.
    pub(crate) async fn close(&self) {
        self.library.close().await;
    }

    /// The desk as a caller has it: nothing that is another's is ever seen from there.
    pub(crate) fn of<'a>(&'a self, caller: &'a str) -> Reader<'a> {
        Reader { desk: self, caller }
    }
}

impl Reader<'_> {
    fn scope(&self, collection_id: Option<&str>, document_id: Option<&str>) -> Scope {
        let mut scope = self.desk.library.scope(self.caller);
        if let Some(collection) = collection_id {
            scope = scope.in_collections([collection.to_owned()]);
        }
        if let Some(document) = document_id {
            scope = scope.in_documents([document.to_owned()]);
        }
        scope
    }

    fn policy(&self) -> &policy::Library {
        &self.desk.policy.library
    }

    fn elapsed_ms(&self, since: jiff::Timestamp) -> u64 {
        let elapsed = self.desk.clock.now().duration_since(since);
        u64::try_from(elapsed.as_millis()).unwrap_or_default()
    }
}

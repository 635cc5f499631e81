//! Durable state: jobs, idempotency, usage, blobs, sessions, gate records, documents, conversations; in one SQLite file.
//!
//! One process has the file at a time. What a process left unfinished when it died is known as such by the next one.
//! Every time is passed in. A method whose future is dropped has either done its work or not, never half of it.

mod blobs;
mod claims;
mod documents;
mod error;
mod gate_records;
mod instant;
mod jobs;
mod open;
mod searches;
mod sessions;
mod threads;
mod usage;

use std::fs::File;
use std::sync::Arc;

use sqlx::{Sqlite, SqlitePool, Transaction};

pub use blobs::{Blob, BlobAddress};
pub use claims::{Claim, ClaimKey, StoredResponse};
pub use documents::{
    ChunkLevel, Collection, DocumentChange, DocumentVectors, NewChunk, NewDocument, StoredChunk,
    StoredDocument, Unembedded,
};
pub use error::Error;
pub use jobs::{Job, JobState, NewJob};
pub use open::Settings;
pub use sessions::{Attempt, AttemptMode, AttemptStatus};
pub use threads::{
    Clarification, Counted, Cursor, MessageCount, MessageState, NewTurn, NoTurn, Page, Recap, StoredMessage,
    StoredVote, ThreadKey, ThreadLimits, ThreadSummary, TurnEnd,
};
pub use usage::{Charge, Settlement};

/// The durable state of one data directory. Clones share it.
#[derive(Clone, Debug)]
pub struct Store {
    /// One connection: writers wait for it in the pool, in order, and not in SQLite, by trial.
    writer: SqlitePool,
    readers: SqlitePool,
    life: i64,
    blob_bytes_max: usize,
    _lock: Option<Arc<File>>,
}

impl Store {
    /// Waits for what is under way and closes the file.
    pub async fn close(self) {
        self.readers.close().await;
        self.writer.close().await;
    }

    async fn begin(&self) -> Result<Transaction<'static, Sqlite>, Error> {
        Ok(self.writer.begin_with("BEGIN IMMEDIATE").await?)
    }
}

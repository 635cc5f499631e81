//! The store through its public face, on a real file.

#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod blobs;
mod claims;
mod crash;
mod gate_records;
mod jobs;
mod opening;
mod sessions;
mod threads;
mod usage;

use std::path::PathBuf;
use std::time::Duration;

use domain::RequestId;
use jiff::Timestamp;
use store::{Settings, Store};
use tempfile::TempDir;

const SETTINGS: Settings = Settings {
    readers_max: 3,
    acquire_timeout: Duration::from_mins(1),
    busy_timeout: Duration::from_mins(1),
    blob_bytes_max: 1_000,
};

/// A directory for one test's store.
struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("store.sqlite")
    }

    async fn open(&self) -> Store {
        Store::open(&self.path(), SETTINGS).await.unwrap()
    }
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_774_742_400 + second).unwrap()
}

fn request(text: &str) -> RequestId {
    RequestId::new(text)
}

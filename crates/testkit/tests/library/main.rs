//! The library with an embedding model at a real endpoint: what it finds, what it does without, and what nobody ever sees.

#![expect(clippy::unwrap_used, clippy::panic, reason = "these are tests, their helpers too")]

mod embeddings;
mod scopes;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use fit::Knowledge;
use jiff::Timestamp;
use library::{Format, Given, Library};
use llm::Portfolio;
use policy::Policy;
use store::{Settings, Store};
use testkit::FixedClock;
use testkit::model_server::{Meanings, ModelServer};

const SETTINGS: Settings = Settings {
    readers_max: 2,
    acquire_timeout: Duration::from_mins(1),
    busy_timeout: Duration::from_mins(1),
    blob_bytes_max: 1,
};

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

const DIMENSIONS: usize = 64;

/// A model to which a lapse is an expiry, and a slumber is silence.
fn meanings() -> Meanings {
    Meanings {
        dimensions: DIMENSIONS,
        alike: vec![
            ("lapse", "expires"),
            ("slumber", "silence"),
            ("login", "session"),
            ("period", "minutes"),
        ],
        ..Meanings::default()
    }
}

/// The shipped policy with an embedding model of this name, which a search waits so long for.
fn policy(url: &str, model: &str, question_timeout_ms: u64) -> Policy {
    let directory = tempfile::tempdir().unwrap();
    let shipped = include_str!("../../../../policies/models.toml");
    let text = shipped.replace(
        "\n[endpoints]\n",
        &format!(
            "\n[endpoints.near]\ndialect = \"openai\"\nbase_url = \"{url}\"\nbreaker = {{ failures_max = 100, open_ms = 1 }}\n\
             [embeddings]\nendpoint = \"near\"\nname = \"{model}\"\ndimensions = {DIMENSIONS}\ntexts_max = 3\n\
             text_chars_max = 2_000\nquestion_timeout_ms = {question_timeout_ms}\nrequest_timeout_ms = 60_000\nretry_ms = 1\n"
        ),
    );
    fs::write(directory.path().join("models.toml"), text).unwrap();
    Policy::load(directory.path()).unwrap()
}

/// A library in a directory, with this model at this server.
async fn library(home: &Path, server: &ModelServer, model: &str) -> (Store, Library) {
    open(home, &policy(&server.base_url(), model, 60_000)).await
}

async fn open(home: &Path, policy: &Policy) -> (Store, Library) {
    let clock = Arc::new(FixedClock::new(NOW));
    let portfolio = Portfolio::open(policy, Arc::new(Knowledge::default()), &|_| None, clock).unwrap();
    let store = Store::open(&home.join("store.sqlite"), SETTINGS).await.unwrap();
    let index = home.join("index");
    let library = Library::open(store.clone(), Some(&index), policy.library.clone(), portfolio.embedder());
    (store, library.await.unwrap())
}

/// Puts a document into a caller's collection; gives the document's identifier.
async fn add(library: &Library, (caller, collection): (&str, &str), source: &str, text: &str) -> String {
    let collection = library.collection(caller, collection, NOW).await.unwrap();
    let given = Given::new(source, Format::Markdown, text.as_bytes());
    library.add(caller, &collection.collection_id, given, NOW).await.unwrap().document.document_id
}

//! The library as its callers see it: documents in, chunks out, each in its scope.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod durable;
mod surface;

use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use library::{Format, Given, Library};
use store::{Settings, Store};

const SETTINGS: Settings = Settings {
    readers_max: 2,
    acquire_timeout: Duration::from_secs(5),
    busy_timeout: Duration::from_secs(5),
    blob_bytes_max: 1,
};

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

fn policy() -> policy::Library {
    policy::Policy::shipped().unwrap().library
}

async fn in_memory() -> Library {
    let store = Store::in_memory(SETTINGS).await.unwrap();
    Library::open(store, None, policy(), None).await.unwrap()
}

async fn on_disk(directory: &Path) -> (Store, Library) {
    let store = Store::open(&directory.join("store.sqlite"), SETTINGS).await.unwrap();
    let library = Library::open(store.clone(), Some(&directory.join("index")), policy(), None).await.unwrap();
    (store, library)
}

fn markdown<'a>(source: &'a str, text: &'a str) -> Given<'a> {
    Given::new(source, Format::Markdown, text.as_bytes())
}

/// Puts a document into a caller's collection; gives the document's identifier.
async fn add(library: &Library, caller: &str, collection: &str, source: &str, text: &str) -> String {
    let collection = library.collection(caller, collection, NOW).await.unwrap();
    let added = library.add(caller, &collection.collection_id, markdown(source, text), NOW).await.unwrap();
    added.document.document_id
}

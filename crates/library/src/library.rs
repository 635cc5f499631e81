//! The library: a store's documents, and the index over them.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use llm::Embedder;
use sha2::{Digest, Sha256};
use store::{Collection, NewDocument, Store, StoredDocument};
use tokio::sync::oneshot;

use crate::extract::{self, Format};
use crate::index::Index;
use crate::tree::{self, Tree};
use crate::vectors::Vectors;
use crate::{Error, Scope};

/// The way in which documents are cut. Another one, and a document that is given again is cut anew.
const CUT: &str = "1";

/// Documents between two commits of the index, where many are put in.
const BATCH: usize = 256;

/// The documents of a store, and the index over them. Clones share both.
#[derive(Clone)]
pub struct Library {
    pub(crate) store: Store,
    pub(crate) index: Arc<Index>,
    pub(crate) policy: Arc<policy::Library>,
    pub(crate) vectors: Option<Arc<Vectors>>,
    /// Who brings the index up to date does it alone.
    pub(crate) catching_up: Arc<tokio::sync::Mutex<()>>,
}

/// A document as it is given.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// Where it came from: a path or an address. Given again from there, it takes the place of what was.
    pub source: &'a str,
    /// Its title, where its text does not say.
    pub title: Option<&'a str>,
    /// Where a person can read it.
    pub url: Option<&'a str>,
    /// What it is tagged with.
    pub tags: &'a [String],
    /// What it is.
    pub format: Format,
    /// Its bytes.
    pub bytes: &'a [u8],
}

impl<'a> Given<'a> {
    /// A document of which nothing more is said.
    #[must_use]
    pub fn new(source: &'a str, format: Format, bytes: &'a [u8]) -> Self {
        Self { source, title: None, url: None, tags: &[], format, bytes }
    }
}

/// A document that was put in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Added {
    /// The document.
    pub document: StoredDocument,
    /// Whether it was there already, just as it was given.
    pub is_unchanged: bool,
}

impl Library {
    /// The library of a store, with its index in a directory, or in memory where there is none. Brings the index up to date.
    /// Without an embedder words alone are searched.
    pub async fn open(
        store: Store,
        directory: Option<&Path>,
        policy: policy::Library,
        embedder: Option<Arc<Embedder>>,
    ) -> Result<Self, Error> {
        let index = Index::open(directory, policy.search.writer_bytes)?;
        let library = Self {
            store,
            index: Arc::new(index),
            vectors: embedder.map(|embedder| Arc::new(Vectors::new(embedder))),
            policy: Arc::new(policy),
            catching_up: Arc::new(tokio::sync::Mutex::new(())),
        };
        library.catch_up().await?;
        Ok(library)
    }

    /// A caller's collection of this name, which is made where there is none.
    pub async fn collection(&self, caller: &str, name: &str, now: Timestamp) -> Result<Collection, Error> {
        let id = identifier("col_", &[caller, name]);
        Ok(self.store.put_collection(caller, name, &id, now).await?)
    }

    /// Puts a document into a caller's collection and makes it findable.
    pub async fn add(
        &self,
        caller: &str,
        collection_id: &str,
        given: Given<'_>,
        now: Timestamp,
    ) -> Result<Added, Error> {
        let added = self.put(caller, collection_id, given, now).await?;
        self.catch_up().await?;
        Ok(added)
    }

    /// Puts a document into a caller's collection; [`catch_up`](Self::catch_up) makes it findable.
    pub async fn put(
        &self,
        caller: &str,
        collection_id: &str,
        given: Given<'_>,
        now: Timestamp,
    ) -> Result<Added, Error> {
        let collections = self.store.collections(caller).await?;
        if collections.iter().all(|collection| collection.collection_id != collection_id) {
            return Err(Error::UnknownCollection);
        }
        let document_id = identifier("d_", &[caller, collection_id, given.source]);
        let tags = self.tags(given.tags)?;
        let hash = given_hash(&given, &tags);
        let known = self.store.document(caller, &document_id).await?;
        if let Some(document) = known.filter(|known| known.given_sha256 == hash) {
            return Ok(Added { document, is_unchanged: true });
        }
        let (text, tree) = self.cut(&document_id, &given).await?;
        let document = NewDocument {
            document_id: &document_id,
            caller,
            collection_id,
            source: given.source,
            title: &tree.title,
            url: given.url,
            media_type: given.format.media_type(),
            tags: &tags,
            given_sha256: &hash,
            text: &text,
            chunks: &tree.chunks,
        };
        self.store.put_document(document, now).await?;
        let document = self.store.document(caller, &document_id).await?;
        let document = document.ok_or(Error::Unreadable("it was deleted meanwhile"))?;
        Ok(Added { document, is_unchanged: false })
    }

    /// Tags as they are kept: in order, each once.
    fn tags(&self, given: &[String]) -> Result<Vec<String>, Error> {
        let limits = self.policy.documents;
        let tags: BTreeSet<&str> = given.iter().map(|tag| tag.trim()).filter(|tag| !tag.is_empty()).collect();
        let too_large = |what, most| Err(Error::TooLarge { what, most });
        if tags.len() > limits.tags_max {
            return too_large("documents.tags_max", limits.tags_max);
        }
        if tags.iter().any(|tag| tag.chars().count() > limits.tag_chars_max) {
            return too_large("documents.tag_chars_max", limits.tag_chars_max);
        }
        Ok(tags.into_iter().map(str::to_owned).collect())
    }

    /// The part of a scope that has all of these tags.
    pub async fn tagged(&self, scope: Scope, tags: &[String]) -> Result<Scope, Error> {
        let tags: Vec<String> = tags.iter().map(|tag| tag.trim().to_owned()).collect();
        let documents = self.store.documents_tagged(scope.caller(), &tags).await?;
        Ok(scope.in_documents(documents))
    }

    /// Deletes a caller's document. Says whether there was one.
    pub async fn remove(&self, caller: &str, document_id: &str) -> Result<bool, Error> {
        let removed = self.store.delete_document(caller, document_id).await?.is_some();
        self.catch_up().await?;
        Ok(removed)
    }

    /// A caller's collections, by name.
    pub async fn collections(&self, caller: &str) -> Result<Vec<Collection>, Error> {
        Ok(self.store.collections(caller).await?)
    }

    /// Deletes a caller's collection that has no documents. Says whether there was one.
    pub async fn remove_collection(&self, caller: &str, collection_id: &str) -> Result<bool, Error> {
        Ok(self.store.delete_collection(caller, collection_id).await?)
    }

    /// A caller's documents by title, of one collection where one is named: so many, after so many.
    pub async fn documents(
        &self,
        caller: &str,
        collection_id: Option<&str>,
        limit: u32,
        offset: u32,
    ) -> Result<Vec<StoredDocument>, Error> {
        Ok(self.store.documents(caller, collection_id, limit, offset).await?)
    }

    /// What a caller's documents are about: titles and headings, each once.
    pub async fn topics(&self, caller: &str) -> Result<Vec<String>, Error> {
        let limits = self.policy.find;
        let most = u32::try_from(limits.results_max).unwrap_or(u32::MAX);
        let documents = self.store.documents(caller, None, most, 0).await?;
        let mut topics: Vec<String> = Vec::new();
        let headings = self.store.section_headings(caller, limits.headings_max).await?;
        for topic in documents.into_iter().map(|document| document.title).chain(headings) {
            if !topics.contains(&topic) {
                topics.push(topic);
            }
        }
        Ok(topics)
    }

    /// A caller's document with its text.
    pub async fn document(
        &self,
        caller: &str,
        document_id: &str,
    ) -> Result<Option<(StoredDocument, String)>, Error> {
        let Some(document) = self.store.document(caller, document_id).await? else { return Ok(None) };
        let text = self.store.document_text(caller, document_id).await?;
        Ok(text.map(|text| (document, text)))
    }

    /// How often the documents were changed: what is found hangs on it.
    pub async fn revision(&self) -> Result<i64, Error> {
        Ok(self.store.library_revision().await?)
    }

    /// Waits for what is under way and closes the store.
    pub async fn close(&self) {
        self.store.clone().close().await;
    }

    /// Brings the index up to date with the store. Says how many documents were put in.
    pub async fn catch_up(&self) -> Result<usize, Error> {
        let _alone = self.catching_up.lock().await;
        let index = Arc::clone(&self.index);
        let mut indexed = blocking(move || index.revision()).await?;
        if indexed > self.store.library_revision().await? {
            // The database is older than the index: a copy was put back.
            self.index.clear()?;
            indexed = 0;
        } else if indexed == 0 {
            self.index.clear()?;
        }
        let changes = self.store.library_changes(indexed).await?;
        let mut put = 0;
        for batch in changes.chunks(BATCH) {
            for change in batch {
                let chunks = self.store.document_chunks(&change.document_id).await?;
                // Of a document that was removed nothing is left.
                put += usize::from(!chunks.is_empty());
                let (index, document_id) = (Arc::clone(&self.index), change.document_id.clone());
                blocking(move || index.put(&document_id, &chunks)).await?;
            }
            let (index, last) =
                (Arc::clone(&self.index), batch.last().map_or(indexed, |change| change.revision));
            blocking(move || index.commit(last)).await?;
        }
        self.shelve().await?;
        Ok(put)
    }

    /// Builds the index anew. Says how many documents are in it.
    pub async fn reindex(&self) -> Result<usize, Error> {
        {
            let _alone = self.catching_up.lock().await;
            let index = Arc::clone(&self.index);
            blocking(move || {
                index.clear()?;
                index.commit(0)
            })
            .await?;
        }
        self.catch_up().await
    }

    async fn cut(&self, document_id: &str, given: &Given<'_>) -> Result<(String, Tree), Error> {
        let (format, bytes) = (given.format, given.bytes.to_vec());
        let (policy, document_id) = (Arc::clone(&self.policy), document_id.to_owned());
        let title = given.title.map(str::to_owned);
        let fallback = name_of(given.source);
        blocking(move || {
            let extracted = extract::text(format, &bytes, &policy.documents)?;
            let mut tree = tree::cut(&document_id, &extracted, title.as_deref(), policy.chunks);
            if tree.title.is_empty() {
                tree = tree::cut(&document_id, &extracted, Some(&fallback), policy.chunks);
            }
            if tree.chunks.len() > policy.documents.chunks_max {
                return Err(Error::TooLarge {
                    what: "documents.chunks_max",
                    most: policy.documents.chunks_max,
                });
            }
            tree.title = tree.title.chars().take(policy.documents.title_chars_max).collect();
            Ok((extracted.text, tree))
        })
        .await
    }

    /// All of a caller's documents.
    #[must_use]
    pub fn scope(&self, caller: &str) -> Scope {
        Scope::of_caller(caller)
    }
}

/// Runs work that takes the processor, beside what waits.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    tokio::task::spawn_blocking(work).await.map_err(|error| Error::Cut(error.into()))?
}

/// Computes on the threads that the parts of a search share: to go there by way of a blocking thread takes longer.
pub(crate) async fn computing<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let (told, done) = oneshot::channel();
    rayon::spawn(move || drop(told.send(catch_unwind(AssertUnwindSafe(work)))));
    match done.await {
        Ok(Ok(found)) => found,
        Ok(Err(panic)) => resume_unwind(panic),
        Err(error) => Err(Error::Cut(error.into())),
    }
}

pub(crate) fn identifier(prefix: &str, parts: &[&str]) -> String {
    format!("{prefix}{}", &hex::encode(Sha256::digest(parts.join("\0")))[..24])
}

fn given_hash(given: &Given<'_>, tags: &[String]) -> String {
    let mut hash = Sha256::new();
    let told = [CUT, given.format.media_type(), given.title.unwrap_or("\0"), given.url.unwrap_or("\0")];
    for part in told {
        hash.update(part);
        hash.update([0]);
    }
    for tag in tags {
        hash.update(tag);
        hash.update([0, 0]);
    }
    hash.update(given.bytes);
    hex::encode(hash.finalize())
}

/// The last part of a path or an address, without its ending.
fn name_of(source: &str) -> String {
    let last = source.trim_end_matches('/').rsplit(['/', '\\']).next().unwrap_or(source);
    last.rsplit_once('.').map_or(last, |(name, _)| name).to_owned()
}

//! What a caller may see, and of that, what is asked about.

use std::collections::BTreeSet;

use store::StoredChunk;

/// A caller's documents, or some of them. It is resolved before anything is searched: nothing outside of it is ever a
/// candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    pub(crate) caller: String,
    pub(crate) collections: Option<BTreeSet<String>>,
    pub(crate) documents: Option<BTreeSet<String>>,
}

impl Scope {
    /// All of a caller's documents.
    #[must_use]
    pub fn of_caller(caller: impl Into<String>) -> Self {
        Self { caller: caller.into(), collections: None, documents: None }
    }

    /// The part of it that is in these collections; none of it where there are none.
    #[must_use]
    pub fn in_collections(mut self, collections: impl IntoIterator<Item = String>) -> Self {
        self.collections = Some(narrowed(self.collections, collections));
        self
    }

    /// The part of it that is one of these documents; none of it where there are none.
    #[must_use]
    pub fn in_documents(mut self, documents: impl IntoIterator<Item = String>) -> Self {
        self.documents = Some(narrowed(self.documents, documents));
        self
    }

    /// Whose documents these are.
    #[must_use]
    pub fn caller(&self) -> &str {
        &self.caller
    }

    /// Whether nothing can be in it.
    pub(crate) fn is_empty(&self) -> bool {
        [&self.collections, &self.documents].into_iter().flatten().any(BTreeSet::is_empty)
    }

    pub(crate) fn allows_document(&self, document_id: &str, collection_id: &str) -> bool {
        self.collections.as_ref().is_none_or(|collections| collections.contains(collection_id))
            && self.documents.as_ref().is_none_or(|documents| documents.contains(document_id))
    }

    pub(crate) fn allows(&self, chunk: &StoredChunk) -> bool {
        chunk.caller == self.caller && self.allows_document(&chunk.document_id, &chunk.collection_id)
    }
}

fn narrowed(known: Option<BTreeSet<String>>, wanted: impl IntoIterator<Item = String>) -> BTreeSet<String> {
    let wanted = wanted.into_iter();
    match known {
        Some(known) => wanted.filter(|one| known.contains(one)).collect(),
        None => wanted.collect(),
    }
}

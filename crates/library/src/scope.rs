//! What a caller may see, and of that, what is asked about.

use std::collections::BTreeSet;

use store::StoredChunk;

/// A caller's documents, or some of them. It is resolved before anything is searched: nothing outside of it is ever a
/// candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    pub(crate) caller: String,
    pub(crate) collections: Option<BTreeSet<String>>,
    pub(crate) document: Option<String>,
}

impl Scope {
    /// All of a caller's documents.
    #[must_use]
    pub fn of_caller(caller: impl Into<String>) -> Self {
        Self { caller: caller.into(), collections: None, document: None }
    }

    /// The part of it that is in these collections; none of it where there are none.
    #[must_use]
    pub fn in_collections(mut self, collections: impl IntoIterator<Item = String>) -> Self {
        let wanted: BTreeSet<String> = collections.into_iter().collect();
        self.collections = Some(match self.collections {
            Some(known) => known.intersection(&wanted).cloned().collect(),
            None => wanted,
        });
        self
    }

    /// The part of it that is this document.
    #[must_use]
    pub fn in_document(mut self, document: impl Into<String>) -> Self {
        let wanted = document.into();
        if self.document.as_ref().is_some_and(|known| *known != wanted) {
            self.collections = Some(BTreeSet::new());
        }
        self.document = Some(wanted);
        self
    }

    /// Whose documents these are.
    #[must_use]
    pub fn caller(&self) -> &str {
        &self.caller
    }

    /// Whether nothing can be in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.collections.as_ref().is_some_and(BTreeSet::is_empty)
    }

    pub(crate) fn allows_document(&self, document_id: &str, collection_id: &str) -> bool {
        self.collections.as_ref().is_none_or(|collections| collections.contains(collection_id))
            && self.document.as_ref().is_none_or(|document| *document == document_id)
    }

    pub(crate) fn allows(&self, chunk: &StoredChunk) -> bool {
        chunk.caller == self.caller && self.allows_document(&chunk.document_id, &chunk.collection_id)
    }
}

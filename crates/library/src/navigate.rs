//! Around a chunk: read it, go up, down, on and back; and whether what was quoted still stands there.

use sha2::{Digest, Sha256};
use store::{ChunkLevel, StoredChunk};

use crate::{Error, Library, Scope};

/// Where to go from a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To what it is a part of.
    Up,
    /// To its parts.
    Down,
    /// To what follows it.
    Next,
    /// To what comes before it.
    Previous,
    /// To both sides.
    Surrounding,
}

/// A quote, as an answer gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// The document.
    pub document_id: String,
    /// The version that was quoted.
    pub document_version: i64,
    /// Where the quote stood in the document's text, in bytes.
    pub range: std::ops::Range<usize>,
    /// What stood there.
    pub text: String,
    /// Its SHA-256, in hex.
    pub sha256: String,
}

/// What became of a quote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuoteState {
    /// It stands where it stood.
    Same,
    /// It stands elsewhere in the document by now.
    Moved(std::ops::Range<usize>),
    /// The source has changed: the document does not say it any more.
    Changed,
    /// There is no such document in the scope.
    Gone,
}

impl Library {
    /// A chunk of a scope.
    pub async fn read(&self, scope: &Scope, chunk_id: &str) -> Result<Option<StoredChunk>, Error> {
        Ok(self.store.chunk(chunk_id).await?.filter(|chunk| scope.allows(chunk)))
    }

    /// The chunks around a chunk of a scope, in the order in which they stand, without itself; `count` to a side, or the
    /// policy's number. The surroundings of an only child are those of what it is a part of. Nothing where the scope has no
    /// such chunk.
    pub async fn expand(
        &self,
        scope: &Scope,
        chunk_id: &str,
        direction: Direction,
        count: Option<usize>,
    ) -> Result<Option<Vec<StoredChunk>>, Error> {
        let Some(chunk) = self.read(scope, chunk_id).await? else { return Ok(None) };
        let limits = self.policy.expand;
        let count = count.unwrap_or(limits.count_default).clamp(1, limits.count_max);
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let found = match direction {
            Direction::Up => self.parent(&chunk).await?.into_iter().collect(),
            Direction::Down => self.store.chunk_children(&chunk.chunk_id, 0..count).await?,
            Direction::Next => self.beside(&chunk, 0, count).await?,
            Direction::Previous => self.beside(&chunk, count, 0).await?,
            Direction::Surrounding => match self.beside(&chunk, count, count).await? {
                none if none.is_empty() => match self.parent(&chunk).await? {
                    Some(parent) => self.beside(&parent, count, count).await?,
                    None => none,
                },
                some => some,
            },
        };
        Ok(Some(found.into_iter().filter(|chunk| scope.allows(chunk)).collect()))
    }

    async fn parent(&self, chunk: &StoredChunk) -> Result<Option<StoredChunk>, Error> {
        match &chunk.parent_id {
            Some(parent) => Ok(self.store.chunk(parent).await?),
            None => Ok(None),
        }
    }

    async fn beside(&self, chunk: &StoredChunk, before: u32, after: u32) -> Result<Vec<StoredChunk>, Error> {
        let Some(parent) = &chunk.parent_id else { return Ok(Vec::new()) };
        let places =
            chunk.sibling.saturating_sub(before)..chunk.sibling.saturating_add(after).saturating_add(1);
        let mut found = self.store.chunk_children(parent, places).await?;
        found.retain(|other| other.chunk_id != chunk.chunk_id);
        Ok(found)
    }

    /// What became of a quote since it was made.
    pub async fn quote_state(&self, scope: &Scope, quote: &Quote) -> Result<QuoteState, Error> {
        let document = self.store.document_chunks_of_level(&quote.document_id, ChunkLevel::Document).await?;
        if !document.iter().any(|chunk| scope.allows(chunk)) {
            return Ok(QuoteState::Gone);
        }
        let Some(text) = self.store.document_text(scope.caller(), &quote.document_id).await? else {
            return Ok(QuoteState::Gone);
        };
        let here = text.get(quote.range.clone()).unwrap_or_default();
        if hex::encode(Sha256::digest(here)) == quote.sha256 {
            return Ok(QuoteState::Same);
        }
        Ok(match text.find(&quote.text).filter(|_| !quote.text.is_empty()) {
            Some(start) => QuoteState::Moved(start..start + quote.text.len()),
            None => QuoteState::Changed,
        })
    }
}

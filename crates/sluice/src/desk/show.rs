//! `deep_read` and `deep_expand`, and chunks as the wire has them.

use contract::library::{
    self as wire, ChunkBody, ExpandRequest, Expanded, ExpandedChunk, Hierarchy, Level, Metadata, Position,
    QuoteStateBody, Retrieval, SearchResult, SiblingIds,
};
use library::{Direction, Quote, QuoteState};
use store::{ChunkLevel, StoredChunk};

use super::{DeskFault, Reader};

impl Reader<'_> {
    /// Reads a chunk.
    pub(crate) async fn read(&self, chunk_id: &str) -> Result<ChunkBody, DeskFault> {
        let chunk = self.desk.library.read(&self.scope(None, None), chunk_id).await?;
        Ok(body(chunk.ok_or(DeskFault::NoChunk)?))
    }

    /// Shows the chunks around a chunk.
    pub(crate) async fn expand(&self, request: &ExpandRequest) -> Result<Expanded, DeskFault> {
        let direction = match request.direction {
            wire::Direction::Up => Direction::Up,
            wire::Direction::Down => Direction::Down,
            wire::Direction::Next => Direction::Next,
            wire::Direction::Previous => Direction::Previous,
            wire::Direction::Surrounding => Direction::Surrounding,
        };
        let scope = self.scope(None, None);
        let found = self.desk.library.expand(&scope, &request.chunk_id, direction, request.count).await?;
        Ok(Expanded { chunks: found.ok_or(DeskFault::NoChunk)?.into_iter().map(expanded).collect() })
    }

    /// Says what became of a quote.
    pub(crate) async fn quote_state(&self, quote: &Quote) -> Result<QuoteStateBody, DeskFault> {
        let scope = self.scope(None, Some(&quote.document_id));
        let (state, range) = match self.desk.library.quote_state(&scope, quote).await? {
            QuoteState::Same => (wire::QuoteState::Same, Some(quote.range.clone())),
            QuoteState::Moved(range) => (wire::QuoteState::Moved, Some(range)),
            QuoteState::Changed => (wire::QuoteState::Changed, None),
            QuoteState::Gone => (wire::QuoteState::Gone, None),
        };
        let (start, end) = range.map(|range| (range.start, range.end)).unzip();
        Ok(QuoteStateBody { state, start, end })
    }
}

/// The wire's word for what chunks were found by.
pub(super) fn retrieval(retrieval: library::Retrieval) -> Retrieval {
    match retrieval {
        library::Retrieval::Lexical => Retrieval::Lexical,
        library::Retrieval::Hybrid => Retrieval::Hybrid,
    }
}

pub(super) fn result(chunk: StoredChunk, score: f64) -> SearchResult {
    SearchResult {
        section_path: section_path(&chunk.path),
        chunk_id: chunk.chunk_id,
        content: chunk.content,
        score,
        level: level(chunk.level),
        document_title: chunk.document_title,
        document_id: chunk.document_id,
        parent_id: chunk.parent_id,
        sibling_ids: SiblingIds { prev: chunk.previous_id, next: chunk.next_id },
        url: chunk.document_url,
    }
}

/// The headings above a chunk, as `A > B`.
pub(super) fn section_path(path: &[String]) -> String {
    path.join(" > ")
}

fn level(level: ChunkLevel) -> Level {
    match level {
        ChunkLevel::Document => Level::Document,
        ChunkLevel::Section => Level::Section,
        ChunkLevel::Paragraph => Level::Paragraph,
    }
}

fn body(chunk: StoredChunk) -> ChunkBody {
    ChunkBody {
        level: level(chunk.level),
        hierarchy: Hierarchy {
            document_title: chunk.document_title,
            document_id: chunk.document_id,
            section_path: section_path(&chunk.path),
            position: Position {
                chunk_index: chunk.sibling,
                parent_chunk_id: chunk.parent_id,
                prev_sibling_id: chunk.previous_id,
                next_sibling_id: chunk.next_id,
            },
        },
        metadata: Metadata {
            word_count: chunk.words,
            start_index: chunk.range.start,
            end_index: chunk.range.end,
            heading_text: chunk.path.last().cloned(),
            sha256: chunk.sha256,
            document_version: chunk.document_version,
        },
        chunk_id: chunk.chunk_id,
        content: chunk.content,
    }
}

fn expanded(chunk: StoredChunk) -> ExpandedChunk {
    ExpandedChunk {
        id: chunk.chunk_id,
        level: level(chunk.level),
        chunk_index: chunk.sibling,
        document_title: chunk.document_title,
        document_id: chunk.document_id,
        parent_id: chunk.parent_id,
        content: chunk.content,
    }
}

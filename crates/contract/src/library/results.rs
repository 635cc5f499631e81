//! What the library finds, reads and shows around a chunk.

use serde::Serialize;
use utoipa::ToSchema;

/// What `find_items` found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct Found {
    /// Prompts: always none, a library has documents.
    #[schema(value_type = Vec<Object>)]
    pub prompts: Vec<serde_json::Value>,
    /// Documents, best first.
    pub documents: Vec<FoundDocument>,
    /// Collections, best first.
    pub collections: Vec<FoundCollection>,
}

/// A document that was found.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundDocument {
    /// Its id.
    pub document_id: String,
    /// Its title.
    pub title: String,
    /// From 0 to 1.
    pub score: f64,
    /// The words around what was looked for; where words were looked for as they stand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub highlight: Option<String>,
    /// The chunk that has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk_id: Option<String>,
}

/// A collection that was found.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundCollection {
    /// Its id.
    pub collection_id: String,
    /// Its name.
    pub name: String,
    /// How many of its documents were found.
    pub matched_items: usize,
    /// From 0 to 1.
    pub score: f64,
}

/// How items were looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FoundMeta {
    /// Whether they were ranked by what they say.
    pub semantic: bool,
    /// The words.
    pub query: String,
}

/// The level of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// A whole document.
    Document,
    /// A section, under a heading.
    Section,
    /// A paragraph.
    Paragraph,
}

impl Level {
    /// The word of the wire.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Document => "document",
            Self::Section => "section",
            Self::Paragraph => "paragraph",
        }
    }
}

/// What `deep_search` found.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Searched {
    /// The chunks, best first.
    pub results: Vec<SearchResult>,
    /// How the search went.
    pub meta: SearchMeta,
}

/// A chunk that was found.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchResult {
    /// Its id.
    pub chunk_id: String,
    /// Its words.
    pub content: String,
    /// From 0 to 1, comparable within one search.
    pub score: f64,
    /// Its level.
    pub level: Level,
    /// Its document's title.
    pub document_title: String,
    /// Its document.
    pub document_id: String,
    /// What it is a part of.
    pub parent_id: Option<String>,
    /// What stands beside it.
    pub sibling_ids: SiblingIds,
    /// The headings above it, as `A > B`; our own addition.
    pub section_path: String,
    /// Where a person can read it; our own addition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// What stands beside a chunk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SiblingIds {
    /// Before it.
    pub prev: Option<String>,
    /// After it.
    pub next: Option<String>,
}

/// How a search went.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchMeta {
    /// What was looked for.
    pub query: String,
    /// As many as `results`.
    pub total_results: usize,
    /// How long it took, in milliseconds.
    pub latency_ms: u64,
    /// By what chunks were found; our own addition.
    pub retrieval: super::Retrieval,
    /// The share of the question's terms that the best result has; our own addition.
    pub coverage: f64,
    /// Words that no document has, with those that were looked up instead; our own addition.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub corrected: Vec<[String; 2]>,
}

/// A session, whose searches leave out what was shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionBody {
    /// Its id.
    pub session_id: String,
    /// When it was opened, in milliseconds since 1970.
    pub created_at: i64,
    /// When it is forgotten, in milliseconds since 1970.
    pub expires_at: i64,
}

/// What `deep_read` reads.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChunkBody {
    /// Its id.
    pub chunk_id: String,
    /// Its level.
    pub level: Level,
    /// Its words.
    pub content: String,
    /// Where it stands.
    pub hierarchy: Hierarchy,
    /// What it is.
    pub metadata: Metadata,
}

/// Where a chunk stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Hierarchy {
    /// Its document's title.
    pub document_title: String,
    /// Its document.
    pub document_id: String,
    /// The headings above it, as `A > B`.
    pub section_path: String,
    /// Its place.
    pub position: Position,
}

/// A chunk's place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Position {
    /// Among what it is a part of, from 0.
    pub chunk_index: u32,
    /// What it is a part of.
    pub parent_chunk_id: Option<String>,
    /// What comes before it.
    pub prev_sibling_id: Option<String>,
    /// What follows it.
    pub next_sibling_id: Option<String>,
}

/// What a chunk is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Metadata {
    /// Its words, counted.
    pub word_count: u32,
    /// Where it begins in its document's text, in bytes.
    pub start_index: usize,
    /// Where it ends there.
    pub end_index: usize,
    /// The heading above it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading_text: Option<String>,
    /// Its SHA-256, in hex; our own addition.
    pub sha256: String,
    /// Its document's version; our own addition.
    pub document_version: i64,
}

/// What `deep_expand` found.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Expanded {
    /// The chunks, in the order in which they stand.
    pub chunks: Vec<ExpandedChunk>,
}

/// A chunk around another.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExpandedChunk {
    /// Its id.
    #[serde(rename = "_id")]
    pub id: String,
    /// Its level.
    pub level: Level,
    /// Its place among what it is a part of, from 0.
    pub chunk_index: u32,
    /// Its document's title.
    pub document_title: String,
    /// Its document.
    pub document_id: String,
    /// What it is a part of.
    pub parent_id: Option<String>,
    /// Its words.
    pub content: String,
}

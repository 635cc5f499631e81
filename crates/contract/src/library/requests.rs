//! What may be asked of the library.

use serde_json::{Map, Value};

use super::fields::Fields;
use crate::error::{BodyFault, ErrorCode};

/// What `find_items` looks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindRequest {
    /// The words; `q` in a query string.
    pub query: String,
    /// Which items.
    pub kind: ItemKind,
    /// Whether items are ranked by what they say; otherwise they have to hold the words as they stand.
    pub is_semantic: bool,
    /// Tags that an item must have, all of them.
    pub tags: Vec<String>,
}

/// Which items are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// Prompts, of which a library has none.
    Prompts,
    /// Documents.
    Documents,
    /// Collections.
    Collections,
    /// All.
    All,
}

const ITEM_KINDS: &[(&str, ItemKind)] = &[
    ("prompts", ItemKind::Prompts),
    ("documents", ItemKind::Documents),
    ("collections", ItemKind::Collections),
    ("all", ItemKind::All),
];

/// What `deep_search` looks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchRequest {
    /// The question.
    pub query: String,
    /// Results at the most.
    pub limit: Option<usize>,
    /// The session whose results are left out.
    pub session_id: Option<String>,
    /// Only of this collection.
    pub collection_id: Option<String>,
    /// Only of this document.
    pub document_id: Option<String>,
}

/// Where `deep_expand` goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpandRequest {
    /// From here.
    pub chunk_id: String,
    /// That way.
    pub direction: Direction,
    /// Chunks to a side.
    pub count: Option<usize>,
}

/// Which way to go from a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To its parent.
    Up,
    /// To its children.
    Down,
    /// To what follows.
    Next,
    /// To what comes before.
    Previous,
    /// To both sides.
    Surrounding,
}

const DIRECTIONS: &[(&str, Direction)] = &[
    ("up", Direction::Up),
    ("down", Direction::Down),
    ("next", Direction::Next),
    ("previous", Direction::Previous),
    ("surrounding", Direction::Surrounding),
];

impl Direction {
    /// The word of the wire.
    #[must_use]
    pub fn word(self) -> &'static str {
        DIRECTIONS.iter().find(|(_, direction)| *direction == self).map_or("", |(word, _)| word)
    }
}

/// What `reason` answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReasonRequest {
    /// The question.
    pub query: String,
    /// What was asked before it in the conversation; our own addition.
    pub previous: Option<String>,
    /// Chunks at the most.
    pub limit: Option<usize>,
    /// Tokens of evidence at the most.
    pub tokens_max: Option<usize>,
    /// Only of this collection.
    pub collection_id: Option<String>,
    /// Only of this document.
    pub document_id: Option<String>,
    /// What markers in the answer look like; our own addition.
    pub markers: MarkerStyle,
}

/// What markers in an answer look like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MarkerStyle {
    /// `[1]`: the place among `citations`.
    #[default]
    Numbers,
    /// `[[chunkId]]`.
    Ids,
}

const MARKER_STYLES: &[(&str, MarkerStyle)] = &[("numbers", MarkerStyle::Numbers), ("ids", MarkerStyle::Ids)];

/// A document to take in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewDocumentRequest {
    /// Its title, where its text does not say.
    pub title: Option<String>,
    /// Its text, or its bytes in Base64 where `is_base64`.
    pub content: String,
    /// Whether `content` is Base64.
    pub is_base64: bool,
    /// What it is: a media type; Markdown unless said.
    pub media_type: Option<String>,
    /// Where it came from. Given again from there, it takes the place of what was; a title's own where none is given.
    pub source: Option<String>,
    /// Where a person can read it.
    pub url: Option<String>,
    /// The collection, by id; the caller's first one where none is given.
    pub collection_id: Option<String>,
    /// The collection, by name; made where there is none.
    pub collection: Option<String>,
    /// What it is tagged with.
    pub tags: Vec<String>,
}

/// A collection to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCollectionRequest {
    /// Its name.
    pub name: String,
}

/// A page of documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// Only of this collection.
    pub collection_id: Option<String>,
    /// Documents at the most.
    pub limit: Option<usize>,
    /// Where the page before ended.
    pub cursor: Option<String>,
}

/// A quote that is looked for again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuoteRequest {
    /// Where it began, in bytes.
    pub start: usize,
    /// Where it ended.
    pub end: usize,
    /// Its SHA-256, in hex.
    pub sha256: String,
    /// Its words.
    pub text: Option<String>,
}

impl FindRequest {
    /// Reads it.
    pub fn read(members: &Map<String, Value>) -> Result<Self, BodyFault> {
        let fields = Fields(members);
        let query = match fields.text("q")? {
            Some(query) => query,
            None => fields.required("query")?,
        };
        Ok(Self {
            query,
            kind: fields.word("type", ITEM_KINDS)?.unwrap_or(ItemKind::All),
            is_semantic: fields.flag("semantic")?.unwrap_or(true),
            tags: fields.list("tags")?,
        })
    }
}

impl SearchRequest {
    /// Reads it.
    pub fn read(members: &Map<String, Value>) -> Result<Self, BodyFault> {
        let fields = Fields(members);
        Ok(Self {
            query: fields.required("query")?,
            limit: fields.count("limit")?,
            session_id: fields.text("sessionId")?,
            collection_id: fields.text("collectionId")?,
            document_id: fields.text("documentId")?,
        })
    }
}

impl ExpandRequest {
    /// Reads it.
    pub fn read(members: &Map<String, Value>) -> Result<Self, BodyFault> {
        let fields = Fields(members);
        Ok(Self {
            chunk_id: fields.required("chunkId")?,
            direction: fields
                .word("direction", DIRECTIONS)?
                .ok_or_else(|| BodyFault::missing("direction"))?,
            count: fields.count("count")?,
        })
    }
}

/// The chunk that `deep_read` reads.
pub fn chunk_id(members: &Map<String, Value>) -> Result<String, BodyFault> {
    Fields(members).required("chunkId")
}

impl ReasonRequest {
    /// Reads it.
    pub fn read(members: &Map<String, Value>) -> Result<Self, BodyFault> {
        let fields = Fields(members);
        Ok(Self {
            query: fields.required("query")?,
            previous: fields.text("previousQuery")?,
            limit: fields.count("limit")?,
            tokens_max: fields.count("maxTokens")?,
            collection_id: fields.text("collectionId")?,
            document_id: fields.text("documentId")?,
            markers: fields.word("markers", MARKER_STYLES)?.unwrap_or_default(),
        })
    }
}

impl NewDocumentRequest {
    /// Reads it.
    pub fn read(members: &Map<String, Value>) -> Result<Self, BodyFault> {
        let fields = Fields(members);
        let (text, base64) = (fields.raw("content")?, fields.raw("contentBase64")?);
        let is_base64 = text.is_none();
        let content = match (text, base64) {
            (Some(_), Some(_)) => {
                let message = "excludes `contentBase64`";
                return Err(BodyFault::new(ErrorCode::ConflictingFields, "content", message));
            }
            (content, base64) => content.or(base64).ok_or_else(|| BodyFault::missing("content"))?,
        };
        Ok(Self {
            title: fields.text("title")?,
            content,
            is_base64,
            media_type: fields.text("mediaType")?,
            source: fields.text("source")?,
            url: fields.text("url")?,
            collection_id: fields.text("collectionId")?,
            collection: fields.text("collection")?,
            tags: fields.list("tags")?,
        })
    }
}

impl NewDocumentRequest {
    /// What a query string says of a document that is the body itself.
    pub fn of_query(members: &Map<String, Value>) -> Result<Self, BodyFault> {
        let mut with_content = members.clone();
        with_content.remove("contentBase64");
        with_content.insert("content".to_owned(), Value::String(String::new()));
        Self::read(&with_content)
    }
}

impl PageRequest {
    /// Reads it.
    pub fn read(members: &Map<String, Value>) -> Result<Self, BodyFault> {
        let fields = Fields(members);
        Ok(Self {
            collection_id: fields.text("collectionId")?,
            limit: fields.count("limit")?,
            cursor: fields.text("cursor")?,
        })
    }
}

impl QuoteRequest {
    /// Reads it.
    pub fn read(members: &Map<String, Value>) -> Result<Self, BodyFault> {
        let fields = Fields(members);
        let byte = |name: &str| -> Result<usize, BodyFault> {
            let said = fields.required(name)?;
            said.parse().map_err(|_| BodyFault::new(ErrorCode::InvalidValue, name, "must be a whole number"))
        };
        let (start, end) = (byte("start")?, byte("end")?);
        if end < start {
            return Err(BodyFault::new(ErrorCode::InvalidValue, "end", "must not be below `start`"));
        }
        Ok(Self { start, end, sha256: fields.required("sha256")?, text: fields.raw("text")? })
    }
}

impl NewCollectionRequest {
    /// Reads it.
    pub fn read(members: &Map<String, Value>) -> Result<Self, BodyFault> {
        Ok(Self { name: Fields(members).required("name")? })
    }
}

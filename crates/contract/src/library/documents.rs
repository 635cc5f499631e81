//! Documents and collections as they are kept.

use serde::Serialize;
use utoipa::ToSchema;

/// A document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentBody {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Always `ready`: a document that is taken in can be found.
    pub status: String,
    /// What it was given as: `markdown`, `html`, `text` or `pdf`.
    pub source_type: String,
    /// Where it came from: a path, an address or a name.
    pub source: String,
    /// Where a person can read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_url: Option<String>,
    /// Its collection.
    pub collection_id: String,
    /// What it is tagged with.
    pub tags: Vec<String>,
    /// Its version, from 1.
    pub current_version: i64,
    /// Its chunks, of all levels.
    pub chunk_count: i64,
    /// The SHA-256 of what was given, in hex.
    pub sha256: String,
    /// When it was first taken in, in milliseconds since 1970.
    pub created_at: i64,
    /// When it last changed, in milliseconds since 1970.
    pub updated_at: i64,
    /// Its text; where one document is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// Whether it was there already, just as it was given; where it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unchanged: Option<bool>,
}

/// A collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CollectionBody {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How many documents it has.
    pub item_count: u64,
    /// When it was made, in milliseconds since 1970.
    pub created_at: i64,
}

/// How to go on in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// What to send as `cursor` for the next page.
    pub cursor: String,
    /// Always true: where there is no more, `pagination` is null.
    pub has_more: bool,
}

/// What became of a quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum QuoteState {
    /// It stands where it stood.
    Same,
    /// It stands elsewhere in the document.
    Moved,
    /// The source has changed: the document does not say it any more.
    Changed,
    /// There is no such document any more.
    Gone,
}

/// What became of a quote, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuoteStateBody {
    /// What became of it.
    pub state: QuoteState,
    /// Where it begins now, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<usize>,
    /// Where it ends now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<usize>,
}

//! Documents and the answers from them: the bodies of `/v1/search`, `/v1/pd/*`, `/v1/reason`, `/v1/documents` and
//! `/v1/collections`, which are the structured content of the five MCP tools too.

mod answer;
mod documents;
mod fields;
mod requests;
mod results;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::error::{ErrorBody, ErrorCode};

pub use answer::{
    Citation, ConflictDetail, ConflictSide, QuoteBody, ReasonMeta, Reasoned, Retrieval, SentenceBody,
    SentenceCitation, Strength,
};
pub use documents::{CollectionBody, DocumentBody, Page, QuoteState, QuoteStateBody};
pub use fields::{from_body, from_pairs};
pub use requests::{
    Direction, ExpandRequest, FindRequest, ItemKind, MarkerStyle, NewCollectionRequest, NewDocumentRequest,
    PageRequest, QuoteRequest, ReasonRequest, SearchRequest, chunk_id,
};
pub use results::{
    ChunkBody, Expanded, ExpandedChunk, Found, FoundCollection, FoundDocument, FoundMeta, Hierarchy, Level,
    Metadata, Position, SearchMeta, SearchResult, Searched, SessionBody, SiblingIds,
};

/// A reply that went well.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Data<T> {
    /// What was asked for.
    pub data: T,
}

/// A reply of `GET /v1/search`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct FoundReply {
    /// What was found.
    pub data: Found,
    /// How it was looked for.
    pub meta: FoundMeta,
}

/// One page of a list.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Listed<T> {
    /// The items.
    pub data: Vec<T>,
    /// How to go on; null where this was all.
    pub pagination: Option<Page>,
}

/// A reply that did not go well.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ErrorEnvelope {
    /// What went wrong.
    pub error: ErrorDetail,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ErrorDetail {
    /// For programs.
    pub code: ErrorCode,
    /// For people.
    pub message: String,
    /// More about it: the `field` at fault, or what was gathered for an answer that could not be written (`evidence`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub details: Option<Value>,
}

impl From<ErrorBody> for ErrorEnvelope {
    fn from(body: ErrorBody) -> Self {
        let details = body.field.map(|field| serde_json::json!({ "field": field }));
        let code = body.code.unwrap_or(ErrorCode::Unknown);
        Self { error: ErrorDetail { code, message: body.error, details } }
    }
}

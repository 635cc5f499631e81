//! The error body, and what is wrong with a request body.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The body of every response that is not a success.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErrorBody {
    /// What went wrong, for people.
    pub error: String,
    /// What went wrong, for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<ErrorCode>,
    /// The part of the request that is at fault: a path such as `forkFrom.reason` or `tools[1]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// A page that helps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help_url: Option<String>,
}

impl ErrorBody {
    /// The body with this code and these words.
    #[must_use]
    pub fn new(code: ErrorCode, error: impl Into<String>) -> Self {
        Self { error: error.into(), code: Some(code), field: None, help_url: None }
    }
}

impl From<BodyFault> for ErrorBody {
    fn from(fault: BodyFault) -> Self {
        let error = fault.to_string();
        let field = Some(fault.field).filter(|field| !field.is_empty());
        Self { error, code: Some(fault.code), field, help_url: None }
    }
}

/// What went wrong, for programs. Clients accept codes that they do not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The body is no JSON.
    InvalidJson,
    /// The body is no JSON object.
    InvalidBody,
    /// A field that must be there is not.
    MissingField,
    /// A field has a value of the wrong type.
    InvalidType,
    /// A field has a value of the right type that is not allowed.
    InvalidValue,
    /// Two fields exclude each other.
    ConflictingFields,
    /// A field is over its limit.
    LimitExceeded,
    /// The body is over the server's limit.
    BodyTooLarge,
    /// The body is declared as something other than JSON.
    UnsupportedMediaType,
    /// No key, or one that is not known.
    Unauthorized,
    /// The key may not do this.
    Forbidden,
    /// Nothing is served at this path.
    NotFound,
    /// The path does not serve this method.
    MethodNotAllowed,
    /// No listing has this id.
    ToolNotFound,
    /// No job has this id.
    JobNotFound,
    /// No stored data has this address.
    DataNotFound,
    /// No attempt of a session has these ids.
    SessionNotFound,
    /// The caller has no such document.
    DocumentNotFound,
    /// The caller has no such collection.
    CollectionNotFound,
    /// The collection has documents.
    CollectionNotEmpty,
    /// The caller's documents have no such chunk.
    ChunkNotFound,
    /// A document cannot be read.
    UnreadableDocument,
    /// No answer could be written from what was gathered.
    SynthesisFailed,
    /// The caller has asked too often.
    RateLimited,
    /// The idempotency key was used with another body.
    IdempotencyKeyReused,
    /// A request with this idempotency key is being served.
    IdempotencyKeyInUse,
    /// The account cannot pay.
    InsufficientAllowance,
    /// The server has as many requests as it takes.
    Overloaded,
    /// The server is stopping.
    ShuttingDown,
    /// The request took longer than it may.
    DeadlineExceeded,
    /// The query could not be served.
    QueryFailed,
    /// The server is at fault.
    Internal,
    /// A code of a later version.
    #[serde(other)]
    Unknown,
}

/// What is wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyFault {
    /// The part at fault, as a path such as `forkFrom.reason` or `tools[1]`; empty for the body as a whole.
    pub field: String,
    /// What was expected and what came.
    pub message: String,
    /// The kind of fault.
    pub code: ErrorCode,
}

impl BodyFault {
    /// A fault in `field`.
    #[must_use]
    pub fn new(code: ErrorCode, field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: field.into(), message: message.into(), code }
    }

    /// A field that must be there and is not.
    #[must_use]
    pub fn missing(field: impl Into<String>) -> Self {
        Self::new(ErrorCode::MissingField, field, "is required")
    }
}

impl fmt::Display for BodyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.field.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "`{}` {}", self.field, self.message)
        }
    }
}

impl std::error::Error for BodyFault {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_becomes_a_body_that_names_the_field() {
        let body = ErrorBody::from(BodyFault::missing("query"));
        insta::assert_snapshot!(
            serde_json::to_string(&body).unwrap(),
            @r#"{"error":"`query` is required","code":"missing_field","field":"query"}"#
        );
    }

    #[test]
    fn codes_of_later_versions_are_read() {
        let body: ErrorBody = serde_json::from_str(r#"{"error":"no","code":"brand_new"}"#).unwrap();
        assert_eq!(body.code, Some(ErrorCode::Unknown));
    }
}

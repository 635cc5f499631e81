//! Refusals of `/v1`, in the seed system's envelope: `{error: {code, message, details}}`.

use std::collections::BTreeMap;

use axum::Json;
use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use contract::error::{BodyFault, ErrorBody, ErrorCode};
use contract::library::{ErrorDetail, ErrorEnvelope};
use serde_json::json;
use utoipa::IntoResponses;
use utoipa::openapi::{Content, Ref, RefOr, Response as DocumentedResponse, ResponseBuilder};

use crate::desk::DeskFault;
use crate::http::fault::Fault;

/// Why a request of `/v1` is not served.
pub(crate) enum Refusal {
    /// For a reason that other requests are refused for too.
    Common(Fault),
    /// For one of the library's own.
    Own(StatusCode, Box<ErrorDetail>),
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        Self::Common(fault)
    }
}

impl From<BodyFault> for Refusal {
    fn from(fault: BodyFault) -> Self {
        Self::Common(fault.into())
    }
}

impl From<DeskFault> for Refusal {
    fn from(fault: DeskFault) -> Self {
        let message = fault.to_string();
        let own = |status, code| {
            Self::Own(status, Box::new(ErrorDetail { code, message: message.clone(), details: None }))
        };
        match fault {
            DeskFault::Request(fault) => fault.into(),
            DeskFault::NoDocument => own(StatusCode::NOT_FOUND, ErrorCode::DocumentNotFound),
            DeskFault::NoCollection => own(StatusCode::NOT_FOUND, ErrorCode::CollectionNotFound),
            DeskFault::NoChunk => own(StatusCode::NOT_FOUND, ErrorCode::ChunkNotFound),
            DeskFault::NotEmpty => own(StatusCode::CONFLICT, ErrorCode::CollectionNotEmpty),
            DeskFault::Unwritten { evidence, .. } => {
                let details = Some(json!({ "evidence": evidence }));
                let detail = ErrorDetail { code: ErrorCode::SynthesisFailed, message, details };
                Self::Own(StatusCode::BAD_GATEWAY, Box::new(detail))
            }
            DeskFault::Library(library::Error::Unreadable(_)) => {
                own(StatusCode::UNPROCESSABLE_ENTITY, ErrorCode::UnreadableDocument)
            }
            DeskFault::Library(library::Error::TooLarge { .. }) => {
                own(StatusCode::PAYLOAD_TOO_LARGE, ErrorCode::LimitExceeded)
            }
            DeskFault::Library(library::Error::UnknownCollection) => {
                own(StatusCode::NOT_FOUND, ErrorCode::CollectionNotFound)
            }
            DeskFault::Library(library::Error::UnknownSession) => {
                own(StatusCode::NOT_FOUND, ErrorCode::SessionNotFound)
            }
            fault @ (DeskFault::GivenUp | DeskFault::NotRecorded(_)) => {
                Fault::internal(&fault, "asking the library").into()
            }
            DeskFault::Library(error) => Fault::internal(&error, "asking the library").into(),
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        match self {
            Self::Common(fault) => fault.into_response(),
            Self::Own(status, error) => (status, Json(ErrorEnvelope { error: *error })).into_response(),
        }
    }
}

/// Puts refusals of `/v1` into the envelope, wherever they were made.
pub(crate) async fn enveloped(request: Request, next: Next) -> Response {
    let is_ours = request.uri().path().starts_with("/v1/");
    let response = next.run(request).await;
    let Some(body) = response.extensions().get::<ErrorBody>().filter(|_| is_ours).cloned() else {
        return response;
    };
    let (mut parts, _) = response.into_parts();
    let text = serde_json::to_vec(&ErrorEnvelope::from(body)).unwrap_or_default();
    parts.headers.remove(CONTENT_LENGTH);
    parts.headers.insert(CONTENT_TYPE, axum::http::HeaderValue::from_static("application/json"));
    Response::from_parts(parts, Body::from(text))
}

/// The refusals that all routes of `/v1` share.
pub(crate) enum LibraryRefusals {}

/// A refusal: its status, what it says of the request, and an example of its code and words.
const REFUSALS: [(&str, &str, ErrorCode, &str); 6] = [
    (
        "400",
        "A part of the request is wrong; `details.field` names it.",
        ErrorCode::MissingField,
        "`query` is required",
    ),
    ("401", "No key, or one that is not known.", ErrorCode::Unauthorized, "a known API key is required"),
    ("404", "The caller has no such thing.", ErrorCode::ChunkNotFound, "no chunk with this id"),
    (
        "429",
        "The caller has asked too often; `Retry-After` says when to come back.",
        ErrorCode::RateLimited,
        "too many requests",
    ),
    ("500", "The server is at fault.", ErrorCode::Internal, "an internal error"),
    ("503", "The server has too much to do, or is stopping.", ErrorCode::Overloaded, "try again later"),
];

impl IntoResponses for LibraryRefusals {
    fn responses() -> BTreeMap<String, RefOr<DocumentedResponse>> {
        let documented = REFUSALS.iter().map(|(status, description, code, message)| {
            let mut content = Content::new(Some(Ref::from_schema_name("ErrorEnvelope")));
            let error = ErrorDetail { code: *code, message: (*message).to_owned(), details: None };
            content.example = serde_json::to_value(ErrorEnvelope { error }).ok();
            let response =
                ResponseBuilder::new().description(*description).content("application/json", content);
            ((*status).to_owned(), RefOr::T(response.build()))
        });
        documented.collect()
    }
}

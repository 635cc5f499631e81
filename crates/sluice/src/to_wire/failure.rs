//! Failures of a run, as the wire says them.

use axum::http::StatusCode;
use contract::error::{ErrorBody, ErrorCode};
use engine::Failure;

/// The status and the body of a failure.
pub(crate) fn failure(failure: &Failure) -> (StatusCode, ErrorBody) {
    let (status, code, field) = match failure {
        Failure::UnknownTool(_) => (StatusCode::NOT_FOUND, ErrorCode::ToolNotFound, Some("tools")),
        Failure::DeadlinePassed => (StatusCode::GATEWAY_TIMEOUT, ErrorCode::DeadlineExceeded, None),
        Failure::Cancelled => (StatusCode::SERVICE_UNAVAILABLE, ErrorCode::QueryFailed, None),
        Failure::ProgramLost(_) => (StatusCode::INTERNAL_SERVER_ERROR, ErrorCode::QueryFailed, None),
    };
    (status, ErrorBody { field: field.map(str::to_owned), ..ErrorBody::new(code, failure.to_string()) })
}

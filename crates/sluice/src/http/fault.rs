//! Refusals: each cause becomes a status and a body here and nowhere else.

use std::fmt::Display;

use axum::Json;
use axum::http::header::{HeaderName, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use contract::error::{BodyFault, ErrorBody, ErrorCode};

/// Why a request is not served. The words may be shown to callers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Fault {
    /// A part of the request is wrong.
    #[error(transparent)]
    Request(#[from] BodyFault),
    /// The body is over the limit.
    #[error("the body is over {bytes_max} bytes (`body_bytes_max`)")]
    BodyTooLarge {
        /// The limit.
        bytes_max: usize,
    },
    /// The body did not arrive in time.
    #[error("the body did not arrive within {ms_max} ms (`body_ms_max`)")]
    BodyTooSlow {
        /// The limit.
        ms_max: u64,
    },
    /// The body broke off.
    #[error("the body could not be read")]
    BodyBroken,
    /// No key, or one that is not known.
    #[error("a known API key is required: send `Authorization: Bearer <key>`")]
    Unauthorized,
    /// Without API keys, a request that does not call this machine by a name of its own.
    #[error("without API keys this server answers to `localhost` and loopback addresses only")]
    ForeignHost,
    /// Nothing is served at this path.
    #[error("nothing is served at this path")]
    NotFound,
    /// The path does not serve this method.
    #[error("this path does not serve that method")]
    MethodNotAllowed,
    /// No listing has this id.
    #[error("no tool with this id")]
    ToolNotFound,
    /// None of the caller's jobs has this id.
    #[error("no job with this id")]
    JobNotFound,
    /// No stored data has this address.
    #[error("no data at this address")]
    DataNotFound,
    /// No attempt of a session has these ids.
    #[error("no attempt of a session has these ids")]
    SessionNotFound,
    /// The idempotency key was used with another body.
    #[error("this `Idempotency-Key` was used with another body")]
    KeyReused,
    /// Another process serves a request with this idempotency key.
    #[error("a request with this `Idempotency-Key` is being served")]
    KeyInUse,
    /// The server has as much to do as it takes.
    #[error("the server has as much to do as it takes (`{limit}`); try again later")]
    Overloaded {
        /// The limit that was hit.
        limit: &'static str,
        /// When to come back.
        retry_after_seconds: u32,
    },
    /// The caller has asked too often.
    #[error("too many requests; try again in {retry_after_seconds} s")]
    RateLimited {
        /// When to come back.
        retry_after_seconds: u32,
    },
    /// The server is stopping.
    #[error("the server is stopping; try again later")]
    ShuttingDown {
        /// When to come back.
        retry_after_seconds: u32,
    },
    /// A run failed, now or when its response was stored.
    #[error("{}", .1.error)]
    Run(StatusCode, ErrorBody),
    /// A fault of our own.
    #[error("an internal error")]
    Internal,
}

impl Fault {
    /// A fault of our own. The cause is for the log alone.
    pub(crate) fn internal(cause: &(impl Display + ?Sized), doing: &'static str) -> Self {
        tracing::error!(%cause, doing, "a request failed");
        Self::Internal
    }

    /// The status and the body.
    pub(crate) fn told(&self) -> (StatusCode, ErrorBody) {
        let (status, code, field) = match self {
            Self::Request(fault) => return (StatusCode::BAD_REQUEST, ErrorBody::from(fault.clone())),
            Self::Run(status, body) => return (*status, body.clone()),
            Self::BodyTooLarge { .. } => (StatusCode::PAYLOAD_TOO_LARGE, ErrorCode::BodyTooLarge, None),
            Self::BodyTooSlow { .. } => (StatusCode::REQUEST_TIMEOUT, ErrorCode::InvalidBody, None),
            Self::BodyBroken => (StatusCode::BAD_REQUEST, ErrorCode::InvalidBody, None),
            Self::Unauthorized => (StatusCode::UNAUTHORIZED, ErrorCode::Unauthorized, None),
            Self::ForeignHost => (StatusCode::FORBIDDEN, ErrorCode::Forbidden, None),
            Self::NotFound => (StatusCode::NOT_FOUND, ErrorCode::NotFound, None),
            Self::MethodNotAllowed => (StatusCode::METHOD_NOT_ALLOWED, ErrorCode::MethodNotAllowed, None),
            Self::ToolNotFound => (StatusCode::NOT_FOUND, ErrorCode::ToolNotFound, Some("id")),
            Self::JobNotFound => (StatusCode::NOT_FOUND, ErrorCode::JobNotFound, Some("id")),
            Self::DataNotFound => (StatusCode::NOT_FOUND, ErrorCode::DataNotFound, None),
            Self::SessionNotFound => (StatusCode::NOT_FOUND, ErrorCode::SessionNotFound, None),
            Self::KeyReused => {
                (StatusCode::CONFLICT, ErrorCode::IdempotencyKeyReused, Some("Idempotency-Key"))
            }
            Self::KeyInUse => (StatusCode::CONFLICT, ErrorCode::IdempotencyKeyInUse, Some("Idempotency-Key")),
            Self::Overloaded { .. } => (StatusCode::SERVICE_UNAVAILABLE, ErrorCode::Overloaded, None),
            Self::RateLimited { .. } => (StatusCode::TOO_MANY_REQUESTS, ErrorCode::RateLimited, None),
            Self::ShuttingDown { .. } => (StatusCode::SERVICE_UNAVAILABLE, ErrorCode::ShuttingDown, None),
            Self::Internal => (StatusCode::INTERNAL_SERVER_ERROR, ErrorCode::Internal, None),
        };
        (status, ErrorBody { field: field.map(str::to_owned), ..ErrorBody::new(code, self.to_string()) })
    }

    fn header(&self) -> Option<(HeaderName, HeaderValue)> {
        if let Self::Overloaded { retry_after_seconds, .. }
        | Self::RateLimited { retry_after_seconds }
        | Self::ShuttingDown { retry_after_seconds } = self
        {
            return Some((RETRY_AFTER, HeaderValue::from(*retry_after_seconds)));
        }
        (*self == Self::Unauthorized).then(|| (WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")))
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        let (status, body) = self.told();
        let mut response = (status, Json(&body)).into_response();
        response.extensions_mut().insert(body);
        response.headers_mut().extend(self.header());
        response
    }
}

/// The reply to a path that nothing is served at.
pub(crate) async fn not_found() -> Fault {
    Fault::NotFound
}

/// The reply to a method that a path does not serve; the router adds `Allow`.
pub(crate) async fn method_not_allowed() -> Fault {
    Fault::MethodNotAllowed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_keeps_its_cause_to_itself() {
        let fault = Fault::internal("no such file: /var/lib/sluice/secret", "a test");
        assert_eq!(
            fault.told(),
            (StatusCode::INTERNAL_SERVER_ERROR, ErrorBody::new(ErrorCode::Internal, "an internal error"))
        );
    }

    #[test]
    fn a_busy_server_says_when_to_come_back() {
        let response =
            Fault::Overloaded { limit: "requests_in_flight_max", retry_after_seconds: 3 }.into_response();
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(response.headers()[RETRY_AFTER], "3");
    }
}

//! Idempotency keys: what a request brings, and the response that is kept for those who bring it again.

use axum::http::{HeaderMap, StatusCode};
use contract::error::{BodyFault, ErrorBody, ErrorCode};
use domain::RequestId;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use store::{ClaimKey, StoredResponse};
use uuid::Uuid;

use crate::http::auth::Caller;
use crate::http::fault::Fault;

/// The header that brings a key.
const HEADER: &str = "Idempotency-Key";

/// What a caller means to ask once: the key, whose it is and on which surface, and the hash of the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ticket {
    scope: String,
    key: String,
    pub(crate) body_hash: [u8; 32],
}

impl Ticket {
    /// The ticket of a request; none where it brings no key.
    pub(crate) fn of(
        headers: &HeaderMap,
        body: &[u8],
        caller: &Caller,
        surface: &'static str,
        policy: &policy::Server,
    ) -> Result<Option<Self>, BodyFault> {
        let Some(key) = key(headers, policy.idempotency_key_chars_max)? else { return Ok(None) };
        let scope = format!("{surface}:{}", caller.name());
        Ok(Some(Self { scope, key, body_hash: Sha256::digest(body).into() }))
    }

    /// Where the store keeps it.
    pub(crate) fn claim_key(&self) -> ClaimKey<'_> {
        ClaimKey { scope: &self.scope, key: &self.key }
    }

    /// What tells it from the tickets of others.
    pub(crate) fn name(&self) -> (String, String) {
        (self.scope.clone(), self.key.clone())
    }
}

/// The request's identifier: its key, else a fresh one.
pub(crate) fn request_id(ticket: Option<&Ticket>) -> RequestId {
    RequestId::new(ticket.map_or_else(|| Uuid::new_v4().to_string(), |ticket| ticket.key.clone()))
}

fn key(headers: &HeaderMap, chars_max: usize) -> Result<Option<String>, BodyFault> {
    let Some(value) = headers.get(HEADER) else { return Ok(None) };
    let bytes = value.as_bytes();
    if bytes.is_empty() || !bytes.iter().all(u8::is_ascii_graphic) {
        return Err(BodyFault::new(
            ErrorCode::InvalidValue,
            HEADER,
            "must be visible ASCII characters, and not empty",
        ));
    }
    if bytes.len() > chars_max {
        let message = format!(
            "has {} characters; at most {chars_max} are allowed (`idempotency_key_chars_max`)",
            bytes.len()
        );
        return Err(BodyFault::new(ErrorCode::LimitExceeded, HEADER, message));
    }
    Ok(value.to_str().ok().map(str::to_owned))
}

/// A reply as it is kept; none where it is not worth keeping, because asking again may fare better.
pub(crate) fn kept<T: Serialize>(reply: &Result<T, &Fault>) -> Option<StoredResponse> {
    let (status, body) = match reply {
        Ok(success) => (StatusCode::OK, serde_json::to_vec(success)),
        Err(Fault::Run(status, body)) => (*status, serde_json::to_vec(body)),
        Err(_) => return None,
    };
    let content_type = "application/json".to_owned();
    body.ok().map(|body| StoredResponse { status: status.as_u16(), content_type, body })
}

/// A reply that was kept.
pub(crate) fn recalled<T: DeserializeOwned>(response: &StoredResponse) -> Result<T, Fault> {
    let unreadable = |error: serde_json::Error| Fault::internal(&error, "reading a kept response");
    if response.status == StatusCode::OK.as_u16() {
        return serde_json::from_slice(&response.body).map_err(unreadable);
    }
    let body: ErrorBody = serde_json::from_slice(&response.body).map_err(unreadable)?;
    Err(Fault::Run(StatusCode::from_u16(response.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), body))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn read(value: &[u8]) -> Result<Option<String>, ErrorCode> {
        let mut headers = HeaderMap::new();
        headers.insert(HEADER, HeaderValue::from_bytes(value).unwrap());
        key(&headers, 4).map_err(|fault| fault.code)
    }

    #[test]
    fn keys_are_short_and_visible() {
        assert_eq!(read(b"a-1"), Ok(Some("a-1".to_owned())));
        assert_eq!(read(b"12345"), Err(ErrorCode::LimitExceeded));
        for wrong in ["", "a b", "\u{e9}"] {
            assert_eq!(read(wrong.as_bytes()), Err(ErrorCode::InvalidValue), "{wrong:?}");
        }
        assert_eq!(key(&HeaderMap::new(), 4), Ok(None));
    }

    #[test]
    fn what_the_caller_caused_is_kept_and_what_we_caused_is_not() {
        let run = Fault::Run(StatusCode::NOT_FOUND, ErrorBody::new(ErrorCode::ToolNotFound, "no tool"));
        let response = kept::<u8>(&Err(&run)).unwrap();
        assert_eq!(recalled::<u8>(&response), Err(run));
        assert_eq!(recalled(&kept(&Ok(7)).unwrap()), Ok(7));
        for passing in [Fault::Internal, Fault::ShuttingDown { retry_after_seconds: 1 }] {
            assert_eq!(kept::<u8>(&Err(&passing)), None);
        }
    }
}

//! Refusals of the chat surface: each cause becomes a status and a body here and nowhere else. Never a success with an error
//! in it: clients would show an empty answer.

use std::collections::BTreeMap;
use std::fmt::Display;

use axum::Json;
use axum::http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use contract::chat::{BotCheck, ChatFault, FaultKind, Surface};
use contract::error::BodyFault;
use jiff::{SignedDuration, Timestamp};
use policy::Quotas;
use store::{Counted, NoTurn};
use utoipa::IntoResponses;
use utoipa::openapi::{Content, Ref, RefOr, Response as DocumentedResponse, ResponseBuilder};

use crate::chat::bot::NotPassed;
use crate::chat::runs::NoRun;
use crate::chat::turn::Refusal;
use crate::chat::windows::Full;
use crate::desk::DeskFault;
use crate::http::fault::Fault;

/// Why a request is not served.
#[derive(Debug)]
pub(crate) struct Refused {
    status: StatusCode,
    body: Box<ChatFault>,
}

impl Refused {
    fn new(status: StatusCode, kind: FaultKind, message: impl Into<String>) -> Self {
        Self { status, body: Box::new(ChatFault::new(kind, super::SURFACE, message)) }
    }

    fn caused(mut self, cause: &str) -> Self {
        self.body.cause = Some(cause.to_owned());
        self
    }

    fn about(mut self, field: impl Into<String>) -> Self {
        self.body.field = Some(field.into()).filter(|field| !field.is_empty());
        self
    }

    fn limited(mut self, limit: &str) -> Self {
        self.body.limit = Some(limit.to_owned());
        self
    }

    fn until(mut self, seconds: u64) -> Self {
        self.body.retry_after_seconds = Some(seconds.max(1));
        self
    }

    /// The same, told of another part of the surface.
    pub(super) fn on(mut self, surface: Surface) -> Self {
        self.body.code.1 = surface;
        self
    }

    /// A fault that every surface knows.
    #[expect(clippy::needless_pass_by_value, reason = "stands in `map_err`")]
    pub(super) fn fault(fault: Fault) -> Self {
        let (status, body) = fault.told();
        let kind = match status {
            StatusCode::UNAUTHORIZED => FaultKind::Unauthorized,
            StatusCode::FORBIDDEN => FaultKind::Forbidden,
            StatusCode::NOT_FOUND => FaultKind::NotFound,
            StatusCode::TOO_MANY_REQUESTS => FaultKind::RateLimit,
            StatusCode::SERVICE_UNAVAILABLE => FaultKind::Offline,
            status if status.is_server_error() => FaultKind::Internal,
            _ => FaultKind::BadRequest,
        };
        let refused = Self::new(status, kind, body.error).about(body.field.unwrap_or_default());
        match fault {
            Fault::Overloaded { limit, retry_after_seconds } => {
                refused.limited(limit).until(retry_after_seconds.into())
            }
            Fault::RateLimited { retry_after_seconds } | Fault::ShuttingDown { retry_after_seconds } => {
                refused.until(retry_after_seconds.into())
            }
            Fault::Request(_)
            | Fault::BodyTooLarge { .. }
            | Fault::BodyTooSlow { .. }
            | Fault::BodyBroken
            | Fault::Unauthorized
            | Fault::ForeignHost
            | Fault::NotFound
            | Fault::MethodNotAllowed
            | Fault::ToolNotFound
            | Fault::JobNotFound
            | Fault::DataNotFound
            | Fault::SessionNotFound
            | Fault::KeyReused
            | Fault::KeyInUse
            | Fault::Run(..)
            | Fault::Internal => refused,
        }
    }

    pub(super) fn body(fault: BodyFault) -> Self {
        Self::new(StatusCode::BAD_REQUEST, FaultKind::BadRequest, fault.to_string()).about(fault.field)
    }

    /// A fault of our own. The cause is for the log alone.
    pub(super) fn internal(cause: &(impl Display + ?Sized), doing: &'static str) -> Self {
        Self::fault(Fault::internal(cause, doing))
    }

    /// The durable state failed: nothing is let in that cannot be counted and kept.
    #[expect(clippy::needless_pass_by_value, reason = "stands in `map_err`")]
    pub(super) fn store(error: store::Error) -> Self {
        if matches!(error, store::Error::Busy(_)) {
            return Self::fault(Fault::Overloaded { limit: "acquire_timeout_ms", retry_after_seconds: 1 });
        }
        Self::internal(&error, "keeping a conversation")
    }

    #[expect(clippy::needless_pass_by_value, reason = "stands in `map_err`")]
    pub(super) fn desk(fault: DeskFault) -> Self {
        match &fault {
            DeskFault::NoDocument | DeskFault::NoCollection | DeskFault::NoChunk => {
                Self::new(StatusCode::NOT_FOUND, FaultKind::NotFound, fault.to_string()).about("documents")
            }
            DeskFault::Request(_)
            | DeskFault::NotEmpty
            | DeskFault::Unwritten { .. }
            | DeskFault::GivenUp
            | DeskFault::Library(_)
            | DeskFault::NotRecorded(_) => Self::internal(&fault, "asking documents"),
        }
    }

    pub(super) fn turn(refusal: Refusal) -> Self {
        match refusal {
            Refusal::TooLong { field, limit, max, given: (given, of) } => {
                let message = format!("`{field}` has {given} {of}; at most {max} are allowed (`{limit}`)");
                let refused = Self::new(StatusCode::BAD_REQUEST, FaultKind::BadRequest, message);
                refused.about(field).limited(limit)
            }
            Refusal::Wrong { field, message } => {
                let message = format!("`{field}` {message}");
                Self::new(StatusCode::BAD_REQUEST, FaultKind::BadRequest, message).about(field)
            }
            Refusal::ScopeFixed => {
                let message = "what may serve this conversation is fixed";
                let refused = Self::new(StatusCode::FORBIDDEN, FaultKind::Forbidden, message);
                refused.about("tools").caused("scope_fixed")
            }
            Refusal::NotPending => {
                let message = "this clarification does not wait for an answer";
                let refused = Self::new(StatusCode::BAD_REQUEST, FaultKind::BadRequest, message);
                refused.about("clarification").caused("not_pending")
            }
        }
    }

    pub(super) fn no_run(refused: NoRun, retry_after_seconds: u32) -> Self {
        let (message, cause, limit) = match refused {
            NoRun::Busy => ("this conversation is being answered", "run_in_progress", None),
            NoRun::Full { limit } => {
                ("as many questions are being answered as may be", "too_many_runs", Some(limit))
            }
        };
        let refused = Self::new(StatusCode::TOO_MANY_REQUESTS, FaultKind::RateLimit, message);
        let refused = refused.caused(cause).until(retry_after_seconds.into());
        match limit {
            Some(limit) => refused.limited(limit),
            None => refused,
        }
    }

    pub(super) fn no_turn(refused: NoTurn, retry_after_seconds: u32) -> Self {
        let full = |message: &str, limit| {
            let refused = Self::new(StatusCode::FORBIDDEN, FaultKind::Forbidden, message);
            refused.caused("full").limited(limit)
        };
        match refused {
            NoTurn::Busy => Self::no_run(NoRun::Busy, retry_after_seconds),
            NoTurn::TooManyThreads => {
                full("no more conversations may be kept", "threads.threads_per_owner_max")
            }
            NoTurn::TooManyMessages => {
                full("this conversation has as many messages as it may", "threads.messages_per_thread_max")
            }
            NoTurn::NothingSaid => Self::new(
                StatusCode::BAD_REQUEST,
                FaultKind::BadRequest,
                "there is no question to answer again",
            ),
        }
    }

    pub(super) fn full(full: Full) -> Self {
        let message = format!("too many messages; try again in {} s", full.retry_after_seconds);
        let refused = Self::new(StatusCode::TOO_MANY_REQUESTS, FaultKind::RateLimit, message);
        refused.caused("rate").limited(full.limit).until(full.retry_after_seconds)
    }

    pub(super) fn used_up(counted: Counted, quotas: &Quotas, now: Timestamp) -> Self {
        let (message, limit) = if counted.total >= quotas.messages_per_session_max {
            ("this session has no messages left", "quota.messages_per_session_max")
        } else {
            ("this session has no messages left for today", "quota.messages_per_day_max")
        };
        let wait = tomorrow(now).duration_since(now).as_secs();
        let refused = Self::new(StatusCode::TOO_MANY_REQUESTS, FaultKind::RateLimit, message);
        refused.caused("quota").limited(limit).until(u64::try_from(wait).unwrap_or(1))
    }

    pub(super) fn bot(refused: NotPassed, wanted: Option<BotCheck>, retry_after_seconds: u32) -> Self {
        let forbidden = |message| Self::new(StatusCode::FORBIDDEN, FaultKind::Forbidden, message);
        let mut refused = match refused {
            NotPassed::Required => {
                forbidden("show first that you are no program").caused("bot_check_required")
            }
            NotPassed::Failed => forbidden("what was shown does not hold").caused("bot_check_failed"),
            NotPassed::Unavailable => {
                let status = StatusCode::SERVICE_UNAVAILABLE;
                let refused =
                    Self::new(status, FaultKind::Offline, "nothing can be checked for now; try again later");
                refused.caused("bot_check_unavailable").until(retry_after_seconds.into())
            }
        };
        refused.body.bot_check = wanted;
        refused
    }

    pub(super) fn unknown_key() -> Self {
        Self::fault(Fault::Unauthorized).on(Surface::Api)
    }

    pub(super) fn foreign_host() -> Self {
        Self::fault(Fault::ForeignHost).on(Surface::Api)
    }

    pub(super) fn other_site() -> Self {
        let message = "another site's page may not speak here";
        Self::new(StatusCode::FORBIDDEN, FaultKind::Forbidden, message).caused("cross_site").on(Surface::Api)
    }

    pub(super) fn no_thread() -> Self {
        Self::new(StatusCode::NOT_FOUND, FaultKind::NotFound, "no conversation with this id")
    }

    pub(super) fn no_message() -> Self {
        Self::new(StatusCode::NOT_FOUND, FaultKind::NotFound, "no answer with this id")
    }
}

/// When the next day begins, in UTC.
pub(super) fn tomorrow(now: Timestamp) -> Timestamp {
    let day = 86_400;
    let next = now.as_second().div_euclid(day).saturating_add(1).saturating_mul(day);
    Timestamp::from_second(next)
        .unwrap_or_else(|_| now.saturating_add(SignedDuration::from_hours(24)).unwrap_or(now))
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let retry_after = self.body.retry_after_seconds;
        let mut response = (self.status, Json(self.body)).into_response();
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// The refusals that the routes have in common, as they are documented.
pub(crate) enum Documented {}

const REFUSALS: [(&str, FaultKind, &str); 7] = [
    ("400", FaultKind::BadRequest, "A part of the request is wrong; `field` names it."),
    ("401", FaultKind::Unauthorized, "The key is not known, or one is needed."),
    ("403", FaultKind::Forbidden, "The caller may not; `cause` says why."),
    ("404", FaultKind::NotFound, "There is no such thing."),
    (
        "429",
        FaultKind::RateLimit,
        "Too much for now; `limit` names what is full, `Retry-After` when to come back.",
    ),
    ("500", FaultKind::Internal, "The server is at fault."),
    ("503", FaultKind::Offline, "The server has too much to do, or is stopping."),
];

impl IntoResponses for Documented {
    fn responses() -> BTreeMap<String, RefOr<DocumentedResponse>> {
        let documented = REFUSALS.iter().map(|(status, kind, description)| {
            let mut content = Content::new(Some(Ref::from_schema_name("ChatFault")));
            content.example = serde_json::to_value(ChatFault::new(*kind, Surface::Chat, *description)).ok();
            let response =
                ResponseBuilder::new().description(*description).content("application/json", content);
            ((*status).to_owned(), RefOr::T(response.build()))
        });
        documented.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_ends_at_midnight() {
        let now: Timestamp = "2026-11-22T08:14:41Z".parse().unwrap();
        assert_eq!(tomorrow(now).to_string(), "2026-11-23T00:00:00Z");
    }

    #[test]
    fn a_full_window_says_when_to_come_back() {
        let response = Refused::full(Full { limit: "rate.minute.per_session_max", retry_after_seconds: 7 });
        assert_eq!(
            serde_json::to_value(&response.body).unwrap(),
            serde_json::json!({
                "code": "rate_limit:chat", "message": "too many messages; try again in 7 s", "cause": "rate",
                "limit": "rate.minute.per_session_max", "retryAfterSeconds": 7
            })
        );
        let response = response.into_response();
        assert_eq!(
            (response.status().as_u16(), &response.headers()[RETRY_AFTER]),
            (429, &HeaderValue::from(7))
        );
    }
}

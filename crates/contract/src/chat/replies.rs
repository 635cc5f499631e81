//! The JSON around the stream: threads, votes, sessions, and why a request is refused.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::message::UiMessage;
use super::parts::ClarificationCard;

/// `GET /api/session`: what a page has to know before it asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionReply {
    /// Whether the caller has no key.
    pub anonymous: bool,
    /// Whether a session was begun with this reply, since none came with the request. Where one is begun again and again, the
    /// browser does not keep it.
    pub begun: bool,
    /// How long a message may be.
    pub limits: MessageLimits,
    /// What is left of the session's messages; none with a key.
    pub quota: Option<Quota>,
    /// The names that `selectedChatModel` may have.
    pub models: Vec<String>,
    /// Whether a thread may be about documents.
    pub documents: bool,
    /// What a caller has to show before it may ask; none where nothing is wanted.
    pub bot_check: Option<BotCheck>,
}

/// How long a message may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageLimits {
    /// Characters.
    pub message_chars_max: u64,
    /// Bytes.
    pub message_bytes_max: u64,
}

/// What is left of a session's messages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Quota {
    /// Over the whole session.
    pub session: Use,
    /// Today, in UTC.
    pub day: DayUse,
}

/// How much of a limit is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Use {
    /// Messages so far.
    pub used: u64,
    /// Messages at the most.
    pub max: u64,
}

/// How much of a day's limit is used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DayUse {
    /// Messages so far.
    pub used: u64,
    /// Messages at the most.
    pub max: u64,
    /// When the day ends, in ISO 8601.
    pub resets_at: String,
}

/// What a caller has to show before it may ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum BotCheck {
    /// A nonce for which the SHA-256 of `<challenge>.<nonce>` begins with so many zero bits.
    ProofOfWork {
        /// The challenge; serves once.
        challenge: String,
        /// Zero bits.
        bits: u32,
        /// When it no longer serves, in ISO 8601.
        expires_at: String,
    },
    /// A token of a service that tells people from programs.
    Siteverify {
        /// The site's public key with that service.
        site_key: String,
    },
}

/// A thread in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatSummary {
    /// Its id.
    pub id: String,
    /// The beginning of its first question.
    pub title: String,
    /// When it was begun, in ISO 8601.
    pub created_at: String,
    /// When it last changed, in ISO 8601.
    pub updated_at: String,
}

/// `GET /api/history`, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct History {
    /// The threads.
    pub chats: Vec<ChatSummary>,
    /// Whether there are more beyond them.
    pub has_more: bool,
}

/// `DELETE /api/history`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deleted {
    /// Threads that are gone.
    pub deleted_count: u64,
}

/// `GET /api/chat/{id}`: a thread as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Thread {
    /// Its id, title and times.
    #[serde(flatten)]
    pub summary: ChatSummary,
    /// Its messages, oldest first.
    pub messages: Vec<UiMessage>,
    /// What was thought of them.
    pub votes: Vec<Vote>,
    /// The question back that waits for an answer.
    pub pending_clarification: Option<ClarificationCard>,
    /// The run under way.
    pub running: Option<Running>,
}

/// A run under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Running {
    /// Its id.
    pub run_id: String,
    /// The message that it writes.
    pub message_id: String,
}

/// `POST /api/chat/{id}/stop`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Stopped {
    /// Whether a run was under way and was told to end.
    pub stopped: bool,
}

/// What was thought of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Vote {
    /// The thread.
    pub chat_id: String,
    /// The message.
    pub message_id: String,
    /// What.
    #[serde(rename = "type")]
    pub kind: VoteKind,
}

/// What is thought of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VoteKind {
    /// Good.
    Up,
    /// Bad.
    Down,
}

/// The body of a refusal: `<kind>:<surface>` and words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatFault {
    /// What kind of refusal, and where.
    #[schema(value_type = String, example = "rate_limit:chat")]
    pub code: FaultCode,
    /// What went wrong, for people.
    pub message: String,
    /// What went wrong, for programs: a finer word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// The part of the request that is at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The policy's key of the limit that was hit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// When to come back, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_seconds: Option<u64>,
    /// What has to be shown first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bot_check: Option<BotCheck>,
}

impl ChatFault {
    /// A refusal with these words.
    #[must_use]
    pub fn new(kind: FaultKind, surface: Surface, message: impl Into<String>) -> Self {
        Self {
            code: FaultCode(kind, surface),
            message: message.into(),
            cause: None,
            field: None,
            limit: None,
            retry_after_seconds: None,
            bot_check: None,
        }
    }
}

/// A kind of refusal and where it came up; written `<kind>:<surface>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultCode(pub FaultKind, pub Surface);

impl Serialize for FaultCode {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{}:{}", self.0.word(), self.1.word()))
    }
}

/// What kind of refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The request is wrong.
    BadRequest,
    /// Nobody is known by it.
    Unauthorized,
    /// The caller may not.
    Forbidden,
    /// There is no such thing.
    NotFound,
    /// Too much, for now.
    RateLimit,
    /// The server cannot, for now.
    Offline,
    /// The server is at fault.
    Internal,
}

impl FaultKind {
    /// The word of the wire.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::BadRequest => "bad_request",
            Self::Unauthorized => "unauthorized",
            Self::Forbidden => "forbidden",
            Self::NotFound => "not_found",
            Self::RateLimit => "rate_limit",
            Self::Offline => "offline",
            Self::Internal => "internal",
        }
    }
}

/// Where a refusal came up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// The conversation.
    Chat,
    /// What goes for every route.
    Api,
    /// A stream that is taken up again.
    Stream,
    /// The list of threads.
    History,
    /// What is thought of messages.
    Vote,
}

impl Surface {
    /// The word of the wire.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Api => "api",
            Self::Stream => "stream",
            Self::History => "history",
            Self::Vote => "vote",
        }
    }
}

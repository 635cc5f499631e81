//! The chat surface: the UI message stream that AI SDK clients of versions 5.0.0 to 7 read without a change, the
//! requests they send, and the JSON around them.
//!
//! Strict clients refuse an unknown chunk, a field that is not listed and a null in an optional field, so the chunks are a
//! closed set and [`Writer`] keeps their order.

mod chunk;
mod message;
mod parts;
mod replies;
mod request;
mod writer;

pub use chunk::{
    AppMetadata, CallOutput, Chunk, FinishMetadata, Part, SourceMetadata, StartMetadata, TurnUsage,
};
pub use message::UiMessage;
pub use parts::{
    Assumption, CardOption, CardState, Citation, Citations, ClarificationCard, Conflict, ConflictSide,
    Conflicts, EvidenceView, Gaps, Step, StepState, Trace,
};
pub use replies::{
    BotCheck, ChatFault, ChatSummary, DayUse, Deleted, FaultCode, FaultKind, History, MessageLimits, Quota,
    Running, SessionReply, Stopped, Surface, Thread, Use, Vote, VoteKind,
};
pub use request::{
    ChatBody, ChatMessage, ChosenOption, DocumentScope, Proof, StopBody, Trigger, VoteBody, checked_id,
};
pub use writer::Writer;

/// The name and value of the header that names the protocol.
pub const PROTOCOL_HEADER: (&str, &str) = ("x-vercel-ai-ui-message-stream", "v1");

//! Calls of methods and what comes back.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::MethodRef;

/// Where in a program a call stands: its call site and the loop counters around it, not when it was made or answered.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position(String);

impl Position {
    /// The position with this text, unique within a program's run.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One call that a program wants made.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Where in the program it stands.
    pub position: Position,
    /// What is called.
    pub method: MethodRef,
    /// With what; an object.
    pub arguments: Map<String, Value>,
}

/// What came of a call.
pub type Reply = Result<Delivered, CallFault>;

/// A result that may pass as data: complete, not an error, and valid under its output schema where there is one.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivered {
    /// The structured content, else the text parsed as JSON, else the text as a string. Whoever keeps it shares it.
    pub value: Arc<Value>,
    /// Its size as JSON, in bytes.
    pub bytes: usize,
    /// When it arrived.
    pub arrived_at: Timestamp,
    /// How long the call took, waiting for its turn included.
    pub elapsed: Duration,
}

/// A call that gave no data, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}: {message}")]
pub struct CallFault {
    /// What kind of fault.
    pub kind: FaultKind,
    /// The particulars, in words that may be shown to a caller.
    pub message: String,
}

/// What kind of fault kept a call from giving data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    /// The arguments break the input schema; nothing was sent.
    InvalidArguments,
    /// The method answered `isError`.
    MethodError,
    /// The result breaks the output schema or is no JSON where JSON is due.
    InvalidResult,
    /// The result is over the policy's bound.
    TooLarge,
    /// No answer in time.
    Timeout,
    /// The server cannot be reached or went away mid-call.
    Unreachable,
    /// The server broke the protocol.
    Protocol,
    /// The method wants something that a query may not do: a signature, a payment, a login, user input.
    NeedsAction,
    /// A budget of the request is spent; nothing was sent.
    Budget,
    /// The request was cancelled.
    Cancelled,
}

impl FaultKind {
    /// Whether the same call may do better a moment later.
    #[must_use]
    pub fn may_pass(self) -> bool {
        matches!(self, Self::Timeout | Self::Unreachable)
    }

    /// Whether the call itself is at fault, so that one with other arguments may do better.
    #[must_use]
    pub fn is_of_the_call(self) -> bool {
        matches!(self, Self::InvalidArguments | Self::MethodError | Self::TooLarge)
    }

    /// The word for programs, traces and callers.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::InvalidArguments => "invalid_arguments",
            Self::MethodError => "method_error",
            Self::InvalidResult => "invalid_result",
            Self::TooLarge => "too_large",
            Self::Timeout => "timeout",
            Self::Unreachable => "unreachable",
            Self::Protocol => "protocol",
            Self::NeedsAction => "needs_action",
            Self::Budget => "budget",
            Self::Cancelled => "cancelled",
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

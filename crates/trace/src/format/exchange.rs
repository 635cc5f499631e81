//! Calls, replies and what models said, as they are recorded.

use std::time::Duration;

use domain::{CallFault, FaultKind};
use llm::{FallbackReason, ModelReply, Stop};
use serde::{Deserialize, Serialize};

/// Why a call gave no data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Fault {
    kind: String,
    message: String,
}

const FAULT_KINDS: [FaultKind; 10] = [
    FaultKind::InvalidArguments,
    FaultKind::MethodError,
    FaultKind::InvalidResult,
    FaultKind::TooLarge,
    FaultKind::Timeout,
    FaultKind::Unreachable,
    FaultKind::Protocol,
    FaultKind::NeedsAction,
    FaultKind::Budget,
    FaultKind::Cancelled,
];

impl Fault {
    pub(crate) fn of(fault: &CallFault) -> Self {
        Self { kind: fault.kind.word().to_owned(), message: fault.message.clone() }
    }

    pub(crate) fn read(&self) -> CallFault {
        let kind = FAULT_KINDS.into_iter().find(|kind| kind.word() == self.kind);
        CallFault { kind: kind.unwrap_or(FaultKind::Protocol), message: self.message.clone() }
    }
}

/// What a model said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ModelSaid {
    text: String,
    #[serde(default)]
    pieces: Vec<String>,
    model: Option<String>,
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    stop: Option<String>,
    fault: Option<ModelFault>,
    retry_after_us: Option<u64>,
    elapsed_us: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct ModelFault {
    reason: String,
    #[serde(default)]
    status: u16,
    #[serde(default)]
    text: String,
}

impl ModelSaid {
    pub(crate) fn of(reply: &ModelReply) -> Self {
        Self {
            text: reply.text.clone(),
            pieces: reply.pieces.clone(),
            model: reply.model.clone(),
            input_tokens: reply.input_tokens,
            output_tokens: reply.output_tokens,
            stop: reply.stop.map(|stop| stop_word(stop).to_owned()),
            fault: reply.fault.as_ref().map(fault),
            retry_after_us: reply.retry_after.map(microseconds),
            elapsed_us: microseconds(reply.elapsed),
        }
    }

    pub(crate) fn read(&self) -> ModelReply {
        let stops = [Stop::Done, Stop::Length, Stop::Declined];
        ModelReply {
            text: self.text.clone(),
            pieces: self.pieces.clone(),
            model: self.model.clone(),
            input_tokens: self.input_tokens,
            output_tokens: self.output_tokens,
            stop: self.stop.as_deref().and_then(|word| stops.into_iter().find(|it| stop_word(*it) == word)),
            fault: self.fault.as_ref().map(read_fault),
            retry_after: self.retry_after_us.map(Duration::from_micros),
            elapsed: Duration::from_micros(self.elapsed_us),
        }
    }
}

fn stop_word(stop: Stop) -> &'static str {
    match stop {
        Stop::Done => "done",
        Stop::Length => "length",
        Stop::Declined => "declined",
    }
}

fn fault(reason: &FallbackReason) -> ModelFault {
    let (status, text) = match reason {
        FallbackReason::ServerError(status) | FallbackReason::Rejected(status) => (*status, ""),
        FallbackReason::Unreachable(text)
        | FallbackReason::Garbled(text)
        | FallbackReason::BreaksSchema(text)
        | FallbackReason::Unusable(text) => (0, text.as_str()),
        FallbackReason::CircuitOpen
        | FallbackReason::BudgetSpent
        | FallbackReason::RateLimited
        | FallbackReason::TimedOut
        | FallbackReason::DeadlinePassed
        | FallbackReason::GivenUp
        | FallbackReason::Truncated
        | FallbackReason::TooLong
        | FallbackReason::Empty
        | FallbackReason::Declined => (0, ""),
    };
    ModelFault { reason: reason.word().to_owned(), status, text: text.to_owned() }
}

fn read_fault(fault: &ModelFault) -> FallbackReason {
    let text = || fault.text.clone();
    let all = [
        FallbackReason::CircuitOpen,
        FallbackReason::BudgetSpent,
        FallbackReason::RateLimited,
        FallbackReason::ServerError(fault.status),
        FallbackReason::Rejected(fault.status),
        FallbackReason::Unreachable(text()),
        FallbackReason::TimedOut,
        FallbackReason::DeadlinePassed,
        FallbackReason::GivenUp,
        FallbackReason::Truncated,
        FallbackReason::Garbled(text()),
        FallbackReason::TooLong,
        FallbackReason::Empty,
        FallbackReason::Declined,
        FallbackReason::BreaksSchema(text()),
        FallbackReason::Unusable(text()),
    ];
    all.into_iter().find(|it| it.word() == fault.reason).unwrap_or(FallbackReason::GivenUp)
}

pub(crate) fn microseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

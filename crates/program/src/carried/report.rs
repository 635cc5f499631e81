//! What another process says that a pass came to, and whether that can be.

use std::collections::BTreeSet;
use std::time::Duration;

use domain::{Call, MethodRef, Position};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{CallMessage, Garbled, LIMITS};
use crate::journal::{self, Journal};
use crate::pass::Ended;
use crate::step::{Cause, Origin, Run};

#[derive(Serialize, Deserialize)]
pub(super) struct ReportMessage {
    pub(super) ended: EndedMessage,
    /// The calls that the journal served.
    pub(super) asked: Vec<String>,
    pub(super) operations: u64,
    pub(super) wall: Duration,
    pub(super) memory_bytes_peak: usize,
}

#[derive(Serialize, Deserialize)]
pub(super) enum EndedMessage {
    Suspended { calls: Vec<CallMessage<'static>> },
    Done { value: Value, origins: Vec<OriginMessage> },
    CallFailed { position: String },
    Limit { limit: String },
    Script { message: String, line: Option<usize>, column: Option<usize> },
    GaveUp { message: String },
    NoJson { path: String, message: String },
    Cancelled,
    Interpreter { message: String },
}

#[derive(Serialize, Deserialize)]
pub(super) struct OriginMessage {
    path: String,
    position: String,
    pointer: String,
}

impl EndedMessage {
    pub(super) fn of(ended: Ended) -> Self {
        let cause = match ended {
            Ended::Suspended(calls) => {
                return Self::Suspended { calls: calls.into_iter().map(CallMessage::owned).collect() };
            }
            Ended::Done(value, origins) => {
                return Self::Done { value, origins: origins.into_iter().map(OriginMessage::of).collect() };
            }
            Ended::Failed(cause) => cause,
        };
        match cause {
            Cause::CallFailed { position, .. } => Self::CallFailed { position: position.to_string() },
            Cause::Limit { limit } => Self::Limit { limit: limit.to_owned() },
            Cause::Script { message, line, column } => Self::Script { message, line, column },
            Cause::GaveUp { message } => Self::GaveUp { message },
            Cause::NoJson { path, message } => Self::NoJson { path, message },
            Cause::Cancelled => Self::Cancelled,
            Cause::Interpreter { message } => Self::Interpreter { message },
        }
    }

    /// What the report says, where a pass of this program can have come to it.
    pub(super) fn read(self, run: &Run) -> Result<Ended, Garbled> {
        Ok(match self {
            Self::Suspended { calls } => Ended::Suspended(wanted(calls, run)?),
            Self::Done { value, origins } => {
                if journal::nested_deeper(&value, run.compiled.limits.value_depth_max) {
                    return Err(Garbled("a value is nested deeper than `value_depth_max`"));
                }
                let origins = origins.into_iter().map(|origin| origin.read(&run.journal));
                Ended::Done(value, origins.collect::<Result<_, _>>()?)
            }
            Self::CallFailed { position } => {
                let entry = run.journal.entry(&Position::new(position));
                let entry = entry.filter(|entry| entry.reply().is_err());
                Ended::Failed(Cause::of_entry(entry.ok_or(Garbled("no such call failed"))?))
            }
            Self::Limit { limit } => {
                let known = LIMITS.into_iter().find(|known| **known == limit);
                Ended::Failed(Cause::limit(known.ok_or(Garbled("there is no such limit"))?))
            }
            Self::Script { message, line, column } => Ended::Failed(Cause::Script { message, line, column }),
            Self::GaveUp { message } => Ended::Failed(Cause::GaveUp { message }),
            Self::NoJson { path, message } => Ended::Failed(Cause::NoJson { path, message }),
            Self::Cancelled => Ended::Failed(Cause::Cancelled),
            Self::Interpreter { message } => Ended::Failed(Cause::Interpreter { message }),
        })
    }
}

/// The calls that the journal served, which have to be in it.
pub(super) fn asked(positions: Vec<String>, run: &Run) -> Result<BTreeSet<Position>, Garbled> {
    let read = |position: String| {
        let position = Position::new(position);
        let is_there = run.journal.entry(&position).is_some();
        is_there.then_some(position).ok_or(Garbled("a call that was never made was served"))
    };
    positions.into_iter().map(read).collect()
}

/// The calls that a program waits for: of methods that it was verified for, as many as it was verified for, and none that
/// has been made.
fn wanted(calls: Vec<CallMessage<'static>>, run: &Run) -> Result<Vec<Call>, Garbled> {
    if calls.len() > run.compiled.cost.calls {
        return Err(Garbled("more calls than were verified"));
    }
    let verified: BTreeSet<&MethodRef> = run.compiled.methods.values().collect();
    let mut positions = BTreeSet::new();
    let mut wanted = Vec::with_capacity(calls.len());
    for call in calls {
        let call = call.read()?;
        if !verified.contains(&call.method) {
            return Err(Garbled("a call of a method that was not verified"));
        }
        if run.journal.entry(&call.position).is_some() || !positions.insert(call.position.clone()) {
            return Err(Garbled("two calls at one position"));
        }
        if run.journal.find(&call.position, &call.method, &call.arguments).is_some() {
            return Err(Garbled("a call that was made before"));
        }
        wanted.push(call);
    }
    Ok(wanted)
}

impl OriginMessage {
    fn of(origin: Origin) -> Self {
        Self { path: origin.path, position: origin.position.to_string(), pointer: origin.pointer }
    }

    fn read(self, journal: &Journal) -> Result<Origin, Garbled> {
        let position = Position::new(self.position);
        if journal.entry(&position).is_none() {
            return Err(Garbled("a value from a call that was not made"));
        }
        Ok(Origin { path: self.path, position, pointer: self.pointer })
    }
}

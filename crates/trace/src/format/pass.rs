//! The ending of a program's pass, as it is recorded where it hung on the machine.

use program::Step;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use worker::Lost;

/// How a pass ended that another run of it need not end so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PassEnd {
    /// It was stopped: what it had asked for and used by then, and why.
    Stopped(Value),
    /// What ran it is gone: how, in words.
    Lost(String),
}

impl PassEnd {
    /// None where another run comes to the same.
    pub(crate) fn of(step: &Result<Step, Lost>) -> Option<Self> {
        match step {
            Err(lost) => Some(Self::Lost(lost.to_string())),
            Ok(Step::Failed(fault)) => fault.of_machine().map(Self::Stopped),
            Ok(Step::Calls(_) | Step::Done(_)) => None,
        }
    }
}

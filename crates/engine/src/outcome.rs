//! How a request can end.

use std::sync::Arc;

use domain::{Evidence, RequestId};
use gate::{Assumption, Card, Miss};
use jiff::Timestamp;
use serde_json::Value;
use trace::Stamped;

use crate::failure::Failure;
use crate::spent::Spent;

/// An expected ending.
#[derive(Debug)]
pub enum Outcome {
    /// An answer with its evidence.
    Answer(Answer),
    /// The evidence without a written answer.
    Evidence(Answer),
    /// A question back.
    Clarify(Card),
    /// It cannot be answered here.
    Miss(Miss),
}

impl Outcome {
    /// The word of the wire.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Answer(_) | Self::Evidence(_) => "answer",
            Self::Clarify(_) => "clarification_required",
            Self::Miss(_) => "capability_miss",
        }
    }
}

/// An answer, or the package that one would be written from.
#[derive(Debug)]
pub struct Answer {
    /// What to read: the written answer, or a plain summary of the evidence.
    pub text: String,
    /// What it rests on.
    pub evidence: Evidence,
    /// The program's value.
    pub data: Value,
    /// How far it goes.
    pub completion: Completion,
    /// What was done to get there.
    pub actions: Vec<Action>,
    /// What was taken for granted in the place of asking.
    pub assumption: Option<Assumption>,
}

/// How far an answer goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// All of it.
    Complete,
    /// All that there is, with gaps that are told.
    WithGaps,
    /// An upstream fault or an empty result kept back the rest.
    BoundedByUpstream,
    /// The same calls would have been made over and over for the rest.
    BoundedByRepetition,
    /// A budget kept back the rest.
    BoundedByBudget,
}

/// What was done to get to the ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The program was changed, its finished calls kept.
    PatchCurrentProgram,
    /// Other methods were taken.
    BoundedRediscovery,
}

/// A request that has ended and was settled.
#[derive(Debug)]
pub struct Settled {
    /// The request.
    pub request: RequestId,
    /// How it ended.
    pub ending: Result<Outcome, Failure>,
    /// What it spent.
    pub spent: Spent,
    /// When it began.
    pub started_at: Timestamp,
    /// How long it took.
    pub duration_ms: u64,
    /// Everything that happened to it.
    pub events: Arc<Vec<Stamped>>,
}

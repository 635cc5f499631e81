//! How a request can end.

use domain::{Evidence, RequestId};
use gate::{Card, Miss};
use jiff::Timestamp;
use serde_json::Value;
use trace::Stamped;

use crate::assess::Completion;
use crate::run::Spent;

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
}

/// What was done to get to the ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The program was changed, its finished calls kept.
    PatchCurrentProgram,
    /// Other methods were taken.
    BoundedRediscovery,
}

/// An ending that nobody wanted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// A pinned listing is not in the catalog.
    #[error("no tool with the id {0}")]
    UnknownTool(domain::ListingId),
    /// The request's time is over before there was anything to tell.
    #[error("the request's time limit (`deadline_ms_max`) passed before there was an answer")]
    DeadlinePassed,
    /// The caller left or the server stops.
    #[error("the request was cancelled")]
    Cancelled,
    /// A fault of our own.
    #[error("the program stage failed")]
    ProgramStage,
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
    pub events: Vec<Stamped>,
}

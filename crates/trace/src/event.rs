//! The events.

use std::sync::Arc;

use domain::{
    CallFault, Candidate, ClarificationPolicy, Depth, LeftOut, MethodRef, Position, Selected, Turn,
};
use gate::{Decision, JudgeFault, Opinion};
use jiff::Timestamp;
use llm::StageReport;
use policy::LaneFlags;
use serde_json::{Map, Value};

/// Something that happened to a request.
#[derive(Clone, Debug)]
pub enum Event {
    /// It was taken up.
    QueryStarted {
        /// The depth that was asked for.
        depth: Depth,
    },
    /// A stage began.
    StageStarted {
        /// The stage.
        stage: Stage,
    },
    /// A stage ended.
    StageEnded {
        /// The stage.
        stage: Stage,
        /// How long it took, in milliseconds.
        duration_ms: u64,
    },
    /// Methods were selected.
    ToolsSelected {
        /// The listings, best first.
        listings: Vec<SelectedListing>,
        /// Methods that were looked at.
        considered: usize,
        /// Methods that match but may not be called.
        left_out: Vec<LeftOut>,
    },
    /// The lane was chosen.
    DepthDecided {
        /// The depth that was asked for.
        asked: Depth,
        /// The lane's word.
        lane: &'static str,
        /// The reason's word.
        reason: &'static str,
        /// What the lane may do.
        flags: LaneFlags,
    },
    /// A deep query was probed.
    Probed(ProbeReport),
    /// What the gate is about to decide on, whole: the decision can be made again from it.
    GateInput(Box<GateInput>),
    /// What the judge said, or why it said nothing.
    Judged(Arc<Result<Opinion, JudgeFault>>),
    /// The models of a stage were asked: what each request spent, and why one that was asked did not answer.
    ModelAsked(Box<StageReport>),
    /// The gate decided on a deep query.
    Ruled(Box<Decision>),
    /// A program was written and verified.
    ProgramWritten {
        /// Which plan of this request, from 1.
        attempt: usize,
        /// Its text.
        source: String,
        /// The most calls that it can make.
        calls_max: usize,
    },
    /// A program was refused before any call.
    ProgramRejected {
        /// Which plan of this request, from 1.
        attempt: usize,
        /// Its text.
        source: String,
        /// What the verifier said.
        notes: Vec<String>,
    },
    /// A call left.
    CallStarted {
        /// Where in the program it stands.
        position: Position,
        /// What is called.
        method: MethodRef,
        /// The listing's name.
        listing_name: String,
    },
    /// A call ended.
    CallEnded {
        /// Where in the program it stands.
        position: Position,
        /// What was called.
        method: MethodRef,
        /// The listing's name.
        listing_name: String,
        /// With what.
        arguments: Map<String, Value>,
        /// The result's size in bytes, or the fault.
        outcome: Result<usize, CallFault>,
        /// How long it took, in milliseconds.
        duration_ms: u64,
    },
    /// A program ended.
    ProgramEnded {
        /// Which plan of this request, from 1.
        attempt: usize,
        /// How often it was run from its journal.
        passes: usize,
        /// Interpreter operations.
        operations: u64,
        /// The fault that ended it, where one did.
        fault: Option<String>,
    },
    /// The results were held against the question.
    CompletenessEvaluated {
        /// Which plan of this request, from 1.
        attempt: usize,
        /// The verdict.
        verdict: Verdict,
        /// What is missing.
        missing: Vec<String>,
    },
    /// The request ended.
    QueryEnded {
        /// The ending's word.
        outcome: &'static str,
        /// How long the request took, in milliseconds.
        duration_ms: u64,
    },
}

/// What the gate decides on: the question and the selected methods, as published.
#[derive(Clone, Debug)]
pub struct GateInput {
    /// The question.
    pub question: String,
    /// What was said before it, oldest first.
    pub history: Vec<Turn>,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// What the caller wants done with an ambiguous question.
    pub clarification: ClarificationPolicy,
    /// The methods that may serve it, best first.
    pub candidates: Vec<Candidate>,
    /// Other methods of the same listings, for look-ups.
    pub helpers: Vec<Candidate>,
    /// What was left out.
    pub left_out: Vec<LeftOut>,
    /// Methods that were looked at.
    pub considered: usize,
}

impl GateInput {
    /// What the gate will decide on.
    #[must_use]
    pub fn of(selected: &Selected) -> Self {
        Self {
            question: selected.query.text.clone(),
            history: selected.query.history.clone(),
            asked_at: selected.asked_at,
            clarification: selected.query.clarification,
            candidates: selected.candidates.clone(),
            helpers: selected.helpers.clone(),
            left_out: selected.left_out.clone(),
            considered: selected.considered,
        }
    }
}

/// What a probe found.
#[derive(Clone, Debug, PartialEq)]
pub struct ProbeReport {
    /// Methods that may be called.
    pub query_safe: usize,
    /// Methods that were ranked.
    pub ranked: usize,
    /// Methods of the execution shortlist.
    pub shortlisted: usize,
    /// Readings of the ambiguity pool.
    pub pooled: usize,
    /// Whether the evidence is enough to plan on.
    pub adequacy: &'static str,
    /// How sure the probe is of its best method, from 0 to 1.
    pub confidence: f64,
    /// The method that the question asks for but that may not be called.
    pub missing_capability: Option<String>,
}

/// The stages that take time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Finding the methods.
    Selection,
    /// Holding their metadata against the question.
    Probe,
    /// Hearing a judge.
    Judge,
    /// Writing and verifying a program.
    Planning,
    /// Running it.
    Execution,
    /// Writing the answer.
    Synthesis,
}

/// Whether results answer the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They do.
    Complete,
    /// The same methods may do better.
    RetrySameTools,
    /// Other methods are needed.
    NeedsDifferentTools,
}

impl Verdict {
    /// The word of the wire.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::RetrySameTools => "retry_same_tools",
            Self::NeedsDifferentTools => "needs_different_tools",
        }
    }
}

/// A listing whose methods were selected.
#[derive(Clone, Debug, PartialEq)]
pub struct SelectedListing {
    /// Its identifier.
    pub id: domain::ListingId,
    /// Its name.
    pub name: String,
    /// The methods of it, best first.
    pub methods: Vec<domain::MethodName>,
    /// The price of one query over it.
    pub price: domain::Usd,
}

//! The events.

use domain::{CallFault, Depth, LeftOut, MethodRef, Position};
use serde_json::{Map, Value};

/// Something that happened to a request.
#[derive(Clone, Debug, PartialEq)]
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
    },
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

/// The stages that take time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Finding the methods.
    Selection,
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

//! The events.

mod looks;

use std::sync::Arc;

use domain::{
    CallFault, Candidate, ClarificationPolicy, Conflict, Depth, LeftOut, MethodRef, Position, Selected,
    SourceRef, Thing, Turn,
};
use gate::{Decision, JudgeFault, Opinion};
use jiff::Timestamp;
use llm::StageReport;
use policy::LaneFlags;
use serde_json::{Map, Value};

pub use looks::{LookReport, RediscoveryReport};

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
        /// What it is to the program before it.
        revision: Revision,
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
    /// A contributor said how it searched for a result.
    ContributorSearched {
        /// What was called.
        method: MethodRef,
        /// The listing's name.
        listing_name: String,
        /// What it said, unchanged.
        search: Value,
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
        /// What a model said beyond the deterministic checks.
        opinion: Option<Box<CompletenessOpinion>>,
    },
    /// What was done, or not done, about results that do not answer the question.
    Repaired(Box<RepairReport>),
    /// Whether and how the catalog was searched for what is missing.
    Rediscovered(Box<RediscoveryReport>),
    /// A piece of the answer left for whoever listens. It is told and not kept: the answer holds it all.
    AnswerSpoken {
        /// The piece, as readers see it.
        text: String,
        /// The sources that it cites and that were not cited before, in the order of their numbers.
        cites: Vec<SourceRef>,
        /// Whether the answer begins anew with it: what left before is no part of it any more.
        begins_anew: bool,
    },
    /// The written answer was held against its sources.
    AnswerChecked(Box<AnswerReport>),
    /// Documents were searched, read or expanded.
    DocumentsLooked(LookReport),
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
    /// The things that it may ask for by themselves.
    pub things: Vec<Thing>,
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
            things: selected.things.clone(),
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
    /// Asking a model whether the results answer the question.
    Completeness,
    /// Searching the catalog for what is missing.
    Rediscovery,
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

/// What a program is to the one before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Revision {
    /// The first.
    Initial,
    /// The one before, mended; why.
    Patch(String),
    /// The one before, changed by a model that kept most of it; why.
    Edit(String),
    /// Another one for the same methods; why.
    Replan(String),
    /// One for other methods; why.
    OtherMethods(String),
}

/// What a model said of results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletenessOpinion {
    /// The parts of the question that are not answered.
    pub missing_parts: Vec<String>,
    /// What to do differently; may be empty.
    pub suggested_fix: String,
    /// What no method at hand does, in words to search by.
    pub missing_capability: Option<String>,
    /// Why.
    pub reason: String,
}

/// What became of a written answer on its way to the reader.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerReport {
    /// Citations that lead to a source.
    pub cited: usize,
    /// Citations that led nowhere and were left out.
    pub dropped: usize,
    /// Sentences that cite a source and are carried by it.
    pub strong: usize,
    /// Sentences that cite a source which hardly carries them.
    pub weak: Vec<String>,
    /// Numbers and dates of sentences that were told and that stand in no source.
    pub unsupported: Vec<String>,
    /// Sentences that were withheld for such numbers.
    pub withheld: usize,
    /// Where sources give different values for one thing.
    pub conflicts: Vec<Conflict>,
    /// Why parts of the evidence were chosen, left out or shortened for the writer: words.
    pub selection: Vec<&'static str>,
}

/// What was done about results that do not answer the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepairReport {
    /// The program that had run, from 1.
    pub attempt: usize,
    /// How it went.
    pub outcome: RepairOutcome,
    /// Repairs of this request so far, this one included.
    pub retries: usize,
    /// The most of those.
    pub retries_max: usize,
    /// What was done, in words.
    pub summary: String,
    /// The word of the reason why nothing was done.
    pub skip_reason: Option<&'static str>,
    /// Places of the program that were changed.
    pub edits: usize,
}

/// How a repair went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepairOutcome {
    /// Failed calls are made again by the same program.
    Attempted,
    /// The program was mended.
    Patched,
    /// Another program was written for the same methods.
    Replanned,
    /// No other program came of it.
    ReplanFailed,
    /// The bound on repairs is reached.
    SkippedNoRetryBudget,
    /// Only other methods may do better.
    SkippedNeedsDifferentTools,
    /// It would have gone round in a circle.
    SkippedByGuardrail,
}

impl RepairOutcome {
    /// The word of the wire.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Attempted => "attempted",
            Self::Patched => "patched",
            Self::Replanned => "replanned",
            Self::ReplanFailed => "replan_failed",
            Self::SkippedNoRetryBudget => "skipped_no_retry_budget",
            Self::SkippedNeedsDifferentTools => "skipped_needs_different_tools",
            Self::SkippedByGuardrail => "skipped_by_guardrail",
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

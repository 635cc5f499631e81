//! What a model is told, and what it replies.

use domain::{Asked, Candidate, Evidence, MethodRef, Served, Turn};
use fit::Offer;
use jiff::Timestamp;
use policy::{AnswerLimits, Policy};
use reading::Reading;

/// What the planner is told.
#[derive(Clone, Debug)]
pub struct PlanBrief {
    /// The question.
    pub question: String,
    /// What was said before it, oldest first.
    pub history: Vec<Turn>,
    /// When it was asked.
    pub now: Timestamp,
    /// The methods that may answer it, best first.
    pub candidates: Vec<Candidate>,
    /// Other methods of the selected listings that a program may call to look something up.
    pub helpers: Vec<Candidate>,
    /// The method that the gate settled on; the planner is free to choose where there is none.
    pub chosen: Option<MethodRef>,
    /// How far a plan may go.
    pub limits: PlanLimits,
    /// The things that it asks, where those are several and each was held against the methods by itself.
    pub asked: Vec<Asked>,
    /// Methods that failed before, with the reason; the plan does without them.
    pub avoid: Vec<(MethodRef, String)>,
    /// The rules' own program for a question that they have a playbook for. It is not told to a model.
    pub by_the_book: Option<PlannedText>,
}

/// How far a plan may go.
#[derive(Clone, Copy, Debug)]
pub struct PlanLimits {
    /// Calls that a program may fan out over.
    pub fan_out_max: usize,
    /// Calls that a program may make.
    pub calls_max: usize,
    /// Of several things that one question asks, how many are planned for.
    pub parts_max: usize,
    /// Earlier turns of the caller that something may be taken from.
    pub turns_max: usize,
    /// Rows that one call is asked for, where they are ranked or held against a bound behind it.
    pub asked_rows_max: usize,
    /// How much of what a method accounts for that failed another one accounts for that stands in, as a share.
    pub stand_in_share_min: f64,
}

impl PlanBrief {
    /// The things that the question asks, each a question of its own; itself where it asks one.
    #[must_use]
    pub fn things(&self) -> Vec<Asked> {
        let unsettled = |question| Asked { question, served: Served::Unsettled };
        if self.asked.is_empty() {
            reading::clauses(&self.question).into_iter().map(unsettled).collect()
        } else {
            self.asked.clone()
        }
    }
}

impl PlanLimits {
    /// The limits of a policy.
    #[must_use]
    pub fn of(policy: &Policy) -> Self {
        Self {
            fan_out_max: policy.recovery.fan_out_max,
            calls_max: policy.budgets.calls_max,
            parts_max: policy.probe.pools.parts_max,
            turns_max: policy.probe.pools.turns_max,
            asked_rows_max: policy.budgets.asked_rows_max,
            stand_in_share_min: policy.recovery.alternative_share_min,
        }
    }
}

impl PlanBrief {
    /// The method of this name, among those that may answer or look something up.
    pub(crate) fn candidate(&self, method: &MethodRef) -> Option<&Candidate> {
        self.candidates.iter().chain(&self.helpers).find(|candidate| candidate.method_ref() == *method)
    }

    /// Its methods, and how far a program may go with them.
    pub(crate) fn offer(&self) -> Offer<'_> {
        Offer {
            candidates: &self.candidates,
            helpers: &self.helpers,
            fan_out_max: self.limits.fan_out_max,
            calls_max: self.limits.calls_max,
            avoid: &self.avoid,
            stand_in_share_min: self.limits.stand_in_share_min,
            before: &self.history,
        }
    }
}

/// What the planner replies.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a reply is made once and taken apart at once")]
pub enum PlanReply {
    /// A program.
    Program(PlannedText),
    /// A method fits, and the question does not say what it needs.
    Missing(Vec<MissingArgument>),
    /// No method fits.
    NoMatch {
        /// Why, in words for the caller.
        reason: String,
    },
}

/// A planned program.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedText {
    /// The program, in Rhai. Its value is the primary method's result or, where it was called for several values of one
    /// argument, an array of `#{<argument>: value, result: <result>}`.
    pub source: String,
    /// The method whose result answers the question.
    pub primary: MethodRef,
    /// What the answer has to look like.
    pub reading: Reading,
    /// What the plan takes for granted, in words for the caller.
    pub assumptions: Vec<String>,
}

/// An argument that nothing in the question fills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingArgument {
    /// The method that needs it.
    pub method: MethodRef,
    /// Its name.
    pub argument: String,
    /// What the schema says of it; may be empty.
    pub description: String,
    /// Why it is open.
    pub why: String,
}

/// What the writer of the answer is told.
#[derive(Clone, Copy, Debug)]
pub struct SynthesisBrief<'a> {
    /// The question.
    pub question: &'a str,
    /// What the answer has to look like.
    pub reading: &'a Reading,
    /// All that may be said.
    pub evidence: &'a Evidence,
    /// How much of it the embedded writer puts into the answer.
    pub limits: &'a AnswerLimits,
}

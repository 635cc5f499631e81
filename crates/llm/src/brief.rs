//! What a model is told, and what it replies.

use domain::{Candidate, Evidence, MethodRef, Turn};
use fit::Offer;
use jiff::Timestamp;
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
    /// Calls that a program may fan out over.
    pub fan_out_max: usize,
    /// Calls that a program may make.
    pub calls_max: usize,
    /// The method that the gate settled on; the planner is free to choose where there is none.
    pub chosen: Option<MethodRef>,
    /// Of several things that one question asks, how many it plans for at the most.
    pub parts_max: usize,
    /// Of several things that are asked, those that no method serves, as the question says them.
    pub unserved: Vec<String>,
    /// Methods that failed before, with the reason; the plan does without them.
    pub avoid: Vec<(MethodRef, String)>,
    /// How much of what one of those accounts for another one accounts for that stands in, as a share.
    pub stand_in_share_min: f64,
    /// The rules' own program for a question that they have a playbook for. It is not told to a model.
    pub by_the_book: Option<PlannedText>,
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
            fan_out_max: self.fan_out_max,
            calls_max: self.calls_max,
            avoid: &self.avoid,
            stand_in_share_min: self.stand_in_share_min,
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
}

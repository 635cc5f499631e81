//! The port.

use domain::Usd;
use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use gate::{Brief, JudgeFault, Opinion};
use policy::ModelStage;

use crate::assess::{Completeness, CompletenessBrief, Summary, SummaryBrief};
use crate::report::StageReport;
use crate::{PlanBrief, PlanReply, SynthesisBrief};

/// Answers the briefs of the stages. Implemented by [`crate::Embedded`] and, for one request, by [`crate::Session`]; the
/// replay of a trace takes the same place.
pub trait Model: Send + Sync {
    /// Gives an opinion on what a question means; none where it cannot, with the reason.
    fn judge<'a>(&'a self, brief: &'a Brief) -> BoxFuture<'a, Result<Opinion, JudgeFault>>;

    /// Whether its last opinion was that of a hosted model, and not of rules.
    fn is_hosted_judge(&self) -> bool;

    /// Whether it asks a hosted model at this stage, where one answers.
    fn asks(&self, stage: ModelStage) -> bool {
        let _ = stage;
        false
    }

    /// Takes note of what may still be spent; a request that could cost more is not made.
    fn allow(&self, left: Usd) {
        let _ = left;
    }

    /// Writes a program for a question, or says why there is none.
    fn plan<'a>(&'a self, brief: &'a PlanBrief) -> BoxFuture<'a, PlanReply>;

    /// Writes a program in place of one that the verifier refused, or whose results fall short; none where it has no other.
    fn replan<'a>(
        &'a self,
        brief: &'a PlanBrief,
        refused: &'a RefusedProgram,
    ) -> BoxFuture<'a, Option<PlanReply>> {
        let _ = (brief, refused);
        ready(None).boxed()
    }

    /// The rules' own program, where those of a model were all refused; none where the rules wrote them.
    fn plan_by_rules<'a>(&'a self, brief: &'a PlanBrief) -> BoxFuture<'a, Option<PlanReply>> {
        let _ = brief;
        ready(None).boxed()
    }

    /// Says whether what was found answers the question; none where it has nothing to add to the deterministic checks.
    fn complete<'a>(&'a self, brief: &'a CompletenessBrief<'a>) -> BoxFuture<'a, Option<Completeness>> {
        let _ = brief;
        ready(None).boxed()
    }

    /// Makes a text shorter; none where it cannot.
    fn summarize<'a>(&'a self, brief: &'a SummaryBrief<'a>) -> BoxFuture<'a, Option<Summary>> {
        let _ = brief;
        ready(None).boxed()
    }

    /// Writes the answer in Markdown, from the evidence alone.
    fn synthesize<'a>(&'a self, brief: &'a SynthesisBrief<'a>) -> BoxFuture<'a, String>;

    /// The rules' own answer, where nobody can wait for a model's; none where it is not to be had.
    fn synthesize_by_rules<'a>(&'a self, brief: &'a SynthesisBrief<'a>) -> BoxFuture<'a, Option<String>> {
        let _ = brief;
        ready(None).boxed()
    }

    /// Writes the same answer and says it piece by piece as it comes.
    fn synthesize_aloud<'a>(
        &'a self,
        brief: &'a SynthesisBrief<'a>,
        listener: &'a AnswerListener<'a>,
    ) -> BoxFuture<'a, String> {
        async move {
            let text = self.synthesize(brief).await;
            listener(Spoken::Text(&text));
            text
        }
        .boxed()
    }

    /// What its models did since this was last asked, in order; nothing where no model was asked.
    fn take_reports(&self) -> Vec<StageReport> {
        Vec::new()
    }
}

/// A program that does not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedProgram {
    /// Its text.
    pub source: String,
    /// What is wrong with it: where the verifier refused it, with lines and columns; where it ran, with its results.
    pub notes: Vec<String>,
    /// Whether it ran.
    pub has_run: bool,
}

/// A piece of an answer as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spoken<'a> {
    /// More text.
    Text(&'a str),
    /// All that was said so far does not hold: the answer begins anew.
    Restart,
}

/// Hears an answer as it is written.
pub type AnswerListener<'a> = dyn Fn(Spoken<'_>) + Send + Sync + 'a;

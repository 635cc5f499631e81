//! The port.

use futures::future::BoxFuture;
use gate::{Brief, JudgeFault, Opinion};

use crate::{PlanBrief, PlanReply, SynthesisBrief};

/// Answers the briefs of the stages. Implemented by [`crate::Embedded`]; adapters of hosted models and the replay of a
/// trace take the same place.
pub trait Model: Send + Sync {
    /// Gives an opinion on what a question means; none where it cannot, with the reason.
    fn judge<'a>(&'a self, brief: &'a Brief) -> BoxFuture<'a, Result<Opinion, JudgeFault>>;

    /// Whether its opinions are those of a hosted model, and not of rules.
    fn is_hosted_judge(&self) -> bool;

    /// Writes a program for a question, or says why there is none.
    fn plan<'a>(&'a self, brief: &'a PlanBrief) -> BoxFuture<'a, PlanReply>;

    /// Writes the answer in Markdown, from the evidence alone.
    fn synthesize<'a>(&'a self, brief: &'a SynthesisBrief<'a>) -> BoxFuture<'a, String>;
}

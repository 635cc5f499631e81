//! The port.

use futures::future::BoxFuture;

use crate::{PlanBrief, PlanReply, SynthesisBrief};

/// Answers the briefs of the stages. Implemented by [`crate::Embedded`]; adapters of hosted models and the replay of a
/// trace take the same place.
pub trait Model: Send + Sync {
    /// Writes a program for a question, or says why there is none.
    fn plan<'a>(&'a self, brief: &'a PlanBrief) -> BoxFuture<'a, PlanReply>;

    /// Writes the answer in Markdown, from the evidence alone.
    fn synthesize<'a>(&'a self, brief: &'a SynthesisBrief<'a>) -> BoxFuture<'a, String>;
}

//! The embedded portfolio: rules in place of a model.

use fit::Knowledge;
use futures::FutureExt;
use futures::future::{BoxFuture, ready};

use crate::{Model, PlanBrief, PlanReply, SynthesisBrief, plan, synthesize};

/// Answers every brief by deterministic rules: no key, no network, no chance.
#[derive(Debug, Default)]
pub struct Embedded {
    knowledge: Knowledge,
}

impl Model for Embedded {
    fn plan<'a>(&'a self, brief: &'a PlanBrief) -> BoxFuture<'a, PlanReply> {
        ready(plan::plan(brief, &self.knowledge)).boxed()
    }

    fn synthesize<'a>(&'a self, brief: &'a SynthesisBrief<'a>) -> BoxFuture<'a, String> {
        ready(synthesize::answer(brief)).boxed()
    }
}

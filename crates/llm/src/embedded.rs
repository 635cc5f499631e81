//! The embedded portfolio: rules in place of a model.

use std::sync::Arc;

use fit::Knowledge;
use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use gate::{Brief, JudgeFault, Opinion};

use crate::{Model, PlanBrief, PlanReply, SynthesisBrief, plan, synthesize};

/// Answers every brief by deterministic rules: no key, no network, no chance.
#[derive(Debug, Default)]
pub struct Embedded {
    knowledge: Arc<Knowledge>,
}

impl Embedded {
    /// The portfolio over what is already known of the methods.
    #[must_use]
    pub fn over(knowledge: Arc<Knowledge>) -> Self {
        Self { knowledge }
    }
}

impl Model for Embedded {
    fn judge<'a>(&'a self, brief: &'a Brief) -> BoxFuture<'a, Result<Opinion, JudgeFault>> {
        ready(Ok(gate::judge(brief))).boxed()
    }

    fn is_hosted_judge(&self) -> bool {
        false
    }

    fn plan<'a>(&'a self, brief: &'a PlanBrief) -> BoxFuture<'a, PlanReply> {
        let by_the_book = brief.by_the_book.clone().map(PlanReply::Program);
        ready(by_the_book.unwrap_or_else(|| plan::plan(brief, &self.knowledge))).boxed()
    }

    fn synthesize<'a>(&'a self, brief: &'a SynthesisBrief<'a>) -> BoxFuture<'a, String> {
        ready(synthesize::answer(brief)).boxed()
    }
}

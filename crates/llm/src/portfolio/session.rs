//! The models for one request: which of them the caller named, and what they did.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use domain::Usd;
use futures::FutureExt;
use futures::future::BoxFuture;
use gate::{Brief, JudgeFault, Opinion};
use policy::ModelStage;
use serde_json::Value;
use tokio::time::Instant;

use super::Portfolio;
use super::aloud::Aloud;
use super::ask::{Call, milliseconds};
use super::purse::Purse;
use super::recording::Recording;
use super::reply::{self, Screen};
use crate::assess::{Completeness, CompletenessBrief, Summary, SummaryBrief};
use crate::exchange::Exchanges;
use crate::explore::{ExploreBrief, ExploreReply};
use crate::model::{AnswerListener, RefusedProgram};
use crate::prompt::{self, Values};
use crate::reason::{ReasonBrief, ReasonReply};
use crate::recap::RecapBrief;
use crate::report::{FallbackReason, StageReport};
use crate::{Model, PlanBrief, PlanReply, SynthesisBrief};

/// The portfolio, for one request.
pub struct Session<'a> {
    portfolio: &'a Portfolio,
    exchanges: Option<&'a dyn Exchanges>,
    answer_model: Option<String>,
    reports: Mutex<Vec<StageReport>>,
    is_hosted_judge: AtomicBool,
    purse: Purse,
}

impl<'a> Session<'a> {
    pub(super) fn new(
        portfolio: &'a Portfolio,
        answer_model: Option<&str>,
        exchanges: Option<&'a dyn Exchanges>,
    ) -> Self {
        Self {
            portfolio,
            exchanges,
            answer_model: answer_model.map(str::to_owned),
            reports: Mutex::default(),
            is_hosted_judge: AtomicBool::new(false),
            purse: Purse::default(),
        }
    }

    /// What a stage's models reply, read by `read`; none where it has none, or none of them gives a reply that holds.
    async fn structured<T: Send>(
        &self,
        stage: ModelStage,
        (values, more): (impl FnOnce() -> Values, Option<String>),
        read: impl Fn(Value) -> Result<T, FallbackReason> + Send + Sync,
    ) -> Option<T> {
        self.structured_aloud(stage, (values, more, None), read).await
    }

    /// The same, with a member of the reply said while it is written.
    async fn structured_aloud<T: Send>(
        &self,
        stage: ModelStage,
        (values, more, aloud): (impl FnOnce() -> Values, Option<String>, Option<&Aloud<'_>>),
        read: impl Fn(Value) -> Result<T, FallbackReason> + Send + Sync,
    ) -> Option<T> {
        let schema = self.portfolio.schemas.get(&stage)?;
        let call = self.call(stage, values, more, aloud)?;
        self.portfolio.first_good(&call, &|text| schema.read(text).and_then(&read)).await
    }

    /// None where the stage asks no model.
    fn call<'b>(
        &'b self,
        stage: ModelStage,
        values: impl FnOnce() -> Values,
        more: Option<String>,
        aloud: Option<&'b Aloud<'b>>,
    ) -> Option<Call<'b>> {
        let named = self.answer_model.as_deref().filter(|_| stage == ModelStage::Synthesize);
        let chain = self.portfolio.models.chain(stage, named);
        let first = *chain.first()?;
        Some(Call {
            stage,
            prompt: prompt::filled(self.portfolio.prompts.of(stage), &values()),
            more,
            aloud,
            purse: &self.purse,
            recording: Recording::new(&self.reports, stage, first, named),
            deadline: Instant::now() + milliseconds(self.portfolio.models.stage(stage).timeout_ms),
            chain,
            exchanges: self.exchanges,
        })
    }

    async fn written(&self, brief: &SynthesisBrief<'_>, listener: Option<&AnswerListener<'_>>) -> String {
        let limits = &self.portfolio.models.prompt;
        let screen = Screen::over(known_to(brief));
        let aloud = Aloud::new(listener, &screen);
        let values = || prompt::synthesize(brief, limits);
        if let Some(call) = self.call(ModelStage::Synthesize, values, None, Some(&aloud)) {
            let answer = self.portfolio.first_good(&call, &|text| Ok(text.trim().to_owned())).await;
            if let Some(answer) = answer {
                return answer;
            }
        }
        let answer = self.portfolio.embedded.synthesize(brief).await;
        aloud.say_whole(&answer);
        answer
    }
}

impl Session<'_> {
    /// The next move among documents: none where the policy names no model for it, and nothing inside where none of those
    /// that it names gives a reply that holds.
    pub async fn explore(&self, brief: &ExploreBrief<'_>) -> Option<Option<ExploreReply>> {
        if !self.asks(ModelStage::Explore) {
            return None;
        }
        let values = || prompt::explore(brief, &self.portfolio.models.prompt);
        Some(self.structured(ModelStage::Explore, (values, None), reply::typed).await)
    }

    /// The beginning of a conversation in short: none where the policy names no model for it, or none of those that it names
    /// gives one that holds.
    pub async fn recap(&self, brief: &RecapBrief<'_>) -> Option<String> {
        let values = || prompt::recap(brief, &self.portfolio.models.prompt);
        let text = format!("{}\n{}", brief.known, brief.said.join("\n"));
        self.structured(ModelStage::Recap, (values, None), |value| reply::recap(value, &text)).await
    }

    /// Writes an answer from documents, which a listener hears as it is written: none where the policy names no model for it,
    /// and the reason where none of those that it names gives a reply that holds.
    pub async fn reason(
        &self,
        brief: &ReasonBrief<'_>,
        listener: Option<&AnswerListener<'_>>,
    ) -> Option<Result<ReasonReply, FallbackReason>> {
        if !self.asks(ModelStage::Reason) {
            return None;
        }
        let values = || prompt::reason(brief, &self.portfolio.models.prompt);
        let said = brief.sources.iter().map(|source| source.text.to_owned());
        let screen = Screen::over([brief.question.to_owned()].into_iter().chain(said));
        let read = |value| {
            let reply: ReasonReply = reply::typed(value)?;
            screen.check(&reply.answer)?;
            Ok(reply)
        };
        let aloud = Aloud::of_member("answer", listener, &screen);
        let aloud = listener.map(|_| &aloud);
        let reply = self.structured_aloud(ModelStage::Reason, (values, None, aloud), read).await;
        Some(reply.ok_or_else(|| {
            let reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
            let last = reports.iter().rev().find(|report| report.stage == ModelStage::Reason);
            last.and_then(|report| report.fallback.clone()).unwrap_or(FallbackReason::Empty)
        }))
    }
}

impl Model for Session<'_> {
    fn judge<'a>(&'a self, brief: &'a Brief) -> BoxFuture<'a, Result<Opinion, JudgeFault>> {
        async move {
            let values = || prompt::judge(brief, &self.portfolio.models.prompt);
            let read = |value: Value| reply::opinion(&value, brief);
            let opinion = self.structured(ModelStage::Judge, (values, None), read).await;
            self.is_hosted_judge.store(opinion.is_some(), Ordering::Relaxed);
            match opinion {
                Some(opinion) => Ok(opinion),
                None => self.portfolio.embedded.judge(brief).await,
            }
        }
        .boxed()
    }

    fn is_hosted_judge(&self) -> bool {
        self.is_hosted_judge.load(Ordering::Relaxed)
    }

    fn allow(&self, left: Usd) {
        self.purse.fill(left);
    }

    fn asks(&self, stage: ModelStage) -> bool {
        let named = self.answer_model.as_deref().filter(|_| stage == ModelStage::Synthesize);
        !self.portfolio.models.chain(stage, named).is_empty()
    }

    fn plan<'a>(&'a self, brief: &'a PlanBrief) -> BoxFuture<'a, PlanReply> {
        async move {
            let values = || prompt::plan(brief, &self.portfolio.models.prompt);
            let read = |value| reply::plan(value, brief, &self.portfolio.knowledge);
            match self.structured(ModelStage::Plan, (values, None), read).await {
                Some(reply) => reply,
                None => self.portfolio.embedded.plan(brief).await,
            }
        }
        .boxed()
    }

    /// A program of a model in place of the refused one. Where no model gives another program, the embedded planner's.
    fn replan<'a>(
        &'a self,
        brief: &'a PlanBrief,
        refused: &'a RefusedProgram,
    ) -> BoxFuture<'a, Option<PlanReply>> {
        async move {
            let limits = &self.portfolio.models.prompt;
            let prompt = self.portfolio.prompts.of(ModelStage::Plan);
            let template =
                if refused.has_run { prompt.fell_short.as_ref() } else { prompt.refused.as_ref() }?;
            if self.portfolio.models.chain(ModelStage::Plan, None).is_empty() {
                return None;
            }
            let more = prompt::refused(template, refused, limits);
            let values = || prompt::plan(brief, limits);
            let read = |value| {
                let reply = reply::plan(value, brief, &self.portfolio.knowledge)?;
                let is_same = matches!(&reply, PlanReply::Program(text) if text.source == refused.source);
                if is_same {
                    return Err(FallbackReason::Unusable("`source` is the refused program".to_owned()));
                }
                Ok(reply)
            };
            let reply = self.structured(ModelStage::Plan, (values, Some(more)), read).await;
            let reply = match reply {
                Some(reply) => reply,
                None => self.portfolio.embedded.plan(brief).await,
            };
            Some(reply)
        }
        .boxed()
    }

    fn plan_by_rules<'a>(&'a self, brief: &'a PlanBrief) -> BoxFuture<'a, Option<PlanReply>> {
        async move {
            if self.portfolio.models.chain(ModelStage::Plan, None).is_empty() {
                return None;
            }
            Some(self.portfolio.embedded.plan(brief).await)
        }
        .boxed()
    }

    fn complete<'a>(&'a self, brief: &'a CompletenessBrief<'a>) -> BoxFuture<'a, Option<Completeness>> {
        async move {
            let values = || prompt::complete(brief, &self.portfolio.models.prompt);
            self.structured(ModelStage::Complete, (values, None), reply::completeness).await
        }
        .boxed()
    }

    fn summarize<'a>(&'a self, brief: &'a SummaryBrief<'a>) -> BoxFuture<'a, Option<Summary>> {
        async move {
            let models = &self.portfolio.models;
            let chars_max = models.stage(ModelStage::Summarize).output_chars_max;
            let values = || prompt::summarize(brief, chars_max, &models.prompt);
            let read = |value| reply::summary(value, brief.text);
            self.structured(ModelStage::Summarize, (values, None), read).await
        }
        .boxed()
    }

    fn synthesize<'a>(&'a self, brief: &'a SynthesisBrief<'a>) -> BoxFuture<'a, String> {
        self.written(brief, None).boxed()
    }

    fn synthesize_by_rules<'a>(&'a self, brief: &'a SynthesisBrief<'a>) -> BoxFuture<'a, Option<String>> {
        self.portfolio.embedded.synthesize(brief).map(Some).boxed()
    }

    fn synthesize_aloud<'a>(
        &'a self,
        brief: &'a SynthesisBrief<'a>,
        listener: &'a AnswerListener<'a>,
    ) -> BoxFuture<'a, String> {
        self.written(brief, Some(listener)).boxed()
    }

    fn take_reports(&self) -> Vec<StageReport> {
        mem::take(&mut *self.reports.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The texts whose addresses an answer may name: the question's, the sources' own, and values that are addresses as a
/// whole. An address in the middle of a result's prose may be somebody's bait.
fn known_to(brief: &SynthesisBrief<'_>) -> Vec<String> {
    let evidence = brief.evidence;
    let is_address = |text: &&str| text.contains("://") && !text.contains(char::is_whitespace);
    let facts = evidence.facts.iter().filter_map(|fact| fact.value.as_str()).filter(is_address);
    let cells =
        evidence.view.rows.iter().flat_map(|row| row.cells.iter().map(String::as_str)).filter(is_address);
    let sources = evidence.sources.iter().filter_map(|source| source.url.as_deref());
    [brief.question].into_iter().chain(facts).chain(sources).chain(cells).map(str::to_owned).collect()
}

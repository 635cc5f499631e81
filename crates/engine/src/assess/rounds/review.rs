//! The review of one round: what the checks find, what a model says beyond them, and what may help.

use domain::Candidate;
use llm::{CompletenessBrief, CompletenessOutcome};
use policy::{MarketKind, ModelStage};
use tokio::time::timeout_at;
use trace::{CompletenessOpinion, Stage, Verdict};

use super::Rounds;
use crate::assess::checks::{self, Finding, Held, Remedy};
use crate::assess::{Worth, gaps, mend, worth};
use crate::evidence;
use crate::execute::Executed;
use crate::failure::Failure;
use crate::plan::{Book, Mend, Planned};
use crate::playbook;

/// What was found in one round's results.
pub(super) struct Review {
    pub(super) verdict: Verdict,
    pub(super) findings: Vec<Finding>,
    /// What a model said.
    pub(super) opinion: Option<CompletenessOpinion>,
    /// What another program would have to do better.
    notes: Vec<String>,
}

impl Rounds<'_> {
    /// Holds results against the question: by the checks, and by a model where they leave it open and one is asked.
    pub(super) async fn review(&mut self, planned: &Planned, executed: &Executed) -> Result<Review, Failure> {
        let question = &self.planner.cleared.selected().query.text;
        let pages = &self.planner.policy.recovery.pages;
        let mut findings = checks::of(Held { question, reading: planned.reading(), executed, pages });
        if let Some(book) = &self.planner.book {
            findings.extend(checks::evidence_lacking(&self.lacking(book, executed)));
        }
        let helps = |finding: &Finding| self.may_help(&finding.remedy, planned, executed);
        let verdict = match worth(planned, executed) {
            _ if findings.iter().any(helps) => Verdict::RetrySameTools,
            Worth::Data => Verdict::Complete,
            Worth::Pieces | Worth::Empty | Worth::Nothing => Verdict::NeedsDifferentTools,
        };
        let review = Review { verdict, findings, opinion: None, notes: Vec::new() };
        if verdict != Verdict::Complete || !self.ports.model.asks(ModelStage::Complete) {
            return Ok(review);
        }
        let Some(said) = self.opinion(planned, executed).await? else { return Ok(review) };
        self.missing_capability.clone_from(&said.missing_capability);
        let missing = said.missing_parts.iter().map(|part| format!("It does not answer: {part}."));
        let notes = missing.chain([said.suggested_fix.clone(), said.reason.clone()]);
        Ok(Review {
            verdict: match said.outcome {
                CompletenessOutcome::Complete => Verdict::Complete,
                CompletenessOutcome::RetrySameTools => Verdict::RetrySameTools,
                CompletenessOutcome::NeedsDifferentTools => Verdict::NeedsDifferentTools,
            },
            notes: notes.filter(|note| !note.is_empty()).collect(),
            opinion: Some(CompletenessOpinion {
                missing_parts: said.missing_parts,
                suggested_fix: said.suggested_fix,
                missing_capability: said.missing_capability,
                reason: said.reason,
            }),
            ..review
        })
    }

    /// What a model says of results.
    async fn opinion(
        &self,
        planned: &Planned,
        executed: &Executed,
    ) -> Result<Option<llm::Completeness>, Failure> {
        let (run, policy) = (self.planner.run, self.planner.policy);
        let question = &self.planner.cleared.selected().query.text;
        let reading = planned.reading();
        let gaps = gaps::of(executed, reading, &policy.recovery.pages);
        let assumptions = planned.assumptions().to_vec();
        let evidence = evidence::package(self.asked(), reading, executed, gaps, assumptions, policy);
        let parts: Vec<String> = match reading.parts.as_slice() {
            [] => vec![question.clone()],
            parts => parts.iter().map(|part| part.question.clone()).collect(),
        };
        let methods: Vec<Candidate> =
            self.planner.candidates(&self.also).filter(|it| it.score > 0.0).cloned().collect();
        let brief = CompletenessBrief { question, parts: &parts, evidence: &evidence, methods: &methods };
        // What a model takes too long for, the checks alone decide.
        let until = run.plan_until(policy.recovery.model_time_share_max);
        let said = async { timeout_at(until, self.ports.model.complete(&brief)).await.ok().flatten() };
        run.asking(Stage::Completeness, self.ports.model, said).await
    }

    /// Whether a remedy is at hand.
    pub(super) fn may_help(&self, remedy: &Remedy, planned: &Planned, executed: &Executed) -> bool {
        match remedy {
            Remedy::Retry(_) => true,
            Remedy::Rewrite => {
                self.ports.model.asks(ModelStage::Plan) || self.mend(remedy, planned, executed).is_some()
            }
            Remedy::ReadOn | Remedy::Widen | Remedy::Gather => self.mend(remedy, planned, executed).is_some(),
            Remedy::OtherMethods | Remedy::Disclose => false,
        }
    }

    pub(super) fn mend(&self, remedy: &Remedy, planned: &Planned, executed: &Executed) -> Option<Mend> {
        let candidates = self.planner.candidates(&self.also);
        match remedy {
            Remedy::ReadOn => {
                mend::read_on(planned, executed, candidates, &self.planner.policy.recovery.pages)
            }
            Remedy::Widen => mend::widened(executed, planned.reading(), candidates),
            Remedy::Gather => self.gathered(planned, executed),
            Remedy::Rewrite => mend::respelled(executed, candidates),
            Remedy::Retry(_) | Remedy::OtherMethods | Remedy::Disclose => None,
        }
    }

    /// The program with the evidence that its results lack.
    fn gathered(&self, planned: &Planned, executed: &Executed) -> Option<Mend> {
        let book = self.planner.book.as_ref()?;
        let Book { playbook, methods } = book;
        let market = &self.planner.policy.evidence.market;
        let mut missing = self.lacking(book, executed);
        missing.retain(|kind| methods.contains_key(kind));
        let source = planned.program().source();
        let source = playbook::program(playbook, methods, &missing, market, Some(source))?;
        let words: Vec<String> = missing.iter().map(|kind| kind.word().replace('_', " ")).collect();
        Some(Mend {
            respelled: None,
            source,
            why: format!("the question asks for {}, and nothing gives it yet", words.join(", ")),
            assumption: None,
        })
    }

    /// The kinds of evidence that a question about flows still lacks.
    fn lacking(&self, book: &Book, executed: &Executed) -> Vec<MarketKind> {
        let market = &self.planner.policy.evidence.market;
        evidence::market::lacking(executed, &book.playbook, &book.methods, market)
    }

    /// The question, as evidence is held against it.
    fn asked(&self) -> evidence::Asked<'_> {
        evidence::Asked {
            question: &self.planner.cleared.selected().query.text,
            at: self.planner.run.started_at(),
            playbook: self.planner.book.as_ref().map(|book| &book.playbook),
        }
    }
}

impl Review {
    /// What is missing, a sentence each.
    pub(super) fn missing(&self) -> Vec<String> {
        let found = self.findings.iter().map(|finding| finding.detail.clone());
        let said = self.opinion.iter().flat_map(|opinion| opinion.missing_parts.iter().cloned());
        found.chain(said).collect()
    }

    /// What the next program has to do better.
    pub(super) fn notes_for_a_model(&self) -> Vec<String> {
        let found = self.findings.iter().map(|finding| finding.detail.clone());
        found.chain(self.notes.iter().cloned()).collect()
    }
}

//! The rounds: plan, run, look, and mend or take other methods, for as long as that may help and the policy allows.

mod review;

use domain::{Candidate, FaultKind, MethodRef};
use gate::{Cleared, Miss};
use policy::{MarketKind, Policy};
use program::Journal;
use trace::{Event, RepairOutcome, RepairReport, Verdict};

use super::checks::Remedy;
use super::{Worth, gaps, rediscover, unplannable, worth};
use crate::execute;
use crate::execute::Executed;
use crate::failure::Failure;
use crate::outcome::Action;
use crate::plan::{Book, Plan, Planned, Planner, Round};
use crate::playbook::{self, Playbook};
use crate::ports::Ports;
use crate::run::Run;
use review::Review;

/// What came of all rounds.
#[derive(Default)]
pub(super) struct Ended {
    /// The best program and its results.
    pub(super) best: Option<Best>,
    /// Why there was no plan, the first time that there was none.
    pub(super) miss: Option<Miss>,
    /// What the question has to be answered from, where it is about flows.
    pub(super) playbook: Option<Playbook>,
    /// What was done.
    pub(super) actions: Vec<Action>,
    /// Whether it would have gone round in a circle.
    pub(super) is_circular: bool,
    /// Whether the time was over before everything was tried.
    pub(super) is_out_of_time: bool,
}

/// A program with its results.
pub(super) struct Best {
    pub(super) planned: Box<Planned>,
    pub(super) executed: Executed,
    /// The parts of the question that a model misses in them.
    pub(super) open: Vec<String>,
}

/// The rounds of one request.
pub(super) struct Rounds<'a> {
    planner: Planner<'a>,
    ports: Ports<'a>,
    journal: Journal,
    avoid: Vec<(MethodRef, String)>,
    also: Vec<Candidate>,
    attempts: usize,
    plans: usize,
    retries: usize,
    is_rediscovered: bool,
    missing_capability: Option<String>,
    ended: Ended,
}

/// What follows from one round.
enum Next {
    /// A program for other methods, or the first one.
    Plan,
    /// This program.
    Run(Box<Planned>),
    /// Nothing.
    Enough,
}

impl<'a> Rounds<'a> {
    pub(super) fn new(cleared: &'a Cleared, run: &'a Run, policy: &'a Policy, ports: Ports<'a>) -> Self {
        Self {
            planner: Planner { cleared, run, policy, model: ports.model, book: book(cleared, policy, ports) },
            ports,
            journal: Journal::default(),
            avoid: Vec::new(),
            also: Vec::new(),
            attempts: 0,
            plans: 0,
            retries: 0,
            is_rediscovered: false,
            missing_capability: None,
            ended: Ended::default(),
        }
    }

    /// Goes on until the results answer the question, or nothing more helps.
    pub(super) async fn go(mut self) -> Result<Ended, Failure> {
        self.ended.playbook = self.planner.book.as_ref().map(|book| book.playbook.clone());
        self.rounds().await
    }

    async fn rounds(mut self) -> Result<Ended, Failure> {
        let mut next = Next::Plan;
        loop {
            let planned = match next {
                Next::Plan => match self.plan().await {
                    Ok(Some(planned)) => planned,
                    Ok(None) => return Ok(self.ended),
                    Err(failure) => return self.late(failure),
                },
                Next::Run(planned) => planned,
                Next::Enough => return Ok(self.ended),
            };
            next = match self.round(planned).await {
                Ok(next) => next,
                Err(failure) => return self.late(failure),
            };
        }
    }

    /// A spent deadline ends in what there is.
    fn late(mut self, failure: Failure) -> Result<Ended, Failure> {
        if failure == Failure::DeadlinePassed && self.ended.best.is_some() {
            self.ended.is_out_of_time = true;
            return Ok(self.ended);
        }
        Err(failure)
    }

    /// The next program; none where the plans or the methods are used up.
    async fn plan(&mut self) -> Result<Option<Box<Planned>>, Failure> {
        let plans_max = self.planner.policy.recovery.plans_max;
        if self.missing_capability.is_some() {
            self.found_more();
        }
        while self.plans < plans_max {
            self.plans += 1;
            self.attempts += 1;
            let kept = self.journal.entries().len();
            let round = Round { attempt: self.attempts, also: &self.also, avoid: &self.avoid, kept };
            match self.planner.write(round).await? {
                Plan::Written(planned) => {
                    if !self.avoid.is_empty() {
                        self.did(Action::BoundedRediscovery);
                    }
                    return Ok(Some(planned));
                }
                Plan::Refused(method, why) => {
                    let question = &self.planner.cleared.selected().query.text;
                    self.ended.miss.get_or_insert_with(|| unplannable(question, &why));
                    self.avoid.push((method, why));
                }
                Plan::Missed(missed) => {
                    self.ended.miss.get_or_insert(missed);
                    if !self.found_more() {
                        return Ok(None);
                    }
                }
            }
        }
        Ok(None)
    }

    /// Searches the catalog for what is missing, once. Whether there is anything new to plan with.
    fn found_more(&mut self) -> bool {
        // Nothing was tried: the selection has just searched for the question itself.
        if self.is_rediscovered || self.avoid.is_empty() {
            return false;
        }
        self.is_rediscovered = true;
        let found =
            rediscover::methods(&self.planner, self.missing_capability.as_deref(), &self.avoid, self.ports);
        self.also.extend(found);
        !self.also.is_empty()
    }

    /// Runs a program and says what follows.
    async fn round(&mut self, planned: Box<Planned>) -> Result<Next, Failure> {
        let (run, policy) = (self.planner.run, self.planner.policy);
        let known = self.journal.entries().len();
        let journal = std::mem::take(&mut self.journal);
        let (executed, journal) =
            execute::program(&planned, journal, run, self.ports.programs, self.ports.tools, &policy.budgets)
                .await?;
        self.journal = journal;
        let is_nothing_new = self.journal.entries().len() == known;
        let review = self.review(&planned, &executed).await?;
        run.note(Event::CompletenessEvaluated {
            attempt: planned.attempt(),
            verdict: review.verdict,
            missing: review.missing(),
            opinion: review.opinion.clone().map(Box::new),
        });
        let open = review.opinion.iter().flat_map(|opinion| opinion.missing_parts.clone()).collect();
        let found = Best { planned, executed, open };
        match review.verdict {
            Verdict::Complete => {
                self.keep(Best { open: Vec::new(), ..found });
                Ok(Next::Enough)
            }
            Verdict::NeedsDifferentTools => Ok(self.others(found)),
            Verdict::RetrySameTools => self.retry(found, review, is_nothing_new).await,
        }
    }

    /// Mends or rewrites the program for the same methods, as often as the policy allows.
    async fn retry(&mut self, found: Best, review: Review, is_nothing_new: bool) -> Result<Next, Failure> {
        let skipped = self.skipped(is_nothing_new);
        if let Some((outcome, reason)) = skipped {
            self.report(&found.planned, outcome, review.missing().join(" "), Some(reason));
            return Ok(self.others_or_enough(found));
        }
        self.retries += 1;
        self.attempts += 1;
        let repaired = self.repaired(&found.planned, &found.executed, &review).await;
        let (next, outcome, summary) = match repaired {
            Ok(repaired) => repaired,
            Err(failure) => {
                self.keep(found);
                return Err(failure);
            }
        };
        self.report(&found.planned, outcome, summary, None);
        let Some(next) = next else { return Ok(self.others_or_enough(found)) };
        if matches!(outcome, RepairOutcome::Attempted | RepairOutcome::Patched) {
            self.did(Action::PatchCurrentProgram);
        }
        self.keep(found);
        Ok(Next::Run(next))
    }

    /// Why nothing is repaired any more, where that is so.
    fn skipped(&mut self, is_nothing_new: bool) -> Option<(RepairOutcome, &'static str)> {
        if is_nothing_new && self.attempts > 1 {
            self.ended.is_circular = true;
            Some((RepairOutcome::SkippedByGuardrail, "execution_loop_guardrail_partial_answer"))
        } else if self.retries >= self.planner.policy.recovery.retries_max {
            Some((RepairOutcome::SkippedNoRetryBudget, "max_semantic_retries_reached"))
        } else if !self.has_headroom() {
            self.ended.is_out_of_time = true;
            Some((RepairOutcome::SkippedNoRetryBudget, "insufficient_elapsed_headroom"))
        } else {
            None
        }
    }

    /// The next program for the same methods, how it came about, and what it is to do.
    async fn repaired(
        &mut self,
        planned: &Planned,
        executed: &Executed,
        review: &Review,
    ) -> Result<(Option<Box<Planned>>, RepairOutcome, String), Failure> {
        let remedy = review.findings.iter().map(|finding| &finding.remedy);
        let remedy = remedy.into_iter().find(|remedy| self.may_help(remedy, planned, executed)).cloned();
        let mend = remedy.as_ref().and_then(|remedy| self.mend(remedy, planned, executed));
        Ok(match (remedy, mend) {
            (Some(Remedy::Retry(positions)), _) => {
                self.journal = self.journal.without(|entry| positions.contains(&entry.call().position));
                let again = Box::new(planned.once_more(self.attempts));
                let summary = format!("{} failed call(s) are made once more", positions.len());
                (Some(again), RepairOutcome::Attempted, summary)
            }
            (_, Some(mend)) => {
                let why = mend.why.clone();
                match self.planner.mended(self.ahead(), planned, mend) {
                    Ok(mended) => (Some(mended), RepairOutcome::Patched, why),
                    Err(refused) => (None, RepairOutcome::ReplanFailed, refused.notes.join(" ")),
                }
            }
            (_, None) => {
                let notes = review.notes_for_a_model();
                let summary = notes.join(" ");
                match self.planner.again(self.ahead(), planned, notes).await? {
                    Some((again, outcome)) => (Some(again), outcome, summary),
                    None => (None, RepairOutcome::ReplanFailed, summary),
                }
            }
        })
    }

    fn ahead(&self) -> Round<'_> {
        let kept = self.journal.entries().len();
        Round { attempt: self.attempts, also: &self.also, avoid: &[], kept }
    }

    /// Other methods are to be taken.
    fn others(&mut self, found: Best) -> Next {
        let mut why = gaps::shortfalls(&found.executed);
        why.extend(found.open.iter().map(|part| format!("It does not answer: {part}.")));
        let why = why.join(" ");
        // No other method would be called either.
        if found.executed.faults().any(|(_, fault)| fault.kind == FaultKind::Budget) {
            let outcome = RepairOutcome::SkippedNoRetryBudget;
            self.report(&found.planned, outcome, why, Some("hard_budget_spent"));
            self.keep(found);
            return Next::Enough;
        }
        let outcome = RepairOutcome::SkippedNeedsDifferentTools;
        self.report(&found.planned, outcome, why.clone(), Some("needs_different_tools"));
        self.avoid.push((found.planned.primary().clone(), why));
        self.keep(found);
        if self.has_headroom() {
            return Next::Plan;
        }
        self.ended.is_out_of_time = true;
        Next::Enough
    }

    /// Nothing more can be done with these methods: what there is will do, if there is anything.
    fn others_or_enough(&mut self, found: Best) -> Next {
        if worth(&found.planned, &found.executed) < Worth::Data && !self.ended.is_circular {
            return self.others(found);
        }
        self.keep(found);
        Next::Enough
    }

    /// Keeps the better of two results, first of all the fuller one, then the one that nobody misses anything in; of the
    /// same methods the later one is the better one of equals.
    fn keep(&mut self, found: Best) {
        let rank = |best: &Best| (worth(&best.planned, &best.executed), best.open.is_empty());
        let is_better = self.ended.best.as_ref().is_none_or(|kept| {
            let (new, old) = (rank(&found), rank(kept));
            new > old || (new == old && kept.planned.primary() == found.planned.primary())
        });
        if is_better {
            self.ended.best = Some(found);
        }
    }

    fn has_headroom(&self) -> bool {
        self.planner.run.headroom_share() >= self.planner.policy.recovery.headroom_share_min
    }

    fn did(&mut self, action: Action) {
        if !self.ended.actions.contains(&action) {
            self.ended.actions.push(action);
        }
    }

    fn report(
        &self,
        planned: &Planned,
        outcome: RepairOutcome,
        summary: String,
        skip_reason: Option<&'static str>,
    ) {
        self.planner.run.note(Event::Repaired(Box::new(RepairReport {
            attempt: planned.attempt(),
            outcome,
            retries: self.retries,
            retries_max: self.planner.policy.recovery.retries_max,
            summary,
            skip_reason,
            edits: usize::from(outcome == RepairOutcome::Patched),
        })));
    }
}

/// What a question about flows has to be answered from, and by which methods.
fn book(cleared: &Cleared, policy: &Policy, ports: Ports<'_>) -> Option<Book> {
    let (selected, market) = (cleared.selected(), &policy.evidence.market);
    let playbook = Playbook::of(&selected.query.text, selected.asked_at, market)?;
    let snapshot = ports.catalog.snapshot();
    let index = ports.shelf.index(&snapshot, &policy.probe);
    let methods = playbook::methods(&playbook, (&snapshot, &index), &selected.query.tools, market);
    methods.contains_key(&MarketKind::VenueFlow).then_some(Book { playbook, methods })
}

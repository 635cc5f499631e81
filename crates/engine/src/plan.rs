//! Planning: a program for the question, verified before anything is called.

mod miss;

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::{Candidate, ListingId, MethodRef, Selected, Usd};
use gate::{Cleared, Miss};
use llm::{Model, PlanBrief, PlanLimits, PlanReply, PlannedText, RefusedProgram};
use policy::{MarketKind, Policy};
use program::{Budget, Program, Signature, Signatures};
use reading::Reading;
use tokio::time::{Instant, timeout_at};
use trace::{Event, RepairOutcome, Revision, Stage};

use crate::failure::Failure;
use crate::playbook::{self, Playbook};
use crate::run::Run;
use miss::{dominant_left_out, missing_arguments, no_match, not_allowed};

/// A verified program and what it is meant to show.
#[derive(Debug)]
pub struct Planned {
    program: Program,
    primary: MethodRef,
    reading: Reading,
    assumptions: Vec<String>,
    attempt: usize,
    listing_names: BTreeMap<ListingId, String>,
    prices: BTreeMap<MethodRef, Usd>,
}

/// What came of planning.
#[derive(Debug)]
pub(crate) enum Plan {
    /// A program that may run.
    Written(Box<Planned>),
    /// No method can answer.
    Missed(Miss),
    /// A program that the verifier refused, and why; another method may do better.
    Refused(MethodRef, String),
}

/// Plans for one cleared query.
pub(crate) struct Planner<'a> {
    pub(crate) cleared: &'a Cleared,
    pub(crate) run: &'a Run,
    pub(crate) policy: &'a Policy,
    pub(crate) model: &'a dyn Model,
    /// What the question has to be answered from, where it is about flows.
    pub(crate) book: Option<Book>,
}

/// A playbook with the methods that serve it.
pub(crate) struct Book {
    pub(crate) playbook: Playbook,
    pub(crate) methods: BTreeMap<MarketKind, Candidate>,
}

/// What is known when a program is to be written.
#[derive(Clone, Copy)]
pub(crate) struct Round<'a> {
    /// Which program of the request it is, from 1.
    pub(crate) attempt: usize,
    /// Methods that were found beyond the selected ones.
    pub(crate) also: &'a [Candidate],
    /// Methods that did not do, and why.
    pub(crate) avoid: &'a [(MethodRef, String)],
    /// Calls that the journal holds: a program may ask for them again at no cost.
    pub(crate) kept: usize,
}

/// A mended program.
pub(crate) struct Mend {
    /// Its text.
    pub(crate) source: String,
    /// What was changed, and why.
    pub(crate) why: String,
    /// What to disclose of it.
    pub(crate) assumption: Option<String>,
    /// What the question names and the program now spells otherwise: as said, and as meant.
    pub(crate) respelled: Option<(String, String)>,
}

impl Planner<'_> {
    /// Writes a program for the query.
    pub(crate) async fn write(&self, round: Round<'_>) -> Result<Plan, Failure> {
        let selected = self.cleared.selected();
        if let Some(left_out) = dominant_left_out(selected, self.policy.probe.selection.left_out_dominance) {
            return Ok(Plan::Missed(not_allowed(left_out, selected)));
        }
        let revision = match round.avoid.last() {
            None => Revision::Initial,
            Some((_, why)) => Revision::OtherMethods(why.clone()),
        };
        self.run.asking(Stage::Planning, self.model, self.written(round, selected, &revision)).await?
    }

    async fn written(
        &self,
        round: Round<'_>,
        selected: &Selected,
        revision: &Revision,
    ) -> Result<Plan, Failure> {
        let mut brief = self.brief(round);
        // What a model takes too long for, the rules still do in time.
        let until = self.run.plan_until(self.policy.recovery.model_time_share_max);
        let in_time = timeout_at(until, self.model.plan(&brief)).await.ok();
        let mut reply = match in_time {
            Some(reply) => reply,
            None => self.model.plan_by_rules(&brief).await.ok_or(Failure::DeadlinePassed)?,
        };
        let mut refused: Vec<RefusedProgram> = Vec::new();
        loop {
            self.run.hear(self.model);
            let text = match reply {
                PlanReply::Program(text) => text,
                PlanReply::Missing(arguments) => {
                    return Ok(Plan::Missed(missing_arguments(&arguments, selected)));
                }
                PlanReply::NoMatch { reason } => return Ok(Plan::Missed(no_match(&reason, selected))),
            };
            let primary = text.primary.clone();
            match self.verify(text, round, revision.clone()) {
                Ok(planned) => return Ok(Plan::Written(planned)),
                Err(program) => refused.push(program),
            }
            match instead(&mut brief, &refused, (self.policy.recovery.replans_max, until), self.model).await {
                Some(other) => reply = other,
                None => return Ok(Plan::Refused(primary, why(&refused))),
            }
        }
    }

    /// Another program of a model for the same methods, in place of one whose results fall short, and whether it is a patch
    /// of that one or written anew; none where there is none.
    pub(crate) async fn again(
        &self,
        round: Round<'_>,
        planned: &Planned,
        notes: Vec<String>,
    ) -> Result<Option<(Box<Planned>, RepairOutcome)>, Failure> {
        let why = notes.join(" ");
        let before = planned.program.source().to_owned();
        let kept_min = self.policy.recovery.patch_lines_share_min;
        let brief = self.brief(round);
        let until = self.run.plan_until(self.policy.recovery.model_time_share_max);
        let mut refused = vec![RefusedProgram { source: before.clone(), notes, has_run: true }];
        let work = async {
            while refused.len() <= self.policy.recovery.replans_max + 1 {
                let reply = timeout_at(until, self.model.replan(&brief, refused.last()?)).await;
                self.run.hear(self.model);
                match reply.ok().flatten().filter(|reply| !is_among(reply, &refused))? {
                    PlanReply::Program(text) => {
                        let (outcome, revision) = if kept_share(&before, &text.source) >= kept_min {
                            (RepairOutcome::Patched, Revision::Edit(why.clone()))
                        } else {
                            (RepairOutcome::Replanned, Revision::Replan(why.clone()))
                        };
                        match self.verify(text, round, revision) {
                            Ok(planned) => return Some((planned, outcome)),
                            Err(program) => refused.push(program),
                        }
                    }
                    PlanReply::Missing(_) | PlanReply::NoMatch { .. } => return None,
                }
            }
            None
        };
        self.run.asking(Stage::Planning, self.model, work).await
    }

    /// A mended program, where it holds.
    pub(crate) fn mended(
        &self,
        round: Round<'_>,
        planned: &Planned,
        mend: Mend,
    ) -> Result<Box<Planned>, RefusedProgram> {
        let mut assumptions = planned.assumptions.clone();
        assumptions.extend(mend.assumption);
        let mut reading = planned.reading.clone();
        if let Some((said, meant)) = &mend.respelled {
            reading.entities.iter_mut().for_each(|entity| *entity = entity.replace(said, meant));
        }
        let text =
            PlannedText { source: mend.source, primary: planned.primary.clone(), reading, assumptions };
        self.verify(text, round, Revision::Patch(mend.why))
    }

    /// Every method that a program may call.
    pub(crate) fn candidates<'s>(&'s self, also: &'s [Candidate]) -> impl Iterator<Item = &'s Candidate> {
        let selected = self.cleared.selected();
        let book = self.book.iter().flat_map(|book| book.methods.values());
        selected.candidates.iter().chain(&selected.helpers).chain(also).chain(book)
    }

    fn brief(&self, round: Round<'_>) -> PlanBrief {
        let (selected, policy) = (self.cleared.selected(), self.policy);
        let mut candidates = offered(selected, round.avoid, policy.recovery.alternative_share_min);
        candidates.extend(round.also.iter().cloned());
        // A model may answer from any of them.
        candidates.extend(self.beside(&candidates));
        PlanBrief {
            question: selected.query.text.clone(),
            history: selected.query.history.clone(),
            now: self.run.started_at(),
            candidates,
            helpers: selected.helpers.clone(),
            limits: PlanLimits::of(policy),
            asked: self.cleared.asked().to_vec(),
            chosen: self.cleared.chosen().filter(|_| round.avoid.is_empty()).cloned(),
            avoid: round.avoid.to_vec(),
            by_the_book: self.by_the_book(round),
        }
    }

    /// The rules' program for a question about flows, unless its methods were tried or the gate settled on another one.
    fn by_the_book(&self, round: Round<'_>) -> Option<PlannedText> {
        let Book { playbook, methods } = self.book.as_ref()?;
        let serves = |chosen: &MethodRef| methods.values().any(|candidate| candidate.method_ref() == *chosen);
        let is_free = round.avoid.is_empty() && self.cleared.chosen().is_none_or(serves);
        is_free.then(|| playbook::plan(playbook, methods, &self.policy.evidence.market)).flatten()
    }

    /// The methods of the playbook that are not among these.
    fn beside(&self, candidates: &[Candidate]) -> Vec<Candidate> {
        let is_new = |one: &&Candidate| !candidates.iter().any(|it| it.method_ref() == one.method_ref());
        self.book.iter().flat_map(|book| book.methods.values()).filter(is_new).cloned().collect()
    }

    fn verify(
        &self,
        text: PlannedText,
        round: Round<'_>,
        revision: Revision,
    ) -> Result<Box<Planned>, RefusedProgram> {
        let attempt = round.attempt;
        // A program can only call what it names.
        let known: Vec<&Candidate> =
            self.candidates(round.also).filter(|it| text.source.contains(it.method.name.as_str())).collect();
        let signatures: Signatures = known.iter().copied().map(signature).collect();
        match Program::parse(&text.source, &signatures, &self.policy.sandbox, self.budget(round.kept)) {
            Ok(program) => {
                let calls_max = program.calls_max();
                self.run.note(Event::ProgramWritten { attempt, source: text.source, calls_max, revision });
                Ok(Box::new(Planned {
                    program,
                    primary: text.primary,
                    reading: text.reading,
                    assumptions: text.assumptions,
                    attempt,
                    listing_names: known.iter().map(|it| (it.listing.id, it.listing.name.clone())).collect(),
                    prices: known.iter().map(|it| (it.method_ref(), price(it))).collect(),
                }))
            }
            Err(rejection) => {
                let notes: Vec<String> = rejection.notes.iter().map(ToString::to_string).collect();
                let refused = RefusedProgram { source: text.source, notes, has_run: false };
                self.run.note(Event::ProgramRejected {
                    attempt,
                    source: refused.source.clone(),
                    notes: refused.notes.clone(),
                });
                Err(refused)
            }
        }
    }

    /// What a program may spend. One that runs from a journal counts what is in it and pays for none of it.
    fn budget(&self, kept: usize) -> Budget {
        let (spent, budgets) = (self.run.spent(), &self.policy.budgets);
        let left = budgets.spend_max().saturating_sub(spent.model_cost());
        Budget {
            calls_max: budgets.calls_max.saturating_sub(spent.calls.len()) + kept,
            spend_max: if kept == 0 { left.saturating_sub(spent.tool_cost()) } else { left },
        }
    }
}

/// What to take in place of the programs that were refused: another one of the model, as often as the policy allows, and
/// then the rules' own.
async fn instead(
    brief: &mut PlanBrief,
    refused: &[RefusedProgram],
    (replans_max, until): (usize, Instant),
    model: &dyn Model,
) -> Option<PlanReply> {
    let is_new = |reply: &PlanReply| !is_among(reply, refused);
    if let Some(last) = refused.last()
        && brief.by_the_book.take_if(|book| book.source == last.source).is_some()
    {
        // The rules have a plainer program too.
        return match model.plan_by_rules(brief).await {
            Some(plainer) => Some(plainer),
            None => Some(model.plan(brief).await),
        };
    }
    if refused.len() <= replans_max {
        let again = timeout_at(until, model.replan(brief, refused.last()?)).await;
        if let Some(reply) = again.ok().flatten().filter(is_new) {
            return Some(reply);
        }
    }
    model.plan_by_rules(brief).await.filter(is_new)
}

fn is_among(reply: &PlanReply, refused: &[RefusedProgram]) -> bool {
    matches!(reply, PlanReply::Program(text) if refused.iter().any(|program| program.source == text.source))
}

/// The share of a program's lines that another one has too.
#[expect(clippy::cast_precision_loss, reason = "a program has few lines")]
fn kept_share(before: &str, after: &str) -> f64 {
    let lines = |text| str::lines(text).map(str::trim).filter(|line| !line.is_empty());
    let kept = lines(before).filter(|line| lines(after).any(|other| other == *line)).count();
    kept as f64 / lines(before).count().max(1) as f64
}

/// What is wrong with the last of them.
fn why(refused: &[RefusedProgram]) -> String {
    refused.last().map(|program| program.notes.join(" ")).unwrap_or_default()
}

/// The methods that a plan may be about: all that were selected, and after a failure those that fit about as well, and those that
/// failed, which the others are held against.
fn offered(selected: &Selected, avoid: &[(MethodRef, String)], share_min: f64) -> Vec<Candidate> {
    let best = selected.candidates.first().map_or(0.0, |candidate| candidate.score);
    let is_avoided = |candidate: &Candidate| avoid.iter().any(|(it, _)| *it == candidate.method_ref());
    let is_near = |candidate: &Candidate| candidate.score >= best * share_min && best > 0.0;
    let fits = |it: &&Candidate| avoid.is_empty() || is_near(it) || is_avoided(it);
    selected.candidates.iter().filter(fits).cloned().collect()
}

fn signature(candidate: &Candidate) -> Signature {
    Signature {
        name: candidate.call_name(),
        listing: candidate.listing.id,
        method: Arc::clone(&candidate.method),
        price: price(candidate),
    }
}

fn price(candidate: &Candidate) -> Usd {
    candidate.method.meta.execute_price.unwrap_or(Usd::ZERO)
}

impl Planned {
    /// The program.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The method that the program is about.
    #[must_use]
    pub fn primary(&self) -> &MethodRef {
        &self.primary
    }

    /// What the program is meant to show.
    #[must_use]
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// What the plan assumed, in words for the caller.
    #[must_use]
    pub fn assumptions(&self) -> &[String] {
        &self.assumptions
    }

    /// Which plan of its request it is, from 1.
    #[must_use]
    pub fn attempt(&self) -> usize {
        self.attempt
    }

    /// The same program, to be run once more.
    pub(crate) fn once_more(&self, attempt: usize) -> Self {
        Self {
            program: self.program.clone(),
            primary: self.primary.clone(),
            reading: self.reading.clone(),
            assumptions: self.assumptions.clone(),
            attempt,
            listing_names: self.listing_names.clone(),
            prices: self.prices.clone(),
        }
    }

    pub(crate) fn listing_name(&self, id: ListingId) -> &str {
        self.listing_names.get(&id).map_or("", String::as_str)
    }

    pub(crate) fn price(&self, method: &MethodRef) -> Usd {
        self.prices.get(method).copied().unwrap_or(Usd::ZERO)
    }
}

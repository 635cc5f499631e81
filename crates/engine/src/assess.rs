//! Assessment: runs a program, holds its results against the question, and takes other methods where they do not do.

mod checks;
mod gaps;
mod mend;
mod rediscover;
mod rounds;

use domain::{Delivered, Evidence, GapCode, MethodRef, ResponseShape, Severity};
use gate::{Assumption, Cleared, Miss};
use jiff::Timestamp;
use policy::{AnswerLimits, AnswerModels, Policy};
use program::Cause;
use reading::Reading;
use serde_json::Value;

use crate::evidence;
use crate::execute::Executed;
use crate::failure::Failure;
use crate::outcome::{Action, Answer, Completion};
use crate::plan::Planned;
use crate::ports::Ports;
use crate::run::Run;
use rounds::{Best, Ended, Rounds};

/// Results that are as complete as they will get, with their evidence. Consumed by synthesis.
#[derive(Debug)]
pub struct Assessed {
    question: String,
    shape: ResponseShape,
    reading: Reading,
    evidence: Evidence,
    data: Value,
    completion: Completion,
    actions: Vec<Action>,
    assumption: Option<Assumption>,
}

/// What came of the attempts.
#[derive(Debug)]
pub(crate) enum Attempt {
    /// Something to tell.
    Assessed(Box<Assessed>),
    /// Nothing.
    Missed(Miss),
}

/// Plans and runs until the results answer the question, the methods are used up, or the policy says enough.
pub(crate) async fn until_complete(
    cleared: Cleared,
    run: &Run,
    policy: &Policy,
    ports: Ports<'_>,
) -> Result<Attempt, Failure> {
    let ended = Rounds::new(&cleared, run, policy, ports).go().await?;
    Ok(conclude(cleared, ended, run.started_at(), policy))
}

/// What a program's results are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Worth {
    Nothing,
    Empty,
    /// Results, and a program that did not come to its end with them.
    Pieces,
    Data,
}

fn worth(planned: &Planned, executed: &Executed) -> Worth {
    let has_data = |(_, delivered): (_, &Delivered)| !gaps::is_empty(&delivered.value);
    if executed.delivered().next().is_none() || gave_up(planned, executed).is_some() {
        Worth::Nothing
    } else if executed.fault.is_some() {
        if executed.delivered().any(has_data) { Worth::Pieces } else { Worth::Nothing }
    } else if gaps::is_empty(&executed.value) {
        Worth::Empty
    } else {
        Worth::Data
    }
}

/// What a program said that gave up before the method that was to answer was called: what its look-ups gave is not what they
/// looked for.
fn gave_up<'e>(planned: &Planned, executed: &'e Executed) -> Option<&'e str> {
    let Some(Cause::GaveUp { message }) = &executed.fault else { return None };
    let is_answered = executed.delivered().any(|(record, _)| record.call().method == *planned.primary());
    (!is_answered).then_some(message)
}

fn conclude(cleared: Cleared, ended: Ended, at: Timestamp, policy: &Policy) -> Attempt {
    let chosen = cleared.chosen().cloned();
    let (selected, assumption) = cleared.into_parts();
    let mut assumptions: Vec<String> =
        assumption.iter().map(|it| format!("{}: {}", it.label, it.reason)).collect();
    let question = selected.query.text;
    let Ended { best, miss, actions, playbook, is_circular, is_out_of_time } = ended;
    let Best { planned, executed, open } = match (best, miss) {
        (Some(best), _) if worth(&best.planned, &best.executed) > Worth::Nothing => best,
        (Some(best), _) => return Attempt::Missed(unreachable(&best, &question)),
        (None, Some(miss)) => return Attempt::Missed(miss),
        (None, None) => return Attempt::Missed(unplannable(&question, "no plan was made")),
    };
    assumptions.extend(chosen.and_then(|chosen| stood_in(&chosen, planned.primary())));
    assumptions.extend(planned.assumptions().iter().cloned());
    assumptions.extend(other_answer_model(selected.query.answer_model.as_deref(), &policy.models.answer));
    let reading = planned.reading().clone();
    let is_broken = executed.fault.is_some();
    let executed = if is_broken { executed.salvaged() } else { executed };
    let mut gaps = gaps::of(&executed, &reading, &policy.recovery.pages);
    gaps.extend(gaps::open(&open));
    let asked = evidence::Asked { question: &question, at, playbook: playbook.as_ref() };
    let evidence = evidence::package(asked, &reading, &executed, gaps, assumptions, policy);
    let found = completion(&evidence.confidence.gaps);
    let completion = if found == Completion::Complete && !is_broken {
        found
    } else if is_out_of_time {
        Completion::BoundedByBudget
    } else if is_circular {
        Completion::BoundedByRepetition
    } else if is_broken && found != Completion::BoundedByBudget {
        Completion::BoundedByUpstream
    } else {
        found
    };
    Attempt::Assessed(Box::new(Assessed {
        question,
        shape: selected.query.shape,
        reading,
        evidence,
        data: executed.value,
        completion,
        actions,
        assumption,
    }))
}

/// What to disclose where another method than the one that the gate settled on gave the answer.
fn stood_in(chosen: &MethodRef, primary: &MethodRef) -> Option<String> {
    (chosen != primary)
        .then(|| format!("Method: `{}` gave the answer, not `{}`.", primary.method, chosen.method))
}

/// What to disclose where the caller named a model that is not here.
fn other_answer_model(named: Option<&str>, models: &AnswerModels) -> Option<String> {
    let unknown = named.filter(|named| !models.models.iter().any(|model| model == named))?;
    Some(format!("Answer model: `{unknown}` is not configured here; `{}` wrote the answer.", models.default))
}

fn completion(gaps: &[domain::Gap]) -> Completion {
    let has = |code| gaps.iter().any(|gap| gap.code == code);
    if has(GapCode::BudgetSpent) {
        Completion::BoundedByBudget
    } else if has(GapCode::UpstreamFailure) || has(GapCode::EmptyCanonicalPayload) {
        Completion::BoundedByUpstream
    } else if gaps.iter().any(|gap| gap.severity >= Severity::Medium) {
        Completion::WithGaps
    } else {
        Completion::Complete
    }
}

/// Every method that was tried failed, or gave nothing that was looked for: an honest miss, with what each said.
fn unreachable(best: &Best, question: &str) -> Miss {
    let executed = &best.executed;
    let mut missing: Vec<String> = executed
        .faults()
        .map(|(record, _)| format!("selected_tools_unreachable_or_failing:{}", record.listing_name))
        .collect();
    missing.dedup();
    if let (true, Some(words)) = (missing.is_empty(), gave_up(&best.planned, executed)) {
        return Miss::new(
            format!("The tools do not know what the question asks for: {words}."),
            vec![words.to_owned()],
            question,
        );
    }
    let said = gaps::shortfalls(executed).join(" ");
    Miss::new(format!("The tools that could answer this question gave no data. {said}"), missing, question)
}

/// The verifier refused the program, and nothing could stand in for it.
fn unplannable(question: &str, why: &str) -> Miss {
    let missing = vec!["No grounded capability path was established.".to_owned()];
    Miss::new(format!("No program for this question passed verification: {why}"), missing, question)
}

impl Assessed {
    /// Whether the caller wants no written answer.
    pub(crate) fn is_evidence_only(&self) -> bool {
        self.shape == ResponseShape::EvidenceOnly
    }

    /// The program's value.
    pub(crate) fn data(&self) -> &Value {
        &self.data
    }

    /// What synthesis is told.
    pub(crate) fn brief<'a>(&'a self, limits: &'a AnswerLimits) -> llm::SynthesisBrief<'a> {
        let Self { question, reading, evidence, .. } = self;
        llm::SynthesisBrief { question, reading, evidence, limits }
    }

    /// The package without a written answer: a plain summary stands in its place.
    pub(crate) fn into_evidence(self) -> Answer {
        let text = evidence::summary(&self.evidence);
        self.into_answer(text)
    }

    /// The package with its written answer.
    pub(crate) fn into_answer(self, text: String) -> Answer {
        let Self { evidence, data, completion, actions, assumption, .. } = self;
        Answer { text, evidence, data, completion, actions, assumption }
    }
}

//! Planning: a program for the question, verified before anything is called.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use domain::{Candidate, LeftOut, ListingId, MethodRef, Selected, Usd};
use gate::{Cleared, Miss};
use llm::{MissingArgument, Model, PlanBrief, PlanReply, RefusedProgram};
use policy::Policy;
use program::{Budget, Program, Signature, Signatures};
use reading::Reading;
use tokio::time::{Instant, timeout_at};
use trace::{Event, Stage};

use crate::failure::Failure;
use crate::run::Run;

/// A verified program and what it is meant to show.
#[derive(Debug)]
pub struct Planned {
    program: Program,
    methods: BTreeSet<MethodRef>,
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

/// Writes a program for a cleared query. `avoid` names the methods that did not do, and why.
pub(crate) async fn write(
    cleared: &Cleared,
    avoid: &[(MethodRef, String)],
    attempt: usize,
    run: &Run,
    policy: &Policy,
    model: &dyn Model,
) -> Result<Plan, Failure> {
    let selected = cleared.selected();
    if let Some(left_out) = dominant_left_out(selected, policy.probe.selection.left_out_dominance) {
        return Ok(Plan::Missed(not_allowed(left_out, selected)));
    }
    run.asking(Stage::Planning, model, async {
        let brief = PlanBrief {
            question: selected.query.text.clone(),
            now: run.started_at(),
            candidates: offered(selected, avoid, policy.recovery.alternative_share_min),
            helpers: selected.helpers.clone(),
            fan_out_max: policy.recovery.fan_out_max,
            calls_max: policy.budgets.calls_max,
            chosen: cleared.chosen().filter(|_| avoid.is_empty()).cloned(),
            avoid: avoid.to_vec(),
        };
        // What a model takes too long for, the rules still do in time.
        let until = run.plan_until(policy.recovery.model_time_share_max);
        let in_time = timeout_at(until, model.plan(&brief)).await.ok();
        let mut reply = match in_time {
            Some(reply) => reply,
            None => model.plan_by_rules(&brief).await.ok_or(Failure::DeadlinePassed)?,
        };
        let mut refused: Vec<RefusedProgram> = Vec::new();
        loop {
            run.hear(model);
            let text = match reply {
                PlanReply::Program(text) => text,
                PlanReply::Missing(arguments) => {
                    return Ok(Plan::Missed(missing_arguments(&arguments, selected)));
                }
                PlanReply::NoMatch { reason } => return Ok(Plan::Missed(no_match(&reason, selected))),
            };
            let primary = text.primary.clone();
            match verify(text, selected, attempt, run, policy) {
                Ok(planned) => return Ok(Plan::Written(planned)),
                Err(program) => refused.push(program),
            }
            match instead(&brief, &refused, (policy.recovery.replans_max, until), model).await {
                Some(other) => reply = other,
                None => return Ok(Plan::Refused(primary, why(&refused))),
            }
        }
    })
    .await?
}

/// What to take in place of the programs that were refused: another one of the model, as often as the policy allows, and
/// then the rules' own.
async fn instead(
    brief: &PlanBrief,
    refused: &[RefusedProgram],
    (replans_max, until): (usize, Instant),
    model: &dyn Model,
) -> Option<PlanReply> {
    let is_new = |reply: &PlanReply| !is_among(reply, refused);
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

/// What is wrong with the last of them.
fn why(refused: &[RefusedProgram]) -> String {
    refused.last().map(|program| program.notes.join(" ")).unwrap_or_default()
}

/// The methods that a plan may be about: all that were selected, and after a failure those that fit about as well.
fn offered(selected: &Selected, avoid: &[(MethodRef, String)], share_min: f64) -> Vec<Candidate> {
    let best = selected.candidates.first().map_or(0.0, |candidate| candidate.score);
    let fits = |candidate: &&Candidate| avoid.is_empty() || candidate.score >= best * share_min && best > 0.0;
    selected.candidates.iter().filter(fits).cloned().collect()
}

fn verify(
    text: llm::PlannedText,
    selected: &Selected,
    attempt: usize,
    run: &Run,
    policy: &Policy,
) -> Result<Box<Planned>, RefusedProgram> {
    // A program can only call what it names.
    let known: Vec<&Candidate> = selected
        .candidates
        .iter()
        .chain(&selected.helpers)
        .filter(|it| text.source.contains(it.method.name.as_str()))
        .collect();
    let spent = run.spent().clone();
    let budget = Budget {
        calls_max: policy.budgets.calls_max.saturating_sub(spent.calls.len()),
        spend_max: policy.budgets.spend_max().saturating_sub(spent.tool_cost()),
    };
    let signatures: Signatures = known.iter().copied().map(signature).collect();
    match Program::parse(&text.source, &signatures, &policy.sandbox, budget) {
        Ok(program) => {
            run.note(Event::ProgramWritten { attempt, source: text.source, calls_max: program.calls_max() });
            let methods = program.sites().iter().filter_map(|site| signatures.get(&site.method));
            Ok(Box::new(Planned {
                methods: methods.map(Signature::method_ref).collect(),
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
            let refused = RefusedProgram { source: text.source, notes };
            run.note(Event::ProgramRejected {
                attempt,
                source: refused.source.clone(),
                notes: refused.notes.clone(),
            });
            Err(refused)
        }
    }
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

/// The method that the question asks for but that may not be called: by its verb, or because it fits far better than any
/// that may be.
fn dominant_left_out(selected: &Selected, dominance: f64) -> Option<&LeftOut> {
    let best = selected.candidates.first().map_or(0.0, |candidate| candidate.score);
    selected.left_out.iter().find(|left_out| left_out.is_asked_for || left_out.score > best * dominance)
}

/// What the question asks for may not be done: said, and not answered with something else.
fn not_allowed(left_out: &LeftOut, selected: &Selected) -> Miss {
    let sentence = format!("`{}` was left out: {}.", left_out.method.method, left_out.why);
    let message = format!("The method that fits this question may not be called to answer it. {sentence}");
    let missing = vec!["No grounded capability path was established.".to_owned(), sentence];
    Miss::new(message, missing, &selected.query.text)
}

/// Nothing can fill a required argument: said, not guessed.
fn missing_arguments(arguments: &[MissingArgument], selected: &Selected) -> Miss {
    let sentences: Vec<String> = arguments
        .iter()
        .map(|it| {
            format!(
                "`{}` needs `{}`, which the question does not give: {}.",
                it.method.method, it.argument, it.why
            )
        })
        .collect();
    let message =
        format!("The question leaves out something that is needed to answer it. {}", sentences.join(" "));
    Miss::new(message, sentences, &selected.query.text)
}

fn no_match(reason: &str, selected: &Selected) -> Miss {
    let mut missing = vec!["No grounded capability path was established.".to_owned()];
    missing.extend(
        selected.left_out.iter().map(|it| format!("`{}` was left out: {}.", it.method.method, it.why)),
    );
    Miss::new(format!("No tool at hand can answer this question: {reason}"), missing, &selected.query.text)
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

    /// Whether the program may call a method.
    pub(crate) fn calls_method(&self, method: &MethodRef) -> bool {
        self.methods.contains(method)
    }

    pub(crate) fn listing_name(&self, id: ListingId) -> &str {
        self.listing_names.get(&id).map_or("", String::as_str)
    }

    pub(crate) fn price(&self, method: &MethodRef) -> Usd {
        self.prices.get(method).copied().unwrap_or(Usd::ZERO)
    }
}

//! One case held against its label: named checks, each saying what is wrong.

use contract::trace::DecisionReason;

use super::wedge;
use crate::corpus::Outcome;
use crate::observed::Observed;
use crate::suite::SuiteCase;

/// A case, its label and what came of it.
#[derive(Clone, Debug)]
pub(super) struct Judged {
    /// What should have been made of the question.
    pub(super) expected: Outcome,
    /// What was made of it; where that is accepted too, the expected outcome.
    pub(super) made_of_it: Outcome,
    /// What is wrong; nothing where the case passed.
    pub(super) faults: Vec<String>,
}

impl Judged {
    /// Holds an observation against its case.
    pub(super) fn of(case: &SuiteCase, observed: &Observed) -> Self {
        let checks = [ending, reason, methods, missing, assumption, rollout];
        let mut faults: Vec<String> = checks.iter().filter_map(|check| check(case, observed)).collect();
        faults.extend(wedge::faults(case, observed));
        let expected = case.wanted();
        let is_accepted = ending(case, observed).is_none() && assumption(case, observed).is_none();
        let made_of_it = if is_accepted { expected } else { observed.made_of_it() };
        Self { expected, made_of_it, faults }
    }
}

fn ending(case: &SuiteCase, observed: &Observed) -> Option<String> {
    let is_right = case.expected.contains(&observed.outcome);
    (!is_right).then(|| format!("ended with {}", observed.outcome.word()))
}

/// Whether the decision gives the reason of the label.
pub(super) fn reason(case: &SuiteCase, observed: &Observed) -> Option<String> {
    let wanted = case.reason?;
    let given = observed.gate.as_ref().map(|gate| gate.reason);
    (given != Some(wanted)).then(|| {
        let given = given.map_or_else(|| "none".to_owned(), code);
        format!("reason code {given}, not {}", code(wanted))
    })
}

/// Whether a method of the label was called for all that is asked, or two of them (or the one) offered.
pub(super) fn methods(case: &SuiteCase, observed: &Observed) -> Option<String> {
    let (did, wanted, enough) = match observed.outcome {
        Outcome::CapabilityMiss => return None,
        Outcome::Answer => ("called", vec![&case.methods, &case.also], 1),
        Outcome::ClarificationRequired => ("offered", vec![&case.methods], 2),
    };
    let is_short = |methods: &&Vec<String>| {
        let hits = methods.iter().filter(|method| observed.methods.contains(*method)).count();
        hits < methods.len().min(enough)
    };
    let missed: Vec<String> =
        wanted.into_iter().filter(is_short).map(|methods| methods.join(" or ")).collect();
    let found: Vec<&str> = observed.methods.iter().map(String::as_str).collect();
    (!missed.is_empty()).then(|| format!("{did} [{}], not {}", found.join(", "), missed.join(" and ")))
}

/// Whether the gate saw which arguments are left out.
pub(super) fn missing(case: &SuiteCase, observed: &Observed) -> Option<String> {
    let seen = observed.gate.as_ref().map(|gate| &gate.unresolved);
    let unseen = case.missing.iter().find(|name| !seen.is_some_and(|seen| seen.contains(*name)))?;
    Some(format!("does not see that `{unseen}` is left out"))
}

/// Whether an answer rests on an assumption where it has to, discloses it, and does not where it must not.
pub(super) fn assumption(case: &SuiteCase, observed: &Observed) -> Option<String> {
    if observed.outcome != Outcome::Answer {
        return None;
    }
    let fault = match (case.assumption, &observed.assumption) {
        (Some(true), None) => "answered without saying what it assumed".to_owned(),
        (_, Some(made)) if !made.is_in_evidence => {
            format!("its evidence does not say what it assumed: {}", made.label)
        }
        (None | Some(false), Some(made)) => format!("made an assumption: {}", made.label),
        (Some(true), Some(_)) | (None | Some(false), None) => return None,
    };
    Some(fault)
}

fn rollout(case: &SuiteCase, observed: &Observed) -> Option<String> {
    let (wanted, gate) = (case.rollout?, observed.gate.as_ref()?);
    let is_right = gate.rollout_stage == wanted.word();
    (!is_right).then(|| format!("the gate was at the stage {}, not {}", gate.rollout_stage, wanted.word()))
}

/// The word of a reason code on the wire.
pub(super) fn code(reason: DecisionReason) -> String {
    serde_json::to_value(reason).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

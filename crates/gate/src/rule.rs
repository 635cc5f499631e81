//! The ruling: what the evidence and the opinion come to.

mod finding;
mod grounds;

use domain::{ClarificationPolicy, MethodRef};
use policy::{Gate, RolloutStage};
use probe::Probed;

use crate::brief::Brief;
use crate::card::{self, Card};
use crate::check::{self, Case};
use crate::cleared::{Assumption, Cleared};
use crate::decision::{Decision, JudgeReport, ReasonCode, Signal, Strategy};
use crate::judge;
use crate::miss::{self, Miss};
use crate::opinion::{JudgeFault, Opinion, OptionId, Verdict};
use crate::standing::{self, Standing};
use crate::token::{Choice, Stake, TokenFault};
use finding::Finding;

/// The gate's ruling on a deep query.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "a ruling is made once and taken apart at once")]
pub enum Ruling {
    /// It may be planned.
    Proceed(Cleared),
    /// It has to be asked back.
    Clarify(Card),
    /// Nothing can serve it.
    Miss(Miss),
}

/// A ruling with its report.
#[derive(Debug)]
pub struct Ruled {
    /// What follows.
    pub ruling: Ruling,
    /// What was decided, and why.
    pub decision: Decision,
}

/// Rules on a probed query. Total: whatever the judge said or did not say, there is a ruling, and the same input gives the
/// same one.
#[must_use]
pub fn rule(probed: Probed, opinion: &Result<Opinion, JudgeFault>, policy: &Gate) -> Ruled {
    let brief = Brief::of(&probed, policy);
    let decision = decide(&brief, opinion);
    apply(probed, &brief, decision)
}

/// Rules on a probed query whose caller has picked an option of an earlier clarification: that option is taken. Where it is
/// not among what the question could mean, the query is ruled on without a judge, and the decision says why.
#[must_use]
pub fn rule_chosen(probed: Probed, choice: &Choice, policy: &Gate) -> Ruled {
    let brief = Brief::of(&probed, policy);
    let decision = decide_chosen(&brief, choice);
    apply(probed, &brief, decision)
}

impl Ruled {
    /// The same ruling, with its report saying that a hosted model, not the embedded judge, gave the opinion.
    #[must_use]
    pub fn heard_from_hosted(mut self) -> Self {
        if self.decision.judge.is_applied {
            self.decision.strategy = Strategy::LlmPrimary;
            self.decision.signals.insert(0, Signal::LlmJudge);
        }
        self
    }

    /// The same ruling, with the reason why the option that the caller picked was not taken.
    #[must_use]
    pub fn despite(mut self, fault: TokenFault) -> Self {
        self.decision.choice_fault = Some(fault);
        self
    }
}

/// The decision on a brief: what [`rule`] decides, from its input alone.
#[must_use]
pub fn decide(brief: &Brief, opinion: &Result<Opinion, JudgeFault>) -> Decision {
    if brief.policy.rollout_stage == RolloutStage::Disabled {
        return decision(brief, Finding::disabled(), Vec::new());
    }
    let case = Case { brief, standing: Standing::of(brief) };
    let viable = case.standing.viable.iter().map(|option| option.id.clone()).collect();
    let note = match opinion {
        Ok(opinion) => match check::first_note(opinion, &case) {
            None => {
                let mut decision = decision(brief, Finding::heard(opinion, &case), viable);
                decision.judge = report(opinion, None);
                return decision;
            }
            Some(note) => Some(note.to_string()),
        },
        Err(_) => None,
    };
    let finding = match opinion {
        Ok(opinion) => instead_of(opinion, &case),
        Err(_) => grounds::finding(&case),
    };
    let mut decision = decision(brief, finding, viable);
    decision.judge = match opinion {
        Ok(opinion) => report(opinion, note.clone()),
        Err(JudgeFault::NotAsked) => return decision,
        Err(fault) => {
            JudgeReport { is_attempted: true, error: Some(fault.to_string()), ..JudgeReport::default() }
        }
    };
    if matches!(opinion, Ok(Opinion { verdict: Verdict::Miss, .. })) && decision.verdict != Verdict::Miss {
        decision.signals.push(Signal::CapabilityMissRescued);
    }
    decision.signals.insert(0, Signal::ValidatorFallback);
    decision.fallback_reason = Some(fallback(&decision).to_owned());
    decision.validator_reason = note;
    decision
}

/// The finding where an opinion is not taken: that of the embedded judge's own, where it holds, else that of the rules.
fn instead_of(opinion: &Opinion, case: &Case<'_>) -> Finding {
    let own = judge::judge(case.brief);
    if own != *opinion && check::first_note(&own, case).is_none() {
        Finding::heard(&own, case)
    } else {
        grounds::finding(case)
    }
}

fn decide_chosen(brief: &Brief, choice: &Choice) -> Decision {
    if brief.policy.rollout_stage == RolloutStage::Disabled {
        return decision(brief, Finding::disabled(), Vec::new());
    }
    match brief.option(choice.option()) {
        Some(option) => {
            let is_which = standing::leaves_part_open(brief, option);
            let finding = if is_which { Finding::which(brief, option) } else { Finding::chosen(option) };
            decision(brief, finding, vec![option.id.clone()])
        }
        None => {
            Decision { choice_fault: Some(TokenFault::Gone), ..decide(brief, &Err(JudgeFault::NotAsked)) }
        }
    }
}

fn fallback(decision: &Decision) -> &'static str {
    if decision.verdict == Verdict::Clarify && decision.options.len() > 1 {
        "defaulted to clarification_required because multiple grounded interpretations remain"
    } else {
        "defaulted to deterministic selection after judge output was rejected"
    }
}

fn report(opinion: &Opinion, error: Option<String>) -> JudgeReport {
    JudgeReport {
        is_attempted: true,
        is_applied: error.is_none(),
        verdict: Some(opinion.verdict),
        confidence: Some(opinion.confidence),
        reason: Some(card::plain(&opinion.reason, REASON_CHARS_MAX)),
        error,
    }
}

/// A judge's reason is cut to so many characters.
const REASON_CHARS_MAX: usize = 400;

fn decision(brief: &Brief, finding: Finding, viable: Vec<OptionId>) -> Decision {
    let is_resolved = finding.verdict == Verdict::Clarify
        && brief.clarification == ClarificationPolicy::Auto
        && brief.policy.rollout_stage == RolloutStage::Enabled;
    Decision {
        rollout: brief.policy.rollout_stage,
        policy: brief.clarification,
        verdict: finding.verdict,
        reason: finding.reason,
        assumption: is_resolved.then(|| assumption(brief, &finding)).flatten(),
        signals: finding.signals,
        candidate_count: brief.candidate_count,
        viable,
        options: finding.options,
        recommended_reason: finding.recommended.is_some().then_some(finding.why),
        recommended: finding.recommended,
        is_composite: finding.is_composite,
        missing_capability: finding.missing,
        strategy: Strategy::Deterministic,
        judge: JudgeReport::default(),
        validator_reason: None,
        fallback_reason: None,
        choice_fault: None,
        summaries: brief.summaries.clone(),
    }
}

fn assumption(brief: &Brief, finding: &Finding) -> Option<Assumption> {
    let option = brief.option(finding.recommended.as_ref()?)?;
    let labels = card::labels(brief, &finding.options);
    let label = labels.into_iter().find(|(id, _)| *id == option.id)?.1;
    Some(Assumption { option: option.id.clone(), label, reason: finding.why.clone() })
}

/// What follows from a decision. In the shadow and while it is off, the gate cannot act.
fn apply(probed: Probed, brief: &Brief, decision: Decision) -> Ruled {
    let is_ruling = decision.rollout == RolloutStage::Enabled;
    let ruling = match decision.verdict {
        Verdict::Clarify if is_ruling && decision.assumption.is_none() => {
            Ruling::Clarify(card::of(brief, &decision, Stake::of(&probed)))
        }
        Verdict::Miss if is_ruling => Ruling::Miss(miss::of(brief)),
        Verdict::Answer | Verdict::Clarify | Verdict::Miss => {
            let chosen = chosen(brief, &decision);
            Ruling::Proceed(Cleared::ruled(probed, chosen, decision.assumption.clone(), is_ruling))
        }
    };
    Ruled { ruling, decision }
}

/// The method to plan with. A question that asks several things leaves the planner its choice.
fn chosen(brief: &Brief, decision: &Decision) -> Option<MethodRef> {
    let option = brief.option(decision.recommended.as_ref().filter(|_| !decision.is_composite)?)?;
    Some(option.effect.method.clone())
}

impl Finding {
    fn disabled() -> Self {
        Self::new(Verdict::Answer, ReasonCode::RolloutDisabled)
    }
}

#[cfg(test)]
mod tests;

//! What was found on a question, before it is reported.

use crate::brief::{Brief, BriefOption, Unavailable};
use crate::check::Case;
use crate::decision::{ReasonCode, Signal};
use crate::miss;
use crate::opinion::{Opinion, OptionId, Verdict};
use crate::standing::{self, Unclear};

/// What was found on a question.
pub(super) struct Finding {
    pub(super) verdict: Verdict,
    pub(super) reason: ReasonCode,
    /// The options to offer, the recommended one first.
    pub(super) options: Vec<OptionId>,
    pub(super) recommended: Option<OptionId>,
    /// Why that one, in words for the caller.
    pub(super) why: String,
    pub(super) signals: Vec<Signal>,
    pub(super) missing: Option<String>,
    /// Whether several options are wanted together.
    pub(super) is_composite: bool,
}

impl Finding {
    pub(super) fn new(verdict: Verdict, reason: ReasonCode) -> Self {
        Self {
            verdict,
            reason,
            options: Vec::new(),
            recommended: None,
            why: String::new(),
            signals: Vec::new(),
            missing: None,
            is_composite: false,
        }
    }

    /// What an opinion that passed every check comes to.
    pub(super) fn heard(opinion: &Opinion, case: &Case<'_>) -> Self {
        let brief = case.brief;
        let recommended = opinion.recommended.as_ref().and_then(|id| brief.option(id));
        match (opinion.verdict, recommended) {
            (Verdict::Answer, Some(option)) => Self {
                is_composite: case.standing.is_complementary,
                signals: case.standing.signals.clone(),
                ..Self::answer(option, why(brief, option))
            },
            (Verdict::Clarify, Some(option)) => {
                let others = opinion.options.iter().filter(|id| **id != option.id);
                let others = others.filter_map(|id| brief.option(id)).collect();
                Self::clarification(brief, option, others, &case.standing.signals)
            }
            (Verdict::Answer | Verdict::Clarify, None) | (Verdict::Miss, _) => Self::miss(brief),
        }
    }

    /// An option that the caller picked.
    pub(super) fn chosen(option: &BriefOption) -> Self {
        Self {
            signals: vec![Signal::CallerChoice],
            ..Self::answer(option, "the caller picked it".to_owned())
        }
    }

    /// An option that the caller picked and that is for one part, while nothing says for which.
    pub(super) fn which(brief: &Brief, option: &BriefOption) -> Self {
        Self::clarification(brief, option, Vec::new(), &[Signal::CallerChoice])
    }

    pub(super) fn answer(option: &BriefOption, why: String) -> Self {
        Self {
            options: vec![option.id.clone()],
            recommended: Some(option.id.clone()),
            why,
            ..Self::new(Verdict::Answer, ReasonCode::SingleGroundedInterpretation)
        }
    }

    /// A question back: `option` and the `others`, of which the best are kept.
    pub(super) fn clarification(
        brief: &Brief,
        option: &BriefOption,
        mut others: Vec<&BriefOption>,
        seen: &[Signal],
    ) -> Self {
        others.truncate(brief.policy.options_max.saturating_sub(1));
        let unclear = standing::between(brief, option, &others).unwrap_or(Unclear::Value);
        let (reason, signal) = named(unclear);
        let mut signals = vec![signal];
        signals.extend_from_slice(seen);
        let options = std::iter::once(option).chain(others).map(|option| option.id.clone()).collect();
        Self {
            options,
            recommended: Some(option.id.clone()),
            why: why(brief, option),
            signals,
            ..Self::new(Verdict::Clarify, reason)
        }
    }

    /// Nothing fits: something is near that cannot do it, or nothing has to do with the question.
    pub(super) fn miss(brief: &Brief) -> Self {
        let best = brief.options.first().map_or(0.0, |option| option.grounding);
        let is_near = brief.unavailable.is_some() || best >= brief.policy.near_min;
        let reason = if is_near { ReasonCode::CapabilityMiss } else { ReasonCode::NoGroundedCandidates };
        let signals = match &brief.unavailable {
            Some(Unavailable::Venue(name)) => vec![Signal::UnsupportedVenue(name.clone())],
            Some(Unavailable::Value { .. } | Unavailable::Time(_) | Unavailable::LeftOut { .. }) | None => {
                Vec::new()
            }
        };
        let missing = miss::sentences(brief).into_iter().next_back();
        Self { signals, missing, ..Self::new(Verdict::Miss, reason) }
    }
}

fn named(unclear: Unclear) -> (ReasonCode, Signal) {
    match unclear {
        Unclear::Value | Unclear::Slot => {
            (ReasonCode::RequiredDiscriminatorAmbiguity, Signal::RequiredDiscriminator)
        }
        Unclear::Scope => (ReasonCode::SemanticScopeAmbiguity, Signal::SemanticScope),
        Unclear::Contract => (ReasonCode::ContractScopeAmbiguity, Signal::ContractScope),
        Unclear::CostOrLatency => (ReasonCode::CostOrLatencyAmbiguity, Signal::CostOrLatency),
    }
}

/// Why an option is recommended.
fn why(brief: &Brief, option: &BriefOption) -> String {
    let others = brief.options.iter().filter(|other| other.id != option.id);
    let best_of_others = others.map(|other| other.points).fold(f64::NEG_INFINITY, f64::max);
    if best_of_others > option.points {
        format!(
            "it is the reading that serves the question as a whole, with {:.0} of 100 points",
            option.points
        )
    } else if format!("{best_of_others:.0}") == format!("{:.0}", option.points) {
        format!("it fits the question as well as any other reading, with {:.0} of 100 points", option.points)
    } else if best_of_others.is_finite() {
        format!(
            "it fits the question best, with {:.0} of 100 points against {best_of_others:.0}",
            option.points
        )
    } else {
        format!("it is the only reading at hand, with {:.0} of 100 points", option.points)
    }
}

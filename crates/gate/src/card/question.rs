//! The question back: it names what is unclear and has all that is needed to answer it.

use super::CardOption;
use super::followup::noun;
use super::label;
use crate::brief::Brief;
use crate::decision::{Decision, ReasonCode};

/// The question of a card.
pub(super) fn of(brief: &Brief, decision: &Decision, options: &[CardOption]) -> String {
    let [only] = options else { return choice(brief, decision, options) };
    let Some(option) = brief.option(&only.id) else { return choice(brief, decision, options) };
    let open = super::lacking(brief, option, true).map(noun).unwrap_or_default();
    let asked = only.followup.as_deref().unwrap_or("Which one do you mean?");
    format!("\"{}\" needs the {open}, which the question does not give. {asked}", only.label)
}

fn choice(brief: &Brief, decision: &Decision, options: &[CardOption]) -> String {
    let labels: Vec<String> = options.iter().map(|option| format!("\"{}\"", option.label)).collect();
    let listed = listed(&labels);
    match decision.reason {
        ReasonCode::SemanticScopeAmbiguity => {
            format!("This could be about the whole or about one part of it: {listed}. Which one do you mean?")
        }
        ReasonCode::CostOrLatencyAmbiguity => {
            let costs = decision.options.iter().filter_map(|id| brief.option(id)).map(label::cost);
            let costs: Vec<String> = costs.collect();
            let costs = costs.join("; ");
            if brief.wants_choice {
                return format!(
                    "There are ways that differ in price and speed ({costs}): {listed}. Which one should be taken?"
                );
            }
            format!(
                "The same can be had from providers that differ in price and speed ({costs}): {listed}. Which \
                 one should be asked?"
            )
        }
        ReasonCode::RequiredDiscriminatorAmbiguity => {
            format!("What you name could be meant in several ways: {listed}. Which one do you mean?")
        }
        ReasonCode::ContractScopeAmbiguity
        | ReasonCode::RolloutDisabled
        | ReasonCode::NoGroundedCandidates
        | ReasonCode::SingleGroundedInterpretation
        | ReasonCode::CapabilityMiss => {
            format!(
                "Several methods would answer this, each with other things: {listed}. Which one do you mean?"
            )
        }
    }
}

fn listed(labels: &[String]) -> String {
    match labels {
        [] => String::new(),
        [only] => only.clone(),
        [head @ .., last] => format!("{} or {last}", head.join(", ")),
    }
}

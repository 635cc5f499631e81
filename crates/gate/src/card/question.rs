//! The question back: it names what is unclear and has all that is needed to answer it.

use super::CardOption;
use super::followup::noun;
use super::label;
use super::plain::plain;
use crate::brief::Brief;
use crate::decision::{Decision, ReasonCode};

/// Characters of what a question says for a value that are said back.
const SAID_CHARS_MAX: usize = 60;

/// The question of a card.
pub(super) fn of(brief: &Brief, decision: &Decision, options: &[CardOption]) -> String {
    let [only] = options else { return choice(brief, decision, options) };
    let Some(option) = brief.option(&only.id) else { return choice(brief, decision, options) };
    let open = super::lacking(brief, option, true);
    let noun = open.map(noun).unwrap_or_default();
    let asked = only.followup.as_deref().unwrap_or("Which one do you mean?");
    let refused = open.and_then(|open| open.refused.as_deref()).map(|said| plain(said, SAID_CHARS_MAX));
    match refused.filter(|said| !said.is_empty()) {
        Some(said) => {
            format!("\"{}\" needs the {noun}, and {said} is none that it takes. {asked}", only.label)
        }
        None => format!("\"{}\" needs the {noun}, which the question does not give. {asked}", only.label),
    }
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

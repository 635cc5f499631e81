//! A decision of the gate with all that it was made from.

use std::sync::Arc;

use contract::trace::{
    GATE_RECORD_VERSION, GateCall, GateCandidate, GateDecision, GateInput, GateLeftOut, GateListing,
    GateMethod, GateOpinion, GateRecord, GateRole, GateThing, GateTurn,
};
use domain::{Candidate, EarlierCall, Listing, Method, Speaker, Thing, Turn};
use engine::Settled;
use gate::{Decision, Opinion};
use policy::Policy;
use trace::Event;

use super::trace::models;
use super::{clarification, count, time, tools};

/// The record of a run's decision; none where the gate did not decide.
pub(crate) fn of(settled: &Settled, policy: &Policy) -> Option<GateRecord> {
    let events = || settled.events.iter().map(|stamped| &stamped.event);
    let input =
        events().find_map(|event| if let Event::GateInput(input) = event { Some(input) } else { None });
    let decision =
        events().find_map(|event| if let Event::Ruled(made) = event { Some(made) } else { None })?;
    let opinion = events()
        .find_map(|event| if let Event::Judged(said) = event { (**said).as_ref().ok() } else { None });
    let is_hosted = models::judge(settled).is_some_and(|report| report.answered_by != policy::EMBEDDED);
    let hosted = opinion.filter(|_| is_hosted);
    Some(GateRecord {
        version: GATE_RECORD_VERSION.to_owned(),
        request_id: settled.request.to_string(),
        policy_hash: policy.hash.clone(),
        input: self::input(input?, hosted),
        decision: decided(decision),
    })
}

fn decided(decision: &Decision) -> GateDecision {
    GateDecision {
        outcome_type: clarification::outcome_type(decision.verdict),
        decision_reason_code: clarification::reason(decision.reason),
        recommended_option_id: decision.recommended.as_ref().map(ToString::to_string),
        option_ids: decision.options.iter().map(ToString::to_string).collect(),
    }
}

fn input(input: &trace::GateInput, hosted: Option<&Opinion>) -> GateInput {
    GateInput {
        query: input.question.clone(),
        history: input.history.iter().filter_map(turn).collect(),
        asked_at: time(input.asked_at),
        clarification_policy: clarification::wire_policy(input.clarification),
        listings: listings(input.candidates.iter().chain(&input.helpers)),
        candidates: input.candidates.iter().map(candidate).collect(),
        helpers: input.helpers.iter().map(candidate).collect(),
        things: input.things.iter().map(thing).collect(),
        left_out: input
            .left_out
            .iter()
            .map(|it| GateLeftOut {
                tool_id: it.method.listing.to_string(),
                method_name: it.method.method.to_string(),
                score: it.score,
                reason: it.why.to_string(),
                is_asked_for: it.is_asked_for,
            })
            .collect(),
        considered: count(input.considered),
        opinion: hosted.map(opinion),
    }
}

/// None for what neither side said.
fn turn(turn: &Turn) -> Option<GateTurn> {
    let role = match turn.speaker {
        Speaker::User => GateRole::User,
        Speaker::Assistant => GateRole::Assistant,
        Speaker::Recap => return None,
    };
    let call =
        |call: &EarlierCall| GateCall { method_name: call.method.clone(), arguments: call.arguments.clone() };
    Some(GateTurn { role, content: turn.text.clone(), calls: turn.calls.iter().map(call).collect() })
}

fn thing(thing: &Thing) -> GateThing {
    GateThing { query: thing.question.clone(), candidates: thing.candidates.iter().map(candidate).collect() }
}

fn candidate(candidate: &Candidate) -> GateCandidate {
    GateCandidate {
        tool_id: candidate.listing.id.to_string(),
        method_name: candidate.method.name.to_string(),
        score: candidate.score,
    }
}

/// The listings of the candidates, each with the methods of it that are named.
fn listings<'a>(candidates: impl Iterator<Item = &'a Candidate>) -> Vec<GateListing> {
    let mut listings: Vec<(&Arc<Listing>, GateListing)> = Vec::new();
    for candidate in candidates {
        let place = listings.iter().position(|(known, _)| known.id == candidate.listing.id);
        let place = place.unwrap_or_else(|| {
            let listing = &candidate.listing;
            listings.push((
                listing,
                GateListing {
                    id: listing.id.to_string(),
                    name: listing.name.clone(),
                    description: listing.description.clone(),
                    methods: Vec::new(),
                },
            ));
            listings.len() - 1
        });
        listings[place].1.methods.push(method(&candidate.method));
    }
    listings.into_iter().map(|(_, listing)| listing).collect()
}

fn method(method: &Method) -> GateMethod {
    GateMethod {
        name: method.name.to_string(),
        title: method.title.clone(),
        description: method.description.clone(),
        input_schema: method.input_schema.clone(),
        output_schema: method.output_schema.clone(),
        latency_class: tools::latency(method.meta.latency),
        execute_price_usd: method.meta.execute_price.map(|price| price.to_string()),
    }
}

fn opinion(opinion: &Opinion) -> GateOpinion {
    GateOpinion {
        outcome_type: clarification::outcome_type(opinion.verdict),
        option_ids: opinion.options.iter().map(ToString::to_string).collect(),
        recommended_option_id: opinion.recommended.as_ref().map(ToString::to_string),
        confidence: opinion.confidence,
        reason: opinion.reason.clone(),
    }
}

//! Counterfactual decisions: what the gate would decide under other policies, from what it decided on before. Nothing is
//! called and nothing is asked.

use std::collections::BTreeMap;
use std::sync::Arc;

use contract::query::ClarificationPolicy as WirePolicy;
use contract::result::OutcomeType;
use contract::tools::LatencyClass as WireLatency;
use contract::trace::{
    DecisionReason, GATE_RECORD_VERSION, GateCall, GateCandidate, GateInput, GateListing, GateMethod,
    GateOpinion, GateRecord, GateRole, GateThing, GateTurn,
};
use domain::{
    Candidate, ClarificationPolicy, Depth, EarlierCall, Include, LatencyClass, LeftOut, Listing, ListingId,
    Method, MethodMeta, MethodName, MethodRef, Query, ResponseShape, Selected, Speaker, Thing, ToolScope,
    Turn, Usd,
};
use gate::{Brief, Decision, Opinion, OptionId, Verdict};
use lane::Lane;
use policy::Policy;
use probe::Lexicon;
use serde::Serialize;

/// What came of deciding stored inputs again.
#[derive(Clone, Debug, Default, Serialize)]
pub struct FlipReport {
    /// Decisions that were made again.
    pub decided: usize,
    /// Those that came out otherwise.
    pub flips: Vec<Flip>,
    /// Records that could not be decided again, and why.
    pub skipped: Vec<SkippedRecord>,
}

/// A decision that comes out otherwise.
#[derive(Clone, Debug, Serialize)]
pub struct Flip {
    /// The request.
    pub request_id: String,
    /// The question.
    pub query: String,
    /// What was decided.
    pub before: Side,
    /// What would be.
    pub after: Side,
    /// Why it differs, in a sentence.
    pub why: String,
}

/// One side of a flip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Side {
    /// The outcome.
    pub outcome: OutcomeType,
    /// Why.
    pub reason: DecisionReason,
    /// The option that it would take.
    pub recommended: Option<String>,
    /// The options that it offers.
    pub options: Vec<String>,
}

/// A record that could not be decided again.
#[derive(Clone, Debug, Serialize)]
pub struct SkippedRecord {
    /// The request.
    pub request_id: String,
    /// Why.
    pub why: String,
}

/// Decides every record again under `policy`.
#[must_use]
pub fn flips(records: &[GateRecord], policy: &Policy) -> FlipReport {
    let mut report = FlipReport::default();
    let lexicon = Lexicon::of(&policy.probe);
    for record in records {
        let before = before(record);
        match again(record, &lexicon, policy) {
            Ok(decision) => {
                report.decided += 1;
                let after = after(&decision);
                if before != after {
                    report.flips.push(Flip {
                        request_id: record.request_id.clone(),
                        query: record.input.query.clone(),
                        why: why(&before, &after, &decision),
                        before,
                        after,
                    });
                }
            }
            Err(why) => {
                report.skipped.push(SkippedRecord { request_id: record.request_id.clone(), why });
            }
        }
    }
    report
}

fn again(record: &GateRecord, lexicon: &Lexicon, policy: &Policy) -> Result<Decision, String> {
    if record.version != GATE_RECORD_VERSION {
        return Err(format!("version {} is not {GATE_RECORD_VERSION}", record.version));
    }
    let selected = selected(&record.input)?;
    let Lane::Deep(deep) = lane::choose(selected, &policy.lanes) else {
        return Err("the policies send it down the fast lane".to_owned());
    };
    let probed = probe::metadata(deep, lexicon, &lexicon.knowledge(), policy);
    let gate = policy.ruling();
    let judged = match &record.input.opinion {
        Some(said) => Ok(opinion(said)),
        None => Ok(gate::judge(&Brief::of(&probed, &gate))),
    };
    Ok(gate::rule(probed, &judged, &gate).decision)
}

fn before(record: &GateRecord) -> Side {
    let decision = &record.decision;
    Side {
        outcome: decision.outcome_type,
        reason: decision.decision_reason_code,
        recommended: decision.recommended_option_id.clone(),
        options: decision.option_ids.clone(),
    }
}

fn after(decision: &Decision) -> Side {
    Side {
        outcome: match decision.verdict {
            Verdict::Answer => OutcomeType::Answer,
            Verdict::Clarify => OutcomeType::ClarificationRequired,
            Verdict::Miss => OutcomeType::CapabilityMiss,
        },
        reason: DecisionReason::of_word(decision.reason.word()).unwrap_or(DecisionReason::CapabilityMiss),
        recommended: decision.recommended.as_ref().map(ToString::to_string),
        options: decision.options.iter().map(ToString::to_string).collect(),
    }
}

/// The first thing that differs, the weightiest first.
fn why(before: &Side, after: &Side, decision: &Decision) -> String {
    let said = decision.validator_reason.as_ref().or(decision.judge.reason.as_ref());
    let because = said.map(|said| format!(": {said}")).unwrap_or_default();
    if before.outcome != after.outcome {
        format!("the outcome changes{because}")
    } else if before.reason != after.reason {
        format!("the reason changes{because}")
    } else if before.recommended != after.recommended {
        format!("another option is recommended{because}")
    } else {
        format!("other options are offered{because}")
    }
}

/// The selection of a stored input, its listings made anew from what was published.
fn selected(input: &GateInput) -> Result<Selected, String> {
    let listings: BTreeMap<&str, Arc<Listing>> = input
        .listings
        .iter()
        .map(|stored| Ok((stored.id.as_str(), Arc::new(listing(stored)?))))
        .collect::<Result<_, String>>()?;
    let candidates = |stored: &[GateCandidate]| -> Result<Vec<Candidate>, String> {
        stored.iter().map(|it| candidate(it, &listings)).collect()
    };
    let thing = |stored: &GateThing| {
        Ok(Thing { question: stored.query.clone(), candidates: candidates(&stored.candidates)? })
    };
    let left_out = input.left_out.iter().map(|stored| {
        Ok(LeftOut {
            method: MethodRef {
                listing: listing_id(&stored.tool_id)?,
                method: MethodName::new(&stored.method_name),
            },
            score: stored.score,
            why: stored.reason.clone().into(),
            is_asked_for: stored.is_asked_for,
        })
    });
    Ok(Selected {
        query: query(input),
        asked_at: input.asked_at.parse().map_err(|_| format!("`{}` is no time", input.asked_at))?,
        candidates: candidates(&input.candidates)?,
        helpers: candidates(&input.helpers)?,
        left_out: left_out.collect::<Result<_, String>>()?,
        considered: usize::try_from(input.considered).unwrap_or(usize::MAX),
        things: input.things.iter().map(thing).collect::<Result<_, String>>()?,
    })
}

fn query(input: &GateInput) -> Query {
    Query {
        text: input.query.clone(),
        tools: ToolScope::Discover,
        depth: Depth::Deep,
        clarification: match input.clarification_policy {
            WirePolicy::Return => ClarificationPolicy::Return,
            WirePolicy::Auto => ClarificationPolicy::Auto,
            WirePolicy::Error => ClarificationPolicy::Error,
        },
        shape: ResponseShape::Answer,
        answer_model: None,
        include: Include { data: false, data_url: false, developer_trace: false },
        lineage: None,
        history: input.history.iter().map(turn).collect(),
        choice: None,
    }
}

fn turn(turn: &GateTurn) -> Turn {
    let speaker = match turn.role {
        GateRole::User => Speaker::User,
        GateRole::Assistant => Speaker::Assistant,
    };
    let call =
        |call: &GateCall| EarlierCall { method: call.method_name.clone(), arguments: call.arguments.clone() };
    Turn { speaker, text: turn.content.clone(), calls: turn.calls.iter().map(call).collect() }
}

fn listing_id(id: &str) -> Result<ListingId, String> {
    id.parse().map_err(|_| format!("`{id}` is no tool id"))
}

fn listing(stored: &GateListing) -> Result<Listing, String> {
    let methods = stored.methods.iter().map(|method| Arc::new(self::method(method))).collect();
    Ok(Listing {
        id: listing_id(&stored.id)?,
        description: stored.description.clone(),
        ..Listing::new(&stored.name, methods)
    })
}

fn method(stored: &GateMethod) -> Method {
    let method = Method::new(&stored.name, stored.input_schema.clone(), stored.output_schema.clone());
    Method {
        title: stored.title.clone(),
        description: stored.description.clone(),
        meta: MethodMeta {
            latency: match stored.latency_class {
                WireLatency::Instant => LatencyClass::Instant,
                WireLatency::Fast => LatencyClass::Fast,
                WireLatency::Slow => LatencyClass::Slow,
                WireLatency::Streaming => LatencyClass::Streaming,
            },
            execute_price: stored.execute_price_usd.as_deref().and_then(Usd::parse),
            ..MethodMeta::default()
        },
        ..method
    }
}

fn candidate(stored: &GateCandidate, listings: &BTreeMap<&str, Arc<Listing>>) -> Result<Candidate, String> {
    let missing = || format!("`{}:{}` is not among its listings", stored.tool_id, stored.method_name);
    let listing = listings.get(stored.tool_id.as_str()).ok_or_else(missing)?;
    let method = listing.method(&MethodName::new(&stored.method_name)).ok_or_else(missing)?;
    Ok(Candidate { listing: Arc::clone(listing), method: Arc::clone(method), score: stored.score })
}

fn opinion(said: &GateOpinion) -> Opinion {
    Opinion {
        verdict: match said.outcome_type {
            OutcomeType::Answer => Verdict::Answer,
            OutcomeType::ClarificationRequired => Verdict::Clarify,
            OutcomeType::CapabilityMiss => Verdict::Miss,
        },
        options: said.option_ids.iter().cloned().map(OptionId).collect(),
        recommended: said.recommended_option_id.clone().map(OptionId),
        confidence: said.confidence,
        reason: said.reason.clone(),
    }
}

//! What a timeline says of the gate: its steps, and the lines that the request log has of them.

use ::gate::Decision;
use contract::trace::{StepEvent, StepStatus, StepType, TraceStep};
use engine::Settled;
use policy::Policy;
use serde_json::{Value, json};
use trace::{Event, ProbeReport, Stamped};

use crate::to_wire::gate_record;
use crate::to_wire::trace::metadata;

/// The steps of an event of the gate; none for any other event.
pub(super) fn steps(stamped: &Stamped, settled: &Settled, policy: &Policy) -> Option<Vec<TraceStep>> {
    let told = match &stamped.event {
        Event::DepthDecided { asked, lane, reason, flags } => {
            let depth = json!({"askedDepth": asked.word(), "selectedDepth": lane, "reasonCode": reason});
            let flags = json!({
                "methodReasoningEnabled": flags.method_reasoning_enabled,
                "ambiguityJudgeEnabled": flags.ambiguity_judge_enabled,
                "externalProbeEnabled": flags.external_probe_enabled,
                "preserveFastOneShot": flags.preserve_fast_one_shot,
            });
            vec![
                (StepEvent::DepthDecision, depth.clone()),
                (StepEvent::QueryDepthDecision, depth),
                (StepEvent::ScoutContract, flags.clone()),
                (StepEvent::QueryDepthRouterContract, flags),
            ]
        }
        Event::Probed(report) => vec![(StepEvent::ScoutPrePlanProbe, probed(report))],
        Event::GateInput(input) => {
            let counts = json!({"candidates": input.candidates.len(), "leftOut": input.left_out.len()});
            let record = gate_record::of(settled, policy);
            vec![
                (StepEvent::ClarificationDecisionInput, json!(record)),
                (StepEvent::QueryClarificationInput, counts),
            ]
        }
        Event::Ruled(decision) => {
            let rollout = json!({"rolloutStage": decision.rollout.word(), "policyHash": policy.hash});
            let decided = decided(decision);
            vec![
                (StepEvent::QueryScoutRolloutContract, rollout),
                (StepEvent::ClarificationDecision, decided.clone()),
                (StepEvent::QueryClarificationDecision, decided),
            ]
        }
        Event::Judged(_) => Vec::new(),
        Event::QueryStarted { .. }
        | Event::StageStarted { .. }
        | Event::StageEnded { .. }
        | Event::ToolsSelected { .. }
        | Event::ModelAsked(_)
        | Event::ProgramWritten { .. }
        | Event::ProgramRejected { .. }
        | Event::CallStarted { .. }
        | Event::CallEnded { .. }
        | Event::ProgramEnded { .. }
        | Event::CompletenessEvaluated { .. }
        | Event::ContributorSearched { .. }
        | Event::Repaired(_)
        | Event::Rediscovered(_)
        | Event::AnswerSpoken { .. }
        | Event::DocumentsLooked(_)
        | Event::AnswerChecked(_)
        | Event::QueryEnded { .. } => return None,
    };
    Some(told.into_iter().map(|(event, told)| step(stamped, event, told)).collect())
}

fn step(stamped: &Stamped, event: StepEvent, told: Value) -> TraceStep {
    TraceStep {
        step_type: Some(StepType::Selection),
        event: Some(event),
        status: Some(StepStatus::Ok),
        timestamp_ms: Some(stamped.at.as_millisecond()),
        metadata: metadata(told),
        ..TraceStep::default()
    }
}

fn probed(report: &ProbeReport) -> Value {
    json!({
        "querySafeCandidateCount": report.query_safe,
        "rankedMethodCount": report.ranked,
        "shortlistedMethodCount": report.shortlisted,
        "ambiguityPoolCount": report.pooled,
        "adequacy": report.adequacy,
        "confidenceScore": report.confidence,
        "missingCapability": report.missing_capability,
        "externalProbeCalls": 0,
    })
}

fn decided(decision: &Decision) -> Value {
    json!({
        "outcomeType": decision.verdict.word(),
        "decisionReasonCode": decision.reason.word(),
        "recommendedOptionId": decision.recommended.as_ref().map(ToString::to_string),
        "autoResolved": decision.assumption.is_some(),
        "validatorReason": decision.validator_reason,
        "fallbackReason": decision.fallback_reason,
    })
}

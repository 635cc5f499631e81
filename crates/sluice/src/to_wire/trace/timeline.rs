//! The run's events as a timeline.

mod gate;
mod recovery;

use contract::trace::{StepEvent, StepStatus, StepTool, StepType, TraceStep};
use engine::{Outcome, Settled};
use policy::Policy;
use serde_json::json;
use trace::{Event, Stamped};

use super::{metadata, models, told};
use crate::reply::Asked;
use crate::to_wire::count;

/// The timeline of a settled run.
pub(super) fn of(settled: &Settled, asked: &Asked, policy: &Policy) -> Vec<TraceStep> {
    let mut timeline = Vec::new();
    for stamped in settled.events.iter() {
        match gate::steps(stamped, settled, policy) {
            Some(steps) => timeline.extend(steps),
            None => timeline.extend(steps(stamped, settled, asked)),
        }
    }
    timeline
}

/// What a timeline says of an event: nothing, one step, or two.
fn steps(stamped: &Stamped, settled: &Settled, asked: &Asked) -> Vec<TraceStep> {
    let step = |kind, event, status| TraceStep {
        step_type: Some(kind),
        event: Some(event),
        status: Some(status),
        timestamp_ms: Some(stamped.at.as_millisecond()),
        ..TraceStep::default()
    };
    let request = settled.request.to_string();
    match &stamped.event {
        Event::QueryStarted { depth } => vec![TraceStep {
            metadata: metadata(json!({"requestId": request, "queryDepth": depth.word()})),
            ..step(StepType::Orchestration, StepEvent::QueryStart, StepStatus::Ok)
        }],
        Event::ToolsSelected { listings, .. } => vec![TraceStep {
            metadata: metadata(json!({"listings": listings.iter().map(|it| &it.name).collect::<Vec<_>>()})),
            ..step(StepType::Selection, StepEvent::SelectedTools, StepStatus::Ok)
        }],
        Event::ProgramWritten { calls_max: 0, .. } => {
            vec![step(StepType::Orchestration, StepEvent::PlannerDirectAnswer, StepStatus::Success)]
        }
        Event::ProgramWritten { attempt, calls_max, revision, .. } => {
            let written = TraceStep {
                attempt: Some(count(*attempt)),
                metadata: metadata(json!({"callsMax": calls_max})),
                ..step(StepType::Planning, StepEvent::PlannerGeneratedCode, StepStatus::Ok)
            };
            let changed = recovery::lineage(stamped, *attempt, revision);
            [Some(written), changed].into_iter().flatten().collect()
        }
        Event::ProgramRejected { attempt, notes, .. } => vec![TraceStep {
            attempt: Some(count(*attempt)),
            message: Some(notes.join("; ")),
            ..step(StepType::Retry, StepEvent::ErrorFix, StepStatus::Error)
        }],
        Event::ModelAsked(report) => models::step(report, stamped.at.as_millisecond()).into_iter().collect(),
        Event::CallEnded { .. } => vec![call_step(stamped)],
        Event::ProgramEnded { attempt, fault, passes, operations } => vec![TraceStep {
            attempt: Some(count(*attempt)),
            message: fault.clone(),
            metadata: metadata(json!({"passes": passes, "operations": operations})),
            ..step(StepType::ExecutionAttempt, StepEvent::Execution, status(fault.is_none()))
        }],
        Event::ContributorSearched { method, listing_name, search } => vec![TraceStep {
            tool: Some(StepTool {
                id: Some(method.listing.to_string()),
                name: Some(listing_name.clone()),
                method: Some(method.method.to_string()),
            }),
            metadata: metadata(json!({"contributorSearch": search})),
            ..step(StepType::ToolCall, StepEvent::ToolCall, StepStatus::Success)
        }],
        Event::CompletenessEvaluated { .. }
        | Event::Repaired(_)
        | Event::Rediscovered(_)
        | Event::DocumentsLooked(_)
        | Event::AnswerChecked(_) => recovery::steps(stamped),
        Event::QueryEnded { outcome, duration_ms } => ended(stamped, (outcome, *duration_ms), settled, asked),
        Event::StageStarted { .. }
        | Event::StageEnded { .. }
        | Event::DepthDecided { .. }
        | Event::Probed(_)
        | Event::GateInput(_)
        | Event::Judged(_)
        | Event::Ruled(_)
        | Event::AnswerSpoken { .. }
        | Event::CallStarted { .. } => Vec::new(),
    }
}

/// How the request ended: the question back or the miss, then the end of it all.
fn ended(
    stamped: &Stamped,
    (outcome, duration_ms): (&str, u64),
    settled: &Settled,
    asked: &Asked,
) -> Vec<TraceStep> {
    let step = |event, status, told, message: Option<&str>| TraceStep {
        step_type: Some(StepType::Orchestration),
        event: Some(event),
        status: Some(status),
        timestamp_ms: Some(stamped.at.as_millisecond()),
        message: message.map(str::to_owned),
        metadata: metadata(told),
        ..TraceStep::default()
    };
    let asked = json!({
        "requestId": settled.request.to_string(), "durationMs": duration_ms, "queryDepth": asked.depth.word(),
    });
    let ending = match &settled.ending {
        Ok(Outcome::Clarify(_)) => Some(StepEvent::ClarificationRequired),
        Ok(Outcome::Miss(_)) => Some(StepEvent::CapabilityMiss),
        Ok(Outcome::Answer(_) | Outcome::Evidence(_)) | Err(_) => None,
    };
    let (is_ok, complete) = (settled.ending.is_ok(), StepEvent::QueryComplete);
    let status = if is_ok { StepStatus::Success } else { StepStatus::Failed };
    let told = json!({"durationMs": duration_ms, "executionOk": is_ok});
    let mut steps: Vec<TraceStep> =
        ending.into_iter().map(|event| step(event, StepStatus::Success, asked.clone(), None)).collect();
    steps.push(step(complete, status, told, Some(outcome)));
    steps
}

fn call_step(stamped: &Stamped) -> TraceStep {
    let Event::CallEnded { method, listing_name, arguments, outcome, duration_ms, .. } = &stamped.event
    else {
        return TraceStep::default();
    };
    TraceStep {
        step_type: Some(StepType::ToolCall),
        event: Some(StepEvent::ToolCall),
        status: Some(status(outcome.is_ok())),
        timestamp_ms: Some(stamped.at.as_millisecond()),
        tool: Some(StepTool {
            id: Some(method.listing.to_string()),
            name: Some(listing_name.clone()),
            method: Some(method.method.to_string()),
        }),
        metadata: metadata(json!({"args": arguments, "result": told(outcome), "durationMs": duration_ms})),
        ..TraceStep::default()
    }
}

fn status(ok: bool) -> StepStatus {
    if ok { StepStatus::Success } else { StepStatus::Error }
}

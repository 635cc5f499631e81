//! The developer trace: the run's events as a timeline, and what the stages reported.

use contract::trace as wire;
use contract::trace::{
    CostDiagnostics, DeveloperTrace, Diagnostics, Evaluation, EvaluationOutcome, ExecutionProgram,
    ProgramRevision, SelectedTool, SelectionDiagnostics, StageTiming, StepEvent, StepStatus, StepTool,
    StepType, ToolCallRecord, TraceSource, TraceStep, TraceSummary,
};
use domain::CallFault;
use engine::{Outcome, Settled};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use trace::{Event, Stage, Stamped, Verdict};

use super::count;
use crate::reply::Asked;

/// The trace of a settled run.
pub(crate) fn developer_trace(settled: &Settled, asked: &Asked) -> DeveloperTrace {
    let programs = programs(settled);
    DeveloperTrace {
        request_id: Some(settled.request.to_string()),
        query: Some(asked.question.clone()),
        source: Some(TraceSource::BackendRuntime),
        summary: Some(summary(settled)),
        timeline: settled.events.iter().flat_map(|stamped| steps(stamped, settled, asked)).collect(),
        diagnostics: Some(diagnostics(settled, asked)),
        initial_code: programs.first().map(|(_, source)| (*source).to_owned()),
        final_code: programs.last().map(|(_, source)| (*source).to_owned()),
        execution_success: Some(matches!(settled.ending, Ok(Outcome::Answer(_) | Outcome::Evidence(_)))),
        execution_result: None,
        attempt_count: Some(count(programs.len())),
        execution_trace: Vec::new(),
        tool_call_history: calls(settled),
        tool_schemas: Vec::new(),
        execution_program: lineage(&programs),
    }
}

fn programs(settled: &Settled) -> Vec<(usize, &str)> {
    let written = settled.events.iter().filter_map(|stamped| {
        let Event::ProgramWritten { attempt, source, .. } = &stamped.event else { return None };
        Some((*attempt, source.as_str()))
    });
    written.collect()
}

fn summary(settled: &Settled) -> TraceSummary {
    let counted = |wanted: fn(&Event) -> bool| {
        count(settled.events.iter().filter(|stamped| wanted(&stamped.event)).count())
    };
    let plans = counted(|event| matches!(event, Event::ProgramEnded { .. }));
    let has_data = matches!(settled.ending, Ok(Outcome::Answer(_) | Outcome::Evidence(_)));
    TraceSummary {
        tool_calls: counted(|event| matches!(event, Event::CallEnded { .. })),
        retry_count: plans.saturating_sub(1),
        self_heal_count: 0,
        fallback_count: plans.saturating_sub(1),
        failure_count: counted(|event| matches!(event, Event::CallEnded { outcome: Err(_), .. })),
        recovery_count: u64::from(plans > 1 && has_data),
        completion_checks: counted(|event| matches!(event, Event::CompletenessEvaluated { .. })),
        loop_count: 0,
        tool_step_count: None,
    }
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
        Event::ProgramWritten { attempt, calls_max, .. } => vec![TraceStep {
            attempt: Some(count(*attempt)),
            metadata: metadata(json!({"callsMax": calls_max})),
            ..step(StepType::Planning, StepEvent::PlannerGeneratedCode, StepStatus::Ok)
        }],
        Event::ProgramRejected { attempt, notes, .. } => vec![TraceStep {
            attempt: Some(count(*attempt)),
            message: Some(notes.join("; ")),
            ..step(StepType::Retry, StepEvent::ErrorFix, StepStatus::Error)
        }],
        Event::CallEnded { .. } => vec![call_step(stamped)],
        Event::ProgramEnded { attempt, fault, passes, operations } => vec![TraceStep {
            attempt: Some(count(*attempt)),
            message: fault.clone(),
            metadata: metadata(json!({"passes": passes, "operations": operations})),
            ..step(StepType::ExecutionAttempt, StepEvent::Execution, status(fault.is_none()))
        }],
        Event::CompletenessEvaluated { attempt, verdict, missing } => vec![TraceStep {
            attempt: Some(count(*attempt)),
            message: (!missing.is_empty()).then(|| missing.join(" ")),
            ..step(StepType::CompletionCheck, StepEvent::VerificationDecision, verdict_status(*verdict))
        }],
        Event::QueryEnded { outcome, duration_ms } => {
            let mut ended = Vec::new();
            let told =
                json!({"requestId": request, "durationMs": duration_ms, "queryDepth": asked.depth.word()});
            let ending = match &settled.ending {
                Ok(Outcome::Clarify(_)) => Some(StepEvent::ClarificationRequired),
                Ok(Outcome::Miss(_)) => Some(StepEvent::CapabilityMiss),
                Ok(Outcome::Answer(_) | Outcome::Evidence(_)) | Err(_) => None,
            };
            ended.extend(ending.map(|event| TraceStep {
                metadata: metadata(told),
                ..step(StepType::Orchestration, event, StepStatus::Success)
            }));
            let ok = settled.ending.is_ok();
            ended.push(TraceStep {
                message: Some((*outcome).to_owned()),
                metadata: metadata(json!({"durationMs": duration_ms, "executionOk": ok})),
                ..step(
                    StepType::Orchestration,
                    StepEvent::QueryComplete,
                    if ok { StepStatus::Success } else { StepStatus::Failed },
                )
            });
            ended
        }
        Event::StageStarted { .. }
        | Event::StageEnded { .. }
        | Event::DepthDecided { .. }
        | Event::CallStarted { .. } => Vec::new(),
    }
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

/// What a trace tells of a result: its size, or the fault. The data itself is in the reply.
fn told(outcome: &Result<usize, CallFault>) -> Value {
    match outcome {
        Ok(bytes) => json!({"bytes": bytes}),
        Err(fault) => json!({"fault": fault.kind.word(), "message": fault.message}),
    }
}

fn status(ok: bool) -> StepStatus {
    if ok { StepStatus::Success } else { StepStatus::Error }
}

fn verdict_status(verdict: Verdict) -> StepStatus {
    match verdict {
        Verdict::Complete => StepStatus::Complete,
        Verdict::RetrySameTools => StepStatus::RetrySameTools,
        Verdict::NeedsDifferentTools => StepStatus::NeedsDifferentTools,
    }
}

fn metadata(value: Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(members) => Some(members),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => None,
    }
}

fn diagnostics(settled: &Settled, asked: &Asked) -> Diagnostics {
    let mut selection =
        SelectionDiagnostics { scout_enabled: Some(false), ..SelectionDiagnostics::default() };
    let mut evaluations = Vec::new();
    let mut timing = StageTiming::default();
    for stamped in &settled.events {
        match &stamped.event {
            Event::ToolsSelected { listings, .. } => {
                selection.selected_tools = listings.iter().map(selected_tool).collect();
                selection.candidate_method_count =
                    Some(count(listings.iter().map(|it| it.methods.len()).sum()));
            }
            Event::DepthDecided { lane, reason, .. } => {
                selection.selected_depth = Some((*lane).to_owned());
                selection.selected_policy = Some("one_shot".to_owned());
                selection.preserve_fast_one_shot = Some(true);
                selection.scout_initial_selected_depth = Some(asked.depth.word().to_owned());
                selection.scout_initial_reason_code = Some((*reason).to_owned());
                selection.scout_final_reason_code = Some((*reason).to_owned());
            }
            Event::CompletenessEvaluated { attempt, verdict, missing } => {
                evaluations.push(evaluation(*attempt, *verdict, missing));
            }
            Event::StageEnded { stage, duration_ms } => add_time(&mut timing, *stage, *duration_ms),
            Event::QueryStarted { .. }
            | Event::StageStarted { .. }
            | Event::ProgramWritten { .. }
            | Event::ProgramRejected { .. }
            | Event::CallStarted { .. }
            | Event::CallEnded { .. }
            | Event::ProgramEnded { .. }
            | Event::QueryEnded { .. } => {}
        }
    }
    let accounted: u64 = [timing.selection_ms, timing.planning_ms, timing.execution_ms, timing.synthesis_ms]
        .iter()
        .flatten()
        .sum();
    timing.accounted_ms = Some(accounted);
    timing.residual_ms = Some(settled.duration_ms.saturating_sub(accounted));
    let completeness = wire::Completeness { evaluations, ..wire::Completeness::default() };
    Diagnostics {
        selection: Some(selection),
        completeness: Some(completeness),
        cost: Some(cost(settled)),
        stage_timing: Some(timing),
        ..Diagnostics::default()
    }
}

fn add_time(timing: &mut StageTiming, stage: Stage, duration_ms: u64) {
    let slot = match stage {
        Stage::Selection => &mut timing.selection_ms,
        Stage::Planning => &mut timing.planning_ms,
        Stage::Execution => &mut timing.execution_ms,
        Stage::Synthesis => &mut timing.synthesis_ms,
    };
    *slot = Some(slot.unwrap_or(0) + duration_ms);
}

/// Methods of one listing that a trace names.
const METHODS_NAMED: usize = 12;

fn selected_tool(listing: &trace::SelectedListing) -> SelectedTool {
    SelectedTool {
        tool_id: Some(listing.id.to_string()),
        tool_name: Some(listing.name.clone()),
        selected_method_count: Some(count(listing.methods.len())),
        selected_methods: listing.methods.iter().take(METHODS_NAMED).map(ToString::to_string).collect(),
        omitted_selected_method_count: Some(count(listing.methods.len().saturating_sub(METHODS_NAMED))),
        price_usd: Some(listing.price.to_string()),
    }
}

fn evaluation(attempt: usize, verdict: Verdict, missing: &[String]) -> Evaluation {
    Evaluation {
        attempt: count(attempt),
        is_complete: verdict == Verdict::Complete,
        outcome: match verdict {
            Verdict::Complete => EvaluationOutcome::Complete,
            Verdict::RetrySameTools => EvaluationOutcome::RetrySameTools,
            Verdict::NeedsDifferentTools => EvaluationOutcome::NeedsDifferentTools,
        },
        missing_parts: missing.to_vec(),
        suggested_fix: None,
        can_retry_with_same_tools: verdict == Verdict::RetrySameTools,
        needs_different_tools: verdict == Verdict::NeedsDifferentTools,
        missing_capability: None,
        capability_constrained: false,
        parse_failed: None,
        raw_decision_text: None,
    }
}

fn cost(settled: &Settled) -> CostDiagnostics {
    let dollars = settled.spent.tool_cost().to_string().parse().ok();
    CostDiagnostics {
        total_model_cost_usd: Some(0.0),
        tool_cost_usd: dollars,
        total_charged_usd: dollars,
        ..CostDiagnostics::default()
    }
}

fn calls(settled: &Settled) -> Vec<ToolCallRecord> {
    let ended = settled.events.iter().filter_map(|stamped| {
        let Event::CallEnded { method, arguments, outcome, .. } = &stamped.event else { return None };
        Some(ToolCallRecord {
            tool_id: method.listing.to_string(),
            tool_name: method.method.to_string(),
            args: Value::Object(arguments.clone()),
            result: told(outcome),
        })
    });
    ended.collect()
}

fn lineage(programs: &[(usize, &str)]) -> Option<ExecutionProgram> {
    let revision = |place: usize| format!("rev-{}", place + 1);
    let last = programs.len().checked_sub(1)?;
    let revisions = programs.iter().enumerate().map(|(place, (attempt, source))| ProgramRevision {
        revision_id: revision(place),
        parent_revision_id: place.checked_sub(1).map(revision),
        attempt: count(*attempt),
        action: if place == 0 { "initial" } else { "replan" }.to_owned(),
        code_hash: hex::encode(Sha256::digest(source.as_bytes())),
        code_length: count(source.len()),
        ..ProgramRevision::default()
    });
    Some(ExecutionProgram {
        base_revision_id: Some(revision(0)),
        current_revision_id: Some(revision(last)),
        revision_count: count(programs.len()),
        replan_count: count(last),
        revisions: revisions.collect(),
        ..ExecutionProgram::default()
    })
}

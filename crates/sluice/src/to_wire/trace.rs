//! The developer trace: the run's events as a timeline, and what the stages reported.

mod diagnostics;
mod lineage;
pub(crate) mod models;
mod recovery;
mod timeline;

use contract::trace::{DeveloperTrace, ToolCallRecord, TraceSource, TraceSummary};
use domain::CallFault;
use engine::{Outcome, Settled};
use policy::Policy;
use serde_json::{Map, Value, json};
use trace::{Event, RepairOutcome, Revision};

pub(crate) use lineage::revision;

use super::count;
use crate::reply::Asked;

/// The trace of a settled run.
pub(crate) fn developer_trace(settled: &Settled, asked: &Asked, policy: &Policy) -> DeveloperTrace {
    let programs = lineage::programs(settled);
    DeveloperTrace {
        request_id: Some(settled.request.to_string()),
        query: Some(asked.question.clone()),
        source: Some(TraceSource::BackendRuntime),
        summary: Some(summary(settled)),
        timeline: timeline::of(settled, asked, policy),
        diagnostics: Some(diagnostics::of(settled, asked)),
        initial_code: programs.first().map(|it| it.source.to_owned()),
        final_code: programs.last().map(|it| it.source.to_owned()),
        execution_success: Some(matches!(settled.ending, Ok(Outcome::Answer(_) | Outcome::Evidence(_)))),
        execution_result: None,
        attempt_count: Some(count(programs.len())),
        execution_trace: Vec::new(),
        tool_call_history: calls(settled),
        tool_schemas: Vec::new(),
        execution_program: lineage::of(&programs),
    }
}

fn summary(settled: &Settled) -> TraceSummary {
    let counted = |wanted: fn(&Event) -> bool| {
        count(settled.events.iter().filter(|stamped| wanted(&stamped.event)).count())
    };
    let repaired = |wanted: fn(RepairOutcome) -> bool| {
        let repairs = settled.events.iter().filter_map(|stamped| {
            let Event::Repaired(report) = &stamped.event else { return None };
            Some(report.outcome)
        });
        count(repairs.filter(|outcome| wanted(*outcome)).count())
    };
    let mended = repaired(|outcome| matches!(outcome, RepairOutcome::Attempted | RepairOutcome::Patched));
    let plans = counted(|event| matches!(event, Event::ProgramEnded { .. }));
    let has_data = matches!(settled.ending, Ok(Outcome::Answer(_) | Outcome::Evidence(_)));
    TraceSummary {
        tool_calls: counted(|event| matches!(event, Event::CallEnded { .. })),
        retry_count: plans.saturating_sub(1),
        self_heal_count: mended,
        fallback_count: counted(|event| {
            matches!(event, Event::ProgramWritten { revision: Revision::OtherMethods(_), .. })
        }),
        failure_count: counted(|event| matches!(event, Event::CallEnded { outcome: Err(_), .. })),
        recovery_count: u64::from(plans > 1 && has_data),
        completion_checks: counted(|event| matches!(event, Event::CompletenessEvaluated { .. })),
        loop_count: repaired(|outcome| outcome == RepairOutcome::SkippedByGuardrail),
        tool_step_count: None,
    }
}

fn metadata(value: Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(members) => Some(members),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => None,
    }
}

/// What a trace tells of a result: its size, or the fault. The data itself is in the reply.
fn told(outcome: &Result<usize, CallFault>) -> Value {
    match outcome {
        Ok(bytes) => json!({"bytes": bytes}),
        Err(fault) => json!({"fault": fault.kind.word(), "message": fault.message}),
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

//! What a timeline says of how results were held against the question, and of what followed.

use contract::trace::{StepEvent, StepStatus, StepType, TraceStep};
use serde_json::json;
use trace::{AnswerReport, Event, RepairOutcome, RepairReport, Revision, Stamped, Verdict};

use crate::to_wire::count;
use crate::to_wire::trace::metadata;

/// The steps of an event of the recovery; none for any other event.
pub(super) fn steps(stamped: &Stamped) -> Vec<TraceStep> {
    if let Event::CompletenessEvaluated { attempt, verdict, missing, .. } = &stamped.event {
        return evaluated(stamped, *attempt, *verdict, missing);
    }
    if let Event::Repaired(report) = &stamped.event {
        return vec![repaired(stamped, report)];
    }
    if let Event::AnswerChecked(report) = &stamped.event {
        return vec![checked(stamped, report)];
    }
    let Event::Rediscovered(report) = &stamped.event else { return Vec::new() };
    let status = if report.executed { StepStatus::Triggered } else { StepStatus::Skipped };
    vec![TraceStep {
        message: Some(report.missing_capability.clone()),
        metadata: metadata(json!({
            "query": report.query,
            "skipReason": report.skip_reason,
            "found": report.found.iter().map(|it| &it.name).collect::<Vec<_>>(),
        })),
        ..step(stamped, (StepType::Fallback, StepEvent::BoundedRediscovery, status))
    }]
}

fn checked(stamped: &Stamped, report: &AnswerReport) -> TraceStep {
    TraceStep {
        metadata: metadata(json!({
            "cited": report.cited,
            "droppedMarkers": report.dropped,
            "strongSentences": report.strong,
            "weakSentences": report.weak,
            "unsupportedValues": report.unsupported,
            "withheldSentences": report.withheld,
            "conflicts": report.conflicts.len(),
            "selection": report.selection,
        })),
        ..step(stamped, (StepType::CompletionCheck, StepEvent::CitationCheck, StepStatus::Ok))
    }
}

/// The step of a program that is not the first one.
pub(super) fn lineage(stamped: &Stamped, attempt: usize, revision: &Revision) -> Option<TraceStep> {
    let (action, why) = match revision {
        Revision::Initial => return None,
        Revision::Patch(why) | Revision::Edit(why) => ("patch", why),
        Revision::Replan(why) | Revision::OtherMethods(why) => ("replan", why),
    };
    Some(TraceStep {
        attempt: Some(count(attempt)),
        message: Some(why.clone()),
        metadata: metadata(json!({"action": action})),
        ..step(stamped, (StepType::ExecutionProgram, StepEvent::ExecutionProgramLineage, StepStatus::Ok))
    })
}

/// What was found, and what was decided on it.
fn evaluated(stamped: &Stamped, attempt: usize, verdict: Verdict, missing: &[String]) -> Vec<TraceStep> {
    let (found, decided) = match verdict {
        Verdict::Complete => (StepStatus::Success, StepStatus::Complete),
        Verdict::RetrySameTools => (StepStatus::Incomplete, StepStatus::RetrySameTools),
        Verdict::NeedsDifferentTools => (StepStatus::NeedsDifferentTools, StepStatus::NeedsDifferentTools),
    };
    let message = (!missing.is_empty()).then(|| missing.join(" "));
    let check = StepType::CompletionCheck;
    [(StepEvent::Completeness, found), (StepEvent::VerificationDecision, decided)]
        .into_iter()
        .map(|(event, status)| TraceStep {
            attempt: Some(count(attempt)),
            message: message.clone(),
            ..step(stamped, (check, event, status))
        })
        .collect()
}

fn repaired(stamped: &Stamped, report: &RepairReport) -> TraceStep {
    let event = match report.outcome {
        RepairOutcome::Attempted | RepairOutcome::Patched => StepEvent::ErrorFix,
        RepairOutcome::Replanned
        | RepairOutcome::ReplanFailed
        | RepairOutcome::SkippedNoRetryBudget
        | RepairOutcome::SkippedNeedsDifferentTools
        | RepairOutcome::SkippedByGuardrail => StepEvent::Reflection,
    };
    let status = match report.outcome {
        RepairOutcome::Attempted | RepairOutcome::Patched | RepairOutcome::Replanned => StepStatus::Triggered,
        RepairOutcome::ReplanFailed => StepStatus::Failed,
        RepairOutcome::SkippedNoRetryBudget
        | RepairOutcome::SkippedNeedsDifferentTools
        | RepairOutcome::SkippedByGuardrail => StepStatus::Skipped,
    };
    TraceStep {
        attempt: Some(count(report.attempt)),
        message: Some(report.summary.clone()),
        metadata: metadata(json!({"outcome": report.outcome.word(), "skipReason": report.skip_reason})),
        ..step(stamped, (StepType::Retry, event, status))
    }
}

fn step(stamped: &Stamped, (kind, event, status): (StepType, StepEvent, StepStatus)) -> TraceStep {
    TraceStep {
        step_type: Some(kind),
        event: Some(event),
        status: Some(status),
        timestamp_ms: Some(stamped.at.as_millisecond()),
        ..TraceStep::default()
    }
}

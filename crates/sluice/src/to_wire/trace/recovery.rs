//! How results were held against the question, what was repaired, and what tools said of their own searches.

use contract::trace::{
    Completeness, ContributorSearch, Evaluation, EvaluationOutcome, Rediscovery, RepairEvent, RepairStrategy,
};
use engine::{Answer, Outcome, Settled};
use trace::{CompletenessOpinion, Event, RediscoveryReport, RepairOutcome, RepairReport, Verdict};

use super::diagnostics::selected_tool;
use crate::to_wire::count;

/// What the rounds of a request came to.
pub(super) fn completeness(settled: &Settled) -> Completeness {
    let mut completeness = Completeness::default();
    for stamped in settled.events.iter() {
        if let Event::CompletenessEvaluated { attempt, verdict, missing, opinion } = &stamped.event {
            completeness.evaluations.push(evaluation(*attempt, *verdict, missing, opinion.as_deref()));
            if *verdict == Verdict::NeedsDifferentTools {
                completeness.trigger_needs_different_tools = Some(true);
                completeness.trigger_missing_capability =
                    opinion.as_ref().and_then(|opinion| opinion.missing_capability.clone());
            }
        }
        if let Event::Repaired(report) = &stamped.event {
            completeness.repair_events.push(repair(report));
        }
    }
    if let Ok(Outcome::Answer(answer) | Outcome::Evidence(answer)) = &settled.ending {
        completeness.bounded_answer_reason = bounded(answer).map(str::to_owned);
        completeness.bounded_answer_data_gap = completeness
            .bounded_answer_reason
            .as_ref()
            .and_then(|_| answer.evidence.known_unknowns.first().cloned());
    }
    completeness
}

/// Why an answer stops short.
fn bounded(answer: &Answer) -> Option<&'static str> {
    match answer.completion {
        engine::Completion::Complete | engine::Completion::WithGaps => None,
        engine::Completion::BoundedByUpstream => Some("retry_guardrail_upstream_abort"),
        engine::Completion::BoundedByRepetition => Some("retry_guardrail_same_endpoint_fanout"),
        engine::Completion::BoundedByBudget => Some("runtime_budget"),
    }
}

fn evaluation(
    attempt: usize,
    verdict: Verdict,
    missing: &[String],
    opinion: Option<&CompletenessOpinion>,
) -> Evaluation {
    let said = |text: &String| (!text.is_empty()).then(|| text.clone());
    Evaluation {
        attempt: count(attempt),
        is_complete: verdict == Verdict::Complete,
        outcome: match verdict {
            Verdict::Complete => EvaluationOutcome::Complete,
            Verdict::RetrySameTools => EvaluationOutcome::RetrySameTools,
            Verdict::NeedsDifferentTools => EvaluationOutcome::NeedsDifferentTools,
        },
        missing_parts: missing.to_vec(),
        suggested_fix: opinion.and_then(|opinion| said(&opinion.suggested_fix)),
        can_retry_with_same_tools: verdict == Verdict::RetrySameTools,
        needs_different_tools: verdict == Verdict::NeedsDifferentTools,
        missing_capability: opinion.and_then(|opinion| opinion.missing_capability.clone()),
        capability_constrained: false,
        parse_failed: None,
        raw_decision_text: opinion.and_then(|opinion| said(&opinion.reason)),
    }
}

fn repair(report: &RepairReport) -> RepairEvent {
    let strategy = match report.outcome {
        RepairOutcome::Attempted | RepairOutcome::Patched => Some(RepairStrategy::Patch),
        RepairOutcome::Replanned | RepairOutcome::ReplanFailed => Some(RepairStrategy::Replan),
        RepairOutcome::SkippedNoRetryBudget
        | RepairOutcome::SkippedNeedsDifferentTools
        | RepairOutcome::SkippedByGuardrail => None,
    };
    let has_failed = report.outcome == RepairOutcome::ReplanFailed;
    RepairEvent {
        attempt: count(report.attempt),
        outcome: report.outcome.word().to_owned(),
        semantic_retry_count: count(report.retries),
        max_semantic_retries: count(report.retries_max),
        strategy,
        summary: Some(report.summary.clone()).filter(|_| !has_failed),
        fail_reason: Some(report.summary.clone()).filter(|_| has_failed),
        requested_replan: strategy == Some(RepairStrategy::Replan),
        had_syntax_fix: false,
        edit_count: Some(count(report.edits)),
        skip_reason: report.skip_reason.map(str::to_owned),
        bounded_answer_reason: None,
        blocking_diagnostics: Vec::new(),
    }
}

/// How the catalog was searched once more; none where nobody thought of it.
pub(super) fn rediscovery(settled: &Settled) -> Option<Rediscovery> {
    let report: &RediscoveryReport = settled.events.iter().find_map(|stamped| {
        let Event::Rediscovered(report) = &stamped.event else { return None };
        Some(&**report)
    })?;
    let found: Vec<_> = report.found.iter().map(selected_tool).collect();
    Some(Rediscovery {
        considered: Some(true),
        executed: Some(report.executed),
        skip_reason: report.skip_reason.map(str::to_owned),
        missing_capability: Some(report.missing_capability.clone()),
        rediscovery_query: Some(report.query.clone()),
        candidate_search_results: found.clone(),
        selected_alternatives: found,
        ..Rediscovery::default()
    })
}

/// What contributors say of the searches behind their results, as they say it.
pub(super) fn contributor_searches(settled: &Settled) -> Vec<ContributorSearch> {
    let told = settled.events.iter().filter_map(|stamped| {
        let Event::ContributorSearched { method, listing_name, search } = &stamped.event else { return None };
        Some(ContributorSearch {
            tool_id: Some(method.listing.to_string()),
            tool_name: Some(listing_name.clone()),
            timestamp_ms: Some(stamped.at.as_millisecond()),
            search_metadata: serde_json::from_value(search.clone()).ok()?,
        })
    });
    told.collect()
}

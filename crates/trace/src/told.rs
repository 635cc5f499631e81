//! Events as lines: a name that is kept for good, and the particulars as JSON.

use domain::CallFault;
use gate::Decision;
use llm::StageReport;
use serde_json::{Value, json};

use crate::event::{
    AnswerReport, CompletenessOpinion, Event, GateInput, LookReport, ProbeReport, RepairReport, Revision,
    SelectedListing, Stage,
};

impl Stage {
    /// The word for lines, spans and metrics.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Selection => "selection",
            Self::Probe => "probe",
            Self::Judge => "judge",
            Self::Planning => "planning",
            Self::Execution => "execution",
            Self::Completeness => "completeness",
            Self::Rediscovery => "rediscovery",
            Self::Synthesis => "synthesis",
        }
    }
}

impl Event {
    /// The event's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::QueryStarted { .. } => "query-started",
            Self::StageStarted { .. } => "stage-started",
            Self::StageEnded { .. } => "stage-ended",
            Self::ToolsSelected { .. } => "query-tool-selection",
            Self::DepthDecided { .. } => "depth-decision",
            Self::Probed(_) => "scout-pre-plan-probe",
            Self::GateInput(_) => "clarification-decision-input",
            Self::Judged(_) => "judge-opinion",
            Self::ModelAsked(_) => "model-asked",
            Self::Ruled(_) => "clarification-decision",
            Self::ProgramWritten { .. } => "planner-generated-code",
            Self::ProgramRejected { .. } => "planner-rejected-code",
            Self::CallStarted { .. } => "call-started",
            Self::CallEnded { .. } => "call-ended",
            Self::ProgramEnded { .. } => "final-execution",
            Self::ContributorSearched { .. } => "contributor-search",
            Self::CompletenessEvaluated { .. } => "completeness-evaluation",
            Self::Repaired(_) => "completeness-repair",
            Self::Rediscovered(_) => "bounded-rediscovery",
            Self::AnswerSpoken { .. } => "answer-spoken",
            Self::AnswerChecked(_) => "synthesis-context-selection",
            Self::DocumentsLooked(_) => "documents-looked",
            Self::QueryEnded { .. } => "query-ended",
        }
    }

    /// The event's particulars.
    #[must_use]
    pub fn told(&self) -> Value {
        match self {
            Self::QueryStarted { depth } => json!({"depth": depth.word()}),
            Self::StageStarted { stage } => json!({"stage": stage.word()}),
            Self::StageEnded { stage, duration_ms } => {
                json!({"stage": stage.word(), "duration_ms": duration_ms})
            }
            Self::ToolsSelected { listings, considered, left_out } => {
                let left_out: Vec<Value> = left_out
                    .iter()
                    .map(|it| json!({"method": it.method.to_string(), "why": it.why}))
                    .collect();
                json!({"listings": listings_told(listings), "considered": considered, "left_out": left_out})
            }
            Self::DepthDecided { asked, lane, reason, flags } => json!({
                "asked": asked.word(), "lane": lane, "reason": reason, "flags": {
                    "method_reasoning": flags.method_reasoning_enabled,
                    "ambiguity_judge": flags.ambiguity_judge_enabled,
                    "external_probe": flags.external_probe_enabled,
                    "one_shot": flags.preserve_fast_one_shot,
                },
            }),
            Self::Probed(report) => probed(report),
            Self::GateInput(input) => gate_input(input),
            Self::Judged(opinion) => match opinion.as_ref() {
                Ok(opinion) => json!({
                    "verdict": opinion.verdict.word(), "options": words(&opinion.options),
                    "recommended": opinion.recommended.as_ref().map(ToString::to_string),
                    "confidence": opinion.confidence, "reason": opinion.reason,
                }),
                Err(fault) => json!({"fault": fault.to_string()}),
            },
            Self::ModelAsked(report) => model_asked(report),
            Self::Ruled(decision) => ruled(decision),
            Self::ProgramWritten { attempt, source, calls_max, revision } => json!({
                "attempt": attempt, "calls_max": calls_max, "revision": revision_told(revision), "source": source,
            }),
            Self::ProgramRejected { attempt, source, notes } => {
                json!({"attempt": attempt, "notes": notes, "source": source})
            }
            Self::CallStarted { position, method, listing_name } => json!({
                "position": position.to_string(), "tool": listing_name, "method": method.method.as_str(),
            }),
            Self::CallEnded { position, method, listing_name, arguments, outcome, duration_ms } => json!({
                "position": position.to_string(), "tool": listing_name, "method": method.method.as_str(),
                "arguments": arguments, "outcome": outcome_told(outcome), "duration_ms": duration_ms,
            }),
            Self::ProgramEnded { attempt, passes, operations, fault } => {
                json!({"attempt": attempt, "passes": passes, "operations": operations, "fault": fault})
            }
            Self::ContributorSearched { method, listing_name, search } => {
                json!({"tool": listing_name, "method": method.method.as_str(), "search": search})
            }
            Self::CompletenessEvaluated { attempt, verdict, missing, opinion } => json!({
                "attempt": attempt, "verdict": verdict.word(), "missing": missing,
                "opinion": opinion.as_deref().map(opinion_told),
            }),
            Self::Repaired(report) => repaired(report),
            Self::Rediscovered(report) => json!({
                "executed": report.executed, "skip_reason": report.skip_reason,
                "missing_capability": report.missing_capability, "query": report.query,
                "found": listings_told(&report.found),
            }),
            Self::AnswerSpoken { text, .. } => json!({"text": text}),
            Self::AnswerChecked(report) => checked(report),
            Self::DocumentsLooked(look) => looked(look),
            Self::QueryEnded { outcome, duration_ms } => {
                json!({"outcome": outcome, "duration_ms": duration_ms})
            }
        }
    }
}

fn looked(look: &LookReport) -> Value {
    let LookReport { tool, told, found, fresh, duration_ms } = look;
    json!({"tool": tool, "told": told, "found": found, "fresh": fresh, "duration_ms": duration_ms})
}

fn words(items: &[impl ToString]) -> Vec<String> {
    items.iter().map(ToString::to_string).collect()
}

fn listings_told(listings: &[SelectedListing]) -> Vec<Value> {
    listings.iter().map(|it| json!({"name": it.name, "methods": words(&it.methods)})).collect()
}

fn revision_told(revision: &Revision) -> Value {
    let (word, why) = match revision {
        Revision::Initial => ("initial", None),
        Revision::Patch(why) => ("patch", Some(why)),
        Revision::Edit(why) => ("edit", Some(why)),
        Revision::Replan(why) => ("replan", Some(why)),
        Revision::OtherMethods(why) => ("other_methods", Some(why)),
    };
    json!({"word": word, "why": why})
}

fn opinion_told(opinion: &CompletenessOpinion) -> Value {
    json!({
        "missing_parts": opinion.missing_parts, "suggested_fix": opinion.suggested_fix,
        "missing_capability": opinion.missing_capability, "reason": opinion.reason,
    })
}

fn repaired(report: &RepairReport) -> Value {
    json!({
        "attempt": report.attempt, "outcome": report.outcome.word(), "retries": report.retries,
        "retries_max": report.retries_max, "summary": report.summary, "skip_reason": report.skip_reason,
        "edits": report.edits,
    })
}

fn checked(report: &AnswerReport) -> Value {
    json!({
        "cited": report.cited, "dropped": report.dropped, "strong": report.strong, "weak": report.weak,
        "unsupported": report.unsupported, "withheld": report.withheld, "conflicts": report.conflicts.len(),
        "selection": report.selection,
    })
}

fn outcome_told(outcome: &Result<usize, CallFault>) -> Value {
    match outcome {
        Ok(bytes) => json!({"bytes": bytes}),
        Err(fault) => json!({"fault": fault.kind.word(), "message": fault.message}),
    }
}

fn probed(report: &ProbeReport) -> Value {
    json!({
        "query_safe": report.query_safe, "ranked": report.ranked, "shortlisted": report.shortlisted,
        "pooled": report.pooled, "adequacy": report.adequacy, "confidence": report.confidence,
        "missing_capability": report.missing_capability,
    })
}

fn gate_input(input: &GateInput) -> Value {
    let named = |candidate: &domain::Candidate| json!({"method": candidate.method_ref().to_string(), "score": candidate.score});
    json!({
        "question": input.question, "turns": input.history.len(), "policy": input.clarification.word(),
        "candidates": input.candidates.iter().map(named).collect::<Vec<_>>(), "considered": input.considered,
    })
}

fn ruled(decision: &Decision) -> Value {
    json!({
        "rollout": decision.rollout.word(), "verdict": decision.verdict.word(), "reason": decision.reason.word(),
        "options": words(&decision.options), "viable": words(&decision.viable),
        "recommended": decision.recommended.as_ref().map(ToString::to_string),
        "assumption": decision.assumption.as_ref().map(|it| it.label.clone()),
        "missing_capability": decision.missing_capability, "validator_reason": decision.validator_reason,
        "fallback_reason": decision.fallback_reason,
        "choice_fault": decision.choice_fault.as_ref().map(ToString::to_string),
    })
}

fn model_asked(report: &StageReport) -> Value {
    let usage = report.usage();
    let attempts: Vec<Value> = report
        .attempts
        .iter()
        .map(|attempt| {
            json!({
                "model": attempt.model, "fault": attempt.fault.as_ref().map(llm::FallbackReason::word),
                "duration_ms": u64::try_from(attempt.elapsed.as_millis()).unwrap_or(u64::MAX),
            })
        })
        .collect();
    json!({
        "stage": report.stage.word(), "first": report.first, "answered_by": report.answered_by,
        "fallback": report.fallback.as_ref().map(llm::FallbackReason::word), "attempts": attempts,
        "input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens,
        "cost_usd": usage.cost.to_string(),
    })
}

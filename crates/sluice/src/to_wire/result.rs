//! The result of a query, from its settled run.

mod issue;

use contract::evidence::{Artifacts, CanonicalDataRef, DataPreview, FullData, StageArtifactKind, Usage};
use contract::result::{
    Action as WireAction, CapabilityMiss, Controller, Cost, IssueClass, Outcome as WireOutcome, PackageShape,
    QueryResult, Scope, StopReason, ToolUsed,
};
use contract::session::{
    CallFailureSample, Checkpoint, CheckpointStage, Grounding, OrchestrationMetrics, OrchestrationMode,
    ParityStage, QuerySession, SessionMode, SessionOrigin, SessionStatus,
};
use domain::ResponseShape;
use engine::{Action, Answer, Completion, Failure, Outcome, Settled, Spent};
use gate::Miss;
use policy::Policy;
use serde_json::Value;
use store::AttemptMode;
use trace::{Event, Revision, Stage, Stamped};

use super::{clarification, count, evidence, trace as developer_trace};
use crate::assembly::Assembly;
use crate::choice;
use crate::reply::{Asked, Kept, Lines};
use issue::{is_empty, issue};

/// The result, complete for every client version.
pub(crate) fn result(
    settled: Settled,
    asked: &Asked,
    lines: &Lines,
    kept: &Kept,
    assembly: &Assembly,
) -> Result<QueryResult, Failure> {
    let policy = &*assembly.policy;
    let stage = stage(&settled);
    let metrics = metrics(&settled, asked);
    let developer_trace = asked
        .include
        .developer_trace
        .then(|| Box::new(developer_trace::developer_trace(&settled, asked, policy)));
    let grounding = grounding(&settled);
    let used = tools_used(&settled.spent);
    let cost = cost(&settled.spent);
    let request = settled.request.to_string();
    let kinds = artifact_kinds(&settled, kept);
    let revision = developer_trace::revision(&settled);
    let duration_ms = settled.duration_ms;
    let (mut result, status) = match settled.ending? {
        Outcome::Answer(answer) | Outcome::Evidence(answer) => {
            let mut result = QueryResult::answer(answer.text.clone(), used, cost, duration_ms);
            conclude(&mut result, &answer, revision);
            result.assumption_made = answer.assumption.as_ref().map(clarification::assumption_made);
            if asked.shape != ResponseShape::Answer {
                package(&mut result, &answer, asked, &metrics);
                result.artifacts = Some(artifacts(&request, kept, kinds));
            }
            if asked.include.data {
                result.data = Some(data(answer.data, &request, kept, policy));
            }
            if asked.include.data_url {
                result.data_url.clone_from(&kept.data_url);
            }
            (result, SessionStatus::Completed)
        }
        Outcome::Clarify(card) => (
            QueryResult::clarification(
                clarification::listed(&card),
                clarification::card(&card, |option| {
                    let good_for = (settled.started_at, policy.gate.token_minutes);
                    choice::token((&card, option), &settled.request, &assembly.token_key, good_for)
                }),
                duration_ms,
            ),
            SessionStatus::Active,
        ),
        Outcome::Miss(miss) => (missed(&miss, &metrics, duration_ms), SessionStatus::Aborted),
    };
    result.orchestration_metrics = Some(metrics);
    result.grounding = Some(grounding);
    result.query_session = Some(session(lines, status, stage));
    result.developer_trace = developer_trace;
    Ok(result)
}

/// The stage that a run got to, as a word.
pub(crate) fn stage_reached(settled: &Settled) -> &'static str {
    match stage(settled) {
        CheckpointStage::Selection => "selection",
        CheckpointStage::Planning => "planning",
        CheckpointStage::Execution => "execution",
        CheckpointStage::Completeness => "completeness",
        CheckpointStage::Synthesis => "synthesis",
    }
}

fn stage(settled: &Settled) -> CheckpointStage {
    let is_assessed = |stamped: &Stamped| matches!(stamped.event, Event::CompletenessEvaluated { .. });
    let begun = settled.events.iter().rev().find_map(|stamped| {
        let Event::StageStarted { stage } = stamped.event else { return None };
        Some(stage)
    });
    match begun {
        None | Some(Stage::Selection | Stage::Probe) => CheckpointStage::Selection,
        Some(Stage::Judge | Stage::Planning) => CheckpointStage::Planning,
        Some(Stage::Execution) if settled.events.iter().any(is_assessed) => CheckpointStage::Completeness,
        Some(Stage::Execution) => CheckpointStage::Execution,
        Some(Stage::Completeness | Stage::Rediscovery) => CheckpointStage::Completeness,
        Some(Stage::Synthesis) => CheckpointStage::Synthesis,
    }
}

fn conclude(result: &mut QueryResult, answer: &Answer, revision: Option<String>) {
    let (stop, issue, last) = match answer.completion {
        Completion::Complete => (StopReason::CompleteAnswer, None, WireAction::ReturnCompleteAnswer),
        Completion::WithGaps => {
            (StopReason::CompleteAnswer, Some(issue(answer)), WireAction::ReturnCompleteAnswer)
        }
        Completion::BoundedByUpstream => (
            StopReason::BoundedUpstreamAbortGuardrail,
            Some(if is_empty(answer) { issue(answer) } else { IssueClass::MissingEvidence }),
            WireAction::ReturnBoundedAnswer,
        ),
        Completion::BoundedByRepetition => (
            StopReason::BoundedSameEndpointGuardrail,
            Some(IssueClass::MissingEvidence),
            WireAction::ReturnBoundedAnswer,
        ),
        Completion::BoundedByBudget => (
            StopReason::BoundedRuntimeBudget,
            Some(IssueClass::MissingEvidence),
            WireAction::ReturnBoundedAnswer,
        ),
    };
    let mut steps = vec![WireAction::InspectCurrentGrounding];
    steps.extend(answer.actions.iter().map(|action| match action {
        Action::PatchCurrentProgram => WireAction::PatchCurrentProgram,
        Action::BoundedRediscovery => WireAction::BoundedRediscovery,
    }));
    let mut controller = Controller::after(steps, last);
    if answer.evidence.market.is_some() {
        controller.scope = Scope::Wedge;
    }
    controller.execution_program_revision_id = revision;
    controller.hard_budget_applied = answer.completion == Completion::BoundedByBudget;
    let conclusion = controller.conclude(stop, issue);
    result.outcome = Some(WireOutcome::of(&conclusion));
    result.controller = Some(controller);
    result.conclusion = Some(conclusion);
}

fn package(result: &mut QueryResult, answer: &Answer, asked: &Asked, metrics: &OrchestrationMetrics) {
    result.response_shape = Some(match asked.shape {
        ResponseShape::EvidenceOnly => PackageShape::EvidenceOnly,
        ResponseShape::Answer | ResponseShape::AnswerWithEvidence => PackageShape::AnswerWithEvidence,
    });
    result.summary = answer.text.lines().next().map(str::to_owned);
    result.evidence = Some(evidence::evidence(&answer.evidence));
    result.view = Some(evidence::view(&answer.evidence.view));
    result.freshness = Some(evidence::freshness(&answer.evidence.freshness));
    result.confidence = Some(evidence::confidence(&answer.evidence.confidence));
    result.usage = Some(Usage {
        duration_ms: result.duration_ms,
        cost: result.cost.clone(),
        tools_used: result.tools_used.clone(),
        outcome_type: result.outcome_type,
        orchestration_metrics: Some(metrics.clone()),
    });
}

fn artifacts(request: &str, kept: &Kept, kinds: Vec<StageArtifactKind>) -> Artifacts {
    Artifacts {
        data_url: kept.data_url.clone(),
        canonical_data_ref: data_reference(request, kept),
        stage_artifact_kinds: kinds,
    }
}

fn data_reference(request: &str, kept: &Kept) -> Option<CanonicalDataRef> {
    let (hash, bytes) = kept.data.as_ref()?;
    Some(CanonicalDataRef {
        dataset_id: format!("{request}:canonical-execution"),
        hash: hash.clone(),
        bytes: count(*bytes),
        public_data_url: kept.data_url.clone(),
    })
}

/// What a run left at each stage.
fn artifact_kinds(settled: &Settled, kept: &Kept) -> Vec<StageArtifactKind> {
    let mut kinds = vec![StageArtifactKind::QuerySessionContract];
    let mut add = |kind| {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    };
    for stamped in settled.events.iter() {
        match &stamped.event {
            Event::ToolsSelected { .. } => add(StageArtifactKind::ToolSelection),
            Event::DepthDecided { .. } => add(StageArtifactKind::DepthDecision),
            Event::Ruled(_) => add(StageArtifactKind::ClarificationDecision),
            Event::ProgramWritten { calls_max: 0, .. } => add(StageArtifactKind::PlannerDirectAnswer),
            Event::ProgramWritten { .. } => add(StageArtifactKind::PlannerGeneratedCode),
            Event::ProgramEnded { attempt: 1, .. } => add(StageArtifactKind::FirstPassExecution),
            Event::ProgramEnded { .. } => add(StageArtifactKind::ExecutionProgramLineage),
            Event::CompletenessEvaluated { .. } => add(StageArtifactKind::CompletenessEvaluation),
            Event::StageStarted { stage: Stage::Synthesis } => {
                add(StageArtifactKind::SynthesisContextSelection);
            }
            Event::QueryStarted { .. }
            | Event::StageStarted { .. }
            | Event::StageEnded { .. }
            | Event::Probed(_)
            | Event::GateInput(_)
            | Event::Judged(_)
            | Event::ModelAsked(_)
            | Event::ProgramRejected { .. }
            | Event::CallStarted { .. }
            | Event::CallEnded { .. }
            | Event::ContributorSearched { .. }
            | Event::Repaired(_)
            | Event::Rediscovered(_)
            | Event::AnswerSpoken { .. }
            | Event::DocumentsLooked(_)
            | Event::AnswerChecked(_)
            | Event::QueryEnded { .. } => {}
        }
    }
    if kept.data.is_some() {
        kinds.extend([StageArtifactKind::FinalExecution, StageArtifactKind::CanonicalDatasetRegistered]);
    }
    if kept.data_url.is_some() {
        kinds.push(StageArtifactKind::CanonicalDataUrlLinked);
    }
    kinds
}

/// The data, or a preview of it that says where the whole is.
fn data(data: Value, request: &str, kept: &Kept, policy: &Policy) -> Value {
    let limit = policy.budgets.inline_data_bytes_max;
    let bytes = kept.data.as_ref().map_or(0, |(_, bytes)| *bytes);
    if bytes <= limit {
        return data;
    }
    // The first item of a list, or the keys of an object: enough to see what the whole is made of.
    let preview = match data {
        Value::Array(items) => items.into_iter().next().unwrap_or(Value::Null),
        Value::Object(object) => Value::from(object.into_iter().map(|(key, _)| key).collect::<Vec<_>>()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Value::Null,
    };
    let preview = DataPreview {
        truncated: true,
        bytes: count(bytes),
        inline_bytes_max: count(limit),
        preview: if preview.to_string().len() > limit { Value::Null } else { preview },
        full_data: FullData {
            data_url: kept.data_url.clone(),
            canonical_data_ref: data_reference(request, kept),
        },
    };
    serde_json::to_value(preview).unwrap_or(Value::Null)
}

fn missed(miss: &Miss, metrics: &OrchestrationMetrics, duration_ms: u64) -> QueryResult {
    let tried: &[WireAction] =
        if metrics.rediscovery_executed { &[WireAction::BoundedRediscovery] } else { &[] };
    let body = CapabilityMiss {
        message: miss.message().to_owned(),
        missing_capabilities: miss.missing().to_vec(),
        suggested_rewrites: miss.rewrites().to_vec(),
        original_query: miss.original().to_owned(),
    };
    QueryResult::capability_miss(miss.message().to_owned(), body, tried, duration_ms)
}

/// The listings that gave data, in the order of their first call.
fn tools_used(spent: &Spent) -> Vec<ToolUsed> {
    let mut used: Vec<ToolUsed> = Vec::new();
    for call in spent.calls.iter().filter(|call| call.delivered) {
        let id = call.method.listing.to_string();
        match used.iter_mut().find(|tool| tool.id == id) {
            Some(tool) => tool.skill_calls += 1,
            None => used.push(ToolUsed { id, name: call.listing_name.clone(), skill_calls: 1 }),
        }
    }
    used
}

fn cost(spent: &Spent) -> Cost {
    let (models, tools) = (spent.model_cost(), spent.tool_cost());
    Cost {
        model_cost_usd: models.to_string(),
        tool_cost_usd: tools.to_string(),
        total_cost_usd: (models + tools).to_string(),
    }
}

fn metrics(settled: &Settled, asked: &Asked) -> OrchestrationMetrics {
    let plans =
        settled.events.iter().filter(|stamped| matches!(stamped.event, Event::ProgramEnded { .. })).count();
    let complete = matches!(&settled.ending, Ok(Outcome::Answer(answer) | Outcome::Evidence(answer))
        if matches!(answer.completion, Completion::Complete | Completion::WithGaps));
    OrchestrationMetrics {
        parity_stage: ParityStage::Enabled,
        orchestration_mode: if asked.is_pinned {
            OrchestrationMode::ManualSelectedTools
        } else {
            OrchestrationMode::AutoDiscovery
        },
        first_pass_success: complete && plans == 1,
        capability_miss_signaled: matches!(settled.ending, Ok(Outcome::Miss(_))),
        rediscovery_executed: settled.events.iter().any(|stamped| is_rediscovery(&stamped.event)),
    }
}

/// Whether other methods were taken, or looked for.
fn is_rediscovery(event: &Event) -> bool {
    matches!(event, Event::ProgramWritten { revision: Revision::OtherMethods(_), .. })
        || matches!(event, Event::Rediscovered(report) if report.executed)
}

/// Method names in a sample.
const NAMES_SAMPLED: usize = 12;

fn grounding(settled: &Settled) -> Grounding {
    let selected = settled.events.iter().find_map(|stamped| {
        let Event::ToolsSelected { listings, considered, left_out } = &stamped.event else { return None };
        Some((listings, *considered, left_out))
    });
    let names: Vec<String> = selected
        .iter()
        .flat_map(|(listings, ..)| listings.iter())
        .flat_map(|listing| &listing.methods)
        .map(ToString::to_string)
        .collect();
    let calls = &settled.spent.calls;
    let successes = calls.iter().filter(|call| call.delivered).count();
    Grounding {
        available_tool_count: count(selected.map_or(0, |(_, considered, _)| considered)),
        selected_method_count: count(names.len()),
        available_method_names_sample: names.into_iter().take(NAMES_SAMPLED).collect(),
        selected_but_filtered_out: selected
            .iter()
            .flat_map(|(.., left_out)| left_out.iter())
            .map(|left_out| left_out.method.method.to_string())
            .collect(),
        tool_call_count: count(calls.len()),
        tool_call_attempt_count: count(calls.len()),
        tool_call_success_count: count(successes),
        tool_call_failure_count: count(calls.len() - successes),
        tool_call_failure_samples: failure_samples(settled),
        grounded: successes > 0,
    }
}

/// Failed calls in a sample.
const FAILURES_SAMPLED: usize = 5;

fn failure_samples(settled: &Settled) -> Vec<CallFailureSample> {
    let failed = settled.events.iter().filter_map(|stamped| {
        let Event::CallEnded { method, listing_name, outcome: Err(fault), .. } = &stamped.event else {
            return None;
        };
        Some(CallFailureSample {
            tool_name: Some(listing_name.clone()),
            method_name: Some(method.method.to_string()),
            reason: fault.to_string(),
        })
    });
    failed.take(FAILURES_SAMPLED).collect()
}

fn session(lines: &Lines, status: SessionStatus, stage: CheckpointStage) -> QuerySession {
    let (mode, origin) = match lines.mode {
        AttemptMode::Initial => (SessionMode::Initial, SessionOrigin::InitialRequest),
        AttemptMode::Resume(_) => (SessionMode::Resume, SessionOrigin::Resume),
        AttemptMode::Fork(_) => (SessionMode::Fork, SessionOrigin::Fork),
    };
    QuerySession {
        session_id: lines.session.clone(),
        attempt_id: lines.attempt.clone(),
        parent_attempt_id: lines.mode.parent().map(str::to_owned),
        root_attempt_id: lines.root.clone(),
        mode,
        origin,
        status,
        checkpoint: Checkpoint { current_stage: Some(stage), ..Checkpoint::default() },
    }
}

//! What a trace tells of the models that were asked, by the names that the policy has for them.

use contract::trace::{
    CostDiagnostics, JudgeTelemetry, ModelStage as WireStage, ModelStageName, Models, StepEvent, StepStatus,
    StepType, TraceStep,
};
use domain::Usd;
use engine::Settled;
use llm::{FallbackReason, StageReport, Usage};
use policy::ModelStage;
use serde_json::{Value, json};
use trace::{Event, Stage, Verdict};

use super::metadata;
use crate::to_wire::count;

/// The models, stage by stage; none where no model was asked.
pub(super) fn stages(settled: &Settled) -> Option<Models> {
    let mut stages = Vec::new();
    let mut planning = None;
    let mut is_mending = false;
    for stamped in settled.events.iter() {
        if let Event::StageStarted { stage: Stage::Planning } = stamped.event {
            planning = Some(match planning {
                None => ModelStageName::Planning,
                Some(_) if is_mending => ModelStageName::Repair,
                Some(_) => ModelStageName::RediscoveryPlanning,
            });
        }
        if let Event::CompletenessEvaluated { verdict, .. } = stamped.event {
            is_mending = verdict == Verdict::RetrySameTools;
        }
        if let Event::ModelAsked(report) = &stamped.event {
            stages.push(stage(report, planning.unwrap_or(ModelStageName::Planning)));
        }
        if let Event::ProgramRejected { .. } = stamped.event {
            planning = Some(ModelStageName::Repair);
        }
    }
    (!stages.is_empty()).then_some(Models { stages })
}

fn stage(report: &StageReport, planning: ModelStageName) -> WireStage {
    let is_invoked = report.attempts.iter().any(|attempt| {
        !matches!(attempt.fault, Some(FallbackReason::CircuitOpen | FallbackReason::BudgetSpent))
    });
    WireStage {
        stage: match report.stage {
            ModelStage::Judge => ModelStageName::ClarificationJudge,
            ModelStage::Plan => planning,
            ModelStage::Complete => ModelStageName::CompletenessCheck,
            ModelStage::Summarize | ModelStage::Recap => ModelStageName::InternalSummarization,
            ModelStage::Explore => ModelStageName::IterativeExecution,
            ModelStage::Reason | ModelStage::Synthesize => ModelStageName::FinalSynthesis,
        },
        logical_model_id: Some(report.first.clone()),
        requested_model_id: Some(report.named.as_ref().unwrap_or(&report.first).clone()),
        resolved_model_id: Some(report.first.clone()),
        effective_model_id: Some(report.answered_by.clone()),
        fallback_reason: report.fallback.as_ref().map(ToString::to_string),
        synthesis_skipped: None,
        invoked: is_invoked,
        latency_ms: u64::try_from(report.elapsed().as_millis()).ok(),
        actual_cost_usd: dollars(report.usage().cost),
        usage: Some(used(report.usage())),
    }
}

/// A step for a model that did not answer.
pub(super) fn step(report: &StageReport, timestamp_ms: i64) -> Option<TraceStep> {
    let reason = report.fallback.as_ref()?;
    Some(TraceStep {
        step_type: Some(StepType::Fallback),
        event: Some(StepEvent::ModelFallback),
        status: Some(StepStatus::Triggered),
        timestamp_ms: Some(timestamp_ms),
        message: Some(format!("`{}` did not answer: {reason}; `{}` did.", report.first, report.answered_by)),
        metadata: metadata(json!({
            "stage": report.stage.word(),
            "modelId": report.first,
            "effectiveModelId": report.answered_by,
            "reasonCode": reason.word(),
            "requests": count(report.attempts.len()),
        })),
        ..TraceStep::default()
    })
}

/// What the judge's models did; none where no model was asked for an opinion.
pub(crate) fn judge(settled: &Settled) -> Option<&StageReport> {
    reports(settled).find(|report| report.stage == ModelStage::Judge)
}

/// What the judge cost.
pub(crate) fn telemetry(report: &StageReport) -> JudgeTelemetry {
    let usage = report.usage();
    JudgeTelemetry {
        model_id: Some(report.first.clone()),
        runtime_model_id: Some(report.answered_by.clone()),
        judge_usage: Some(used(usage)),
        judge_actual_cost_usd: dollars(usage.cost),
        total_actual_cost_usd: dollars(usage.cost),
        ..JudgeTelemetry::default()
    }
}

/// What the request cost, its models and its calls.
pub(super) fn cost(settled: &Settled) -> CostDiagnostics {
    let (models, tools) = (settled.spent.model_cost(), settled.spent.tool_cost());
    CostDiagnostics {
        planning_cost_usd: cost_of(settled, &[ModelStage::Plan]),
        synthesis_cost_usd: cost_of(settled, &[ModelStage::Summarize, ModelStage::Synthesize]),
        total_model_cost_usd: dollars(models),
        tool_cost_usd: dollars(tools),
        total_charged_usd: dollars(models + tools),
        ..CostDiagnostics::default()
    }
}

/// What stages cost; none where they asked no model.
fn cost_of(settled: &Settled, stages: &[ModelStage]) -> Option<f64> {
    let costs: Vec<Usd> = reports(settled)
        .filter(|report| stages.contains(&report.stage))
        .map(|report| report.usage().cost)
        .collect();
    if costs.is_empty() { None } else { dollars(costs.into_iter().sum()) }
}

fn reports(settled: &Settled) -> impl Iterator<Item = &StageReport> {
    settled.events.iter().filter_map(|stamped| {
        let Event::ModelAsked(report) = &stamped.event else { return None };
        Some(&**report)
    })
}

fn used(usage: Usage) -> Value {
    json!({
        "inputTokens": usage.input_tokens,
        "outputTokens": usage.output_tokens,
        "totalTokens": usage.input_tokens.saturating_add(usage.output_tokens),
        "isEstimated": usage.is_estimated,
    })
}

fn dollars(amount: Usd) -> Option<f64> {
    amount.amount().to_string().parse().ok()
}

//! The question back, and the gate's part of the developer trace.

use std::fmt::Write;

use contract::query::ClarificationPolicy as WirePolicy;
use contract::result::{
    AssumptionMade, AssumptionMode, Clarification, ClarificationOption, OutcomeType, ResolutionMode,
};
use contract::session::OrchestrationMode;
use contract::trace::{
    CandidateSummary as WireSummary, ClarificationDiagnostics, CopyStrategy, DecisionReason,
    DecisionStrategy, EvidenceSources,
};
use domain::ClarificationPolicy;
use gate::{
    Assumption, CandidateSummary, Card, CardOption, Decision, OptionId, ReasonCode, Strategy, Verdict,
};
use llm::StageReport;
use policy::RolloutStage;

use super::count;
use super::trace::models;

/// The question with its options as a numbered list, for callers that show text alone.
pub(crate) fn listed(card: &Card) -> String {
    let mut text = card.question.clone();
    for (place, option) in card.options.iter().enumerate() {
        // Writing to a String cannot fail.
        let _ = write!(text, "\n{}. {}", place + 1, option.label);
    }
    text
}

/// The question back; `token` gives what an option is picked with.
pub(crate) fn card(card: &Card, token: impl Fn(&CardOption) -> String) -> Clarification {
    let recommended = card.recommended().map(|option| option.id.clone());
    Clarification {
        options: card
            .options
            .iter()
            .map(|option| wire_option(option, recommended.as_ref(), token(option)))
            .collect(),
        question: card.question.clone(),
        allow_freeform: card.allows_freeform,
        recommended_option_id: recommended.map(|id| id.to_string()).unwrap_or_default(),
        original_query: card.original.clone(),
    }
}

fn wire_option(option: &CardOption, recommended: Option<&OptionId>, token: String) -> ClarificationOption {
    ClarificationOption {
        id: option.id.to_string(),
        tool_id: option.method.listing.to_string(),
        tool_name: option.listing_name.clone(),
        method_name: option.method.method.to_string(),
        label: option.label.clone(),
        description: option.description.clone(),
        fit_score: option.fit_score,
        recommended: recommended == Some(&option.id),
        resolution_mode: Some(match option.followup {
            Some(_) => ResolutionMode::Freeform,
            None => ResolutionMode::Option,
        }),
        followup_prompt: option.followup.clone(),
        choice_token: Some(token),
    }
}

/// What was taken for granted in the place of asking.
pub(crate) fn assumption_made(assumption: &Assumption) -> AssumptionMade {
    AssumptionMade {
        mode: AssumptionMode::Auto,
        option_id: assumption.option.to_string(),
        label: assumption.label.clone(),
        reason: assumption.reason.clone(),
    }
}

/// The gate's part of the developer trace; complete, since clients up to 0.13 check every key.
/// `judge` is what the judge's models did.
pub(crate) fn diagnostics(
    decision: &Decision,
    is_pinned: bool,
    judge: Option<&StageReport>,
) -> ClarificationDiagnostics {
    let silence = judge.and_then(|report| report.fallback.as_ref());
    let is_auto = decision.policy == ClarificationPolicy::Auto;
    ClarificationDiagnostics {
        orchestration_mode: if is_pinned {
            OrchestrationMode::ManualSelectedTools
        } else {
            OrchestrationMode::AutoDiscovery
        },
        rollout_stage: decision.rollout.word().to_owned(),
        shadow_mode: decision.rollout == RolloutStage::Shadow,
        policy: wire_policy(decision.policy),
        outcome_type: outcome_type(decision.verdict),
        triggered: decision.is_triggered(),
        option_count: count(decision.options.len()),
        candidate_count: count(decision.candidate_count),
        viable_candidate_count: count(decision.viable.len()),
        recommended_option_id: decision.recommended.as_ref().map(ToString::to_string),
        recommended_option_reason: decision.recommended_reason.clone(),
        auto_resolved: decision.assumption.is_some(),
        auto_select_enabled: is_auto,
        assumption_made: decision.assumption.as_ref().map(assumption_made),
        missing_capability: decision.missing_capability.clone(),
        decision_reason_code: reason(decision.reason),
        decision_signals: decision.signals.iter().map(gate::Signal::word).collect(),
        evidence_sources: EvidenceSources {
            uses_method_schemas: true,
            uses_probe_args: true,
            uses_method_metadata: true,
            uses_tool_selection_context: true,
            uses_llm_selection: false,
        },
        compared_option_ids: decision.viable.iter().map(ToString::to_string).collect(),
        decision_strategy: match decision.strategy {
            Strategy::Deterministic => DecisionStrategy::Deterministic,
            Strategy::LlmPrimary => DecisionStrategy::LlmPrimary,
        },
        judge_attempted: decision.judge.is_attempted,
        judge_applied: decision.judge.is_applied,
        judge_outcome_type: decision.judge.verdict.map(outcome_type),
        judge_confidence: decision.judge.confidence,
        judge_reason: decision.judge.reason.clone(),
        judge_error: decision.judge.error.clone().or_else(|| silence.map(ToString::to_string)),
        validator_reason: decision.validator_reason.clone(),
        fallback_reason: fallback_reason(decision),
        copy_strategy: CopyStrategy::Deterministic,
        rewrite_attempted: false,
        rewrite_applied: false,
        rewrite_error: None,
        candidate_summaries: decision.summaries.iter().map(summary).collect(),
        model_telemetry: judge.map(models::telemetry),
    }
}

/// What was done instead of the judge's word or of the caller's choice.
pub(crate) fn fallback_reason(decision: &Decision) -> Option<String> {
    let choice = decision.choice_fault.as_ref();
    let choice = choice.map(|fault| format!("ruled afresh because the choice does not hold: {fault}"));
    choice.or_else(|| decision.fallback_reason.clone())
}

fn summary(summary: &CandidateSummary) -> WireSummary {
    #[expect(clippy::cast_possible_truncation, reason = "points run from 0 to 100")]
    let whole = summary.points.round() as i64;
    WireSummary {
        option_id: summary.option.to_string(),
        fit_score: whole,
        fit_score_exact: Some(summary.points),
        llm_relevance_score: None,
        required_params: summary.required.clone(),
        unresolved_required_params: summary.unresolved.clone(),
        probe_arg_keys: summary.given.clone(),
        input_field_names: summary.inputs.clone(),
        output_keys: summary.outputs.clone(),
        latency_class: summary.latency.word().to_owned(),
        execute_price_usd: summary.price.map(|price| price.to_string()),
        query_eligible: true,
        semantic_scope: Some(summary.profile.scope.word().to_owned()),
        semantic_entity_granularity: Some(summary.profile.granularity.word().to_owned()),
        semantic_requires_named_entity: Some(summary.profile.requires_named_entity),
        semantic_venue_specificity: Some("tool-bound".to_owned()),
        semantic_output_cardinality: Some(summary.profile.cardinality.word().to_owned()),
        semantic_profile_confidence: Some(summary.profile.confidence),
    }
}

/// What the caller wants done with an ambiguous question, as the wire has it.
pub(crate) fn wire_policy(policy: ClarificationPolicy) -> WirePolicy {
    match policy {
        ClarificationPolicy::Return => WirePolicy::Return,
        ClarificationPolicy::Auto => WirePolicy::Auto,
        ClarificationPolicy::Error => WirePolicy::Error,
    }
}

/// A verdict as the wire's outcome.
pub(crate) fn outcome_type(verdict: Verdict) -> OutcomeType {
    match verdict {
        Verdict::Answer => OutcomeType::Answer,
        Verdict::Clarify => OutcomeType::ClarificationRequired,
        Verdict::Miss => OutcomeType::CapabilityMiss,
    }
}

/// Why the gate decided so, as the wire has it.
pub(crate) fn reason(reason: ReasonCode) -> DecisionReason {
    match reason {
        ReasonCode::RolloutDisabled => DecisionReason::RolloutDisabled,
        ReasonCode::NoGroundedCandidates => DecisionReason::NoGroundedCandidates,
        ReasonCode::SingleGroundedInterpretation => DecisionReason::SingleGroundedInterpretation,
        ReasonCode::RequiredDiscriminatorAmbiguity => DecisionReason::RequiredDiscriminatorAmbiguity,
        ReasonCode::ContractScopeAmbiguity => DecisionReason::ContractScopeAmbiguity,
        ReasonCode::CostOrLatencyAmbiguity => DecisionReason::CostOrLatencyAmbiguity,
        ReasonCode::SemanticScopeAmbiguity => DecisionReason::SemanticScopeAmbiguity,
        ReasonCode::CapabilityMiss => DecisionReason::CapabilityMiss,
    }
}

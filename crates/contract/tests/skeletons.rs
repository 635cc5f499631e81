//! The published skeletons of the three endings and of the trace, built from the types.

use std::path::Path;

use contract::evidence::{
    Artifacts, CanonicalDataRef, Confidence, ConfidenceLevel, Evidence, Fact, Freshness, SourceRef,
    StageArtifactKind, Usage, View, ViewKind, ViewRow,
};
use contract::query::ClarificationPolicy;
use contract::result::{
    Action, AssumptionMade, AssumptionMode, CapabilityMiss, Clarification, ClarificationOption, Controller,
    Cost, Outcome, OutcomeType, PackageShape, QueryResult, ResolutionMode, StopReason, ToolUsed,
};
use contract::session::{
    CheckpointStage, Grounding, OrchestrationMetrics, OrchestrationMode, ParityStage, QuerySession,
    SessionStatus,
};
use contract::trace::{
    CandidateSummary, ClarificationDiagnostics, CopyStrategy, DecisionReason, DecisionStrategy,
    DeveloperTrace, Diagnostics, EvidenceSources, SelectionDiagnostics, StepEvent, StepStatus, StepType,
    TraceSource, TraceStep, TraceSummary,
};
use serde_json::{Value, json};

const OBSERVED: &str = "2026-03-29T00:00:00.000Z";

fn text(text: &str) -> String {
    text.to_owned()
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().copied().map(text).collect()
}

fn cost() -> Cost {
    Cost {
        model_cost_usd: text("0.012300"),
        tool_cost_usd: text("0.000000"),
        total_cost_usd: text("0.012300"),
    }
}

fn tool_used() -> ToolUsed {
    ToolUsed { id: text("<toolId>"), name: text("Venue"), skill_calls: 2 }
}

fn metrics(first_pass_success: bool, capability_miss_signaled: bool) -> OrchestrationMetrics {
    OrchestrationMetrics {
        parity_stage: ParityStage::Enabled,
        orchestration_mode: OrchestrationMode::ManualSelectedTools,
        first_pass_success,
        capability_miss_signaled,
        rediscovery_executed: false,
    }
}

fn session(status: SessionStatus, stage: CheckpointStage) -> QuerySession {
    let mut session = QuerySession::initial(text("<uuid>"), text("<uuid2>"), status, stage);
    session.checkpoint.latest_checkpoint_artifact_id = Some(text("<requestId>:7"));
    session
}

fn answer() -> QueryResult {
    let controller = Controller::after(vec![Action::InspectCurrentGrounding], Action::ReturnCompleteAnswer);
    let conclusion = controller.conclude(StopReason::CompleteAnswer, None);
    QueryResult {
        response_shape: Some(PackageShape::AnswerWithEvidence),
        summary: Some(text("…")),
        outcome: Some(Outcome::of(&conclusion)),
        controller: Some(controller),
        conclusion: Some(conclusion),
        assumption_made: Some(AssumptionMade {
            mode: AssumptionMode::Auto,
            option_id: text("<toolId>:method"),
            label: text("…"),
            reason: text("…"),
        }),
        evidence: Some(evidence()),
        artifacts: Some(artifacts()),
        view: Some(view()),
        freshness: Some(Freshness {
            as_of: Some(text(OBSERVED)),
            source_timestamps: texts(&[OBSERVED]),
            note: text("…"),
        }),
        confidence: Some(Confidence {
            level: ConfidenceLevel::High,
            reason: text("…"),
            verified_fact_count: 1,
            inferred_fact_count: 0,
            gap_count: 0,
            gap_signals: Vec::new(),
        }),
        usage: Some(Usage {
            duration_ms: 21_034,
            cost: cost(),
            tools_used: vec![tool_used()],
            outcome_type: OutcomeType::Answer,
            orchestration_metrics: Some(metrics(true, false)),
        }),
        orchestration_metrics: Some(metrics(true, false)),
        query_session: Some(session(SessionStatus::Completed, CheckpointStage::Synthesis)),
        grounding: Some(Grounding {
            available_tool_count: 45,
            available_method_names_sample: texts(&["m"]),
            selected_method_count: 2,
            selected_but_filtered_out: Vec::new(),
            tool_call_count: 2,
            tool_call_attempt_count: 2,
            tool_call_success_count: 2,
            tool_call_failure_count: 0,
            tool_call_failure_samples: Vec::new(),
            grounded: true,
        }),
        ..QueryResult::answer(text("…"), vec![tool_used()], cost(), 21_034)
    }
}

fn evidence() -> Evidence {
    Evidence {
        facts: vec![Fact {
            id: text("path_lookup:0"),
            label: text("…"),
            path: Some(text("$.x")),
            relevance_score: Some(1.0),
            value: json!(42),
        }],
        source_refs: vec![SourceRef {
            id: text("source-1"),
            observed_at: Some(text(OBSERVED)),
            ..SourceRef::default()
        }],
        assumptions: texts(&["label: reason"]),
        retrieval_plan_reason_codes: texts(&["keyword_lookup"]),
        ..Evidence::default()
    }
}

fn artifacts() -> Artifacts {
    Artifacts {
        data_url: None,
        canonical_data_ref: Some(CanonicalDataRef {
            dataset_id: text("<requestId>:canonical-execution"),
            hash: text("<64 hex>"),
            bytes: 589,
            public_data_url: None,
        }),
        stage_artifact_kinds: vec![
            StageArtifactKind::ToolSelection,
            StageArtifactKind::ClarificationDecision,
            StageArtifactKind::FinalExecution,
        ],
    }
}

fn view() -> View {
    View {
        kind: ViewKind::Table,
        label: text("Table"),
        title: Some(text("Evidence table")),
        metrics: Vec::new(),
        columns: texts(&["Evidence", "Value"]),
        rows: vec![ViewRow {
            key: text("row-1"),
            cells: texts(&["x", "42"]),
            tone: None,
            source_ref_ids: texts(&["source-1"]),
        }],
    }
}

fn clarification() -> QueryResult {
    let option = |method: &str, recommended| ClarificationOption {
        id: format!("<toolId>:{method}"),
        tool_id: text("<toolId>"),
        tool_name: text("Venue"),
        method_name: text(method),
        label: text("…"),
        description: text("…"),
        fit_score: 21,
        recommended,
        resolution_mode: Some(ResolutionMode::Option),
        followup_prompt: None,
        choice_token: None,
    };
    let card = Clarification {
        question: text("…"),
        options: vec![option("m1", true), option("m2", false)],
        allow_freeform: false,
        recommended_option_id: text("<toolId>:m1"),
        original_query: text("…"),
    };
    QueryResult {
        orchestration_metrics: Some(metrics(false, false)),
        query_session: Some(session(SessionStatus::Active, CheckpointStage::Planning)),
        ..QueryResult::clarification(text("… 1. … 2. …"), card, 4308)
    }
}

fn miss() -> QueryResult {
    let miss = CapabilityMiss {
        message: text("…"),
        missing_capabilities: texts(&["No grounded method supports the requested venue: x."]),
        suggested_rewrites: texts(&["…", "…", "…"]),
        original_query: text("…"),
    };
    QueryResult {
        orchestration_metrics: Some(metrics(false, true)),
        query_session: Some(session(SessionStatus::Aborted, CheckpointStage::Selection)),
        ..QueryResult::capability_miss(text("…"), miss, &[], 3900)
    }
}

fn trace() -> DeveloperTrace {
    let metadata = json!({"requestId": "…", "queryDepth": "deep"});
    DeveloperTrace {
        request_id: Some(text("<Idempotency-Key or uuid>")),
        query: Some(text("…")),
        source: Some(TraceSource::BackendRuntime),
        summary: Some(TraceSummary::default()),
        timeline: vec![TraceStep {
            step_type: Some(StepType::Orchestration),
            event: Some(StepEvent::QueryStart),
            status: Some(StepStatus::Ok),
            timestamp_ms: Some(1_774_742_400_000),
            metadata: metadata.as_object().cloned(),
            ..TraceStep::default()
        }],
        diagnostics: Some(Diagnostics {
            selection: Some(SelectionDiagnostics {
                selected_depth: Some(text("deep")),
                deep_mode: Some(text("deep")),
                scout_probe_ambiguity_pool_count: Some(10),
                ..SelectionDiagnostics::default()
            }),
            clarification: Some(gate()),
            ..Diagnostics::default()
        }),
        ..DeveloperTrace::default()
    }
}

fn gate() -> ClarificationDiagnostics {
    ClarificationDiagnostics {
        orchestration_mode: OrchestrationMode::ManualSelectedTools,
        rollout_stage: text("enabled"),
        shadow_mode: false,
        policy: ClarificationPolicy::Return,
        outcome_type: OutcomeType::ClarificationRequired,
        triggered: true,
        option_count: 2,
        candidate_count: 38,
        viable_candidate_count: 2,
        recommended_option_id: Some(text("<toolId>:m1")),
        recommended_option_reason: Some(text("…")),
        auto_resolved: false,
        auto_select_enabled: false,
        assumption_made: None,
        missing_capability: None,
        decision_reason_code: DecisionReason::ContractScopeAmbiguity,
        decision_signals: Vec::new(),
        evidence_sources: EvidenceSources {
            uses_method_schemas: true,
            uses_probe_args: false,
            uses_method_metadata: true,
            uses_tool_selection_context: false,
            uses_llm_selection: false,
        },
        compared_option_ids: texts(&["<toolId>:m1", "<toolId>:m2"]),
        decision_strategy: DecisionStrategy::Deterministic,
        judge_attempted: false,
        judge_applied: false,
        judge_outcome_type: None,
        judge_confidence: None,
        judge_reason: None,
        judge_error: None,
        validator_reason: None,
        fallback_reason: None,
        copy_strategy: CopyStrategy::Deterministic,
        rewrite_attempted: false,
        rewrite_applied: false,
        rewrite_error: None,
        candidate_summaries: vec![candidate()],
        model_telemetry: None,
    }
}

fn candidate() -> CandidateSummary {
    CandidateSummary {
        option_id: text("<toolId>:m1"),
        fit_score: 21,
        fit_score_exact: None,
        llm_relevance_score: None,
        required_params: Vec::new(),
        unresolved_required_params: Vec::new(),
        probe_arg_keys: Vec::new(),
        input_field_names: texts(&["slug"]),
        output_keys: texts(&["x"]),
        latency_class: text("instant"),
        execute_price_usd: None,
        query_eligible: true,
        semantic_scope: None,
        semantic_entity_granularity: None,
        semantic_requires_named_entity: None,
        semantic_venue_specificity: None,
        semantic_output_cardinality: None,
        semantic_profile_confidence: None,
    }
}

/// Numbers that are whole become integers, so that 1 and 1.0 are the same.
fn with_whole_numbers(value: Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() && float.fract() == 0.0 => json!(float.round().to_string()),
            _ => json!(number.to_string()),
        },
        Value::Array(items) => items.into_iter().map(with_whole_numbers).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(key, value)| (key, with_whole_numbers(value))).collect()
        }
        other @ (Value::Null | Value::Bool(_) | Value::String(_)) => other,
    }
}

#[test]
fn the_published_skeletons_are_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/contract/wire-examples.json");
    let Ok(file) = std::fs::read_to_string(&path) else {
        println!("skipped: the published skeletons are not beside this checkout");
        return;
    };
    let published: Value = serde_json::from_str(&file).unwrap();
    let built = [
        ("answer", serde_json::to_value(answer())),
        ("clar", serde_json::to_value(clarification())),
        ("miss", serde_json::to_value(miss())),
        ("trace", serde_json::to_value(trace())),
    ];
    for (name, built) in built {
        let (built, published) = (built.unwrap(), published[name].clone());
        assert_eq!(with_whole_numbers(built), with_whole_numbers(published), "{name}");
    }
}

#[test]
fn results_and_traces_round_trip() {
    for mut result in [answer(), clarification(), miss()] {
        result.developer_trace = Some(Box::new(trace()));
        let json = serde_json::to_string(&result).unwrap();
        assert_eq!(serde_json::from_str::<QueryResult>(&json).unwrap(), result);
    }
}

#[test]
fn endings_without_an_answer_have_no_package() {
    let package = [
        "responseShape",
        "summary",
        "evidence",
        "artifacts",
        "view",
        "freshness",
        "confidence",
        "usage",
        "outcome",
    ];
    for result in [clarification(), miss()] {
        let value = serde_json::to_value(result).unwrap();
        for key in package {
            assert_eq!(value.get(key), None, "{key}");
        }
        assert_eq!(value["toolsUsed"], json!([]));
        assert_eq!(value["cost"]["totalCostUsd"], json!("0.000000"));
    }
}

#[test]
fn a_plain_answer_has_the_keys_of_every_version() {
    let plain = QueryResult::answer(text("It is 7."), vec![tool_used()], cost(), 12);
    insta::assert_json_snapshot!(plain, @r#"
    {
      "success": true,
      "response": "It is 7.",
      "toolsUsed": [
        {
          "id": "<toolId>",
          "name": "Venue",
          "skillCalls": 2
        }
      ],
      "cost": {
        "modelCostUsd": "0.012300",
        "toolCostUsd": "0.000000",
        "totalCostUsd": "0.012300"
      },
      "durationMs": 12,
      "outcomeType": "answer"
    }
    "#);
}

#[test]
fn a_miss_looks_like_this() {
    let miss = CapabilityMiss {
        message: text("No listing knows the weather on Mars."),
        missing_capabilities: texts(&["weather:mars"]),
        suggested_rewrites: texts(&["Name a city."]),
        original_query: text("How is the weather on Mars?"),
    };
    let result = QueryResult::capability_miss(text("I cannot."), miss, &[Action::BoundedRediscovery], 3);
    insta::assert_snapshot!(serde_json::to_string(&result).unwrap(), @r#"{"success":true,"response":"I cannot.","toolsUsed":[],"cost":{"modelCostUsd":"0.000000","toolCostUsd":"0.000000","totalCostUsd":"0.000000"},"durationMs":3,"outcomeType":"capability_miss","capabilityMiss":{"message":"No listing knows the weather on Mars.","missingCapabilities":["weather:mars"],"suggestedRewrites":["Name a city."],"originalQuery":"How is the weather on Mars?"},"controller":{"scope":"standard","nextAction":"return_capability_miss","actionsTaken":["inspect_current_grounding","bounded_rediscovery","return_capability_miss"],"patchFirstProgramPreserved":false,"executionProgramRevisionId":null,"hardBudgetApplied":false},"stopReason":"capability_miss","issueClass":"missing_capability","actionsTaken":["inspect_current_grounding","bounded_rediscovery","return_capability_miss"]}"#);
}

#[test]
fn an_empty_trace_is_empty() {
    assert_eq!(serde_json::to_string(&DeveloperTrace::default()).unwrap(), "{}");
}

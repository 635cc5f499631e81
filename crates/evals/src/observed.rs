//! What came of asking a case, read from the result as every client reads it.

use std::collections::BTreeSet;
use std::sync::Arc;

use contract::events::ErrorEvent;
use contract::result::{Clarification, OutcomeType, QueryResult};
use contract::trace::{ClarificationDiagnostics, DecisionReason, DeveloperTrace};

use crate::corpus::Outcome;

/// What came of asking.
#[derive(Clone, Debug)]
pub enum Reply {
    /// A result.
    Seen(Box<Observed>),
    /// No result, and why.
    Failed(String),
    /// It was not asked, and why.
    Skipped(String),
}

/// A result, as far as cases say something of it.
#[derive(Clone, Debug)]
pub struct Observed {
    /// How it ended.
    pub outcome: Outcome,
    /// The methods that were called, or offered.
    pub methods: BTreeSet<String>,
    /// What it says it assumed about the question's meaning, and whether its evidence says so too.
    pub assumption: Option<Assumption>,
    /// What the gate says of its decision; none where it did not look.
    pub gate: Option<GateTrace>,
    /// The result itself, for what cases say of its evidence; none where it is an error.
    pub result: Option<Arc<QueryResult>>,
    /// How long the caller waited, in microseconds.
    pub duration_us: u64,
}

/// An interpretation that was taken without asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// Its short name.
    pub label: String,
    /// Whether it stands among the evidence's assumptions.
    pub is_in_evidence: bool,
}

/// The gate's part of the developer trace.
#[derive(Clone, Debug, PartialEq)]
pub struct GateTrace {
    /// Why it decided so.
    pub reason: DecisionReason,
    /// What it decided.
    pub outcome: Outcome,
    /// How far it is rolled out.
    pub rollout_stage: String,
    /// What its judge said.
    pub judge_outcome: Option<Outcome>,
    /// How sure the judge was, from 0 to 1.
    pub judge_confidence: Option<f64>,
    /// What it did instead of taking the judge's word, and why.
    pub fallback_reason: Option<String>,
    /// The required arguments that it found no value for, over all candidates.
    pub unresolved: BTreeSet<String>,
}

impl Observed {
    /// Reads a result.
    #[must_use]
    pub fn of(result: &QueryResult, duration_us: u64) -> Self {
        let trace = result.developer_trace.as_deref();
        let outcome = outcome(result.outcome_type);
        let methods = match &result.clarification {
            Some(clarification) => offered(clarification),
            None => trace.map(called).unwrap_or_default(),
        };
        let assumption = result.assumption_made.as_ref().map(|made| {
            let stated = result.evidence.iter().flat_map(|evidence| &evidence.assumptions);
            let is_in_evidence = stated.into_iter().any(|text| text.starts_with(&made.label));
            Assumption { label: made.label.clone(), is_in_evidence }
        });
        let mut kept = result.clone();
        kept.developer_trace = None;
        let result = Some(Arc::new(kept));
        Self { outcome, methods, assumption, gate: trace.and_then(gate), result, duration_us }
    }

    /// Reads an ending that a stream gives as an error, for the policy `error`; none where it is an error indeed.
    #[must_use]
    pub fn of_error(event: &ErrorEvent, trace: Option<&DeveloperTrace>, duration_us: u64) -> Option<Self> {
        Some(Self {
            outcome: outcome(event.outcome_type?),
            methods: event.clarification.as_ref().map(offered).unwrap_or_default(),
            assumption: None,
            gate: trace.and_then(gate),
            result: None,
            duration_us,
        })
    }

    /// What was made of the question itself: an assumption is a clarification that the policy resolved.
    #[must_use]
    pub fn made_of_it(&self) -> Outcome {
        match (self.outcome, &self.assumption) {
            (Outcome::Answer, Some(_)) => Outcome::ClarificationRequired,
            (outcome, _) => outcome,
        }
    }
}

fn offered(clarification: &Clarification) -> BTreeSet<String> {
    clarification.options.iter().map(|option| option.method_name.clone()).collect()
}

fn called(trace: &DeveloperTrace) -> BTreeSet<String> {
    trace.tool_call_history.iter().map(|call| call.tool_name.clone()).collect()
}

fn gate(trace: &DeveloperTrace) -> Option<GateTrace> {
    let said: &ClarificationDiagnostics = trace.diagnostics.as_ref()?.clarification.as_ref()?;
    Some(GateTrace {
        reason: said.decision_reason_code,
        outcome: outcome(said.outcome_type),
        rollout_stage: said.rollout_stage.clone(),
        judge_outcome: said.judge_outcome_type.map(outcome),
        judge_confidence: said.judge_confidence,
        fallback_reason: said.fallback_reason.clone(),
        unresolved: said
            .candidate_summaries
            .iter()
            .flat_map(|candidate| candidate.unresolved_required_params.iter().cloned())
            .collect(),
    })
}

fn outcome(outcome: OutcomeType) -> Outcome {
    match outcome {
        OutcomeType::Answer => Outcome::Answer,
        OutcomeType::ClarificationRequired => Outcome::ClarificationRequired,
        OutcomeType::CapabilityMiss => Outcome::CapabilityMiss,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn result(changes: &Value) -> QueryResult {
        let mut result = json!({
            "success": true, "response": "", "toolsUsed": [], "durationMs": 1, "outcomeType": "answer",
            "cost": {"modelCostUsd": "0", "toolCostUsd": "0", "totalCostUsd": "0"},
        });
        for (key, value) in changes.as_object().unwrap() {
            result[key] = value.clone();
        }
        serde_json::from_value(result).unwrap()
    }

    #[test]
    fn an_assumption_counts_as_disclosed_where_the_evidence_says_it_too() {
        let made = json!({"mode": "auto", "optionId": "a:b", "label": "Odds", "reason": "It fits best."});
        let evidence = |assumptions: &[&str]| {
            json!({"facts": [], "sourceRefs": [], "assumptions": assumptions, "knownUnknowns": [],
                   "retrievalPlanReasonCodes": []})
        };
        let silent =
            Observed::of(&result(&json!({"assumptionMade": made, "evidence": evidence(&["Today."])})), 3);
        assert!(!silent.assumption.clone().unwrap().is_in_evidence);
        assert_eq!((silent.outcome, silent.made_of_it()), (Outcome::Answer, Outcome::ClarificationRequired));
        let said = json!({"assumptionMade": made, "evidence": evidence(&["Odds: It fits best."])});
        assert!(Observed::of(&result(&said), 3).assumption.unwrap().is_in_evidence);
        let plain = Observed::of(&result(&json!({})), 3);
        assert_eq!((plain.made_of_it(), plain.gate), (Outcome::Answer, None));
    }

    #[test]
    fn calls_and_options_are_read() {
        let history = json!([{"toolId": "t", "toolName": "get_rain", "args": {}, "result": {}}]);
        let answered = result(&json!({"developerTrace": {"toolCallHistory": history}}));
        assert!(Observed::of(&answered, 0).methods.contains("get_rain"));
        let option = json!({"id": "t:a", "toolId": "t", "toolName": "T", "methodName": "a", "label": "A",
                            "description": "", "fitScore": 1, "recommended": true});
        let clarification = json!({"question": "Which?", "options": [option], "allowFreeform": false,
                                   "recommendedOptionId": "t:a", "originalQuery": "q"});
        let asked = json!({"outcomeType": "clarification_required", "clarification": clarification});
        assert!(Observed::of(&result(&asked), 0).methods.contains("a"));
    }

    #[test]
    fn an_error_event_may_carry_an_ending() {
        let event = |outcome: Value| -> ErrorEvent {
            serde_json::from_value(json!({"error": "unclear", "outcomeType": outcome})).unwrap()
        };
        let asked = Observed::of_error(&event(json!("clarification_required")), None, 0).unwrap();
        assert_eq!(asked.outcome, Outcome::ClarificationRequired);
        assert!(Observed::of_error(&event(Value::Null), None, 0).is_none());
    }
}

//! How a run ended and what was done on the way.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The ending of an answer, to show. Clarifications and capability misses have none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// The ending in words.
    pub label: String,
    /// How to colour it.
    pub tone: Tone,
    /// Why the run stopped.
    pub stop_reason: StopReason,
    /// What is wrong with the answer, if anything.
    pub issue_class: Option<IssueClass>,
}

impl Outcome {
    /// The ending as it is shown for this conclusion.
    #[must_use]
    pub fn of(conclusion: &Conclusion) -> Self {
        let complete = conclusion.stop_reason == StopReason::CompleteAnswer;
        let (label, tone) = match (complete, conclusion.issue_class) {
            (true, None) => ("Complete answer", Tone::Positive),
            (true, Some(_)) => ("Complete answer with disclosed gaps", Tone::Caution),
            (false, _) => ("Bounded answer", Tone::Caution),
        };
        Self {
            label: label.to_owned(),
            tone,
            stop_reason: conclusion.stop_reason,
            issue_class: conclusion.issue_class,
        }
    }
}

/// Why a run stopped, what is wrong with its answer, and what was done: `stopReason`, `issueClass`, `actionsTaken`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Conclusion {
    /// Why the run stopped.
    pub stop_reason: StopReason,
    /// What is wrong with the answer, if anything.
    pub issue_class: Option<IssueClass>,
    /// What was done, in order.
    pub actions_taken: Vec<Action>,
}

/// What the controller did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Controller {
    /// Which rules held.
    pub scope: Scope,
    /// The last of `actionsTaken`.
    pub next_action: Action,
    /// What was done, in order.
    pub actions_taken: Vec<Action>,
    /// Whether a program was mended rather than written anew.
    pub patch_first_program_preserved: bool,
    /// The revision of the program that ran last.
    pub execution_program_revision_id: Option<String>,
    /// Whether a hard budget ended the run.
    pub hard_budget_applied: bool,
}

impl Controller {
    /// The controller that took `steps` and then ended with `last`.
    #[must_use]
    pub fn after(steps: Vec<Action>, last: Action) -> Self {
        let mut actions_taken = steps;
        actions_taken.push(last);
        Self {
            scope: Scope::Standard,
            next_action: last,
            patch_first_program_preserved: actions_taken.contains(&Action::PatchCurrentProgram),
            actions_taken,
            execution_program_revision_id: None,
            hard_budget_applied: false,
        }
    }

    /// The conclusion that goes with this controller.
    #[must_use]
    pub fn conclude(&self, stop_reason: StopReason, issue_class: Option<IssueClass>) -> Conclusion {
        Conclusion { stop_reason, issue_class, actions_taken: self.actions_taken.clone() }
    }
}

/// Which rules the controller keeps to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Those of market intelligence.
    Wedge,
    /// The common ones.
    Standard,
}

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The question is answered.
    CompleteAnswer,
    /// A budget of the run was spent.
    BoundedRuntimeBudget,
    /// One method would have been called over and over.
    BoundedSameEndpointGuardrail,
    /// Upstreams failed or gave nothing.
    BoundedUpstreamAbortGuardrail,
    /// Upstreams said that there is nothing. Clients from 0.11 to 0.21 refuse the whole result with this word:
    /// `BoundedUpstreamAbortGuardrail` says the same to everyone.
    BoundedExplicitEmptyResultGuardrail,
    /// The question goes back. Clients from 0.14 refuse it.
    ClarificationRequired,
    /// Nothing can answer the question.
    CapabilityMiss,
}

/// What is wrong with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum IssueClass {
    /// The question has several meanings. Clients from 0.14 refuse it.
    ScopeAmbiguity,
    /// Data is missing.
    MissingEvidence,
    /// Nothing offers what is asked for.
    MissingCapability,
    /// The data is too old.
    StaleData,
    /// The wrong methods were called.
    WrongToolPath,
}

/// One thing that the controller did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Looked at what there is; always the first.
    InspectCurrentGrounding,
    /// Mended the program.
    PatchCurrentProgram,
    /// Looked for other tools.
    BoundedRediscovery,
    /// Asked back. Clients from 0.14 refuse it.
    ClarifyScope,
    /// Said that it cannot be done.
    ReturnCapabilityMiss,
    /// Gave what there was.
    ReturnBoundedAnswer,
    /// Gave the answer.
    ReturnCompleteAnswer,
}

/// How to colour something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    /// Good.
    Positive,
    /// Bad.
    Negative,
    /// Neither.
    Neutral,
    /// Take care.
    Caution,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_controller_agrees_with_itself() {
        let steps = vec![Action::InspectCurrentGrounding, Action::PatchCurrentProgram];
        let controller = Controller::after(steps, Action::ReturnBoundedAnswer);
        assert_eq!(controller.actions_taken.last(), Some(&controller.next_action));
        assert!(controller.patch_first_program_preserved);
        let plain = Controller::after(vec![Action::InspectCurrentGrounding], Action::ReturnCompleteAnswer);
        assert!(!plain.patch_first_program_preserved);
    }

    #[test]
    fn endings_have_their_recorded_labels() {
        let controller = Controller::after(Vec::new(), Action::ReturnCompleteAnswer);
        let shown = |stop, issue| {
            let outcome = Outcome::of(&controller.conclude(stop, issue));
            (outcome.label, outcome.tone)
        };
        assert_eq!(shown(StopReason::CompleteAnswer, None), ("Complete answer".to_owned(), Tone::Positive));
        assert_eq!(
            shown(StopReason::CompleteAnswer, Some(IssueClass::MissingEvidence)),
            ("Complete answer with disclosed gaps".to_owned(), Tone::Caution)
        );
        assert_eq!(
            shown(StopReason::BoundedUpstreamAbortGuardrail, Some(IssueClass::MissingEvidence)),
            ("Bounded answer".to_owned(), Tone::Caution)
        );
    }
}

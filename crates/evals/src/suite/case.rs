//! One case of a suite: a question as a client would ask it, and what a careful person expects to come of it.

use std::path::Path;

use contract::query::{ClarificationPolicy, QueryBody, QueryDepth, ResponseShape};
use contract::trace::DecisionReason;
use policy::RolloutStage;
use serde::Deserialize;

use crate::EvalFault;
use crate::corpus::Outcome;

/// A case, as its file says it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteCase {
    /// Its identifier, unique over all suites.
    pub id: String,
    /// What kind of question it is; families are counted apart.
    pub family: String,
    /// The question.
    pub query: String,
    /// The listings that it is asked of, by name; none lets the runtime choose.
    #[serde(default)]
    pub pin: Vec<String>,
    /// What the client says is to be done where the question is ambiguous.
    #[serde(default)]
    pub policy: Asked,
    /// How deep to look; none says nothing.
    pub depth: Option<Depth>,
    /// The stage that the gate is to be at; none takes it as it is.
    pub rollout: Option<RolloutStage>,
    /// The outcomes that are right; the first is the one that is counted on.
    pub expected: Vec<Outcome>,
    /// The reason code that is right.
    pub reason: Option<DecisionReason>,
    /// For an answer the methods of which one has to be called; for a clarification those of which two (or the one) have
    /// to be offered.
    #[serde(default)]
    pub methods: Vec<String>,
    /// The methods of which an answer has to call one besides, for what else the question asks.
    #[serde(default)]
    pub also: Vec<String>,
    /// The arguments that the question leaves out.
    #[serde(default)]
    pub missing: Vec<String>,
    /// Whether the answer has to rest on an assumption that it discloses, or must not.
    pub assumption: Option<bool>,
    /// What a machine has to be able to read of an answer.
    pub evidence: Option<WantedEvidence>,
    /// What it shares with its paraphrases and near-misses.
    pub pair: Option<String>,
    /// Why it is labelled so.
    pub note: Option<String>,
}

/// What a machine has to be able to read of an answer about flows.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WantedEvidence {
    /// Fields of `marketIntelligence`, as dotted paths; `*` is every item of a list, which may not be empty.
    pub fields: Vec<String>,
    /// The layout of the view.
    pub view: String,
    /// Assets that it has to be about.
    #[serde(default)]
    pub assets: Vec<String>,
    /// How old an observation may be, in minutes.
    pub fresh_minutes: i64,
    /// How old a report may be, in minutes, where a second source is due; none there is has to be said.
    pub catalyst_minutes: Option<i64>,
}

/// The clarification policy that a case is asked with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Asked {
    /// Give the clarification back.
    #[default]
    Return,
    /// Go on with the recommended option.
    Auto,
    /// Like `return`; the client would raise an error.
    Error,
    /// Nothing, as newer clients do.
    None,
}

impl Asked {
    fn policy(self) -> Option<ClarificationPolicy> {
        match self {
            Self::Return => Some(ClarificationPolicy::Return),
            Self::Auto => Some(ClarificationPolicy::Auto),
            Self::Error => Some(ClarificationPolicy::Error),
            Self::None => None,
        }
    }

    /// Whether a clarification may come back.
    fn gives_back(self) -> bool {
        matches!(self, Self::Return | Self::Error)
    }
}

/// How deep a case is looked into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Depth {
    /// Straight to planning.
    Fast,
    /// As the runtime sees fit.
    Auto,
    /// With probe and gate.
    Deep,
}

impl Depth {
    fn on_the_wire(self) -> QueryDepth {
        match self {
            Self::Fast => QueryDepth::Fast,
            Self::Auto => QueryDepth::Auto,
            Self::Deep => QueryDepth::Deep,
        }
    }
}

impl SuiteCase {
    /// The request that asks it, of the listings with the identifiers `tools`.
    #[must_use]
    pub fn request(&self, tools: Vec<String>, stream: bool) -> QueryBody {
        QueryBody {
            query: self.query.clone(),
            tools,
            stream,
            clarification_policy: self.policy.policy(),
            query_depth: self.depth.map(Depth::on_the_wire),
            include_developer_trace: true,
            response_shape: self.evidence.as_ref().map(|_| ResponseShape::AnswerWithEvidence),
            ..QueryBody::default()
        }
    }

    /// What the gate should make of the question itself, whatever the policy turns it into: an answer that rests on an
    /// assumption is an ambiguous question under `auto`.
    #[must_use]
    pub fn wanted(&self) -> Outcome {
        if self.assumption == Some(true) {
            return Outcome::ClarificationRequired;
        }
        self.expected.first().copied().unwrap_or(Outcome::Answer)
    }

    /// Refuses what no run could fulfil.
    pub(super) fn check(&self, path: &Path) -> Result<(), EvalFault> {
        let message = if self.query.trim().is_empty() {
            "`query` is empty"
        } else if self.expected.is_empty() {
            "`expected` names no outcome"
        } else if self.assumption == Some(true) && self.policy.gives_back() {
            "`assumption` is true, and its policy gives clarifications back"
        } else if self.assumption.is_some() && !self.expected.contains(&Outcome::Answer) {
            "`assumption` is said of an answer, and `expected` has none"
        } else if !self.policy.gives_back() && self.expected.contains(&Outcome::ClarificationRequired) {
            "`expected` has a clarification, and its policy never gives one back"
        } else {
            return Ok(());
        };
        Err(EvalFault::BadCase { path: path.to_owned(), id: self.id.clone(), message: message.to_owned() })
    }
}

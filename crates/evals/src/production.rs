//! The product's own gate over a case: selection, probe, embedded judge and ruling, with nothing called.

use contract::trace::DecisionReason;
use domain::{
    ClarificationPolicy, Depth, EarlierCall, Include, Query, ResponseShape, Selected, Speaker, ToolScope,
    Turn as Spoken,
};
use fit::Knowledge;
use gate::{Brief, Decision, Verdict};
use jiff::Timestamp;
use lane::Lane;
use policy::Policy;
use probe::{Index, Lexicon, Probed};

use crate::corpus::{Outcome, Turn, TurnCall};
use crate::decisions::{Decided, DecisionInput};

/// Decides cases as the deep lane does.
#[derive(Debug)]
pub struct Decider {
    policy: Policy,
    lexicon: Lexicon,
}

impl Decider {
    /// The gate under these policies. Every tool of a case may be called, those that change something, too: the sources
    /// label calls of any kind, and nothing is called.
    #[must_use]
    pub fn new(policy: &Policy) -> Self {
        let mut policy = policy.clone();
        policy.probe.refuses_unsafe = false;
        policy.probe.selection.methods_max = usize::MAX;
        Self { lexicon: Lexicon::of(&policy.probe), policy }
    }

    /// The policies that it decides under.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// What the gate makes of a case.
    #[must_use]
    pub fn decide(&self, input: &DecisionInput<'_>) -> Decided {
        let Some(decision) = self.rule(input) else {
            return Decided::new(Outcome::CapabilityMiss, Vec::new(), 1.0);
        };
        let methods = decision.recommended.iter().chain(&decision.options);
        let mut names: Vec<String> = Vec::new();
        for id in methods {
            let name = id.0.split_once(':').map_or(id.0.as_str(), |(_, name)| name);
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        let missing = decision.summaries.iter().find(|it| decision.recommended.as_ref() == Some(&it.option));
        Decided {
            outcome: outcome(decision.verdict),
            methods: names,
            confidence: decision.judge.confidence.unwrap_or(1.0),
            reason_code: DecisionReason::of_word(decision.reason.word()),
            missing_params: missing.map(|it| it.unresolved.clone()).unwrap_or_default(),
            judge_outcome: decision.judge.verdict.map(outcome),
            fallback_reason: decision.fallback_reason,
        }
    }

    /// What the probe finds in a case; nothing where the policies send it down the fast lane.
    #[must_use]
    pub fn probe(&self, input: &DecisionInput<'_>) -> Option<Probed> {
        let index = Index::build(input.snapshot, &self.policy.probe);
        let asked_at = asked_at(input.now);
        let selected: Selected =
            probe::select(query(input), asked_at, (input.snapshot, &index), &self.policy.probe.selection)
                .ok()?;
        let Lane::Deep(deep) = lane::choose(selected, &self.policy.lanes) else { return None };
        Some(probe::metadata(deep, &self.lexicon, &Knowledge::default(), &self.policy))
    }

    fn rule(&self, input: &DecisionInput<'_>) -> Option<Decision> {
        let probed = self.probe(input)?;
        let opinion = Ok(gate::judge(&Brief::of(&probed, &self.policy.gate)));
        Some(gate::rule(probed, &opinion, &self.policy.gate).decision)
    }
}

fn outcome(verdict: Verdict) -> Outcome {
    match verdict {
        Verdict::Answer => Outcome::Answer,
        Verdict::Clarify => Outcome::ClarificationRequired,
        Verdict::Miss => Outcome::CapabilityMiss,
    }
}

/// The caller pinned everything that a case has, and wants to be asked.
fn query(input: &DecisionInput<'_>) -> Query {
    Query {
        text: input.question.to_owned(),
        tools: ToolScope::Pinned(input.snapshot.listings.iter().map(|listing| listing.id).collect()),
        depth: Depth::Deep,
        clarification: ClarificationPolicy::Return,
        shape: ResponseShape::Answer,
        answer_model: None,
        include: Include { data: false, data_url: false, developer_trace: false },
        lineage: None,
        history: input.history.iter().filter_map(spoken).collect(),
        choice: None,
    }
}

/// What the caller and the assistant said; a system's instructions are no turn.
fn spoken(turn: &Turn) -> Option<Spoken> {
    let speaker = match turn.role.as_str() {
        "user" => Speaker::User,
        "assistant" => Speaker::Assistant,
        _ => return None,
    };
    let call = |call: &TurnCall| EarlierCall { method: call.method.clone(), arguments: call.args.clone() };
    let text = turn.content.as_deref().unwrap_or_default().trim().to_owned();
    let calls: Vec<EarlierCall> = turn.calls.iter().map(call).collect();
    (!text.is_empty() || !calls.is_empty()).then_some(Spoken { speaker, text, calls })
}

/// The moment of a case, where its source writes a date that can be read; else a fixed one, so that runs repeat.
fn asked_at(now: Option<&str>) -> Timestamp {
    now.and_then(|text| text.parse().ok()).unwrap_or(Timestamp::UNIX_EPOCH)
}

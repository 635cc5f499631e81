//! The product's own gate over a case: selection, probe, embedded judge and ruling, with nothing called.

use std::borrow::Cow;

use contract::trace::DecisionReason;
use domain::{
    ClarificationPolicy, Depth, EarlierCall, Include, Query, ResponseShape, Selected, Speaker, ToolScope,
    Turn as Spoken,
};
use gate::{Brief, Decision, Verdict};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Unit};
use lane::Lane;
use policy::{Policy, Ranking};
use probe::{Index, Lexicon, Probed};
use reading::Question;
use reading::time::{Direction, Moment};

use crate::corpus::{Outcome, Turn, TurnCall};
use crate::decisions::{Decided, DecisionInput};

/// Decides cases as the deep lane does.
#[derive(Debug)]
pub struct Decider {
    policy: Policy,
    /// How methods are ranked where selection chooses from a catalogue, as it is served.
    served: Ranking,
    lexicon: Lexicon,
}

impl Decider {
    /// The gate under these policies. Every tool of a case may be called, those that change something, too: the sources
    /// label calls of any kind, and nothing is called nor planned. Not so of a catalogue, which is served as it is, before the planner
    /// that is configured.
    #[must_use]
    pub fn new(policy: &Policy) -> Self {
        let (served, mut policy) = (policy.probe.clone(), policy.clone());
        policy.probe.refuses_unsafe = false;
        Self { lexicon: Lexicon::of(&policy.probe), served, policy }
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
        let ranking = if input.discovers { &self.served } else { &self.policy.probe };
        let index = Index::build(input.snapshot, ranking);
        let asked_at = asked_at(input.now);
        let mut selection = ranking.selection.clone();
        if !input.discovers {
            selection.methods_max = usize::MAX;
        }
        let selected: Selected =
            probe::select(query(input), asked_at, (input.snapshot, &index), &selection).ok()?;
        let Lane::Deep(deep) = lane::choose(selected, &self.policy.lanes) else { return None };
        Some(probe::metadata(deep, &self.lexicon, &self.lexicon.knowledge(), &self.policy))
    }

    fn rule(&self, input: &DecisionInput<'_>) -> Option<Decision> {
        let probed = self.probe(input)?;
        let gate = if input.discovers { self.policy.ruling() } else { Cow::Borrowed(&self.policy.gate) };
        let opinion = Ok(gate::judge(&Brief::of(&probed, &gate)));
        Some(gate::rule(probed, &opinion, &gate).decision)
    }
}

fn outcome(verdict: Verdict) -> Outcome {
    match verdict {
        Verdict::Answer => Outcome::Answer,
        Verdict::Clarify => Outcome::ClarificationRequired,
        Verdict::Miss => Outcome::CapabilityMiss,
    }
}

/// The caller pinned everything that a case has, or leaves the choice to the runtime, and wants to be asked.
fn query(input: &DecisionInput<'_>) -> Query {
    let pinned = || input.snapshot.listings.iter().map(|listing| listing.id).collect();
    Query {
        text: input.question.to_owned(),
        tools: if input.discovers { ToolScope::Discover } else { ToolScope::Pinned(pinned()) },
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

/// When a case counts as asked whose source does not say it: fixed, so that runs repeat. A Wednesday in January 2025, half past
/// two: at the first moment of a day, a month or a year, nothing of it would be over.
const UNTOLD: Timestamp = Timestamp::constant(1_736_951_400, 0);

/// When on a day a case counts as asked whose source says the day alone.
const NOON: SignedDuration = SignedDuration::from_hours(12);

/// The moment of a case, where its source writes one, in whatever words.
fn asked_at(now: Option<&str>) -> Timestamp {
    let read = |text: &str| {
        let said = Question::read(text, UNTOLD);
        let mut told = said.moments.iter().filter_map(Moment::window);
        let told = told.find(|it| it.direction == Direction::Calendar)?;
        Some(if told.grain == Unit::Day { told.start + NOON } else { told.start })
    };
    let civil = |text: &str| Some(text.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp());
    now.and_then(|text| text.parse().ok().or_else(|| civil(text)).or_else(|| read(text))).unwrap_or(UNTOLD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_moment_of_a_case_is_read_in_whatever_words() {
        for (told, read) in [
            ("2026-03-18T14:30:00Z", "2026-03-18T14:30:00Z"),
            ("2023-09-11 13:00:00", "2023-09-11T13:00:00Z"),
            ("Today is Monday, March 13, 2023.", "2023-03-13T12:00:00Z"),
            ("The current time is May 08, 2026, Friday。", "2026-05-08T12:00:00Z"),
            ("a while ago", "2025-01-15T14:30:00Z"),
        ] {
            assert_eq!(asked_at(Some(told)), read.parse().unwrap(), "{told}");
        }
    }
}

//! Decisions: how well a gate tells what to answer, what to ask back, and what nothing can serve.

use std::collections::BTreeMap;

use contract::trace::DecisionReason;
use domain::Snapshot;
use serde::Serialize;

use crate::corpus::{Case, Outcome, Tool, Turn};
use crate::metrics::{Confusion, Quantiles, Share};
use crate::{EvalFault, universe};

const WORST_MAX: usize = 100;

/// What a decider may look at, and nothing else.
#[derive(Clone, Copy, Debug)]
pub struct DecisionInput<'a> {
    /// The question.
    pub question: &'a str,
    /// What was said before it, oldest first.
    pub history: &'a [Turn],
    /// When it was asked, as the source says it.
    pub now: Option<&'a str>,
    /// The tools as published.
    pub tools: &'a [Tool],
    /// The same tools as a catalog.
    pub snapshot: &'a Snapshot,
    /// Whether selection chooses from them; else they are the caller's own choice.
    pub discovers: bool,
}

impl<'a> DecisionInput<'a> {
    /// What of a case may be looked at; `snapshot` has its tools.
    #[must_use]
    pub fn of(case: &'a Case, snapshot: &'a Snapshot) -> Self {
        Self {
            question: &case.query,
            history: &case.history,
            now: case.now.as_deref(),
            tools: &case.tools,
            snapshot,
            discovers: case.discovers,
        }
    }
}

/// What a decider made of a case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Decided {
    /// The outcome.
    pub outcome: Outcome,
    /// The methods that it would call or ask about, by name, best first.
    pub methods: Vec<String>,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
    /// Why it decided so.
    #[serde(rename = "reasonCode")]
    pub reason_code: Option<DecisionReason>,
    /// The required arguments that it found no value for.
    #[serde(rename = "missingParams")]
    pub missing_params: Vec<String>,
    /// What its judge said.
    #[serde(rename = "judgeOutcome")]
    pub judge_outcome: Option<Outcome>,
    /// What it did instead of taking the judge's word, and why.
    #[serde(rename = "fallbackReason")]
    pub fallback_reason: Option<String>,
}

impl Decided {
    /// A decision that says nothing of how it came about.
    #[must_use]
    pub fn new(outcome: Outcome, methods: Vec<String>, confidence: f64) -> Self {
        Self {
            outcome,
            methods,
            confidence,
            reason_code: None,
            missing_params: Vec::new(),
            judge_outcome: None,
            fallback_reason: None,
        }
    }
}

/// How well a decider did.
#[derive(Clone, Debug, Serialize)]
pub struct DecisionReport {
    /// Every case.
    pub total: SourceScores,
    /// The cases of each source.
    pub sources: BTreeMap<String, SourceScores>,
    /// How long the decisions took, the making of the case's catalog left out.
    pub latency: Quantiles,
    /// The wrong decisions that were surest, surest first; a hundred at the most.
    pub worst: Vec<WorstCase>,
}

/// How well a decider did over some cases.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SourceScores {
    /// By the expected outcome alone.
    pub strict: Scores,
    /// With the outcomes that the source accepts as well.
    pub lenient: Scores,
    /// Of the cases that were answered and should be, those that name an expected method.
    #[serde(rename = "methodHitRate")]
    pub method_hit_rate: Share,
    /// Of the questions that were asked back and should be, those whose missing argument is named.
    #[serde(rename = "missingNamedRate")]
    pub missing_named_rate: Share,
    /// Of all decisions, those that fell back on something simpler than the judge.
    #[serde(rename = "fallbackRate")]
    pub fallback_rate: Share,
    /// Of the decisions that a judge spoke to, those that it saw differently.
    #[serde(rename = "judgeDisagreementRate")]
    pub judge_disagreement_rate: Share,
}

/// Counts, and the measures that follow from them.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[serde(into = "ScoresOut")]
pub struct Scores {
    /// Expected against decided.
    pub confusion: Confusion,
}

#[derive(Serialize)]
struct ScoresOut {
    cases: usize,
    confusion: Confusion,
    accuracy: Share,
    #[serde(rename = "macroF1")]
    macro_f1: Option<f64>,
    #[serde(rename = "balancedAccuracy")]
    balanced_accuracy: Option<f64>,
    #[serde(flatten)]
    rates: Rates,
}

/// The measures that releases hang on. Their keys are those of the wire contract.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rates {
    /// Of the questions that can be answered, those that were.
    #[serde(rename = "answerHoldRate")]
    pub answer_hold: Share,
    /// Of the ambiguous questions, those that were asked back.
    #[serde(rename = "ambiguityRecall")]
    pub ambiguity_recall: Share,
    /// Of the questions that nothing serves, those that were told so.
    #[serde(rename = "capabilityMissRecall")]
    pub capability_miss_recall: Share,
    /// Of the questions that should not be answered, those that were.
    #[serde(rename = "silentAnswerRate")]
    pub silent_answer: Share,
    /// Of the questions that can be answered, those that were asked back.
    #[serde(rename = "overAskRate")]
    pub over_ask: Share,
    /// Of the questions that can be answered, those that were called a miss.
    #[serde(rename = "wrongMissRate")]
    pub wrong_miss: Share,
}

impl Scores {
    /// The measures.
    #[must_use]
    pub fn rates(&self) -> Rates {
        rates(&self.confusion)
    }
}

/// The measures of what was expected against what was decided.
pub(crate) fn rates(confusion: &Confusion) -> Rates {
    use Outcome::{Answer, CapabilityMiss, ClarificationRequired};
    let share = |expected: &[Outcome], decided| confusion.share(expected, decided);
    Rates {
        answer_hold: share(&[Answer], Answer),
        ambiguity_recall: share(&[ClarificationRequired], ClarificationRequired),
        capability_miss_recall: share(&[CapabilityMiss], CapabilityMiss),
        silent_answer: share(&[ClarificationRequired, CapabilityMiss], Answer),
        over_ask: share(&[Answer], ClarificationRequired),
        wrong_miss: share(&[Answer], CapabilityMiss),
    }
}

impl From<Scores> for ScoresOut {
    fn from(scores: Scores) -> Self {
        Self {
            cases: scores.confusion.cases(),
            confusion: scores.confusion,
            accuracy: scores.confusion.accuracy(),
            macro_f1: scores.confusion.macro_f1(),
            balanced_accuracy: scores.confusion.balanced_accuracy(),
            rates: scores.rates(),
        }
    }
}

/// A case that was decided wrong.
#[derive(Clone, Debug, Serialize)]
pub struct WorstCase {
    /// Its identifier.
    pub id: String,
    /// The question.
    pub query: String,
    /// What should have come of it.
    pub expected: Outcome,
    /// The methods that it should have come to.
    pub expected_methods: Vec<String>,
    /// What came of it.
    pub decided: Decided,
}

/// Runs every case through `decide`, hands each decision to `record`, and stops at the first case that cannot be read or
/// recorded. `clock` gives microseconds.
pub fn decisions(
    cases: impl IntoIterator<Item = Result<Case, EvalFault>>,
    mut decide: impl FnMut(&DecisionInput<'_>) -> Decided,
    mut clock: impl FnMut() -> u64,
    mut record: impl FnMut(&Case, &Decided) -> Result<(), EvalFault>,
) -> Result<DecisionReport, EvalFault> {
    let mut total = SourceScores::default();
    let mut sources: BTreeMap<String, SourceScores> = BTreeMap::new();
    let (mut durations_us, mut worst) = (Vec::new(), Vec::new());
    for case in cases {
        let case = case?;
        let snapshot = universe(&case.tools);
        let input = DecisionInput::of(&case, &snapshot);
        let started_us = clock();
        let decided = decide(&input);
        durations_us.push(clock().saturating_sub(started_us));
        record(&case, &decided)?;
        total.add(&case, &decided);
        sources.entry(case.source.clone()).or_default().add(&case, &decided);
        if !accepts(&case, decided.outcome) {
            keep_worst(&mut worst, case, decided);
        }
    }
    Ok(DecisionReport { total, sources, latency: Quantiles::of(durations_us), worst })
}

impl SourceScores {
    fn add(&mut self, case: &Case, decided: &Decided) {
        let expected = case.expected.outcome;
        self.strict.confusion.add(expected, decided.outcome);
        let lenient = if accepts(case, decided.outcome) { expected } else { decided.outcome };
        self.lenient.confusion.add(expected, lenient);
        let is_right = |outcome| expected == outcome && decided.outcome == outcome;
        if is_right(Outcome::Answer) && !case.expected.methods.is_empty() {
            self.method_hit_rate.add(meet(&decided.methods, &case.expected.methods));
        }
        if is_right(Outcome::ClarificationRequired) && !case.expected.missing_params.is_empty() {
            self.missing_named_rate.add(meet(&decided.missing_params, &case.expected.missing_params));
        }
        self.fallback_rate.add(decided.fallback_reason.is_some());
        if let Some(judge) = decided.judge_outcome {
            self.judge_disagreement_rate.add(judge != decided.outcome);
        }
    }
}

fn meet(named: &[String], expected: &[String]) -> bool {
    named.iter().any(|name| expected.contains(name))
}

fn accepts(case: &Case, decided: Outcome) -> bool {
    decided == case.expected.outcome || case.expected.accept.contains(&decided)
}

/// Keeps the list in order and short, so that a corpus of any length can stream by.
fn keep_worst(worst: &mut Vec<WorstCase>, case: Case, decided: Decided) {
    let place = worst.partition_point(|kept| kept.decided.confidence >= decided.confidence);
    if place < WORST_MAX {
        worst.truncate(WORST_MAX - 1);
        worst.insert(
            place,
            WorstCase {
                id: case.id,
                query: case.query,
                expected: case.expected.outcome,
                expected_methods: case.expected.methods,
                decided,
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn case(id: usize, source: &str, outcome: &str, accept: &[&str]) -> Case {
        serde_json::from_value(json!({
            "id": id.to_string(), "source": source, "query": id.to_string(), "tools": [{"name": "rain"}],
            "expected": {"outcome": outcome, "methods": ["rain"], "accept": accept},
        }))
        .unwrap()
    }

    fn answers(input: &DecisionInput<'_>) -> Decided {
        let confidence = input.question.parse().unwrap_or(0.0);
        Decided::new(Outcome::Answer, vec!["rain".to_owned()], confidence)
    }

    #[test]
    fn cases_are_counted_by_source_strictly_and_leniently() {
        let cases = [
            case(0, "a", "answer", &[]),
            case(1, "a", "capability_miss", &["answer"]),
            case(2, "b", "clarification_required", &[]),
        ];
        let mut recorded = 0;
        let record = |_: &Case, _: &Decided| {
            recorded += 1;
            Ok(())
        };
        let report = decisions(cases.into_iter().map(Ok), answers, || 0, record).unwrap();
        assert_eq!(recorded, 3);
        let rates = report.total.strict.rates();
        assert_eq!(rates.answer_hold, Share { hits: 1, of: 1 });
        assert_eq!(rates.silent_answer, Share { hits: 2, of: 2 });
        assert_eq!(report.total.lenient.rates().silent_answer, Share { hits: 1, of: 2 });
        assert_eq!(report.total.method_hit_rate, Share { hits: 1, of: 1 });
        assert_eq!(report.sources["a"].strict.confusion.cases(), 2);
        assert_eq!(report.worst.iter().map(|worst| worst.id.as_str()).collect::<Vec<_>>(), ["2"]);
        let json = serde_json::to_value(&report).unwrap();
        assert_eq!(json["total"]["strict"]["silentAnswerRate"]["hits"], 2);
        assert_eq!(json["total"]["strict"]["confusion"], json!([[1, 0, 0], [1, 0, 0], [1, 0, 0]]));
    }

    #[test]
    fn the_surest_hundred_are_kept() {
        let cases = (0..250).map(|id| case((id * 77) % 250, "a", "capability_miss", &[]));
        let report = decisions(cases.into_iter().map(Ok), answers, || 0, |_, _| Ok(())).unwrap();
        let kept: Vec<usize> = report.worst.iter().map(|worst| worst.id.parse().unwrap()).collect();
        assert_eq!(kept, (150..250).rev().collect::<Vec<_>>());
    }
}

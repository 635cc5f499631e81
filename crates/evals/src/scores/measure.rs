//! The measures of a suite, under the names that gates and reports know them by.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::judged::{self, Judged};
use crate::corpus::Outcome;
use crate::decisions::rates;
use crate::metrics::{Confusion, Interval, Share};
use crate::observed::Observed;
use crate::suite::SuiteCase;

/// A measure. What each one means stands in `evals/README.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Measure {
    /// Cases that passed every check.
    Pass,
    /// Cases that gave no result.
    Error,
    /// The mean F1 of the outcomes.
    MacroF1,
    /// Clear questions that were answered.
    AnswerHold,
    /// Ambiguous questions that were asked back, or answered with the assumption disclosed.
    AmbiguityRecall,
    /// Questions that nothing serves and that were told so.
    CapabilityMissRecall,
    /// Questions that should not be answered as they stand, and were.
    SilentAnswer,
    /// Clear questions that were asked back, or answered on an assumption.
    OverAsk,
    /// Clear questions that were called a miss.
    WrongMiss,
    /// Decisions with the reason code of the label.
    ReasonCode,
    /// Answers and clarifications with the methods of the label.
    MethodHit,
    /// Missing values whose argument the gate names.
    MissingNamed,
    /// Assumptions that were made and disclosed as the label says.
    Assumption,
    /// Pairs all of whose cases passed.
    Pair,
    /// Decisions that fell back on something simpler than the judge.
    Fallback,
    /// Decisions whose judge said something else.
    JudgeDisagreement,
}

impl Measure {
    /// Every measure, in the order of reports.
    pub const ALL: [Self; 16] = [
        Self::Pass,
        Self::Error,
        Self::MacroF1,
        Self::AnswerHold,
        Self::AmbiguityRecall,
        Self::CapabilityMissRecall,
        Self::SilentAnswer,
        Self::OverAsk,
        Self::WrongMiss,
        Self::ReasonCode,
        Self::MethodHit,
        Self::MissingNamed,
        Self::Assumption,
        Self::Pair,
        Self::Fallback,
        Self::JudgeDisagreement,
    ];

    /// Its name in gates and reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "passRate",
            Self::Error => "errorRate",
            Self::MacroF1 => "macroF1",
            Self::AnswerHold => "answerHoldRate",
            Self::AmbiguityRecall => "ambiguityRecall",
            Self::CapabilityMissRecall => "capabilityMissRecall",
            Self::SilentAnswer => "silentAnswerRate",
            Self::OverAsk => "overAskRate",
            Self::WrongMiss => "wrongMissRate",
            Self::ReasonCode => "reasonCodeRate",
            Self::MethodHit => "methodHitRate",
            Self::MissingNamed => "missingNamedRate",
            Self::Assumption => "assumptionRate",
            Self::Pair => "pairRate",
            Self::Fallback => "fallbackRate",
            Self::JudgeDisagreement => "judgeDisagreementRate",
        }
    }
}

impl From<Measure> for String {
    fn from(measure: Measure) -> Self {
        measure.word().to_owned()
    }
}

impl TryFrom<String> for Measure {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        Self::ALL.into_iter().find(|measure| measure.word() == word).ok_or_else(|| {
            let all = Self::ALL.map(Self::word).join(", ");
            format!("`{word}` is no measure; there are {all}")
        })
    }
}

/// What was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Measured {
    /// The value, from 0 to 1; none of no cases.
    pub value: Option<f64>,
    /// How many cases have it; none where the measure is no share.
    pub hits: Option<usize>,
    /// How many cases it is measured over.
    pub of: usize,
    /// Its Wilson interval; none where it is no share, or of too few cases.
    pub interval: Option<Interval>,
}

impl From<Share> for Measured {
    fn from(share: Share) -> Self {
        Self { value: share.value(), hits: Some(share.hits), of: share.of, interval: share.interval() }
    }
}

/// What is counted while a suite's cases go by.
#[derive(Debug, Default)]
pub(super) struct Counts {
    shares: BTreeMap<Measure, Share>,
    pairs: BTreeMap<String, bool>,
}

impl Counts {
    /// Counts a case that gave no result.
    pub(super) fn failed(&mut self, case: &SuiteCase) {
        self.add(Measure::Error, true);
        self.passed(case, false);
    }

    /// Counts a case that gave one.
    pub(super) fn seen(&mut self, case: &SuiteCase, observed: &Observed, judged: &Judged) {
        self.add(Measure::Error, false);
        self.passed(case, judged.faults.is_empty());
        if case.reason.is_some() {
            self.add(Measure::ReasonCode, judged::reason(case, observed).is_none());
        }
        if !case.methods.is_empty() && observed.outcome != Outcome::CapabilityMiss {
            self.add(Measure::MethodHit, judged::methods(case, observed).is_none());
        }
        if !case.missing.is_empty() {
            self.add(Measure::MissingNamed, judged::missing(case, observed).is_none());
        }
        if case.assumption.is_some() && observed.outcome == Outcome::Answer {
            self.add(Measure::Assumption, judged::assumption(case, observed).is_none());
        }
        let Some(gate) = &observed.gate else { return };
        self.add(Measure::Fallback, gate.fallback_reason.is_some());
        if let Some(judge) = gate.judge_outcome {
            self.add(Measure::JudgeDisagreement, judge != gate.outcome);
        }
    }

    /// Every measure that counted something.
    pub(super) fn measures(mut self, confusion: &Confusion) -> BTreeMap<Measure, Measured> {
        let pairs = Share::count(self.pairs.into_values());
        let rates = rates(confusion);
        self.shares.extend([
            (Measure::Pair, pairs),
            (Measure::AnswerHold, rates.answer_hold),
            (Measure::AmbiguityRecall, rates.ambiguity_recall),
            (Measure::CapabilityMissRecall, rates.capability_miss_recall),
            (Measure::SilentAnswer, rates.silent_answer),
            (Measure::OverAsk, rates.over_ask),
            (Measure::WrongMiss, rates.wrong_miss),
        ]);
        let shares = self.shares.into_iter().map(|(measure, share)| (measure, Measured::from(share)));
        let macro_f1 = Measured { value: confusion.macro_f1(), of: confusion.cases(), ..Measured::default() };
        shares.chain([(Measure::MacroF1, macro_f1)]).filter(|(_, measured)| measured.of > 0).collect()
    }

    fn passed(&mut self, case: &SuiteCase, passed: bool) {
        self.add(Measure::Pass, passed);
        if let Some(pair) = &case.pair {
            *self.pairs.entry(pair.clone()).or_insert(true) &= passed;
        }
    }

    fn add(&mut self, measure: Measure, hit: bool) {
        self.shares.entry(measure).or_default().add(hit);
    }
}

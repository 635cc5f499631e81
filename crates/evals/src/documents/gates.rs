//! What the measures of documents are held against.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::DocumentsReport;
use crate::GateVerdict;
use crate::metrics::Interval;

/// The gates of sets: those of each set whose name starts so.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct SetGates(BTreeMap<String, BTreeMap<SetMeasure, SetGate>>);

/// A measure of a set of documents. What each one means stands in `evals/README.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum SetMeasure {
    /// nDCG at ten, over flat BM25.
    NdcgGain,
    /// Recall at five, over flat BM25.
    RecallGain,
    /// nDCG at ten with the turn before, over flat BM25 without it.
    NdcgGainWithHistory,
    /// How well confidence tells questions apart whose page is there from those whose page is not.
    PageAbsentAuc,
    /// The same, where a page that comes near is there.
    NearMissAuc,
    /// Citations of the wrong passage that are flagged.
    SwappedFlagged,
    /// Citations of the right one that are flagged too.
    FalseAlarm,
}

/// What a measure was found to be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SetFigure {
    /// The set.
    pub set: String,
    /// The measure.
    pub measure: SetMeasure,
    /// Its value.
    pub value: f64,
    /// The cases it rests on.
    pub of: usize,
    /// What 95 of 100 samples would give.
    pub interval: Option<Interval>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SetGate {
    min: Option<f64>,
    max: Option<f64>,
}

impl SetMeasure {
    /// Every measure, in the order of reports.
    pub const ALL: [Self; 7] = [
        Self::NdcgGain,
        Self::RecallGain,
        Self::NdcgGainWithHistory,
        Self::PageAbsentAuc,
        Self::NearMissAuc,
        Self::SwappedFlagged,
        Self::FalseAlarm,
    ];

    /// Its name in gates and reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::NdcgGain => "ndcgAt10Gain",
            Self::RecallGain => "recallAt5Gain",
            Self::NdcgGainWithHistory => "ndcgAt10GainWithHistory",
            Self::PageAbsentAuc => "pageAbsentAuc",
            Self::NearMissAuc => "nearMissAuc",
            Self::SwappedFlagged => "swappedFlaggedRate",
            Self::FalseAlarm => "falseAlarmRate",
        }
    }
}

impl From<SetMeasure> for String {
    fn from(measure: SetMeasure) -> Self {
        measure.word().to_owned()
    }
}

impl TryFrom<String> for SetMeasure {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|measure| measure.word() == word)
            .ok_or_else(|| format!("`{word}` is no measure of documents"))
    }
}

impl SetGates {
    /// Holds a report against the gates. A gate whose set was not measured is none.
    pub(crate) fn verdicts(&self, report: &DocumentsReport) -> Vec<GateVerdict> {
        let mut verdicts = Vec::new();
        for figure in report.figures() {
            let named = self.0.iter().filter(|(name, _)| figure.set.starts_with(name.as_str()));
            let gates = named.filter_map(|(_, gates)| gates.get(&figure.measure));
            verdicts.extend(gates.map(|gate| gate.verdict(&figure)));
        }
        verdicts
    }
}

impl SetGate {
    fn verdict(self, figure: &SetFigure) -> GateVerdict {
        let points = |share: f64| share * 100.0;
        let (bound, passed) = match (self.min, self.max) {
            (Some(min), _) => (format!("at least {:.1}", points(min)), figure.value >= min),
            (None, Some(max)) => (format!("at most {:.1}", points(max)), figure.value <= max),
            (None, None) => ("measured".to_owned(), true),
        };
        let limit = points(self.min.or(self.max).unwrap_or_default());
        GateVerdict {
            suite: "documents".to_owned(),
            measure: format!("{}: {}", figure.set, figure.measure.word()),
            bound,
            value: Some(figure.value),
            of: figure.of,
            interval: figure.interval,
            passed,
            reason: (!passed).then(|| format!("{:.1} against {limit:.1}", points(figure.value))),
        }
    }
}

impl DocumentsReport {
    /// Every figure that a gate may name, set by set.
    #[must_use]
    pub fn figures(&self) -> Vec<SetFigure> {
        let mut figures = Vec::new();
        let mut push = |set: &str, measure, value, of, interval| {
            figures.push(SetFigure { set: set.to_owned(), measure, value, of, interval });
        };
        for set in &self.sets {
            let gain = &set.gain;
            let ndcg = gain.ndcg_at_10;
            if set.with_history {
                let measure = SetMeasure::NdcgGainWithHistory;
                push(&set.name, measure, ndcg.value, set.questions, Some(ndcg.interval));
                continue;
            }
            let recall = gain.recall_at_5;
            push(&set.name, SetMeasure::NdcgGain, ndcg.value, set.questions, Some(ndcg.interval));
            push(&set.name, SetMeasure::RecallGain, recall.value, set.questions, Some(recall.interval));
        }
        for one in &self.abstention {
            let measure =
                if one.is_page_absent { SetMeasure::PageAbsentAuc } else { SetMeasure::NearMissAuc };
            let (auc, of) = (one.auc, one.auc.positives + one.auc.negatives);
            push(&one.name, measure, auc.value, of, Some(auc.interval));
        }
        for one in &self.claims {
            let shares =
                [(SetMeasure::SwappedFlagged, one.swapped), (SetMeasure::FalseAlarm, one.false_alarms)];
            for (measure, share) in shares {
                push(&one.name, measure, share.value().unwrap_or_default(), share.of, share.interval());
            }
        }
        figures
    }
}

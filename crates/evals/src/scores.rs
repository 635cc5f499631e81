//! How a suite went: each case held against its label, and the measures over them.

mod judged;
mod measure;
mod wedge;

use std::collections::BTreeMap;

use serde::Serialize;

use judged::Judged;
pub use measure::{Measure, Measured};

use crate::corpus::Outcome;
use crate::metrics::{Confusion, Quantiles, Share};
use crate::observed::{Observed, Reply};
use crate::suite::{Suite, SuiteCase};

/// How many failed cases a report lists.
const FAILED_MAX: usize = 100;

/// How a suite went.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SuiteReport {
    /// Its name.
    pub suite: String,
    /// Its cases, those included that were not asked.
    pub cases: usize,
    /// Every measure that has something to measure.
    pub measures: BTreeMap<Measure, Measured>,
    /// Expected against observed, ambiguous questions under `auto` as such; an accepted outcome counts as the expected one.
    pub confusion: Confusion,
    /// The cases of each family.
    pub families: BTreeMap<String, FamilyScores>,
    /// How many decisions were taken at each stage of the gate's rollout.
    pub rollout_stages: BTreeMap<String, usize>,
    /// How many decisions gave each reason code.
    pub reason_codes: BTreeMap<String, usize>,
    /// How long callers waited.
    pub latency: Quantiles,
    /// The cases that failed, those first of whose judge was surest; a hundred at the most.
    pub failed: Vec<FailedCase>,
    /// The cases that were not asked, and why.
    pub skipped: Vec<SkippedCase>,
}

/// How the cases of one family went.
#[derive(Clone, Debug, Default, Serialize)]
pub struct FamilyScores {
    /// How many there are, those included that were not asked.
    pub cases: usize,
    /// Those that passed, of those that were asked.
    pub passed: Share,
    /// Expected against observed.
    pub confusion: Confusion,
}

/// A case that failed.
#[derive(Clone, Debug, Serialize)]
pub struct FailedCase {
    /// Its identifier.
    pub id: String,
    /// Its family.
    pub family: String,
    /// The question.
    pub query: String,
    /// What was right.
    pub expected: Vec<Outcome>,
    /// What came of it; none where nothing did.
    pub observed: Option<Outcome>,
    /// What of it was wrong.
    pub faults: Vec<String>,
    /// How sure the judge was.
    pub confidence: Option<f64>,
}

/// A case that was not asked.
#[derive(Clone, Debug, Serialize)]
pub struct SkippedCase {
    /// Its identifier.
    pub id: String,
    /// Why.
    pub reason: String,
}

/// Holds the replies to a suite's cases, in their order, against the labels.
#[must_use]
pub fn score(suite: &Suite, replies: &[Reply]) -> SuiteReport {
    let mut report =
        SuiteReport { suite: suite.name.clone(), cases: suite.cases.len(), ..SuiteReport::default() };
    let mut counts = measure::Counts::default();
    let mut durations_us = Vec::new();
    for (case, reply) in suite.cases.iter().zip(replies) {
        let family = report.families.entry(case.family.clone()).or_default();
        family.cases += 1;
        match reply {
            Reply::Skipped(reason) => {
                report.skipped.push(SkippedCase { id: case.id.clone(), reason: reason.clone() });
            }
            Reply::Failed(reason) => {
                family.passed.add(false);
                counts.failed(case);
                report.failed.push(failed(case, None, vec![reason.clone()]));
            }
            Reply::Seen(observed) => {
                let judged = Judged::of(case, observed);
                family.passed.add(judged.faults.is_empty());
                family.confusion.add(judged.expected, judged.made_of_it);
                report.confusion.add(judged.expected, judged.made_of_it);
                report.count_gate(observed);
                durations_us.push(observed.duration_us);
                counts.seen(case, observed, &judged);
                if !judged.faults.is_empty() {
                    report.failed.push(failed(case, Some(observed), judged.faults));
                }
            }
        }
    }
    let sure = |case: &FailedCase| case.confidence.unwrap_or(0.0);
    report.failed.sort_by(|one, other| sure(other).total_cmp(&sure(one)));
    report.failed.truncate(FAILED_MAX);
    report.measures = counts.measures(&report.confusion);
    report.latency = Quantiles::of(durations_us);
    report
}

impl SuiteReport {
    fn count_gate(&mut self, observed: &Observed) {
        let Some(gate) = &observed.gate else { return };
        *self.rollout_stages.entry(gate.rollout_stage.clone()).or_default() += 1;
        *self.reason_codes.entry(judged::code(gate.reason)).or_default() += 1;
    }
}

fn failed(case: &SuiteCase, observed: Option<&Observed>, faults: Vec<String>) -> FailedCase {
    FailedCase {
        id: case.id.clone(),
        family: case.family.clone(),
        query: case.query.clone(),
        expected: case.expected.clone(),
        observed: observed.map(|observed| observed.outcome),
        faults,
        confidence: observed.and_then(|observed| observed.gate.as_ref()?.judge_confidence),
    }
}

#[cfg(test)]
mod tests;

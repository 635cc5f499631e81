//! What passes: bounds on measures, and how many cases each family must have.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::documents::{DocumentsReport, SetGates};
use crate::metrics::Interval;
use crate::scores::{Measure, Measured, SuiteReport};

/// The gates of every suite, by name.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct Gates(BTreeMap<String, SuiteGates>);

/// The gates of one suite.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct SuiteGates {
    /// The least number of cases of each family.
    #[serde(default)]
    families: BTreeMap<String, usize>,
    /// The bounds.
    #[serde(default)]
    measures: BTreeMap<Measure, Gate>,
    /// The bounds on measures of documents.
    #[serde(default)]
    sets: SetGates,
}

/// What a measure must keep to.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, try_from = "GateAsWritten")]
struct Gate {
    limit: Limit,
    bound: Bound,
    cases_min: usize,
}

#[derive(Clone, Copy, Debug)]
enum Limit {
    AtLeast(f64),
    AtMost(f64),
}

/// What of a measure is held against the limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Bound {
    /// The measured value.
    #[default]
    Value,
    /// The worse end of its Wilson interval.
    Wilson,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GateAsWritten {
    min: Option<f64>,
    max: Option<f64>,
    #[serde(default)]
    bound: Bound,
    #[serde(default = "one")]
    cases_min: usize,
}

fn one() -> usize {
    1
}

impl TryFrom<GateAsWritten> for Gate {
    type Error = String;

    fn try_from(written: GateAsWritten) -> Result<Self, String> {
        let GateAsWritten { min, max, bound, cases_min } = written;
        let limit = match (min, max) {
            (Some(min), None) => Limit::AtLeast(min),
            (None, Some(max)) => Limit::AtMost(max),
            (Some(_), Some(_)) | (None, None) => {
                return Err("a gate has either `min` or `max`".to_owned());
            }
        };
        let (Limit::AtLeast(value) | Limit::AtMost(value)) = limit;
        if !(0.0..=1.0).contains(&value) {
            return Err(format!("`min` and `max` are from 0 to 1, not {value}"));
        }
        Ok(Self { limit, bound, cases_min })
    }
}

/// One gate and what became of it.
#[derive(Clone, Debug, Serialize)]
pub struct GateVerdict {
    /// The suite.
    pub suite: String,
    /// The measure, or the family whose cases are counted.
    pub measure: String,
    /// The bound in words.
    pub bound: String,
    /// What was measured; none where there was nothing to measure.
    pub value: Option<f64>,
    /// How many cases it was measured over.
    pub of: usize,
    /// The interval of the measure.
    pub interval: Option<Interval>,
    /// Whether it passed.
    pub passed: bool,
    /// Why it did not.
    pub reason: Option<String>,
}

impl Gates {
    /// Holds what was measured over documents against the gates of the sets that were there.
    #[must_use]
    pub fn documents(&self, report: &DocumentsReport) -> Vec<GateVerdict> {
        self.0.get("documents").map(|gates| gates.sets.verdicts(report)).unwrap_or_default()
    }

    /// Holds a suite's report against the suite's gates; none for a suite that has no gates.
    #[must_use]
    pub fn verdicts(&self, report: &SuiteReport) -> Vec<GateVerdict> {
        let Some(gates) = self.0.get(&report.suite) else { return Vec::new() };
        let unnamed = report.families.keys().filter(|family| !gates.families.contains_key(*family));
        let families = gates.families.iter().map(|(family, least)| (family, Some(*least)));
        let families = families.chain(unnamed.map(|family| (family, None)));
        let counted = families.map(|(family, least)| family_verdict(report, family, least));
        let measured = gates.measures.iter().map(|(measure, gate)| gate.verdict(report, *measure));
        counted.chain(measured).collect()
    }
}

fn family_verdict(report: &SuiteReport, family: &str, least: Option<usize>) -> GateVerdict {
    let of = report.families.get(family).map_or(0, |scores| scores.cases);
    let reason = match least {
        None => Some(format!("gates.toml does not name the family `{family}`")),
        Some(least) if of < least => Some(format!("{of} cases are too few")),
        Some(_) => None,
    };
    GateVerdict {
        suite: report.suite.clone(),
        measure: format!("cases of {family}"),
        bound: least.map_or_else(|| "named".to_owned(), |least| format!("at least {least}")),
        value: None,
        of,
        interval: None,
        passed: reason.is_none(),
        reason,
    }
}

impl Gate {
    fn verdict(self, report: &SuiteReport, measure: Measure) -> GateVerdict {
        let measured = report.measures.get(&measure).copied().unwrap_or_default();
        let reason = self.failure(measured);
        GateVerdict {
            suite: report.suite.clone(),
            measure: measure.word().to_owned(),
            bound: self.words(),
            value: measured.value,
            of: measured.of,
            interval: measured.interval,
            passed: reason.is_none(),
            reason,
        }
    }

    /// Why a measure does not keep to it.
    fn failure(self, measured: Measured) -> Option<String> {
        let Measured { value, of, interval, .. } = measured;
        if of < self.cases_min {
            return Some(format!("{of} cases are too few to say, {} are needed", self.cases_min));
        }
        let held = match (self.bound, self.limit) {
            (Bound::Value, _) => value,
            (Bound::Wilson, Limit::AtLeast(_)) => interval.map(|interval| interval.low),
            (Bound::Wilson, Limit::AtMost(_)) => interval.map(|interval| interval.high),
        };
        let Some(held) = held else {
            return Some(format!("{of} cases give nothing to hold against it"));
        };
        let (limit, keeps) = match self.limit {
            Limit::AtLeast(min) => (min, held >= min),
            Limit::AtMost(max) => (max, held <= max),
        };
        (!keeps).then(|| format!("{:.1} against {:.1}", held * 100.0, limit * 100.0))
    }

    fn words(self) -> String {
        let of = match self.bound {
            Bound::Value => "",
            Bound::Wilson => " (Wilson)",
        };
        match self.limit {
            Limit::AtLeast(min) => format!("at least {:.1}{of}", min * 100.0),
            Limit::AtMost(max) => format!("at most {:.1}{of}", max * 100.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Share;
    use crate::scores::FamilyScores;

    fn report(hits: usize, of: usize) -> SuiteReport {
        let mut report = SuiteReport { suite: "s".to_owned(), ..SuiteReport::default() };
        report.measures.insert(Measure::AnswerHold, Share { hits, of }.into());
        report.families.insert("clear".to_owned(), FamilyScores { cases: of, ..FamilyScores::default() });
        report
    }

    fn verdict(gate: &str, report: &SuiteReport) -> GateVerdict {
        let text = format!("[s.families]\nclear = 4\n[s.measures]\nanswerHoldRate = {gate}");
        let gates: Gates = toml::from_str(&text).unwrap();
        let mut verdicts = gates.verdicts(report);
        assert_eq!(verdicts.len(), 2);
        verdicts.remove(1)
    }

    #[test]
    fn values_and_intervals_are_held_against_bounds() {
        assert!(verdict("{ min = 0.9 }", &report(9, 10)).passed);
        assert!(!verdict("{ min = 0.91 }", &report(9, 10)).passed);
        assert!(verdict("{ max = 0.1 }", &report(1, 10)).passed);
        // 9 of 10: Wilson from 59.6 to 98.2.
        let low = verdict("{ min = 0.9, bound = \"wilson\" }", &report(9, 10));
        assert_eq!((low.passed, low.reason.as_deref()), (false, Some("59.6 against 90.0")));
        assert!(verdict("{ min = 0.59, bound = \"wilson\" }", &report(9, 10)).passed);
        assert!(!verdict("{ max = 0.15, bound = \"wilson\" }", &report(1, 10)).passed);
    }

    #[test]
    fn too_few_cases_fail_with_that_reason() {
        let few = verdict("{ min = 0.5, cases_min = 20 }", &report(10, 10));
        assert_eq!((few.passed, few.of), (false, 10));
        assert_eq!(few.reason.as_deref(), Some("10 cases are too few to say, 20 are needed"));
        let none = verdict("{ max = 0.5 }", &report(0, 0));
        assert_eq!(none.reason.as_deref(), Some("0 cases are too few to say, 1 are needed"));
        let no_interval = verdict("{ min = 0.1, bound = \"wilson\" }", &report(4, 4));
        assert_eq!(no_interval.reason.as_deref(), Some("4 cases give nothing to hold against it"));
    }

    #[test]
    fn families_are_counted_and_named() {
        let gates: Gates = toml::from_str("[s.families]\nrare = 3").unwrap();
        let verdicts = gates.verdicts(&report(1, 2));
        let reasons: Vec<_> = verdicts.iter().map(|verdict| verdict.reason.as_deref().unwrap()).collect();
        assert_eq!(reasons, ["0 cases are too few", "gates.toml does not name the family `clear`"]);
        assert!(Gates::default().verdicts(&report(1, 2)).is_empty());
    }

    #[test]
    fn a_gate_has_one_limit_in_range() {
        for gate in ["{}", "{ min = 0.1, max = 0.2 }", "{ min = 1.5 }"] {
            assert!(toml::from_str::<Gates>(&format!("[s.measures]\nmacroF1 = {gate}")).is_err(), "{gate}");
        }
    }
}

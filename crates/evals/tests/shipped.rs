//! The suites that are shipped: read whole, broad enough, and held to gates.

use std::collections::BTreeSet;
use std::path::Path;

use evals::corpus::Outcome;
use evals::suite::{self, Suite};
use evals::{Reply, score};

const COVERAGE_CASES_MIN: usize = 150;
const CLEAR_CASES_MIN: usize = 80;
const REASON_CODES: usize = 8;

fn shipped(wanted: &str) -> suite::Suites {
    let evals = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../evals");
    suite::read(&evals, wanted).expect("the shipped suites are sound")
}

fn coverage() -> Suite {
    shipped("coverage").suites.remove(0)
}

#[test]
fn coverage_has_every_outcome_and_every_reason_code() {
    let cases = coverage().cases;
    assert!(cases.len() >= COVERAGE_CASES_MIN, "{} cases", cases.len());
    let clear = cases.iter().filter(|case| case.wanted() == Outcome::Answer).count();
    assert!(clear >= CLEAR_CASES_MIN, "{clear} clear cases");
    let outcomes: BTreeSet<Outcome> = cases.iter().map(|case| case.expected[0]).collect();
    assert_eq!(outcomes.len(), Outcome::ALL.len());
    let reasons: BTreeSet<String> =
        cases.iter().filter_map(|case| case.reason).map(|reason| format!("{reason:?}")).collect();
    assert_eq!(reasons.len(), REASON_CODES, "{reasons:?}");
    assert!(cases.iter().any(|case| !case.missing.is_empty()));
}

#[test]
fn every_suite_has_gates_and_names_its_families() {
    let suites = shipped("all");
    let names: Vec<&str> = suites.suites.iter().map(|suite| suite.name.as_str()).collect();
    assert_eq!(names, ["anchors", "coverage", "strangers", "wedge"]);
    for suite in &suites.suites {
        let unasked: Vec<Reply> =
            suite.cases.iter().map(|_| Reply::Skipped("not asked".to_owned())).collect();
        let verdicts = suites.gates.verdicts(&score(suite, &unasked));
        let families: Vec<_> =
            verdicts.iter().filter(|verdict| verdict.measure.starts_with("cases of ")).collect();
        assert!(families.iter().all(|verdict| verdict.passed), "{families:?}");
        assert!(verdicts.len() > families.len(), "{} has no measure to keep to", suite.name);
    }
}

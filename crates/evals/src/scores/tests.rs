//! Scoring a suite: what passes, what fails and how it is counted.

use std::collections::BTreeSet;

use contract::trace::DecisionReason;

use super::*;
use crate::observed::{Assumption, GateTrace};

const CASES: &str = r#"
[[case]]
id = "clear"
family = "clear"
query = "Rain in Rome?"
expected = ["answer"]
methods = ["get_rain"]
pair = "p"

[[case]]
id = "vague"
family = "vague"
query = "Rain?"
expected = ["clarification_required"]
reason = "required_discriminator_ambiguity"
missing = ["city"]
pair = "p"

[[case]]
id = "assumed"
family = "vague"
query = "Rain?"
policy = "auto"
expected = ["answer"]
assumption = true

[[case]]
id = "either"
family = "none"
query = "Book a flight"
expected = ["capability_miss", "clarification_required"]
"#;

fn suite() -> Suite {
    let file: BTreeMap<String, Vec<SuiteCase>> = toml::from_str(CASES).unwrap();
    Suite { name: "s".to_owned(), cases: file.into_values().next().unwrap() }
}

fn seen(outcome: Outcome, change: impl FnOnce(&mut Observed)) -> Reply {
    let gate = GateTrace {
        reason: DecisionReason::RequiredDiscriminatorAmbiguity,
        outcome,
        rollout_stage: "enabled".to_owned(),
        judge_outcome: Some(Outcome::Answer),
        judge_confidence: Some(0.5),
        fallback_reason: None,
        unresolved: BTreeSet::from(["city".to_owned()]),
    };
    let methods = BTreeSet::from(["get_rain".to_owned()]);
    let mut observed =
        Observed { outcome, methods, assumption: None, gate: Some(gate), result: None, duration_us: 10 };
    change(&mut observed);
    Reply::Seen(Box::new(observed))
}

fn assumed(is_in_evidence: bool) -> Assumption {
    Assumption { label: "Rome".to_owned(), is_in_evidence }
}

#[test]
fn all_is_well() {
    use Outcome::{Answer, CapabilityMiss, ClarificationRequired};
    let replies = [
        seen(Answer, |_| ()),
        seen(ClarificationRequired, |_| ()),
        seen(Answer, |observed| observed.assumption = Some(assumed(true))),
        seen(ClarificationRequired, |observed| observed.gate = None),
    ];
    let report = score(&suite(), &replies);
    assert!(report.failed.is_empty(), "{:?}", report.failed);
    let value = |measure| report.measures[&measure].value.unwrap();
    for measure in [Measure::Pass, Measure::MacroF1, Measure::Pair, Measure::AmbiguityRecall] {
        assert!((value(measure) - 1.0).abs() < 1e-12, "{}", measure.word());
    }
    assert_eq!(report.measures[&Measure::AmbiguityRecall].of, 2);
    assert_eq!(report.confusion.count(CapabilityMiss, CapabilityMiss), 1);
    assert_eq!(report.measures[&Measure::JudgeDisagreement].hits, Some(1));
    assert_eq!(report.rollout_stages["enabled"], 3);
    assert_eq!(report.reason_codes["required_discriminator_ambiguity"], 3);
    assert_eq!(report.latency.p50_us, 10);
}

#[test]
fn half_an_answer_is_a_fault() {
    let mut suite = suite();
    suite.cases.truncate(1);
    suite.cases[0].also = vec!["get_snow".to_owned(), "get_hail".to_owned()];
    let half = score(&suite, &[seen(Outcome::Answer, |_| ())]);
    assert_eq!(half.failed[0].faults, ["called [get_rain], not get_snow or get_hail"]);
    assert_eq!(half.measures[&Measure::MethodHit].hits, Some(0));
    let whole = seen(Outcome::Answer, |observed| {
        observed.methods.insert("get_hail".to_owned());
    });
    assert!(score(&suite, &[whole]).failed.is_empty());
}

#[test]
fn what_is_wrong_is_said() {
    let replies = [
        seen(Outcome::Answer, |observed| observed.methods.clear()),
        seen(Outcome::Answer, |observed| observed.gate = None),
        seen(Outcome::Answer, |_| ()),
        Reply::Failed("no reply".to_owned()),
    ];
    let report = score(&suite(), &replies);
    let faults: BTreeMap<&str, String> =
        report.failed.iter().map(|case| (case.id.as_str(), case.faults.join("; "))).collect();
    assert_eq!(faults["clear"], "called [], not get_rain");
    assert!(faults["vague"].starts_with("ended with answer; reason code none"), "{}", faults["vague"]);
    assert!(faults["vague"].contains("`city` is left out"));
    assert_eq!(faults["assumed"], "answered without saying what it assumed");
    assert_eq!(faults["either"], "no reply");
    assert_eq!(report.measures[&Measure::SilentAnswer].hits, Some(2));
    assert_eq!(report.measures[&Measure::Error].hits, Some(1));
    assert_eq!(report.measures[&Measure::Pair].hits, Some(0));
    assert_eq!(report.families["vague"].passed, Share { hits: 0, of: 2 });
}

#[test]
fn an_assumption_is_no_answer_to_a_clear_question() {
    let unsaid = [seen(Outcome::Answer, |observed| observed.assumption = Some(assumed(true)))];
    let report = score(&suite(), &unsaid);
    assert_eq!(report.measures[&Measure::OverAsk].hits, Some(1));
    assert_eq!(report.failed[0].faults, ["made an assumption: Rome"]);
    let undisclosed = seen(Outcome::Answer, |observed| observed.assumption = Some(assumed(false)));
    let skipped = || Reply::Skipped("not here".to_owned());
    let report = score(&suite(), &[skipped(), skipped(), undisclosed, skipped()]);
    assert!(report.failed[0].faults[0].contains("evidence does not say"));
    assert_eq!((report.skipped.len(), report.families["none"].cases), (3, 1));
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["measures"]["passRate"]["of"], 1);
}

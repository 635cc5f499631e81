//! The report of suites: measures beside their gates, families, what failed and why.

use super::{Timing, line, number_of, optional, shortened, table, with_interval};
use crate::corpus::Outcome;
use crate::gates::GateVerdict;
use crate::scores::{Measure, Measured, SuiteReport};

/// Suites, each held against its gates. `title` says what was asked, and under which policies.
#[must_use]
pub fn suites(title: &str, reports: &[SuiteReport], verdicts: &[GateVerdict]) -> String {
    let mut text = format!("{title}\n");
    for report in reports {
        let own: Vec<&GateVerdict> =
            verdicts.iter().filter(|verdict| verdict.suite == report.suite).collect();
        suite(&mut text, report, &own);
    }
    gates(&mut text, verdicts);
    text
}

/// The gates that failed, and how many did.
pub(super) fn gates(text: &mut String, verdicts: &[GateVerdict]) {
    let failed: Vec<&GateVerdict> = verdicts.iter().filter(|verdict| !verdict.passed).collect();
    for verdict in &failed {
        let reason = verdict.reason.as_deref().unwrap_or_default();
        let GateVerdict { suite, measure, bound, .. } = verdict;
        line(text, format_args!("FAILED  {suite}: {measure}, {bound}: {reason}"));
    }
    let ending = match (verdicts.len(), failed.len()) {
        (0, _) => "no gates were set".to_owned(),
        (all, 0) => format!("all {all} gates passed"),
        (all, failed) => format!("{failed} of {all} gates failed"),
    };
    line(text, format_args!("gates: {ending}"));
}

fn suite(text: &mut String, report: &SuiteReport, verdicts: &[&GateVerdict]) {
    let asked = report.cases - report.skipped.len();
    let (name, cases) = (&report.suite, report.cases);
    line(
        text,
        format_args!("\n{name}: {cases} cases, {asked} asked, an answer took {}", Timing(report.latency)),
    );
    let mut rows = table(&["measure", "value", "of", "gate", ""]);
    for measure in Measure::ALL {
        let Some(measured) = report.measures.get(&measure) else { continue };
        let gate = verdicts.iter().find(|verdict| verdict.measure == measure.word());
        rows.add_row([
            measure.word().to_owned(),
            value(measured),
            measured.of.to_string(),
            gate.map(|gate| gate.bound.clone()).unwrap_or_default(),
            gate.map(|gate| passed(gate.passed).to_owned()).unwrap_or_default(),
        ]);
    }
    line(text, format_args!("{rows}"));
    let mut families = table(&["family", "cases", "passed", "answer", "clarification", "miss"]);
    for (family, scores) in &report.families {
        let decided = Outcome::ALL.map(|decided| {
            let expected = Outcome::ALL;
            scores.confusion.share(&expected, decided).hits.to_string()
        });
        let row = [family.clone(), scores.cases.to_string(), value(&scores.passed.into())];
        families.add_row(row.into_iter().chain(decided));
    }
    line(text, format_args!("\n{families}"));
    line(text, format_args!("\nrollout stages: {}", number_of(&report.rollout_stages)));
    line(text, format_args!("reason codes: {}", number_of(&report.reason_codes)));
    for skipped in &report.skipped {
        line(text, format_args!("skipped  {}: {}", skipped.id, skipped.reason));
    }
    for case in &report.failed {
        let (id, family, query) = (&case.id, &case.family, shortened(&case.query));
        let faults = case.faults.join("; ");
        let expected: Vec<&str> = case.expected.iter().map(|outcome| outcome.word()).collect();
        line(text, format_args!("failed   {id} ({family}): {query}"));
        line(text, format_args!("         expected {}; {faults}", expected.join(" or ")));
    }
    let failed = report.measures.get(&Measure::Pass).map_or(0, |passed| passed.of - passed.hits.unwrap_or(0));
    if failed > report.failed.len() {
        line(text, format_args!("         and {} more", failed - report.failed.len()));
    }
}

fn value(measured: &Measured) -> String {
    with_interval(optional(measured.value), measured.interval)
}

fn passed(passed: bool) -> &'static str {
    if passed { "passed" } else { "FAILED" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Gates;
    use crate::metrics::Share;

    #[test]
    fn gates_stand_beside_their_measures() {
        let mut report = SuiteReport { suite: "s".to_owned(), cases: 9, ..SuiteReport::default() };
        report.measures.insert(Measure::Pass, Share { hits: 6, of: 9 }.into());
        let gates: Gates = toml::from_str("[s.measures]\npassRate = { min = 0.9 }").unwrap();
        let text = suites("here", &[report.clone()], &gates.verdicts(&report));
        assert!(text.contains("66.7 [35.4, 87.9]") && text.contains("at least 90.0"), "{text}");
        assert!(text.contains("FAILED  s: passRate, at least 90.0: 66.7 against 90.0"), "{text}");
        assert!(text.ends_with("gates: 1 of 1 gates failed\n"), "{text}");
        assert!(suites("here", &[report], &[]).ends_with("gates: no gates were set\n"));
    }
}

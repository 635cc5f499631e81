//! Reports for people: tables with intervals, and the worst cases.

mod documents;
mod suites;

use std::collections::BTreeMap;
use std::fmt::{self, Display, Write as _};

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};

use crate::corpus::Outcome;
use crate::decisions::{DecisionReport, SourceScores};
use crate::metrics::{Interval, Mean, Quantiles, Share};
use crate::retrieval::{RankingScores, RetrievalReport};

pub use documents::documents;
pub use suites::suites;

const QUERY_CHARS_MAX: usize = 90;

/// Several rankers over one set, side by side, with the worst queries of the last.
#[must_use]
pub fn retrieval(set: &str, rankers: &[(&str, &RetrievalReport)]) -> String {
    let mut table = table(&["ranker", "queries", "nDCG@10", "recall@1", "recall@5", "recall@10", "MRR"]);
    for (name, report) in rankers {
        let halves = [("", &report.all), (", tuning half", &report.tuning), (", held out", &report.held_out)];
        for (half, scores) in halves {
            table.add_row(ranking_row(&format!("{name}{half}"), scores));
        }
    }
    let mut text = format!("{set}\n{table}\n");
    for (name, report) in rankers {
        line(
            &mut text,
            format_args!("{name}: {} tools, a search took {}", report.tools, Timing(report.latency)),
        );
    }
    if let Some((name, report)) = rankers.last() {
        line(&mut text, format_args!("\nWorst queries of {name}:"));
        for worst in &report.worst {
            let (query, wanted) = (shortened(&worst.query), worst.wanted.join(", "));
            let (score, found) = (percent(worst.ndcg_at_10), worst.found.join(", "));
            line(&mut text, format_args!("{score:>5}  {query}\n       wanted {wanted}; found {found}"));
        }
    }
    text
}

/// A decider's report.
#[must_use]
pub fn decisions(title: &str, report: &DecisionReport) -> String {
    let strict = &report.total.strict;
    let mut measures = table(&["measure", "strict", "lenient"]);
    let (rates, lenient) = (strict.rates(), report.total.lenient.rates());
    let (counts, lenient_counts) = (&strict.confusion, &report.total.lenient.confusion);
    for (name, strict, lenient) in [
        ("macroF1", counts.macro_f1(), lenient_counts.macro_f1()),
        ("balancedAccuracy", counts.balanced_accuracy(), lenient_counts.balanced_accuracy()),
    ] {
        measures.add_row([name.to_owned(), optional(strict), optional(lenient)]);
    }
    for (name, strict, lenient) in [
        ("accuracy", counts.accuracy(), lenient_counts.accuracy()),
        ("answerHoldRate", rates.answer_hold, lenient.answer_hold),
        ("ambiguityRecall", rates.ambiguity_recall, lenient.ambiguity_recall),
        ("capabilityMissRecall", rates.capability_miss_recall, lenient.capability_miss_recall),
        ("silentAnswerRate", rates.silent_answer, lenient.silent_answer),
        ("overAskRate", rates.over_ask, lenient.over_ask),
        ("wrongMissRate", rates.wrong_miss, lenient.wrong_miss),
    ] {
        measures.add_row([name.to_owned(), share(strict), share(lenient)]);
    }
    for (name, value) in [
        ("methodHitRate", report.total.method_hit_rate),
        ("missingNamedRate", report.total.missing_named_rate),
        ("fallbackRate", report.total.fallback_rate),
        ("judgeDisagreementRate", report.total.judge_disagreement_rate),
    ] {
        measures.add_row([name.to_owned(), share(value), String::new()]);
    }
    let mut text = format!("{title}: {} cases, a decision took {}\n", counts.cases(), Timing(report.latency));
    line(&mut text, format_args!("{measures}\n\n{}\n\n{}", confusion(&report.total), sources(report)));
    line(&mut text, format_args!("\nWrong decisions, surest first:"));
    for worst in &report.worst {
        let (decided, expected) = (worst.decided.outcome.word(), worst.expected.word());
        let confidence = percent(worst.decided.confidence);
        let (methods, wanted) = (worst.decided.methods.join(", "), worst.expected_methods.join(", "));
        let (id, query) = (&worst.id, shortened(&worst.query));
        line(&mut text, format_args!("{confidence:>5}  {decided} for {expected}  {id}  {query}"));
        line(&mut text, format_args!("       decided [{methods}], expected [{wanted}]"));
    }
    text
}

/// Two deciders over one corpus, source by source.
#[must_use]
pub fn beside(name: &str, report: &DecisionReport, baseline_name: &str, baseline: &DecisionReport) -> String {
    let balanced = |report: &DecisionReport, source: &str| {
        report.sources.get(source).and_then(|scores| scores.strict.confusion.balanced_accuracy())
    };
    let mut table = table(&["balanced accuracy", "cases", name, baseline_name, "gain"]);
    for (source, scores) in &report.sources {
        let (own, other) = (balanced(report, source), balanced(baseline, source));
        let gain = own.zip(other).map(|(own, other)| own - other);
        let cases = scores.strict.confusion.cases().to_string();
        table.add_row([source.clone(), cases, optional(own), optional(other), optional(gain)]);
    }
    format!("{table}\n")
}

fn line(text: &mut String, content: fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{content}");
}

fn confusion(scores: &SourceScores) -> Table {
    let mut table = table(&["expected \\ decided", "answer", "clarification", "miss"]);
    for expected in Outcome::ALL {
        let counts = Outcome::ALL.map(|decided| scores.strict.confusion.count(expected, decided).to_string());
        table.add_row([expected.word().to_owned()].into_iter().chain(counts));
    }
    table
}

fn sources(report: &DecisionReport) -> Table {
    let mut table =
        table(&["source", "cases", "balanced", "hold", "ambiguity", "miss", "silent", "over-ask"]);
    for (source, scores) in &report.sources {
        let rates = scores.strict.rates();
        table.add_row([
            source.clone(),
            scores.strict.confusion.cases().to_string(),
            optional(scores.strict.confusion.balanced_accuracy()),
            optional(rates.answer_hold.value()),
            optional(rates.ambiguity_recall.value()),
            optional(rates.capability_miss_recall.value()),
            optional(rates.silent_answer.value()),
            optional(rates.over_ask.value()),
        ]);
    }
    table
}

fn ranking_row(name: &str, scores: &RankingScores) -> Vec<String> {
    vec![
        name.to_owned(),
        scores.ndcg_at_10.of.to_string(),
        mean(&scores.ndcg_at_10),
        mean(&scores.recall_at_1),
        mean(&scores.recall_at_5),
        mean(&scores.recall_at_10),
        mean(&scores.reciprocal_rank),
    ]
}

fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(header);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn mean(mean: &Mean) -> String {
    with_interval(percent(mean.value), mean.interval)
}

fn share(share: Share) -> String {
    with_interval(optional(share.value()), share.interval())
}

fn with_interval(value: String, interval: Option<Interval>) -> String {
    match interval {
        Some(Interval { low, high }) => format!("{value} [{}, {}]", percent(low), percent(high)),
        None => value,
    }
}

fn number_of(counts: &BTreeMap<String, usize>) -> String {
    let counted: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
    if counted.is_empty() { "none seen".to_owned() } else { counted.join(", ") }
}

fn optional(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), percent)
}

fn percent(value: f64) -> String {
    format!("{:.1}", value * 100.0)
}

fn shortened(query: &str) -> String {
    let line = query.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(QUERY_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

struct Timing(Quantiles);

impl Display for Timing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Quantiles { p50_us, p95_us, p99_us } = self.0;
        write!(formatter, "{p50_us} µs (p50), {p95_us} µs (p95), {p99_us} µs (p99)")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::corpus::Case;
    use crate::{Decided, NaiveGate};

    #[test]
    fn a_decision_report_shows_measures_and_worst_cases() {
        let case: Case = serde_json::from_value(json!({
            "id": "a/1", "source": "a", "query": "snow\nhere", "tools": [{"name": "rain"}],
            "expected": {"outcome": "answer", "methods": ["rain"]},
        }))
        .unwrap();
        let gate = NaiveGate::TUNED;
        let report =
            crate::decisions([Ok(case)], |input| gate.decide(input), || 0, |_, _: &Decided| Ok(())).unwrap();
        let text = decisions("naive", &report);
        assert!(text.contains("silentAnswerRate") && text.contains("naive: 1 cases"), "{text}");
        assert!(text.contains("capability_miss for answer  a/1  snow here"), "{text}");
        let text = beside("gate", &report, "naive", &report);
        assert!(text.contains("| a ") && text.contains("| gain"), "{text}");
    }

    #[test]
    fn long_queries_are_shortened_at_a_character() {
        assert_eq!(shortened(&"é".repeat(100)).chars().count(), QUERY_CHARS_MAX + 1);
        assert_eq!(percent(0.534_9), "53.5");
    }
}

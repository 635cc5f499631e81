//! The report of documents: each set beside flat BM25, how well questions and claims are told apart, and the gates.

use super::{Timing, line, mean, percent, share, suites, table, with_interval};
use crate::GateVerdict;
use crate::documents::{Difference, DocumentsReport, Ranked, SetReport};

/// Documents, each set held against its gates. `title` says what was measured, and under which policies.
#[must_use]
pub fn documents(title: &str, report: &DocumentsReport, verdicts: &[GateVerdict]) -> String {
    let mut text = format!("{title}\n");
    let mut rankings = table(&["set", "questions", "nDCG@10", "recall@5", "recall@10"]);
    for set in &report.sets {
        rankings.add_row(row(&format!("{}, flat BM25", named(set)), set.questions, &set.flat));
        rankings.add_row(row(&named(set), set.questions, &set.library));
        let gain = &set.gain;
        rankings.add_row([
            "  gain".to_owned(),
            String::new(),
            difference(gain.ndcg_at_10),
            difference(gain.recall_at_5),
            difference(gain.recall_at_10),
        ]);
    }
    line(&mut text, format_args!("{rankings}"));
    for set in &report.sets {
        let (name, items, latency) = (named(set), set.items, Timing(set.latency));
        line(&mut text, format_args!("{name}: {items} items, a search took {latency}"));
    }
    let mut abstention =
        table(&["questions without an answer", "AUC", "of", "refused at the floor", "caught"]);
    for one in &report.abstention {
        let kind = if one.is_page_absent { "page absent" } else { "near miss" };
        abstention.add_row([
            format!("{}, {kind}", one.name),
            with_interval(percent(one.auc.value), Some(one.auc.interval)),
            format!("{} / {}", one.auc.positives, one.auc.negatives),
            share(one.refused),
            share(one.caught),
        ]);
    }
    line(&mut text, format_args!("\n{abstention}"));
    let mut claims = table(&["citations", "wrong ones flagged", "right ones flagged"]);
    for one in &report.claims {
        claims.add_row([one.name.clone(), share(one.swapped), share(one.false_alarms)]);
    }
    line(&mut text, format_args!("\n{claims}\n"));
    for skipped in &report.skipped {
        line(&mut text, format_args!("skipped  {skipped}"));
    }
    suites::gates(&mut text, verdicts);
    text
}

fn named(set: &SetReport) -> String {
    let turns = if set.with_history { ", with the turn before" } else { "" };
    format!("{}{turns}", set.name)
}

fn row(name: &str, questions: usize, ranked: &Ranked) -> [String; 5] {
    [
        name.to_owned(),
        questions.to_string(),
        mean(&ranked.ndcg_at_10),
        mean(&ranked.recall_at_5),
        mean(&ranked.recall_at_10),
    ]
}

fn difference(difference: Difference) -> String {
    let value = format!("{:+.1}", difference.value * 100.0);
    with_interval(value, Some(difference.interval))
}

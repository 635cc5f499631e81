//! The evidence package: facts, sources, a view, freshness and confidence, from what the calls delivered.
//!
//! Everything here is read from results or counted from them. No value is made up, and what is missing is said.

mod table;

mod bounded;
mod columns;
mod dated;
mod rows;
pub(crate) mod text;
mod turned;

mod conflicts;
mod facts;
mod layout;
pub(crate) mod market;
mod sources;

use std::borrow::Cow;
use std::collections::BTreeSet;

use domain::{Confidence, Evidence, Fact, Gap, GapCode, Level, Severity};
use jiff::Timestamp;
use policy::{Budgets, Policy, ViewLimits};
use reading::form::{FormKind, Way};
use reading::{Reading, words};
use serde_json::Value;

use crate::execute::Executed;
use crate::playbook::Playbook;

use table::Shape;

/// A question as the evidence is held against it.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) question: &'a str,
    /// When it was asked.
    pub(crate) at: Timestamp,
    /// What it has to be answered from, where it is about flows.
    pub(crate) playbook: Option<&'a Playbook>,
}

/// Builds the package for a question.
pub(crate) fn package(
    of: Asked<'_>,
    reading: &Reading,
    executed: &Executed,
    gaps: Vec<Gap>,
    assumptions: Vec<String>,
    policy: &Policy,
) -> Evidence {
    let (question, budgets) = (of.question, &policy.budgets);
    let rules = &policy.evidence;
    let market = of.playbook.and_then(|playbook| market::of(executed, playbook, &rules.market, of.at));
    let sources = sources::of(&executed.calls);
    let asked = asked(question, reading);
    let reading = &as_told(question, &asked, reading, &executed.value);
    let (shape, of_bounds) = if reading.parts.is_empty() {
        table::shape(question, &asked, reading, executed, (&executed.value, "$"), &rules.view)
    } else {
        (Shape::One(Vec::new()), Vec::new())
    };
    let (facts, reasons) = if reading.parts.is_empty() {
        facts::of(question, &asked, reading, executed, &shape, budgets.facts_max)
    } else {
        (of_parts(reading, executed, budgets.facts_max, &rules.view), vec!["multi_part_lookup"])
    };
    let mut gaps = gaps;
    let conflicts = conflicts::of(executed, &rules.conflicts);
    gaps.extend(conflicts.iter().map(conflicts::gap));
    gaps.extend(of_layout(reading, &shape, budgets));
    gaps.extend(of_bounds);
    let (market, facts, view) = if let Some((found, left_open)) = market {
        gaps.extend(left_open);
        let facts = market::facts(&found, budgets.facts_max);
        let view = market::view(question, &found, budgets.rows_max);
        (Some(Box::new(found)), facts, view)
    } else {
        let view =
            layout::view(question, reading, (&shape, &facts), executed, (budgets.rows_max, &rules.view));
        (None, facts, view)
    };
    let known_unknowns = gaps.iter().map(|gap| gap.detail.clone()).collect();
    let freshness = sources::freshness(&sources);
    let confidence = confidence(facts.len(), gaps);
    Evidence {
        facts,
        sources,
        assumptions,
        known_unknowns,
        retrieval_reasons: reasons,
        view,
        freshness,
        confidence,
        conflicts,
        market,
    }
}

/// The reading as the results can be held against it: rows that are told apart by names are no course over time, and others are
/// one where it is asked whether something rose or fell.
fn as_told<'r>(
    question: &str,
    asked: &BTreeSet<String>,
    reading: &'r Reading,
    value: &Value,
) -> Cow<'r, Reading> {
    let form = &reading.form;
    let asks_whether = form.kind == FormKind::YesNo && form.thresholds.is_empty() && asks_of_change(question);
    if form.kind != FormKind::Series && !asks_whether {
        return Cow::Borrowed(reading);
    }
    let rows = rows::of(question, asked, reading, (value, "$"));
    let kind = match (asks_whether, columns::are_told_by_names(&rows, reading)) {
        (false, true) => FormKind::Single,
        (true, false) if rows.len() > 1 => FormKind::Series,
        (_, _) => return Cow::Borrowed(reading),
    };
    let mut reading = reading.clone();
    reading.form.kind = kind;
    Cow::Owned(reading)
}

/// Whether a question asks of a rise or a fall.
fn asks_of_change(question: &str) -> bool {
    words::words(question).iter().any(|word| matches!(Way::of(&word.stem), Some(Way::Up | Way::Down)))
}

/// What the layout of the results leaves open.
fn of_layout(reading: &Reading, shape: &Shape, budgets: &Budgets) -> Vec<Gap> {
    let mut gaps = Vec::new();
    if let Shape::Rows(table) = shape
        && table.rows.len() > budgets.rows_max
    {
        gaps.push(Gap {
            code: GapCode::LimitedSliceCoverage,
            severity: Severity::Low,
            detail: format!("{} of {} rows are shown (`rows_max`).", budgets.rows_max, table.rows.len()),
        });
    }
    if let Shape::Rows(table) = shape
        && reading.order.is_some()
        && table.measure.is_none()
    {
        gaps.push(Gap {
            code: GapCode::MissingField,
            severity: Severity::Medium,
            detail: "The results have no number for what the question ranks by.".to_owned(),
        });
    }
    if let (Shape::Rows(_), Some(turn), None) = (shape, &reading.form.turn, reading.order)
        && turn.text != "latest"
    {
        gaps.push(Gap {
            code: GapCode::MissingField,
            severity: Severity::Medium,
            detail: format!("The results have no time that tells what is {}.", turn.text),
        });
    }
    if reading.parts.is_empty()
        && let (Shape::One(_) | Shape::Text { .. }, Some(_)) = (shape, reading.order)
    {
        gaps.push(Gap {
            code: GapCode::LimitedSliceCoverage,
            severity: Severity::Medium,
            detail: "The results hold one thing and no rows to rank.".to_owned(),
        });
    }
    gaps
}

/// The terms of a question and those that its idioms stand for, but for those that say when: "the day after tomorrow" asks for no
/// day.
fn asked(question: &str, reading: &Reading) -> BTreeSet<String> {
    let when = reading.window.as_ref().map_or("", |window| window.text.as_str());
    let untimed = question.replacen(when, " ", 1);
    words::terms(&untimed).into_iter().chain(words::idiom::meanings(&untimed)).collect()
}

/// The facts of each part of the question, its fair share of all.
fn of_parts(reading: &Reading, executed: &Executed, facts_max: usize, view: &ViewLimits) -> Vec<Fact> {
    let each_max = (facts_max / reading.parts.len().max(1)).max(1);
    let mut facts: Vec<Fact> = Vec::new();
    for part in &reading.parts {
        let Some(value) = executed.value.get(&part.key) else { continue };
        let base = format!("$.{}", part.key);
        let asked = asked(&part.question, &part.reading);
        let (shape, _) = table::shape(&part.question, &asked, &part.reading, executed, (value, &base), view);
        let (found, _) = facts::of(&part.question, &asked, &part.reading, executed, &shape, each_max);
        facts.extend(found.into_iter().map(|fact| Fact { id: format!("{}:{}", part.key, fact.id), ..fact }));
    }
    facts
}

/// What stands in the answer's place where the caller wants none: what there is, counted.
pub(crate) fn summary(evidence: &Evidence) -> String {
    format!(
        "Evidence only: {} fact(s) from {} source(s), {} row(s), {} known gap(s).",
        evidence.facts.len(),
        evidence.sources.len(),
        evidence.view.rows.len(),
        evidence.known_unknowns.len()
    )
}

/// No gap is high confidence, gaps of some weight medium, a gap at the heart of the answer low.
fn confidence(verified_facts: usize, gaps: Vec<Gap>) -> Confidence {
    let worst = gaps.iter().map(|gap| gap.severity).max();
    let (level, reason) = match (worst, verified_facts) {
        (_, 0) => (Level::Low, "No fact could be read from the results.".to_owned()),
        (Some(Severity::High), _) => {
            (Level::Low, format!("{} of the gaps is at the heart of the answer.", gaps.len()))
        }
        (Some(Severity::Medium), _) => {
            (Level::Medium, format!("{} known gap(s) in the results.", gaps.len()))
        }
        (Some(Severity::Low) | None, _) => {
            (Level::High, format!("{verified_facts} fact(s) read from validated results."))
        }
    };
    Confidence { level, reason, verified_facts, inferred_facts: 0, gaps }
}

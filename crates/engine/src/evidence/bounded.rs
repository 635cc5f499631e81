//! Rows held against the bounds that a question sets and no call was told: "trades over 2000 shares".

use std::collections::BTreeSet;

use domain::{Gap, GapCode, Severity};
use reading::form::{FormKind, Threshold, Way};
use reading::{Reading, words};

use super::columns;
use super::rows::Cell;
use crate::execute::Executed;

/// The bounds that the question sets and no call was told.
pub(super) fn untold<'a>(question: &str, reading: &'a Reading, executed: &Executed) -> Vec<&'a Threshold> {
    if reading.form.thresholds.is_empty() {
        return Vec::new();
    }
    let is_part = |sign: char| sign.is_ascii_digit() || matches!(sign, '.' | ',');
    let numbers = executed.told().split(|sign| !is_part(sign));
    let told: BTreeSet<String> = numbers.map(|number| number.replace(',', "")).collect();
    let is_told = |it: &Threshold| {
        let written = question.get(it.number.clone()).unwrap_or_default();
        let written = written.trim_matches(|sign| !is_part(sign)).replace(',', "");
        !written.is_empty() && (told.contains(&written) || told.contains(&it.value.to_string()))
    };
    reading.form.thresholds.iter().filter(|it| !is_told(it)).collect()
}

/// Keeps the rows within the bounds, where some are, and says of which bounds none is.
pub(super) fn keep(
    rows: &mut Vec<Vec<Cell>>,
    bounds: &[&Threshold],
    reading: &Reading,
    asked: &BTreeSet<String>,
) -> Vec<Gap> {
    let mut gaps = Vec::new();
    for bound in bounds {
        let Some(column) = column(bound, rows, reading, asked) else {
            let detail = format!("The results have no number to hold against \"{}\".", bound.text);
            gaps.push(gap(GapCode::MissingField, detail));
            continue;
        };
        let number = |row: &Vec<Cell>| row.iter().find(|cell| cell.key == column).and_then(Cell::number);
        // A share is told as a part of one, what is called a percentage in percent.
        let is_share = bound.is_percent
            && !words::identifier_terms(&column).iter().any(|term| term == "percent")
            && rows.iter().filter_map(number).all(|number| number.abs() <= 1.0);
        let unit = if is_share { PERCENT } else { 1.0 };
        let way = bound.way().filter(|_| columns::is_change(&column));
        // What fell by more than so much changed by less than nought.
        let told = |number: f64| match way {
            Some(Way::Down) => -number,
            Some(Way::Either) => number.abs(),
            Some(Way::Up) | None => number,
        };
        let is_within = |row: &Vec<Cell>| number(row).is_some_and(|number| bound.holds(told(number) * unit));
        gaps.extend(keep_within(rows, (&column, &bound.text), is_within));
    }
    gaps
}

/// Keeps the rows whose column is within what the question says, where some are, and says where none is.
pub(super) fn keep_within(
    rows: &mut Vec<Vec<Cell>>,
    (column, said): (&str, &str),
    is_within: impl Fn(&Vec<Cell>) -> bool,
) -> Option<Gap> {
    if rows.iter().any(&is_within) {
        rows.retain(is_within);
        return None;
    }
    Some(none_within(rows.len(), (column, said)))
}

/// Says that of so many rows none has a column within what the question says.
pub(super) fn none_within(rows: usize, (column, said): (&str, &str)) -> Gap {
    let none = if rows == 1 { "No row".to_owned() } else { format!("None of the {rows} rows") };
    gap(GapCode::LimitedSliceCoverage, format!("{none} has `{column}` {said}."))
}

/// What is to be said of bounds where the results hold one thing. Whether that is within one is what a yes-no question asks.
pub(super) fn of_one(bounds: &[&Threshold], reading: &Reading) -> Vec<Gap> {
    let bounds = bounds.iter().filter(|_| reading.form.kind != FormKind::YesNo);
    let say = |bound: &&Threshold| {
        let detail = format!("The results hold one thing and no rows to hold against \"{}\".", bound.text);
        gap(GapCode::LimitedSliceCoverage, detail)
    };
    bounds.map(say).collect()
}

/// The column that is bounded: a change of what rose or fell, else the one that is named nearest to the bound, of several the one with
/// most of the words beside it, else what is measured, where the question says a word of it.
fn column(
    bound: &Threshold,
    rows: &[Vec<Cell>],
    reading: &Reading,
    asked: &BTreeSet<String>,
) -> Option<String> {
    let keys = columns::keys(rows);
    let numeric = || keys.iter().filter(|key| columns::is_numeric(key, rows));
    let has = |key: &str, stem: &String| columns::terms(key).contains(stem);
    let named_by = |key: &str| bound.beside.iter().filter(|stem| has(key, stem)).count();
    // Of columns that are named by as many, the first.
    let named = |stem: &String| numeric().rev().filter(|key| has(key, stem)).max_by_key(|key| named_by(key));
    let change = || bound.way().and_then(|_| numeric().find(|key| columns::is_change(key))).cloned();
    let is_said = |term: &String| asked.contains(term) || reading.form.measures.contains(term);
    let is_asked = |key: &String| columns::terms(key).iter().any(is_said);
    let measured = || columns::measure(&keys, rows, reading, asked).filter(is_asked);
    change().or_else(|| bound.beside.iter().find_map(named).cloned()).or_else(measured)
}

const PERCENT: f64 = 100.0;

fn gap(code: GapCode, detail: String) -> Gap {
    Gap { code, severity: Severity::Medium, detail }
}

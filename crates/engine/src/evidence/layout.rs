//! The view: the facts laid out for a page, and readable by a machine.

use domain::{Fact, Metric, View, ViewKind, ViewRow};
use policy::ViewLimits;
use reading::Reading;
use reading::form::FormKind;
use serde_json::Value;

use super::facts::{label_of, plain};
use super::table::{Shape, Table};
use crate::execute::Executed;

/// Lays out the table, or the facts where there is none.
pub(crate) fn view(
    question: &str,
    reading: &Reading,
    (shape, facts): (&Shape, &[Fact]),
    executed: &Executed,
    limits: (usize, &ViewLimits),
) -> View {
    match shape {
        Shape::Rows(table) => {
            let asks_for_heatmap = question.to_lowercase().contains("heatmap");
            of_table(reading, table, asks_for_heatmap, executed, limits)
        }
        Shape::One(_) | Shape::Text { .. } => of_facts(facts, limits),
    }
}

fn of_table(
    reading: &Reading,
    table: &Table,
    asks_for_heatmap: bool,
    executed: &Executed,
    (rows_max, limits): (usize, &ViewLimits),
) -> View {
    let is_ranked = reading.order.is_some() && table.measure.is_some();
    let kind = if asks_for_heatmap {
        ViewKind::Heatmap
    } else if reading.form.kind == FormKind::Series {
        ViewKind::Timeseries
    } else if is_ranked {
        ViewKind::Leaderboard
    } else {
        ViewKind::Table
    };
    let rank = |place: usize| is_ranked.then(|| (place + 1).to_string());
    let columns = is_ranked.then(|| "Rank".to_owned());
    let columns = columns.into_iter().chain(table.columns.iter().map(|key| label_of(key))).collect();
    let shown = shown(table.rows.len(), rows_max, kind == ViewKind::Timeseries);
    let rows = shown.map(|at| &table.rows[at]).enumerate().map(|(place, row)| {
        let cells = row
            .cells
            .iter()
            .map(|cell| cell.as_ref().map_or_else(String::new, |cell| text(&cell.value, limits)));
        let mut sources: Vec<String> = Vec::new();
        for cell in row.cells.iter().flatten() {
            let id = executed.source_of(&cell.path).map(super::sources::id);
            sources.extend(id.filter(|id| !sources.contains(id)));
        }
        ViewRow {
            key: format!("row-{}", place + 1),
            cells: rank(place).into_iter().chain(cells).collect(),
            tone: None,
            sources,
        }
    });
    View { kind, title: "Evidence table".to_owned(), metrics: Vec::new(), columns, rows: rows.collect() }
}

/// The places of the rows that are shown: the first ones, of a course over time ones evenly apart from its first to its last.
fn shown(all: usize, rows_max: usize, is_course: bool) -> impl Iterator<Item = usize> {
    let count = all.min(rows_max);
    (0..count).map(move |at| if is_course && count > 1 { at * (all - 1) / (count - 1) } else { at })
}

fn of_facts(facts: &[Fact], (rows_max, limits): (usize, &ViewLimits)) -> View {
    let numbers = facts.iter().filter(|fact| fact.value.is_number()).take(limits.metrics_max);
    let metrics = numbers
        .map(|fact| Metric { label: fact.label.clone(), value: text(&fact.value, limits), tone: None })
        .collect();
    let rows = facts.iter().take(rows_max).enumerate().map(|(place, fact)| ViewRow {
        key: format!("row-{}", place + 1),
        cells: vec![fact.label.clone(), text(&fact.value, limits)],
        tone: None,
        sources: fact.source.iter().cloned().collect(),
    });
    View {
        kind: ViewKind::Table,
        title: "Evidence table".to_owned(),
        metrics,
        columns: vec!["Evidence".to_owned(), "Value".to_owned()],
        rows: rows.collect(),
    }
}

fn text(value: &Value, limits: &ViewLimits) -> String {
    let text = plain(value);
    match text.char_indices().nth(limits.cell_chars_max) {
        None => text,
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

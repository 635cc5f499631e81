//! Facts: the values that are nearest to the question.

use std::collections::BTreeSet;

use domain::Fact;
use reading::form::FormKind;
use reading::{Reading, words};
use serde_json::Value;

use super::rows::Cell;
use super::sources;
use super::table::{Shape, Table};
use crate::execute::Executed;

/// The facts, most relevant first, and how they were found.
pub(crate) fn of(
    question: &str,
    reading: &Reading,
    executed: &Executed,
    shape: &Shape,
    facts_max: usize,
) -> (Vec<Fact>, Vec<&'static str>) {
    let asked: BTreeSet<String> = words::terms(question).into_iter().collect();
    let (mut facts, reason) = match (shape, &executed.value) {
        (Shape::Rows(table), _) if executed.calls.len() > 1 => {
            (of_rows(table, reading, executed, facts_max), "dense_multi_entity")
        }
        (Shape::Rows(table), _) => (of_rows(table, reading, executed, facts_max), "large_canonical_payload"),
        (Shape::One(_), Value::String(text)) => (of_text(text, &asked, executed), "keyword_lookup"),
        (Shape::One(cells), _) => (of_scalars(cells, reading, &asked, executed), "keyword_lookup"),
    };
    facts.truncate(facts_max);
    let reasons = if facts.is_empty() { Vec::new() } else { vec![reason] };
    (facts, reasons)
}

fn of_rows(table: &Table, reading: &Reading, executed: &Executed, facts_max: usize) -> Vec<Fact> {
    let kind = match (reading.form.kind, reading.order) {
        (FormKind::Series, _) => "array_window",
        (_, Some(_)) => "top_k_relevance",
        (_, None) => "array_sampling",
    };
    // The newest end of a series says most; a ranking's best rows come first.
    let rows: Vec<_> = if reading.form.kind == FormKind::Series {
        table.rows.iter().rev().take(facts_max).collect()
    } else {
        table.rows.iter().take(facts_max).collect()
    };
    let measured = table.measure.or(table.subject).unwrap_or(0);
    let mut facts = Vec::new();
    for row in rows {
        let Some(Some(cell)) = row.cells.get(measured) else { continue };
        let subject =
            table.subject.filter(|subject| *subject != measured).and_then(|it| row.cells[it].as_ref());
        let label = match subject {
            Some(subject) => format!("{}: {}", plain(&subject.value), label_of(&cell.key)),
            None => label_of(&cell.key),
        };
        facts.push(fact(format!("{kind}:{}", facts.len()), label, 1.0, cell, executed));
    }
    facts
}

fn of_scalars(cells: &[Cell], reading: &Reading, asked: &BTreeSet<String>, executed: &Executed) -> Vec<Fact> {
    let told = executed.told();
    let is_measure =
        |cell: &Cell| reading.measures.iter().any(|measure| measure.rsplit('.').next() == Some(&cell.key));
    let mut scored: Vec<(f64, &Cell)> = cells
        .iter()
        .filter(|cell| !is_bookkeeping(cell))
        .map(|cell| (if is_measure(cell) { 1.0 } else { overlap(cell, asked, &told) }, cell))
        .collect();
    // Between equals a number says most, and what the calls were told least.
    let place = |cell: &Cell| match &cell.value {
        Value::Number(_) => 0,
        Value::String(text) if told.contains(&text.to_lowercase()) => 2,
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => 1,
    };
    scored.sort_by(|(one, cell), (other, with)| other.total_cmp(one).then(place(cell).cmp(&place(with))));
    let facts = scored.into_iter().enumerate();
    facts
        .map(|(at, (score, cell))| {
            fact(format!("path_lookup:{at}"), label_of(&cell.key), score, cell, executed)
        })
        .collect()
}

/// The lines of a text that share a word with the question, else its first lines.
fn of_text(text: &str, asked: &BTreeSet<String>, executed: &Executed) -> Vec<Fact> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let mut scored: Vec<(f64, &str)> =
        lines.iter().map(|line| (share(&words::terms(line), asked), *line)).collect();
    scored.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let cells = scored.into_iter().map(|(score, line)| {
        (score, Cell { key: "text".to_owned(), path: "$".to_owned(), value: Value::from(line) })
    });
    cells
        .enumerate()
        .map(|(place, (score, cell))| {
            fact(format!("keyword_slice:{place}"), "Text".to_owned(), score, &cell, executed)
        })
        .collect()
}

fn fact(id: String, label: String, relevance: f64, cell: &Cell, executed: &Executed) -> Fact {
    Fact {
        id,
        label,
        path: Some(cell.path.clone()),
        relevance: Some(relevance),
        value: cell.value.clone(),
        source: executed.source_of(&cell.path).map(sources::id),
    }
}

/// When a result was observed and that it is sample data are told elsewhere, not as facts.
fn is_bookkeeping(cell: &Cell) -> bool {
    matches!(cell.key.as_str(), "observedAt" | "observed_at" | "sampleData" | "asOf" | "as_of")
}

/// How much of the question a cell speaks to. A value that the calls were told only gives the question back.
fn overlap(cell: &Cell, asked: &BTreeSet<String>, told: &str) -> f64 {
    let named = share(&words::identifier_terms(&cell.key), asked);
    match &cell.value {
        Value::String(text) if told.contains(&text.to_lowercase()) => 0.0,
        Value::String(text) => named.max(share(&words::terms(text), asked) / 2.0),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => named,
    }
}

/// The share of the question's words that are among `terms`.
#[expect(clippy::cast_precision_loss, reason = "a question has few words")]
fn share(terms: &[String], asked: &BTreeSet<String>) -> f64 {
    let found = asked.iter().filter(|term| terms.contains(term)).count();
    found as f64 / asked.len().max(1) as f64
}

/// A value as text: a string bare, anything else as JSON.
pub(crate) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A key as a label: its words, the first with a capital. `volume24hUsd` is `Volume24h USD`.
pub(crate) fn label_of(key: &str) -> String {
    let mut spaced = String::with_capacity(key.len() + 4);
    let mut before = ' ';
    for character in key.chars() {
        if character.is_uppercase() && (before.is_lowercase() || before.is_ascii_digit()) {
            spaced.push(' ');
        }
        spaced.push(if character.is_alphanumeric() { character } else { ' ' });
        before = character;
    }
    let words: Vec<String> = spaced
        .split_whitespace()
        .map(|word| match word.to_lowercase().as_str() {
            "usd" | "id" | "url" | "utc" | "api" => word.to_uppercase(),
            lower => lower.to_owned(),
        })
        .collect();
    let text = words.join(" ");
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

#[cfg(test)]
mod tests {
    use super::label_of;

    #[test]
    fn labels_read_like_words() {
        assert_eq!(label_of("volume24hUsd"), "Volume24h USD");
        assert_eq!(label_of("net_flow_usd"), "Net flow USD");
        assert_eq!(label_of("current.temperatureC"), "Current temperature c");
        assert_eq!(label_of(""), "");
    }
}

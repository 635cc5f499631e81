//! Facts: the values that are nearest to the question.

use std::collections::BTreeSet;

use domain::Fact;
use reading::form::{self, FormKind};
use reading::{Reading, words};
use serde_json::Value;

use super::rows::{self, Cell};
use super::sources;
use super::table::{Shape, Table};
use crate::execute::Executed;

/// The facts, most relevant first, and how they were found.
pub(crate) fn of(
    question: &str,
    asked: &BTreeSet<String>,
    reading: &Reading,
    executed: &Executed,
    shape: &Shape,
    facts_max: usize,
) -> (Vec<Fact>, Vec<&'static str>) {
    let (mut facts, reason) = match shape {
        Shape::Rows(table) if executed.calls.len() > 1 => {
            (of_rows(table, reading, executed, facts_max), "dense_multi_entity")
        }
        Shape::Rows(table) => (of_rows(table, reading, executed, facts_max), "large_canonical_payload"),
        Shape::Text { text, path } => (of_text((text, path), asked, executed, facts_max), "keyword_lookup"),
        Shape::One(cells) => (of_scalars(cells, reading, asked, executed), "keyword_lookup"),
    };
    if let Shape::Rows(table) = shape
        && let Some(told) = counted(question, reading, table, executed)
            .or_else(|| averaged(asked, executed))
            .or_else(|| mean_of_rows(asked, table, executed))
    {
        facts.insert(0, told);
    }
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
    let measured_label = table.columns.get(measured).map(|column| label_of(column)).unwrap_or_default();
    let mut facts = Vec::new();
    for row in rows {
        let Some(Some(cell)) = row.cells.get(measured) else { continue };
        let subject =
            table.subject.filter(|subject| *subject != measured).and_then(|it| row.cells[it].as_ref());
        let label = match subject {
            Some(subject) => format!("{}: {measured_label}", plain(&subject.value)),
            None => measured_label.clone(),
        };
        facts.push(fact(format!("{kind}:{}", facts.len()), label, 1.0, cell, executed));
    }
    facts
}

fn of_scalars(cells: &[Cell], reading: &Reading, asked: &BTreeSet<String>, executed: &Executed) -> Vec<Fact> {
    let told = executed.told();
    let told_terms = words::terms(told);
    let untold: BTreeSet<String> = asked.iter().filter(|term| !told_terms.contains(term)).cloned().collect();
    let measured = |cell: &Cell| {
        reading.measures.iter().position(|measure| measure.rsplit('.').next() == Some(&cell.key))
    };
    // The nearest measure first, and before it one that a word of the question singles out: of the funding rate and the annualized
    // one, that which is asked for. All of them come before what only shares a word.
    let methods: Vec<String> = executed.methods().flat_map(words::identifier_terms).collect();
    let singles_out = |term: &&String| untold.contains(*term) && !methods.contains(term);
    #[expect(clippy::cast_precision_loss, reason = "a result has few measures, and a key few words")]
    let nearness = |place: usize, cell: &Cell| {
        let singled = words::identifier_terms(&cell.key).iter().filter(singles_out).count();
        (1 + singled) as f64 + 1.0 / (place + 1) as f64
    };
    let score = |cell: &Cell| match measured(cell) {
        _ if is_none_found(cell) => 2.0,
        _ if is_told_back(cell, executed) => 0.0,
        _ if is_made_of_told(cell, executed) => 1.0,
        Some(place) => nearness(place, cell),
        None => overlap(cell, (asked, &untold), told),
    };
    // How many there are says nothing of the only one.
    let is_apart = |cell: &&Cell| {
        is_bookkeeping(cell) || reading.form.kind != FormKind::Count && is_count_of_all(&cell.key)
    };
    let mut scored: Vec<(f64, &Cell)> =
        cells.iter().filter(|cell| !is_apart(cell)).map(|cell| (score(cell), cell)).collect();
    // Between equals a number says most, and what the calls were told least.
    let place = |cell: &Cell| match &cell.value {
        Value::Number(_) if is_told_back(cell, executed) => 2,
        Value::Number(_) => 0,
        Value::String(text) if told.contains(&text.to_lowercase()) => 2,
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => 1,
    };
    scored.sort_by(|(one, cell), (other, with)| other.total_cmp(one).then(place(cell).cmp(&place(with))));
    let facts = scored.into_iter().enumerate();
    facts
        .map(|(at, (score, cell))| {
            fact(format!("path_lookup:{at}"), label_of(&cell.key), score.min(1.0), cell, executed)
        })
        .collect()
}

/// The lines of a text; of a long one those that share most words with the question, in the text's order.
fn of_text(
    (text, path): (&str, &str),
    asked: &BTreeSet<String>,
    executed: &Executed,
    facts_max: usize,
) -> Vec<Fact> {
    let lines = text.lines().map(str::trim_end).filter(|line| !line.trim().is_empty());
    let mut scored: Vec<(usize, f64, &str)> =
        lines.enumerate().map(|(at, line)| (at, share(&words::terms(line), asked), line)).collect();
    scored.sort_by(|(_, one, _), (_, other, _)| other.total_cmp(one));
    scored.truncate(facts_max);
    scored.sort_by_key(|(at, _, _)| *at);
    let cells = scored.into_iter().map(|(_, score, line)| {
        (score, Cell { key: "text".to_owned(), path: path.to_owned(), value: Value::from(line) })
    });
    cells
        .enumerate()
        .map(|(place, (score, cell))| {
            fact(format!("keyword_slice:{place}"), "Text".to_owned(), score, &cell, executed)
        })
        .collect()
}

/// How many rows there are, where the question asks how many of what the rows are: a total that the result gives, else
/// the rows themselves, counted.
fn counted(question: &str, reading: &Reading, table: &Table, executed: &Executed) -> Option<Fact> {
    if reading.form.kind != FormKind::Count {
        return None;
    }
    let noun = counted_noun(question)?;
    let first = table.rows.first()?.cells.iter().flatten().next()?;
    let mut names: Vec<String> = words::identifier_terms(&first.path);
    let subject = table.subject.and_then(|subject| table.columns.get(subject));
    names.extend(subject.into_iter().flat_map(|column| words::identifier_terms(column)));
    if !first.path.contains('.') || !first.path.contains('[') {
        names.extend(executed.methods().flat_map(words::identifier_terms));
    }
    if !noun.iter().any(|stem| names.iter().any(|name| form::are_alike(stem, name))) {
        return None;
    }
    let is_total = |cell: &&Cell| {
        let stems = words::identifier_terms(&cell.key);
        cell.value.is_u64()
            && stems.iter().any(|stem| matches!(stem.as_str(), "total" | "count"))
            && stems.iter().all(|stem| is_of_count(stem) || noun.contains(stem))
    };
    let around = rows::scalars(&executed.value, "$");
    if let (Some(total), true) = (around.iter().find(is_total), table.matching == table.all) {
        return Some(fact("path_lookup:total".to_owned(), label_of(&total.key), 1.0, total, executed));
    }
    let label = if table.matching == table.all {
        "Rows in the result".to_owned()
    } else {
        format!("Matching rows of {} in the result", table.all)
    };
    Some(Fact {
        id: "row_count:0".to_owned(),
        label,
        path: None,
        relevance: Some(1.0),
        value: Value::from(table.matching),
        source: executed.source_of(&first.path).map(sources::id),
    })
}

/// Whether a key is for how many there are, of whatever the result lists: `totalCount`.
fn is_count_of_all(key: &str) -> bool {
    let stems = words::identifier_terms(key);
    stems.iter().any(|stem| stem == "count") && stems.iter().all(|stem| is_of_count(stem))
}

fn is_of_count(stem: &str) -> bool {
    matches!(stem, "total" | "count" | "num" | "number")
}

/// The mean of what the rows measure, where the question asks for one and no column is a mean itself.
fn mean_of_rows(asked: &BTreeSet<String>, table: &Table, executed: &Executed) -> Option<Fact> {
    let measure = table.measure.filter(|_| asked.iter().any(|term| is_mean(term)))?;
    let column = table.columns.get(measure)?;
    if words::identifier_terms(column).iter().any(|stem| is_mean(stem)) {
        return None;
    }
    let cells: Option<Vec<&Cell>> = table.rows.iter().map(|row| row.cells[measure].as_ref()).collect();
    let cells = cells.filter(|cells| cells.len() > 1)?;
    Some(Fact {
        id: "row_mean:0".to_owned(),
        label: format!("Mean of {} rows, {}", cells.len(), label_of(column).to_lowercase()),
        path: None,
        relevance: Some(1.0),
        value: mean(cells.iter().map(|cell| &cell.value))?,
        source: executed.source_of(&cells.first()?.path).map(sources::id),
    })
}

/// The mean of numbers, to one digit more than the most exact of them; none of no numbers, or of anything else among them.
fn mean<'a>(values: impl Iterator<Item = &'a Value>) -> Option<Value> {
    let (mut sum, mut count, mut places) = (0.0, 0.0, 0);
    for value in values {
        sum += value.as_f64()?;
        count += 1.0;
        places = places.max(value.to_string().split_once('.').map_or(0, |(_, digits)| digits.len()));
    }
    let mean: f64 = format!("{:.*}", places + 1, sum / count).parse().ok()?;
    mean.is_finite().then(|| Value::from(mean))
}

fn is_mean(stem: &str) -> bool {
    matches!(stem, "mean" | "averag" | "avg")
}

/// The mean that a result gives beside its rows, where the question asks for one.
fn averaged(asked: &BTreeSet<String>, executed: &Executed) -> Option<Fact> {
    if !asked.iter().any(|term| is_mean(term)) {
        return None;
    }
    let around = rows::scalars(&executed.value, "$");
    let mean = around.iter().find(|cell| {
        cell.value.is_number() && words::identifier_terms(&cell.key).iter().any(|stem| is_mean(stem))
    })?;
    Some(fact("path_lookup:mean".to_owned(), label_of(&mean.key), 1.0, mean, executed))
}

/// The stems of the noun after "how many" or "number of".
fn counted_noun(question: &str) -> Option<Vec<String>> {
    let words = words::words(question);
    let after = words.windows(2).position(|pair| {
        matches!((pair[0].lower.as_str(), pair[1].lower.as_str()), ("how", "many") | ("number", "of"))
    });
    let noun = words[after? + 2..].iter().take_while(|word| !word.is_stop).take(3);
    let stems: Vec<String> = noun.map(|word| word.stem.clone()).collect();
    (!stems.is_empty()).then_some(stems)
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

/// Whether it is the list of what was asked for, with nothing in it.
fn is_none_found(cell: &Cell) -> bool {
    cell.value.as_array().is_some_and(Vec::is_empty)
}

/// Whether a number is just what a call was told under the same name.
fn is_told_back(cell: &Cell, executed: &Executed) -> bool {
    let number = cell.value.as_f64();
    numbers_told(executed).any(|(name, told)| *name == cell.key && number == Some(told))
}

/// Whether a number or a time of day is what became of one that a call was told: the converted amount of an amount.
fn is_made_of_told(cell: &Cell, executed: &Executed) -> bool {
    let own = words::identifier_terms(&cell.key);
    let is_it = |name: &str| {
        let terms = words::identifier_terms(name);
        terms.len() < own.len() && terms.iter().all(|term| own.contains(term))
    };
    let is_clock = |value: &Value| {
        let text = value.as_str().filter(|text| text.len() == CLOCK_LENGTH);
        text.is_some_and(|text| text.parse::<jiff::civil::Time>().is_ok())
    };
    cell.value.is_number() && numbers_told(executed).any(|(name, _)| is_it(name))
        || is_clock(&cell.value)
            && told(executed).any(|(name, told)| is_clock(told) && *told != cell.value && is_it(name))
}

/// Characters of "09:30".
const CLOCK_LENGTH: usize = 5;

fn numbers_told(executed: &Executed) -> impl Iterator<Item = (&String, f64)> {
    told(executed).filter_map(|(name, value)| Some((name, value.as_f64()?)))
}

fn told(executed: &Executed) -> impl Iterator<Item = (&String, &Value)> {
    executed.calls.iter().flat_map(|record| &record.call().arguments)
}

/// How much of the question a cell speaks to. Values that the calls were told only give the question back, and so do their
/// words.
fn overlap(cell: &Cell, (asked, untold): (&BTreeSet<String>, &BTreeSet<String>), told: &str) -> f64 {
    let named = share(&words::identifier_terms(&cell.key), asked);
    match &cell.value {
        Value::String(text) if told.contains(&text.to_lowercase()) => 0.0,
        Value::String(text) => named.max(share(&words::terms(text), untold) / 2.0),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => named,
    }
}

/// The share of the question's words that are among `terms`.
#[expect(clippy::cast_precision_loss, reason = "a question has few words")]
fn share(terms: &[String], asked: &BTreeSet<String>) -> f64 {
    let found = asked.iter().filter(|term| terms.contains(term)).count();
    found as f64 / asked.len().max(1) as f64
}

/// A value as text: a string bare, plain values one after the other, anything else as JSON.
pub(crate) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) if !items.iter().any(|item| item.is_object() || item.is_array()) => {
            items.iter().map(plain).collect::<Vec<_>>().join(", ")
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            value.to_string()
        }
    }
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
    use serde_json::{Value, json};

    use super::{label_of, mean};

    #[test]
    fn a_mean_is_a_digit_more_exact_than_what_it_is_of() {
        let of = |values: Value| mean(values.as_array().unwrap().iter());
        assert_eq!(of(json!([1, 2.25, 3])), Some(json!(2.083)));
        assert_eq!(of(json!([1, 2])), Some(json!(1.5)));
        assert_eq!((of(json!([])), of(json!([1, "2"])), of(json!([1, null]))), (None, None, None));
    }

    #[test]
    fn labels_read_like_words() {
        assert_eq!(label_of("volume24hUsd"), "Volume24h USD");
        assert_eq!(label_of("net_flow_usd"), "Net flow USD");
        assert_eq!(label_of("current.temperatureC"), "Current temperature c");
        assert_eq!(label_of(""), "");
    }
}

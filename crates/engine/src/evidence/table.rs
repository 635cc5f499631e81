//! Rows and columns, found in whatever shape a program gave back.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use domain::Gap;
use jiff::Timestamp;
use jiff::civil::Date;
use reading::Reading;
use reading::form::{FormKind, Order};
use reading::time::{Direction, Window};
use reading::words;
use serde_json::Value;

use super::facts::plain;
use super::rows::{self, Cell};
use super::text;
use super::{bounded, columns};
use crate::execute::Executed;

/// Rows that share columns.
#[derive(Debug)]
pub(crate) struct Table {
    /// The columns: what tells rows apart first, then what is measured, then the rest.
    pub(crate) columns: Vec<String>,
    /// The rows, ordered as the question asks.
    pub(crate) rows: Vec<Row>,
    /// The column of what is measured.
    pub(crate) measure: Option<usize>,
    /// The column of what tells rows apart.
    pub(crate) subject: Option<usize>,
    /// Rows that are about the question, before any limit of it.
    pub(crate) matching: usize,
    /// Rows that the results held.
    pub(crate) all: usize,
}

/// One row.
#[derive(Debug)]
pub(crate) struct Row {
    /// A cell a column; empty where the row lacks it.
    pub(crate) cells: Vec<Option<Cell>>,
}

/// What the data is made of.
#[derive(Debug)]
pub(crate) enum Shape {
    /// Rows that share columns.
    Rows(Table),
    /// One thing: its scalars.
    One(Vec<Cell>),
    /// Plain text, and its path.
    Text { text: String, path: String },
}

/// Finds the rows that the question is about, or the one thing; and what they leave open of the bounds that the question sets.
pub(crate) fn shape(
    question: &str,
    asked: &BTreeSet<String>,
    reading: &Reading,
    executed: &Executed,
    (value, base): (&Value, &str),
) -> (Shape, Vec<Gap>) {
    let text = text::of(value);
    let written = text.as_ref().and_then(|(_, text)| text::structured(text));
    let mut rows = match (&text, written) {
        (Some((path, _)), Some(written)) => {
            let mut rows = rows::of(question, asked, reading, (&written, "$"));
            rows.iter_mut().flatten().for_each(|cell| cell.path = path.replacen('$', base, 1));
            rows
        }
        (Some((path, text)), None) => {
            let text = Shape::Text { text: (*text).to_owned(), path: path.replacen('$', base, 1) };
            return (text, Vec::new());
        }
        (None, _) => rows::of(question, asked, reading, (value, base)),
    };
    let all = rows.len();
    focus(&mut rows, (question, asked), reading, executed);
    if !compares_with_then(question, reading) {
        of_time(&mut rows, reading);
    }
    let bounds = bounded::untold(question, reading, executed);
    let is_listed = rows.first().and_then(|row| row.first()).is_some_and(|cell| cell.path.contains('['));
    let is_table = all > 1 || is_listed;
    let gaps = if is_table { bounded::keep(&mut rows, &bounds, reading, asked) } else { Vec::new() };
    let wants_rows = matches!(reading.form.kind, FormKind::List | FormKind::Which | FormKind::Count);
    if rows.len() > 1 || rows.len() == 1 && is_table && (wants_rows || !bounds.is_empty()) {
        return (Shape::Rows(Table::arranged(rows, reading, asked, all)), gaps);
    }
    let mut cells = rows.pop().unwrap_or_default();
    let around = if text.is_some() { Vec::new() } else { rows::scalars(value, base) };
    // What is around a part under the part's own key is the total of its kind.
    let is_there = |cell: &Cell| cells.iter().any(|other| other.path == cell.path || other.key == cell.key);
    let more = around.into_iter().filter(|cell| !is_there(cell));
    cells.extend(more.collect::<Vec<_>>());
    cells.extend(rows::none_found(value, base));
    (Shape::One(cells), bounded::of_one(&bounds, reading))
}

/// Puts the rows first that hold what the question names and no call was told. Unless it follows them or ranks one among others,
/// the question is about those rows alone.
fn focus(
    rows: &mut Vec<Vec<Cell>>,
    (question, asked): (&str, &BTreeSet<String>),
    reading: &Reading,
    executed: &Executed,
) {
    let told = executed.told();
    let is_untold = |name: &String| !told.contains(name.as_str());
    let named: Vec<String> =
        reading.entities.iter().map(|entity| entity.to_lowercase()).filter(is_untold).collect();
    let mut small = rows::behind_prepositions(question);
    small.extend(kinds_said(asked, rows));
    small.retain(is_untold);
    let holds = |row: &[Cell]| {
        let mut texts =
            row.iter().filter(|cell| !cell.value.is_number()).map(|cell| plain(&cell.value).to_lowercase());
        texts.any(|text| named.iter().any(|entity| text.contains(entity)) || small.contains(&text))
    };
    let held = rows.iter().filter(|row| holds(row)).count();
    if held == 0 {
        return;
    }
    rows.sort_by_key(|row| !holds(row));
    // One is ranked among the others, several among each other.
    let kind = reading.form.kind;
    let is_among_others = kind == FormKind::Series || kind == FormKind::Ranking && held == 1;
    if !is_among_others {
        rows.truncate(held);
    }
}

/// The kinds of rows that the question speaks of, where the rows are of several: the inflow of "BTC inflows" beside outflows.
fn kinds_said(asked: &BTreeSet<String>, rows: &[Vec<Cell>]) -> Vec<String> {
    let mut kinds: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for cell in rows.iter().flatten() {
        // A kind is told in a word.
        if let Some(kind) = cell.value.as_str().filter(|text| !text.contains(char::is_whitespace)) {
            kinds.entry(&cell.key).or_default().insert(kind.to_lowercase());
        }
    }
    let is_said = |kind: &String| asked.contains(words::stem(kind).as_ref());
    kinds.retain(|_, kinds| !kinds.iter().all(is_said));
    kinds.into_values().flatten().filter(is_said).collect()
}

/// Whether the moment that the question names is only what it compares with: "higher than a week ago".
fn compares_with_then(question: &str, reading: &Reading) -> bool {
    let Some(window) = reading.window.as_ref().filter(|window| window.start == window.end) else {
        return false;
    };
    let before = question.split_once(window.text.as_str()).map_or("", |(before, _)| before);
    let lead = before.split_whitespace().next_back().unwrap_or_default();
    matches!(lead.to_lowercase().as_str(), "than" | "with" | "versus" | "vs" | "vs.")
}

/// Keeps the rows of the time that the question names, where some are of it: of its days, or of a length up to now those of a
/// course. What was only listed or opened before may well be of it.
fn of_time(rows: &mut Vec<Vec<Cell>>, reading: &Reading) {
    let is_past = |window: &&Window| matches!(window.direction, Direction::Calendar | Direction::Past);
    let Some(window) = reading.window.as_ref().filter(is_past) else { return };
    let is_length = window.direction == Direction::Past && window.start < window.end;
    let is_of_time = |cell: &Cell| {
        let text = cell.value.as_str()?;
        if is_length && !is_point(&cell.key) {
            return None;
        }
        if let (true, Ok(at)) = (is_length, text.parse::<Timestamp>()) {
            return Some(window.start <= at);
        }
        let day = text.get(..10)?.parse::<Date>().ok()?;
        Some(window.first_day() <= day && day <= window.last_day())
    };
    let is_within = |row: &[Cell]| row.iter().any(|cell| is_of_time(cell) == Some(true));
    if rows.iter().any(|row| is_within(row)) {
        rows.retain(|row| is_within(row));
    }
}

/// Whether a column tells of which time its row is, and nothing else of it.
fn is_point(key: &str) -> bool {
    let terms = words::identifier_terms(key);
    matches!(terms.as_slice(), [only] if matches!(only.as_str(), "timestamp" | "time" | "date" | "day" | "hour"))
}

impl Table {
    fn arranged(rows: Vec<Vec<Cell>>, reading: &Reading, asked: &BTreeSet<String>, all: usize) -> Self {
        let matching = rows.len();
        let keys = columns::keys(&rows);
        let measure = columns::measure(&keys, &rows, reading, asked);
        let subject = columns::subject(&keys, &rows, reading, measure.as_deref());
        let columns = columns::arranged(&keys, &rows, measure.as_deref(), subject.as_deref());
        let mut rows: Vec<Row> = rows
            .into_iter()
            .map(|mut cells| {
                let mut taken = |column: &String| {
                    let at = cells.iter().position(|cell| cell.key == *column)?;
                    Some(cells.remove(at))
                };
                Row { cells: columns.iter().map(&mut taken).collect() }
            })
            .collect();
        let place =
            |key: &Option<String>| key.as_ref().and_then(|key| columns.iter().position(|it| it == key));
        let (measure, subject) = (place(&measure), place(&subject));
        if let (Some(order), Some(measure)) = (reading.order, measure) {
            rows.sort_by(|one, other| compare(order, one.number(measure), other.number(measure)));
        }
        if let Some(limit) = reading.limit {
            rows.truncate(limit.max(1));
        }
        Self { columns, rows, measure, subject, matching, all }
    }
}

/// Orders two rows by what is measured; rows without a number come last.
fn compare(order: Order, one: Option<f64>, other: Option<f64>) -> Ordering {
    match (one, other) {
        (Some(one), Some(other)) => match order {
            Order::Ascending => one.total_cmp(&other),
            Order::Descending => other.total_cmp(&one),
        },
        (one, other) => other.is_some().cmp(&one.is_some()),
    }
}

impl Row {
    /// The number in a column, where there is one.
    pub(crate) fn number(&self, column: usize) -> Option<f64> {
        self.cells.get(column)?.as_ref().and_then(Cell::number)
    }
}

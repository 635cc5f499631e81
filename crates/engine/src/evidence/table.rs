//! Rows and columns, found in whatever shape a program gave back.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use domain::Gap;
use policy::ViewLimits;
use reading::Reading;
use reading::form::{FormKind, Order, Way};
use reading::words;
use serde_json::Value;

use super::facts::plain;
use super::rows::{self, Cell};
use super::text;
use super::turned::{self, Told};
use super::{bounded, columns, dated};
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
    limits: &ViewLimits,
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
    let mut gaps = dated::keep(&mut rows, question, reading);
    let bounds = bounded::untold(question, reading, executed);
    let is_listed = rows.first().and_then(|row| row.first()).is_some_and(|cell| cell.path.contains('['));
    let is_table = all > 1 || is_listed;
    if is_table {
        gaps.extend(bounded::keep(&mut rows, &bounds, reading, asked));
    }
    let wants_rows = matches!(reading.form.kind, FormKind::List | FormKind::Which | FormKind::Count);
    if rows.len() > 1 || rows.len() == 1 && is_table && (wants_rows || !bounds.is_empty()) {
        return (Shape::Rows(Table::arranged(rows, reading, (asked, all), limits)), gaps);
    }
    let mut cells = rows.pop().unwrap_or_default();
    let around = if text.is_some() { Vec::new() } else { rows::scalars(value, base) };
    // What is around a part under the part's own key is the total of its kind.
    let is_there = |cell: &Cell| cells.iter().any(|other| other.path == cell.path || other.key == cell.key);
    let more = around.into_iter().filter(|cell| !is_there(cell));
    cells.extend(more.collect::<Vec<_>>());
    cells.extend(rows::none_found(value, base));
    gaps.extend(bounded::of_one(&bounds, reading));
    (Shape::One(cells), gaps)
}

/// Puts the rows first that hold what the question names and the calls that gave them were not told. Unless it follows them or
/// ranks one among others, the question is about those rows alone.
fn focus(
    rows: &mut Vec<Vec<Cell>>,
    (question, asked): (&str, &BTreeSet<String>),
    reading: &Reading,
    executed: &Executed,
) {
    // What only found the thing that they are of may be one of them, too: the team by which a match was found.
    let told = executed.whole().map(|(record, _)| record.told().to_lowercase());
    let told = told.as_deref().unwrap_or_else(|| executed.told());
    let is_untold = |name: &String| !told.contains(name.as_str());
    let named: Vec<String> =
        reading.entities.iter().map(|entity| entity.to_lowercase()).filter(is_untold).collect();
    // What rows are ranked by names none of them: the rain of "by rain".
    let ranked_by = reading.form.by.as_ref().map_or(&[][..], |noun| &noun.stems);
    let mut small = rows::behind_prepositions(question);
    small.retain(|word| !ranked_by.iter().any(|stem| *stem == words::stem(word)));
    small.extend(kinds_said(asked, rows, reading));
    small.retain(is_untold);
    let texts = |row: &[Cell]| -> Vec<String> {
        let texts = row.iter().filter(|cell| !cell.value.is_number());
        texts.map(|cell| plain(&cell.value).to_lowercase()).collect()
    };
    let holds = |row: &[Cell]| {
        let is_said =
            |text: &String| named.iter().any(|entity| text.contains(entity)) || small.contains(text);
        texts(row).iter().any(is_said)
    };
    let held = rows.iter().filter(|row| holds(row)).count();
    if held == 0 {
        return;
    }
    rows.sort_by_key(|row| !holds(row));
    // One is ranked among the others, but for one where something is to be; several are among each other.
    let kind = reading.form.kind;
    let places = rows::places_said(question);
    let is_place = |row: &Vec<Cell>| texts(row).iter().any(|text| places.contains(text));
    let is_among_others = kind == FormKind::Series
        || kind == FormKind::Ranking && held == 1 && !rows.first().is_some_and(is_place);
    if !is_among_others {
        rows.truncate(held);
    }
}

/// The kinds of rows that the question speaks of, where the rows are of several: the inflow of "BTC inflows" beside outflows. What
/// the rows are ranked by is no kind of them: "the most rain" is not of those under a sky of rain.
fn kinds_said(asked: &BTreeSet<String>, rows: &[Vec<Cell>], reading: &Reading) -> Vec<String> {
    let ranked_by = reading.order.and_then(|_| columns::measure(&columns::keys(rows), rows, reading, asked));
    let ranked_by = ranked_by.as_deref().map(columns::terms).unwrap_or_default();
    let measures = &reading.form.measures;
    let is_measured = |stem: &str| {
        measures.iter().any(|it| it == stem) && measures.iter().any(|it| it != stem && ranked_by.contains(it))
    };
    let mut kinds: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for cell in rows.iter().flatten() {
        // A kind is told in a word.
        if let Some(kind) = cell.value.as_str().filter(|text| !text.contains(char::is_whitespace)) {
            kinds.entry(&cell.key).or_default().insert(kind.to_lowercase());
        }
    }
    let is_said = |kind: &String| {
        let stem = words::stem(kind);
        asked.contains(stem.as_ref()) && !is_measured(&stem)
    };
    kinds.retain(|_, kinds| !kinds.iter().all(is_said));
    kinds.into_values().flatten().filter(is_said).collect()
}

impl Table {
    fn arranged(
        rows: Vec<Vec<Cell>>,
        reading: &Reading,
        (asked, all): (&BTreeSet<String>, usize),
        limits: &ViewLimits,
    ) -> Self {
        let matching = rows.len();
        let keys = columns::keys(&rows);
        let is_there = |key: &String| keys.contains(key);
        let dated = || reading.dated.clone().filter(is_there);
        let is_fanned = |key: &&String| reading.dimensions.contains(key);
        let others: Vec<String> = keys.iter().filter(|key| !is_fanned(key)).cloned().collect();
        let measured = || columns::measure(&others, &rows, reading, asked);
        let measure = reading.turned.clone().filter(is_there).or_else(measured).or_else(dated);
        let subject = columns::subject(&keys, &rows, reading, measure.as_deref());
        let apart = reading.dimensions.iter().filter(|key| is_there(key) && Some(*key) != subject.as_ref());
        let leads: Vec<&str> = subject.iter().chain(apart).chain(&measure).map(String::as_str).collect();
        let columns = columns::arranged(&keys, &rows, &leads, limits);
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
            let told = |row: &Row| row.text(measure).and_then(Told::read);
            let is_by_clock = reading.form.turn.as_ref().is_some_and(|turn| turn.is_by_clock)
                && turned::are_of_places(rows.iter().filter_map(told));
            let is_by_size = reading.form.way == Some(Way::Either) && columns::is_change(&columns[measure]);
            let number = |row: &Row| row.number(measure).map(|it| if is_by_size { it.abs() } else { it });
            let place = |row: &Row| number(row).or_else(|| told(row).map(|told| told.place(is_by_clock)));
            let mut placed: Vec<_> = rows.into_iter().map(|row| (place(&row), row)).collect();
            placed.sort_by(|(one, _), (other, _)| compare(order, *one, *other));
            rows = placed.into_iter().map(|(_, row)| row).collect();
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

    /// The text in a column, where there is one.
    fn text(&self, column: usize) -> Option<&str> {
        self.cells.get(column)?.as_ref()?.value.as_str()
    }
}

//! Rows, found in whatever shape a program gave back: objects of an array, wherever it stands, with their scalars.

use std::collections::BTreeSet;
use std::ops::Range;

use program::path;
use reading::form::FormKind;
use reading::{Reading, words};
use serde_json::{Map, Value};

/// Nesting below which no rows are looked for.
const DEPTH_MAX: usize = 5;

/// One scalar and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// Its key, with the keys above it where the row nests.
    pub(crate) key: String,
    /// Its JSON path in the data.
    pub(crate) path: String,
    /// It.
    pub(crate) value: Value,
}

/// The rows that the question is about; one row where the data is one thing.
pub(crate) fn of(
    question: &str,
    asked: &BTreeSet<String>,
    reading: &Reading,
    (value, path): (&Value, &str),
) -> Vec<Vec<Cell>> {
    let mut rows = Vec::new();
    let (led, question) = (behind_prepositions(question), question.to_lowercase());
    Finder { question, led, asked, reading, rows: &mut rows }.find(value, path, &[], 0);
    rows
}

impl Cell {
    /// It as a number, where it is one or spells one.
    pub(crate) fn number(&self) -> Option<f64> {
        match &self.value {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.parse().ok(),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
        }
    }
}

/// Walks the data down to the rows that the question is about.
struct Finder<'a> {
    question: String,
    /// Its words behind a preposition.
    led: Vec<String>,
    asked: &'a BTreeSet<String>,
    reading: &'a Reading,
    rows: &'a mut Vec<Vec<Cell>>,
}

impl Finder<'_> {
    fn find(&mut self, value: &Value, path: &str, above: &[Cell], depth: usize) {
        if depth > DEPTH_MAX {
            return;
        }
        match value {
            Value::Array(items) => {
                for (place, item) in items.iter().enumerate() {
                    self.find(item, &format!("{path}[{place}]"), above, depth + 1);
                }
            }
            Value::Object(object) => {
                if let Some((inner_path, inner)) = self.rows_inside(object, path) {
                    let above: Vec<Cell> =
                        above.iter().cloned().chain(self.subject_cells(object, path)).collect();
                    self.find(inner, &inner_path, &above, depth + 1);
                } else {
                    self.rows.push(above.iter().cloned().chain(scalars_of(object, path)).collect());
                }
            }
            Value::Null => {}
            Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                let cell = Cell { key: "value".to_owned(), path: path.to_owned(), value: value.clone() };
                self.rows.push(above.iter().cloned().chain([cell]).collect());
            }
        }
    }

    /// The array inside an object whose items are the rows, where the question is about those and not about the object.
    fn rows_inside<'v>(&self, object: &'v Map<String, Value>, path: &str) -> Option<(String, &'v Value)> {
        let mut arrays = Vec::new();
        collect_arrays(object, path, &mut arrays, 0);
        let is_named = |inner: &str| {
            let leaf = inner.rsplit('.').next().unwrap_or(inner);
            self.reading
                .measures
                .first()
                .is_some_and(|measure| measure.split('.').any(|step| step.strip_suffix("[]") == Some(leaf)))
        };
        let named = arrays.iter().position(|(inner, _)| is_named(inner));
        let named = named.or_else(|| arrays.iter().position(|(_, items)| self.names_one_of(items, object)));
        if named.is_none() && self.is_one_of_those_asked(object) {
            return None;
        }
        let about_rows = !self.speaks_to_the_question(object, path);
        let longest = || {
            (0..arrays.len()).max_by_key(|&place| (arrays[place].1.as_array().map_or(0, Vec::len), !place))
        };
        let chosen = named.or_else(|| about_rows.then(longest).flatten())?;
        Some(arrays.swap_remove(chosen))
    }

    /// Whether an object is the result for one of the things that the question asks over, which is measured as a whole: the coins of
    /// "which coin has the most open interest" are so by their own, and not by that of each of their exchanges.
    fn is_one_of_those_asked(&self, object: &Map<String, Value>) -> bool {
        let form = &self.reading.form;
        let mut fanned = self.reading.dimensions.iter().filter(|dimension| object.contains_key(*dimension));
        let is_asked_over = |fanned: &String| match &form.dimension {
            Some(noun) => noun.is_among(&words::identifier_terms(fanned)),
            None => form.kind == FormKind::Comparison,
        };
        fanned.any(is_asked_over)
            && form.kind != FormKind::Series
            && self.reading.measures.first().is_some_and(|measure| !measure.contains("[]"))
    }

    /// Whether the question names one of the items, by a text that the object around them does not have: "on Acme" of the
    /// parts of each venue.
    fn names_one_of(&self, items: &Value, around: &Map<String, Value>) -> bool {
        let is_of = |object: &Map<String, Value>, entity: &str| {
            object.values().filter_map(Value::as_str).any(|text| text.eq_ignore_ascii_case(entity))
        };
        let items = || items.as_array().into_iter().flatten().filter_map(Value::as_object);
        let is_one = |entity: &String| !is_of(around, entity) && items().any(|item| is_of(item, entity));
        self.reading.entities.iter().chain(&self.led).any(is_one)
    }

    /// Whether an object's own values answer the question: one is what the plan meant to measure, or shares a word with
    /// the question that is not a value of the question itself.
    fn speaks_to_the_question(&self, object: &Map<String, Value>, path: &str) -> bool {
        let form = &self.reading.form;
        let wants_rows =
            form.is_breakdown || !matches!(form.kind, FormKind::Single | FormKind::YesNo | FormKind::Count);
        let is_named_row = self.reading.measures.first().is_some_and(|measure| measure.contains("[]"));
        if wants_rows || is_named_row {
            return false;
        }
        let shares_a_word =
            |cell: &Cell| words::identifier_terms(&cell.key).iter().any(|term| self.asked.contains(term));
        let is_said = |cell: &Cell| {
            cell.value.as_str().is_some_and(|text| self.question.contains(&text.to_lowercase()))
        };
        // Of which of a kind it is says nothing of it.
        let kind = form.dimension.as_ref().map_or(&[][..], |noun| &noun.stems);
        let tells_which =
            |cell: &Cell| words::identifier_terms(&cell.key).last().is_some_and(|term| kind.contains(term));
        let speaks = |cell: &Cell| {
            shares_a_word(cell) && !is_said(cell) && !tells_which(cell) && !tells_how_rows_are_cut(&cell.key)
        };
        scalars_of(object, path).iter().any(speaks)
    }

    /// What an object says of the rows inside it: the values of the arguments that were fanned out over.
    fn subject_cells(&self, object: &Map<String, Value>, path: &str) -> Vec<Cell> {
        let dimensions = &self.reading.dimensions;
        scalars_of(object, path).into_iter().filter(|cell| dimensions.contains(&cell.key)).collect()
    }
}

/// Whether a key is for how the rows beside it are cut, and not for what is measured: `stepMinutes`.
fn tells_how_rows_are_cut(key: &str) -> bool {
    const CUTS: [&str; 6] = ["step", "interv", "grain", "granular", "resolut", "page"];
    words::identifier_terms(key).iter().any(|term| CUTS.contains(&term.as_str()))
}

fn collect_arrays<'v>(
    object: &'v Map<String, Value>,
    path: &str,
    arrays: &mut Vec<(String, &'v Value)>,
    depth: usize,
) {
    for (key, value) in object {
        match value {
            // A list of plain values inside an item is one of the item's values.
            Value::Array(items) if path.contains('[') && !items.iter().any(Value::is_object) => {}
            Value::Array(items) if !items.is_empty() => arrays.push((path::member(path, key), value)),
            Value::Object(nested) if depth < DEPTH_MAX => {
                collect_arrays(nested, &path::member(path, key), arrays, depth + 1);
            }
            Value::Array(_)
            | Value::Object(_)
            | Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_) => {}
        }
    }
}

/// Every scalar of a value and of the objects inside it, arrays left out. Keys lose the name of a single wrapper.
pub(crate) fn scalars(value: &Value, path: &str) -> Vec<Cell> {
    value.as_object().map(|object| scalars_of(object, path)).unwrap_or_default()
}

/// The only list of a result, where it holds nothing.
pub(crate) fn none_found(value: &Value, path: &str) -> Option<Cell> {
    let mut lists = value.as_object()?.iter().filter(|(_, value)| value.is_array());
    let (key, list) = lists.next()?;
    let is_it = lists.next().is_none() && list.as_array().is_some_and(Vec::is_empty);
    is_it.then(|| Cell { key: key.clone(), path: path::member(path, key), value: list.clone() })
}

fn scalars_of(object: &Map<String, Value>, path: &str) -> Vec<Cell> {
    let mut cells = Vec::new();
    collect_scalars(object, path, "", &mut cells, 0);
    let is_above = |key: &str, value: &Value| object.get(key).is_some_and(|above| is_same(above, value));
    // What a result only says again of what it was asked of.
    cells.retain(|cell| cell.key.rsplit_once('.').is_none_or(|(_, leaf)| !is_above(leaf, &cell.value)));
    let wrappers: Vec<usize> =
        cells.iter().map(|cell| cell.key.rfind('.').map_or(0, |point| point + 1)).collect();
    let leaf = |at: usize| &cells[at].key[wrappers[at]..];
    let is_only = |at: usize| (0..cells.len()).all(|other| other == at || leaf(other) != leaf(at));
    let cuts: Vec<usize> =
        (0..cells.len()).map(|at| if wrappers[at] > 0 && is_only(at) { wrappers[at] } else { 0 }).collect();
    for (cell, cut) in cells.iter_mut().zip(cuts) {
        cell.key.drain(..cut);
    }
    cells
}

fn is_same(one: &Value, other: &Value) -> bool {
    one == other || one.as_f64().is_some_and(|number| Some(number) == other.as_f64())
}

fn collect_scalars(
    object: &Map<String, Value>,
    path: &str,
    prefix: &str,
    cells: &mut Vec<Cell>,
    depth: usize,
) {
    for (key, value) in object {
        if value.is_null() {
            continue;
        }
        let own_path = path::member(path, key);
        let own_key = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        match value {
            Value::Object(nested) if depth < DEPTH_MAX => {
                collect_scalars(nested, &own_path, &own_key, cells, depth + 1);
            }
            Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                cells.push(Cell { key: own_key, path: own_path, value: value.clone() });
            }
            Value::Array(items)
                if path.contains('[') && !items.is_empty() && !items.iter().any(is_nested) =>
            {
                cells.push(Cell { key: own_key, path: own_path, value: value.clone() });
            }
            Value::Null | Value::Array(_) | Value::Object(_) => {}
        }
    }
}

/// The words right behind a preposition, in lower case: what is named in small letters is one of them.
pub(crate) fn behind_prepositions(question: &str) -> Vec<String> {
    behind(question, &["on", "at", "of", "for", "in", "from", "by"])
}

/// Those that say where something is.
pub(super) fn places_said(question: &str) -> Vec<String> {
    behind(question, &["on", "at", "in"])
}

fn behind(question: &str, leads: &[&str]) -> Vec<String> {
    let words = words::spelled(question);
    let is_led = |pair: &&[(Range<usize>, String)]| leads.contains(&pair[0].1.as_str());
    words.windows(2).filter(is_led).map(|pair| pair[1].1.clone()).collect()
}

fn is_nested(value: &Value) -> bool {
    value.is_object() || value.is_array()
}

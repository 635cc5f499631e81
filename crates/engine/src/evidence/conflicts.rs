//! Conflicts by construction: two methods that give different numbers for one thing, found without asking anybody; and those
//! that a result tells of between the sources that it is itself made from.

use std::collections::BTreeMap;

use domain::{Conflict, Gap, GapCode, Severity};
use policy::ValueConflicts;
use serde_json::Value;

use super::sources;
use crate::execute::{CallRecord, Executed};

/// What one object of a result says: of what, by its texts, and which numbers.
struct Statement<'a> {
    record: &'a CallRecord,
    source: usize,
    of: BTreeMap<&'a str, &'a str>,
    numbers: BTreeMap<&'a str, f64>,
}

/// Objects of one result that are looked at.
const OBJECTS_MAX: usize = 64;

/// The conflicts within results, and between those of different methods.
pub(super) fn of(executed: &Executed, rules: &ValueConflicts) -> Vec<Conflict> {
    let mut found = told(executed);
    found.extend(between(executed, rules));
    found.truncate(rules.conflicts_max);
    found
}

/// What results say of the sources that they are made from: `conflicts`, each with a `detail` and two `sides` that have a
/// `source` and a `value`. One that two calls tell is told once.
fn told(executed: &Executed) -> Vec<Conflict> {
    let mut found: Vec<Conflict> = Vec::new();
    for (place, record) in executed.calls.iter().enumerate() {
        let Ok(delivered) = record.reply() else { continue };
        let listed = delivered.value.get("conflicts").and_then(Value::as_array);
        for conflict in listed.into_iter().flatten().filter_map(|one| read_told(place, one)) {
            if found.iter().all(|known| known.detail != conflict.detail) {
                found.push(conflict);
            }
        }
    }
    found
}

fn read_told(place: usize, told: &Value) -> Option<Conflict> {
    let side = |side: &Value| {
        let (source, value) = (side.get("source")?.as_str()?, side.get("value")?.as_str()?);
        Some((sources::id(place), format!("{source}: {value}")))
    };
    let [one, other] = told.get("sides")?.as_array()?.as_slice() else { return None };
    Some(Conflict { detail: told.get("detail")?.as_str()?.to_owned(), sides: [side(one)?, side(other)?] })
}

/// The conflicts between the results of different methods.
fn between(executed: &Executed, rules: &ValueConflicts) -> Vec<Conflict> {
    let mut methods = executed.delivered().map(|(record, _)| &record.call().method);
    let first = methods.next();
    // One method does not contradict itself: its results are of different things.
    if methods.all(|method| Some(method) == first) {
        return Vec::new();
    }
    let mut statements = Vec::new();
    for (place, record) in executed.calls.iter().enumerate() {
        let Ok(delivered) = record.reply() else { continue };
        let before = statements.len();
        read((place, record), &delivered.value, before + OBJECTS_MAX, &mut statements);
    }
    let mut found = Vec::new();
    for (at, one) in statements.iter().enumerate() {
        let others = statements[at + 1..].iter();
        for other in others.filter(|other| other.record.call().method != one.record.call().method) {
            found.extend(one.against(other, rules));
        }
    }
    found
}

/// What a conflict leaves open.
pub(super) fn gap(conflict: &Conflict) -> Gap {
    Gap { code: GapCode::ConflictingValues, severity: Severity::Medium, detail: conflict.detail.clone() }
}

fn read<'a>(of: (usize, &'a CallRecord), value: &'a Value, most: usize, statements: &mut Vec<Statement<'a>>) {
    match value {
        Value::Object(object) if statements.len() < most => {
            let text = |(key, value): (&'a String, &'a Value)| {
                let text = value.as_str().filter(|text| text.len() <= TEXT_BYTES_MAX && !is_time(text))?;
                Some((key.as_str(), text))
            };
            let number = |(key, value): (&'a String, &'a Value)| Some((key.as_str(), value.as_f64()?));
            let statement = Statement {
                source: of.0,
                record: of.1,
                of: object.iter().filter_map(text).collect(),
                numbers: object.iter().filter_map(number).collect(),
            };
            if !statement.of.is_empty() && !statement.numbers.is_empty() {
                statements.push(statement);
            }
            object.values().for_each(|value| read(of, value, most, statements));
        }
        Value::Array(items) => items.iter().for_each(|item| read(of, item, most, statements)),
        Value::Object(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// A longer text says something and names nothing.
const TEXT_BYTES_MAX: usize = 48;

fn is_time(text: &str) -> bool {
    text.parse::<jiff::Timestamp>().is_ok()
}

impl Statement<'_> {
    /// Where it and another statement of the same thing differ.
    fn against(&self, other: &Self, rules: &ValueConflicts) -> Vec<Conflict> {
        if self.of != other.of {
            return Vec::new();
        }
        let shared =
            self.numbers.iter().filter_map(|(key, one)| Some((*key, *one, *other.numbers.get(key)?)));
        let differ =
            |one: f64, other: f64| (one - other).abs() > rules.tolerance_share * one.abs().max(other.abs());
        let of: Vec<&str> = self.of.values().copied().collect();
        shared
            .filter(|(_, one, other)| differ(*one, *other))
            .map(|(key, one, against)| Conflict {
                sides: [
                    (sources::id(self.source), one.to_string()),
                    (sources::id(other.source), against.to_string()),
                ],
                detail: format!(
                    "`{key}` of {} is {one} by `{}` of {} and {against} by `{}` of {}.",
                    of.join(", "),
                    self.record.call().method.method,
                    self.record.listing_name,
                    other.record.call().method.method,
                    other.record.listing_name,
                ),
            })
            .collect()
    }
}

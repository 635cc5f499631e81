//! Gaps: what the results leave open.

use std::cell::LazyCell;

use domain::{FaultKind, Gap, GapCode, Severity};
use policy::Pages;
use reading::{Reading, words};
use serde_json::Value;

use crate::evidence;
use crate::execute::Executed;

/// What the results leave open, worst first.
pub(super) fn of(executed: &Executed, reading: &Reading, pages: &Pages) -> Vec<Gap> {
    let mut gaps = faults(executed);
    gaps.extend(executed.fault.as_ref().map(|fault| {
        let detail = format!("The program stopped: {fault}. What its calls gave is told as it came.");
        gap(GapCode::LimitedSliceCoverage, Severity::Medium, &detail)
    }));
    if is_empty(&executed.value) {
        gaps.push(gap(
            GapCode::EmptyCanonicalPayload,
            Severity::High,
            "The tools answered, but with nothing in it.",
        ));
    }
    if evidence::text::of(&executed.value).is_some_and(|(_, text)| evidence::text::is_error(text)) {
        gaps.push(gap(
            GapCode::UpstreamFailure,
            Severity::High,
            "The tool answered with an error and no data.",
        ));
    }
    gaps.extend(uncovered_entities(executed, reading));
    gaps.extend(missing_measure(executed, reading));
    gaps.extend(uncovered_parts(executed, reading));
    gaps.extend(left_over_pages(executed, pages));
    let open = reading.open.iter().map(|sentence| gap(GapCode::EntityNotCovered, Severity::Medium, sentence));
    gaps.extend(open);
    gaps.sort_by_key(|gap| std::cmp::Reverse(gap.severity));
    gaps
}

/// What went wrong, a sentence each.
pub(super) fn shortfalls(executed: &Executed) -> Vec<String> {
    let mut sentences: Vec<String> = faults(executed).into_iter().map(|gap| gap.detail).collect();
    if let (true, Some(fault)) = (sentences.is_empty(), &executed.fault) {
        sentences.push(format!("The program stopped: {fault}."));
    }
    if sentences.is_empty() && is_empty(&executed.value) {
        sentences.push("The tools answered, but with nothing in it.".to_owned());
    }
    sentences
}

/// Whether a value holds nothing: null, an empty text, or arrays and maps of such all the way down.
pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(_) | Value::Number(_) => false,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.iter().all(is_empty),
        Value::Object(object) => {
            object.values().all(is_empty) || object.values().any(is_the_empty_list(object))
        }
    }
}

/// A result whose only list is empty holds nothing, whatever else it says of itself.
fn is_the_empty_list(object: &serde_json::Map<String, Value>) -> impl FnMut(&Value) -> bool {
    let lists = object.values().filter(|value| value.is_array()).count();
    move |value| lists == 1 && value.as_array().is_some_and(Vec::is_empty)
}

pub(super) fn faults(executed: &Executed) -> Vec<Gap> {
    let mut gaps: Vec<Gap> = Vec::new();
    for (record, fault) in executed.faults() {
        let code =
            if fault.kind == FaultKind::Budget { GapCode::BudgetSpent } else { GapCode::UpstreamFailure };
        let detail =
            format!("`{}` of {} failed: {}.", record.call().method.method, record.listing_name, fault);
        if !gaps.iter().any(|gap| gap.detail == detail) {
            gaps.push(Gap { code, severity: Severity::Medium, detail });
        }
    }
    gaps
}

/// What the question names and neither a result nor the arguments of a call hold.
pub(super) fn uncovered_entities(executed: &Executed, reading: &Reading) -> Vec<Gap> {
    let given = LazyCell::new(|| {
        let looked_up: String =
            executed.delivered().map(|(_, delivered)| delivered.value.to_string()).collect();
        (executed.value.to_string() + &looked_up).to_lowercase()
    });
    // "EUR/USD" is covered by a base of EUR and a quote of USD.
    let holds = |word: &str| executed.told().contains(word) || given.contains(word);
    let is_missing = |entity: &&String| !words::words(entity).iter().all(|word| holds(&word.lower));
    let missing = reading.entities.iter().filter(is_missing);
    missing
        .map(|entity| {
            gap(GapCode::EntityNotCovered, Severity::Medium, &format!("No result names \"{entity}\"."))
        })
        .collect()
}

/// What is to be measured is null wherever it stands.
pub(super) fn missing_measure(executed: &Executed, reading: &Reading) -> Option<Gap> {
    let key = reading.measures.first()?.rsplit('.').next()?;
    let mut found = Vec::new();
    collect(&executed.value, key, &mut found);
    let all_null = !found.is_empty() && found.iter().all(|value| value.is_null());
    all_null
        .then(|| gap(GapCode::MissingField, Severity::Medium, &format!("`{key}` is null in every result.")))
}

fn collect<'v>(value: &'v Value, key: &str, found: &mut Vec<&'v Value>) {
    match value {
        Value::Object(object) => {
            for (name, inner) in object {
                if name == key {
                    found.push(inner);
                }
                collect(inner, key, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, key, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The parts of a question whose place in the value holds nothing.
pub(super) fn uncovered_parts(executed: &Executed, reading: &Reading) -> Vec<Gap> {
    let is_open = |part: &&reading::Part| executed.value.get(&part.key).is_none_or(is_empty);
    let open = reading.parts.iter().filter(is_open);
    open.map(|part| {
        let detail = format!("Nothing was found for \"{}\".", part.question);
        gap(GapCode::EntityNotCovered, Severity::Medium, &detail)
    })
    .collect()
}

/// The parts of a question that a model misses.
pub(super) fn open(parts: &[String]) -> impl Iterator<Item = Gap> {
    parts
        .iter()
        .map(|part| gap(GapCode::EntityNotCovered, Severity::Medium, &format!("It is not answered: {part}.")))
}

fn left_over_pages(executed: &Executed, pages: &Pages) -> Option<Gap> {
    // What a mended program has read on from is not left over.
    let told = executed.told();
    let is_read =
        |value: &Value| cursor(value, pages).is_some_and(|(_, cursor)| told.contains(&cursor.to_lowercase()));
    let left_over = executed
        .delivered()
        .any(|(_, delivered)| has_more(&delivered.value, pages) && !is_read(&delivered.value));
    left_over.then(|| {
        gap(GapCode::PaginationLeftOver, Severity::Low, "There are more pages than those that were read.")
    })
}

/// Whether a result says that there is more of it.
pub(super) fn has_more(value: &Value, pages: &Pages) -> bool {
    let says_so = |key: &String| value.get(key).and_then(Value::as_bool) == Some(true);
    cursor(value, pages).is_some() || pages.flags.iter().any(says_so)
}

/// Where the next page begins: the key that says so, and what it says.
pub(super) fn cursor<'v>(value: &'v Value, pages: &Pages) -> Option<(String, &'v str)> {
    let text = |key: &String| {
        let cursor = value.get(key)?.as_str().filter(|cursor| !cursor.is_empty())?;
        Some((key.clone(), cursor))
    };
    pages.cursors.iter().find_map(text)
}

fn gap(code: GapCode, severity: Severity, detail: &str) -> Gap {
    Gap { code, severity, detail: detail.to_owned() }
}

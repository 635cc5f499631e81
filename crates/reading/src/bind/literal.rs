//! Values that a question writes out as JSON: `[{"at": 50, "level": 80}]`.

use std::ops::Range;

use serde_json::{Deserializer, Value};

use super::parameter::{Parameter, Shape};
use super::proximity::nearness;
use super::{Candidate, Family, assign};
use crate::Question;

/// The lists and objects that a text writes out, and where.
pub(crate) fn written_out(text: &str) -> Vec<(Value, Range<usize>)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find(['[', '{']).map(|at| from + at) {
        let mut values = Deserializer::from_str(&text[start..]).into_iter::<Value>();
        from = start + 1;
        if let Some(Ok(value)) = values.next() {
            from = start + values.byte_offset();
            found.push((value, start..from));
        }
    }
    found
}

/// What is written out beside the name of a list or an object and fits it; `None` where nothing is. An object that does not
/// fit is not read in parts.
pub(super) fn candidates(question: &Question, parameter: &Parameter) -> Option<Vec<Candidate>> {
    let near = |range: &Range<usize>| nearness(question, parameter, range);
    let is_of_objects = |value: &Value| value.is_object() || value[0].is_object();
    let candidate = |(value, range): &(Value, Range<usize>)| {
        let score = WRITTEN_OUT + 0.35 * near(range);
        fits(parameter, value).then(|| Candidate::said(value.clone(), score, range.clone(), Family::Text))
    };
    let beside = || question.literals.iter().filter(|(_, range)| near(range) >= NEAR_MIN);
    let mut found: Vec<Candidate> = beside().filter_map(candidate).collect();
    if let (Shape::List(item), true) = (&parameter.shape, found.is_empty()) {
        found.extend(side_by_side(question, item));
    }
    (!found.is_empty() || beside().any(|(value, _)| is_of_objects(value))).then_some(found)
}

/// The objects that fit the items of a list, where a question writes out several.
fn side_by_side(question: &Question, item: &Parameter) -> Option<Candidate> {
    let fitting = || question.literals.iter().filter(|(value, _)| value.is_object() && fits(item, value));
    let (first, last) = (fitting().next()?, fitting().next_back()?);
    let values = fitting().map(|(value, _)| value.clone()).collect();
    Some(Candidate::said(values, WRITTEN_OUT, first.1.start..last.1.end, Family::Text))
}

/// How near the name of an argument has to be to what is written out for it.
const NEAR_MIN: f64 = 0.5;

/// What it says for a value that it is written out just as the schema wants it.
const WRITTEN_OUT: f64 = 0.6;

fn fits(parameter: &Parameter, value: &Value) -> bool {
    match (&parameter.shape, value) {
        (Shape::List(item), Value::Array(values)) => {
            !values.is_empty() && values.iter().all(|value| fits(item, value))
        }
        // Nothing is said of its parts.
        (Shape::Nested(parts), Value::Object(_)) if parts.is_empty() => true,
        (Shape::Nested(parts), Value::Object(given)) => {
            let part = |key: &str| parts.iter().find(|part| part.name == key);
            given.iter().all(|(key, value)| part(key).is_some_and(|part| fits(part, value)))
                && parts.iter().all(|part| !part.is_required || given.contains_key(&part.name))
        }
        (Shape::List(_) | Shape::Nested(_), _) => false,
        _ => assign::is_valid(parameter, value),
    }
}

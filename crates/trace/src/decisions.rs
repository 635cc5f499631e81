//! What was decided in a request, whatever time it took and in whichever order parallel calls came back.

mod decided;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::mem;

use serde_json::Value;
use sha2::{Digest, Sha256};

pub(crate) use decided::Decided;

/// Events that tell of time alone.
const DECIDE_NOTHING: [&str; 4] = ["stage-started", "stage-ended", "call-started", "answer-spoken"];

/// Events of one wave, in whichever order they came.
const OF_A_WAVE: &str = "call-ended";

/// A decision: an event's name and its particulars without times.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The event's name.
    pub name: String,
    /// What was decided.
    pub told: Value,
}

/// The decisions among events. Calls of one wave stand in the order of their places in the program.
#[must_use]
pub fn decisions<'a>(events: impl IntoIterator<Item = (&'a str, Value)>) -> Vec<Decision> {
    let mut decisions = Vec::new();
    let mut wave: Vec<Decision> = Vec::new();
    for (name, mut told) in events {
        if DECIDE_NOTHING.contains(&name) {
            continue;
        }
        untime(&mut told);
        let decision = Decision { name: name.to_owned(), told };
        if name == OF_A_WAVE {
            wave.push(decision);
            continue;
        }
        decisions.append(&mut in_place(mem::take(&mut wave)));
        decisions.push(decision);
    }
    decisions.append(&mut in_place(wave));
    decisions
}

/// SHA-256 over the decisions, in hex.
#[must_use]
pub fn hash(decisions: &[Decision]) -> String {
    let mut told = String::new();
    for decision in decisions {
        // Writing into a text does not fail.
        let _ = write!(told, "{}\0{}\0", decision.name, decision.told);
    }
    hex::encode(Sha256::digest(told.as_bytes()))
}

/// The place where two runs part for the first time: what each decided there, and what both had decided just before.
#[derive(Clone, Debug, PartialEq)]
pub struct Parting {
    /// How many decisions are the same.
    pub same: usize,
    /// The last one of these.
    pub before: Option<Decision>,
    /// What the first run decided; none where it had ended.
    pub one: Option<Decision>,
    /// What the second one did.
    pub other: Option<Decision>,
}

impl Parting {
    /// What differs between two decisions of one name, as dotted paths with the value of each; nothing where the names differ
    /// or a run had ended.
    #[must_use]
    pub fn differences(&self) -> Vec<(String, Value, Value)> {
        let mut found = Vec::new();
        if let (Some(one), Some(other)) = (&self.one, &self.other)
            && one.name == other.name
        {
            differ("", &one.told, &other.told, &mut found);
        }
        found
    }
}

/// Walks two values side by side. What only one of them has is null in the other one.
fn differ(path: &str, one: &Value, other: &Value, found: &mut Vec<(String, Value, Value)>) {
    let at = |step: &str| if path.is_empty() { step.to_owned() } else { format!("{path}.{step}") };
    match (one, other) {
        (Value::Object(own), Value::Object(others)) => {
            let names: BTreeSet<&String> = own.keys().chain(others.keys()).collect();
            for name in names {
                differ(&at(name), &one[name], &other[name], found);
            }
        }
        (Value::Array(own), Value::Array(others)) if own.len() == others.len() => {
            for (place, (one, other)) in own.iter().zip(others).enumerate() {
                differ(&at(&place.to_string()), one, other, found);
            }
        }
        (one, other) if one == other => {}
        (one, other) => found.push((path.to_owned(), one.clone(), other.clone())),
    }
}

/// Where two runs part; none where they do not.
#[must_use]
pub fn parting(one: &[Decision], other: &[Decision]) -> Option<Parting> {
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    if same == one.len() && same == other.len() {
        return None;
    }
    let before = same.checked_sub(1).and_then(|last| one.get(last)).cloned();
    Some(Parting { same, before, one: one.get(same).cloned(), other: other.get(same).cloned() })
}

fn in_place(mut wave: Vec<Decision>) -> Vec<Decision> {
    wave.sort_by_key(|decision| position(&decision.told).to_owned());
    wave
}

fn position(told: &Value) -> &str {
    told["position"].as_str().unwrap_or_default()
}

fn untime(told: &mut Value) {
    match told {
        Value::Object(members) => {
            members.retain(|name, _| name != "duration_ms");
            members.values_mut().for_each(untime);
        }
        Value::Array(items) => items.iter_mut().for_each(untime),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(position: &str, duration_ms: u64) -> (&'static str, Value) {
        ("call-ended", json!({"position": position, "outcome": {"bytes": 3}, "duration_ms": duration_ms}))
    }

    #[test]
    fn the_order_of_a_wave_and_its_times_decide_nothing() {
        let end = || ("query-ended", json!({"outcome": "answer", "duration_ms": 4}));
        let one = decisions([call("a", 1), call("b", 2), end()]);
        let other = decisions([call("b", 7), ("call-started", json!({})), call("a", 9), end()]);
        assert_eq!(hash(&one), hash(&other));
        assert_eq!(parting(&one, &other), None);
    }

    #[test]
    fn the_first_difference_is_named_with_what_came_before() {
        let one = decisions([("depth-decision", json!({"lane": "fast"})), call("a", 1)]);
        let other = decisions([("depth-decision", json!({"lane": "fast"})), call("b", 1)]);
        let parting = parting(&one, &other).unwrap();
        assert_eq!(parting.differences(), [("position".to_owned(), json!("a"), json!("b"))]);
        assert_eq!((parting.same, parting.before.unwrap().name.as_str()), (1, "depth-decision"));
        assert_eq!(parting.one.unwrap().told["position"], "a");
    }
}

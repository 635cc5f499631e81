//! The hash of what was decided, from the texts that events are recorded as.

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{DECIDE_NOTHING, OF_A_WAVE, position, untime};

/// A member that tells of time alone, as JSON writes it.
const TIME: &[u8] = b"\"duration_ms\":";

/// What has been decided so far. Its hash is that of the [`decisions`](super::decisions) among the same events.
#[derive(Default)]
pub(crate) struct Decided {
    text: Vec<u8>,
    /// Calls of one wave, by their place in the program.
    wave: Vec<(String, Vec<u8>)>,
}

impl Decided {
    /// Takes in the next event: its name, its particulars and their JSON text.
    pub(crate) fn add(&mut self, name: &str, told: &Value, text: &[u8]) {
        if DECIDE_NOTHING.contains(&name) {
            return;
        }
        if name == OF_A_WAVE {
            let mut decision = Vec::with_capacity(text.len());
            write(&mut decision, name, told, text);
            self.wave.push((position(told).to_owned(), decision));
        } else {
            self.end_wave();
            write(&mut self.text, name, told, text);
        }
    }

    /// SHA-256 over the decisions, in hex.
    pub(crate) fn hash(mut self) -> String {
        self.end_wave();
        hex::encode(Sha256::digest(&self.text))
    }

    fn end_wave(&mut self) {
        self.wave.sort_by(|one, other| one.0.cmp(&other.0));
        for (_, decision) in self.wave.drain(..) {
            self.text.extend_from_slice(&decision);
        }
    }
}

fn write(decisions: &mut Vec<u8>, name: &str, told: &Value, text: &[u8]) {
    decisions.extend_from_slice(name.as_bytes());
    decisions.push(0);
    let from = decisions.len();
    if !write_untimed(decisions, text) {
        decisions.truncate(from);
        let mut told = told.clone();
        untime(&mut told);
        decisions.extend_from_slice(told.to_string().as_bytes());
    }
    decisions.push(0);
}

/// Writes a JSON text without the members that tell of time. Whether they were plain numbers all.
fn write_untimed(into: &mut Vec<u8>, mut text: &[u8]) -> bool {
    // No text within quotes holds a quote of its own that is not escaped: this is a member's name wherever it stands.
    while let Some(at) = text.windows(TIME.len()).position(|it| it == TIME) {
        let (before, rest) = (&text[..at], &text[at + TIME.len()..]);
        let digits = rest.iter().take_while(|it| it.is_ascii_digit()).count();
        match (before.last(), rest.get(digits)) {
            // The comma goes with it, before or after.
            (Some(b','), Some(b',' | b'}')) if digits > 0 => {
                into.extend_from_slice(&before[..at - 1]);
                text = &rest[digits..];
            }
            (Some(b'{'), Some(b',')) if digits > 0 => {
                into.extend_from_slice(before);
                text = &rest[digits + 1..];
            }
            (Some(b'{'), Some(b'}')) if digits > 0 => {
                into.extend_from_slice(before);
                text = &rest[digits..];
            }
            _ => return false,
        }
    }
    into.extend_from_slice(text);
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, json};

    use super::*;
    use crate::decisions::{decisions, hash};

    fn told() -> impl Strategy<Value = Value> {
        let name = prop_oneof![
            Just("duration_ms"),
            Just("position"),
            Just("a"),
            Just("\"duration_ms\":1,"),
            Just("x,")
        ];
        let leaf = prop_oneof![
            any::<u8>().prop_map(|number| json!(number)),
            (-2.0..2.0).prop_map(|number: f64| json!(number)),
            prop_oneof![Just("duration_ms"), Just("\"duration_ms\":3"), Just("{")].prop_map(|it| json!(it)),
            Just(Value::Null),
        ];
        leaf.prop_recursive(3, 24, 5, move |inner| {
            let members = prop::collection::vec((name.clone(), inner.clone()), 0..5);
            let object = members.prop_map(|members| {
                Value::Object(
                    members.into_iter().map(|(it, value)| (it.to_owned(), value)).collect::<Map<_, _>>(),
                )
            });
            prop_oneof![object, prop::collection::vec(inner, 0..4).prop_map(Value::Array)]
        })
    }

    fn name() -> impl Strategy<Value = &'static str> {
        prop_oneof![Just(OF_A_WAVE), Just("query-ended"), Just("call-started"), Just("depth-decision")]
    }

    proptest! {
        #[test]
        fn the_hash_of_texts_is_that_of_their_decisions(events in prop::collection::vec((name(), told()), 0..8)) {
            let mut decided = Decided::default();
            for (name, told) in &events {
                decided.add(name, told, told.to_string().as_bytes());
            }
            prop_assert_eq!(decided.hash(), hash(&decisions(events)));
        }
    }
}

//! The calls of a program with their replies: what it runs from.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use domain::{Call, CallFault, FaultKind, MethodRef, Position, Reply};
use rhai::ImmutableString;
use serde_json::{Map, Value};

/// One call and what came of it.
#[derive(Debug)]
pub struct Entry {
    call: Call,
    reply: Reply,
    text: OnceLock<ImmutableString>,
}

impl Entry {
    /// The call, at the position where it was first asked for.
    #[must_use]
    pub fn call(&self) -> &Call {
        &self.call
    }

    /// What came of it.
    pub fn reply(&self) -> &Reply {
        &self.reply
    }

    /// A whole result that is text, one allocation however often it is asked for: so a program's value can be traced
    /// back to its call.
    pub(crate) fn text(&self) -> Option<&ImmutableString> {
        match &self.reply {
            Ok(delivered) => {
                let text = delivered.value.as_str()?;
                Some(self.text.get_or_init(|| text.into()))
            }
            Err(_) => None,
        }
    }
}

/// Calls and replies, in the order in which the program first asked.
///
/// A call is known by its method and its arguments: the same call is made once, whatever program of the journal asks
/// for it and wherever. That is what keeps a repaired program from paying twice.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    entries: Vec<Arc<Entry>>,
    places: HashMap<Position, usize>,
}

impl Journal {
    /// The calls and replies.
    #[must_use]
    pub fn entries(&self) -> &[Arc<Entry>] {
        &self.entries
    }

    /// The entry whose call was first asked for here.
    #[must_use]
    pub fn entry(&self, position: &Position) -> Option<&Arc<Entry>> {
        self.places.get(position).map(|place| &self.entries[*place])
    }

    /// Adds a call and its reply, as one that a store has kept; a position that is taken keeps what it has.
    pub fn record(&mut self, call: Call, reply: Reply) {
        if !self.places.contains_key(&call.position) {
            self.places.insert(call.position.clone(), self.entries.len());
            self.entries.push(Arc::new(Entry { call, reply, text: OnceLock::new() }));
        }
    }

    /// The journal without its failed calls, so that a program that runs from it asks for them again.
    #[must_use]
    pub fn without_faults(&self) -> Self {
        self.without(|entry| entry.reply.is_err())
    }

    /// The journal without some of its calls, which a program that runs from it asks for again.
    #[must_use]
    pub fn without(&self, is_left_out: impl Fn(&Entry) -> bool) -> Self {
        let mut kept = Self::default();
        for entry in self.entries.iter().filter(|entry| !is_left_out(entry)) {
            kept.places.insert(entry.call.position.clone(), kept.entries.len());
            kept.entries.push(Arc::clone(entry));
        }
        kept
    }

    /// Adds a reply; data nested deeper than `depth_max` is a fault, since values are walked recursively.
    pub(crate) fn receive(&mut self, call: Call, reply: Reply, depth_max: usize) {
        let reply = reply.and_then(|delivered| {
            if nested_deeper(&delivered.value, depth_max) {
                let message = format!("the result is nested deeper than {depth_max} (value_depth_max)");
                return Err(CallFault { kind: FaultKind::TooLarge, message });
            }
            Ok(delivered)
        });
        self.record(call, reply);
    }

    pub(crate) fn find(
        &self,
        position: &Position,
        method: &MethodRef,
        arguments: &Map<String, Value>,
    ) -> Option<&Arc<Entry>> {
        let is_same =
            |entry: &&Arc<Entry>| entry.call.method == *method && entry.call.arguments == *arguments;
        self.entry(position).filter(is_same).or_else(|| self.entries.iter().find(is_same))
    }
}

/// Whether containers are nested in one another more than `depth_max` deep.
pub(crate) fn nested_deeper(value: &Value, depth_max: usize) -> bool {
    let mut level = vec![value];
    for _ in 0..=depth_max {
        let mut next = Vec::new();
        for value in level {
            match value {
                Value::Array(items) => next.extend(items),
                Value::Object(properties) => next.extend(properties.values()),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
        }
        if next.is_empty() {
            return false;
        }
        level = next;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nesting_is_counted_in_containers() {
        assert!(!nested_deeper(&json!(1), 1));
        assert!(!nested_deeper(&json!({"a": [1]}), 2));
        assert!(nested_deeper(&json!({"a": [[1]]}), 2));
    }
}

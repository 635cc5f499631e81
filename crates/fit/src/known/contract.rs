//! The contract of a method: what it takes and what it gives, without the words around it.

use domain::Method;
use serde_json::Value;

use crate::outline::{LeafKind, Outline};

/// Keys of a schema that are words for people.
const WORDS: [&str; 8] =
    ["$comment", "$schema", "default", "deprecated", "description", "example", "examples", "title"];

const DEPTH_MAX: usize = 8;

/// The prints of what a method takes and of what it gives.
#[derive(Clone, Copy, Debug)]
pub struct Contract {
    takes: u64,
    gives: u64,
}

impl Contract {
    /// Linear in the size of the method's schemas.
    pub(super) fn of(method: &Method, outline: &Outline) -> Self {
        let leaves = outline.leaves.iter().map(|leaf| text(&leaf.path, u64::from(kind(leaf.kind))));
        Self { takes: shape(&method.input_schema, 0), gives: leaves.fold(0, u64::wrapping_add) }
    }

    /// The fingerprint of the contract, called for by these words.
    pub fn fingerprint<'w>(self, called: impl IntoIterator<Item = &'w str>) -> u64 {
        let print = called.into_iter().fold(START, |print, word| text(word, print));
        number(self.gives, number(self.takes, print))
    }
}

/// The shape of a schema. The order of keys and of alternatives says nothing.
fn shape(schema: &Value, depth: usize) -> u64 {
    if depth > DEPTH_MAX {
        return 0;
    }
    match schema {
        Value::Object(keys) => keys
            .iter()
            .filter(|(key, value)| !WORDS.contains(&key.as_str()) || value.is_object())
            .map(|(key, value)| text(key, shape(value, depth + 1)))
            .fold(1, u64::wrapping_add),
        Value::Array(items) => items.iter().map(|item| shape(item, depth + 1)).fold(2, u64::wrapping_add),
        Value::String(word) => text(word, 3),
        Value::Number(amount) => text(&amount.to_string(), 4),
        Value::Bool(flag) => number(u64::from(*flag), 5),
        Value::Null => 6,
    }
}

fn kind(kind: LeafKind) -> u8 {
    match kind {
        LeafKind::Number => 1,
        LeafKind::Text => 2,
        LeafKind::Time => 3,
        LeafKind::Flag => 4,
    }
}

/// FNV-1a (Fowler, Noll and Vo): the same on every machine and in every version.
const START: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

fn text(text: &str, seed: u64) -> u64 {
    let folded = text.bytes().fold(number(seed, START), mixed);
    mixed(folded, 0xff)
}

fn number(value: u64, print: u64) -> u64 {
    value.to_le_bytes().into_iter().fold(print, mixed)
}

fn mixed(print: u64, byte: u8) -> u64 {
    (print ^ u64::from(byte)).wrapping_mul(PRIME)
}

//! The contract of a method: what it is called for, what it takes and what it gives, without the words around it.

use domain::Candidate;
use fit::{Known, LeafKind};
use reading::words;
use serde_json::Value;

/// Stems that say how a name reads and not what: two names that differ in them alone mean one method.
const READS: [&str; 16] = [
    "all", "describ", "fetch", "find", "for", "get", "list", "load", "lookup", "of", "queri", "read",
    "retriev", "search", "show", "view",
];

/// Keys of a schema that are words for people.
const WORDS: [&str; 8] =
    ["$comment", "$schema", "default", "deprecated", "description", "example", "examples", "title"];

const DEPTH_MAX: usize = 8;
const SUFFIX_MAX: usize = 3;

/// The fingerprint of a method's contract: of the nouns of its name, the shape of its arguments and of its result.
/// Linear in the size of its schemas.
pub(super) fn fingerprint(candidate: &Candidate, known: &Known) -> u64 {
    let leaves = known.outline.leaves.iter().map(|leaf| text(&leaf.path, u64::from(kind(leaf.kind))));
    let result = leaves.fold(0_u64, u64::wrapping_add);
    let mut print = START;
    for noun in nouns(candidate, known) {
        print = text(noun, print);
    }
    number(result, number(shape(&candidate.method.input_schema, 0), print))
}

/// The stems of the name that say what it is about, those of its listing left out; all of them where nothing else is left.
fn nouns<'k>(candidate: &Candidate, known: &'k Known) -> Vec<&'k str> {
    let told: Vec<&str> =
        known.name.iter().map(String::as_str).filter(|stem| READS.binary_search(stem).is_err()).collect();
    let listing = words::identifier_words(&candidate.listing.name);
    // A stem is nearly all of its word; stemming the listing's name for each method would cost more than it tells.
    let is_stem = |word: &str, stem: &str| word.starts_with(stem) && word.len() - stem.len() <= SUFFIX_MAX;
    let is_listing = |stem: &&str| listing.iter().any(|word| is_stem(word, stem));
    let own: Vec<&str> = told.iter().copied().filter(|stem| !is_listing(stem)).collect();
    if !own.is_empty() {
        own
    } else if !told.is_empty() {
        told
    } else {
        known.name.iter().map(String::as_str).collect()
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

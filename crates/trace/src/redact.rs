//! What is never written: the text of fields that hold secrets, and words that begin as secrets do.
//!
//! A secret is replaced wherever it stands in the recording, so that a replay, which has only what was written, comes to
//! the same bytes.

mod sieve;

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;

use policy::Recording;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

pub(crate) use sieve::Sieve;
use sieve::is_written_otherwise;

/// Stands where a secret was.
pub const REDACTED: &str = "[redacted]";

/// Shorter texts are replaced in their own field alone: elsewhere they could be anything.
const EVERYWHERE_CHARS_MIN: usize = 8;

/// Finds secrets, and takes them out of texts.
#[derive(Debug)]
pub(crate) struct Redactor<'a> {
    policy: &'a Recording,
    sieve: &'a Sieve,
    /// Secrets and what stands for them, longest first.
    known: Vec<(String, String)>,
    counts: BTreeMap<String, u64>,
}

impl<'a> Redactor<'a> {
    /// A redactor that knows of these secrets already, each with what stands for it.
    pub(crate) fn new(policy: &'a Recording, sieve: &'a Sieve, known: Vec<(String, String)>) -> Self {
        let mut redactor = Self { policy, sieve, known, counts: BTreeMap::new() };
        redactor.sort();
        redactor
    }

    /// Looks for secrets in a value before anything is written.
    pub(crate) fn learn(&mut self, value: &Value) {
        let before = self.known.len();
        self.look(value);
        if self.known.len() > before {
            self.sort();
        }
    }

    /// The same of an object's members.
    pub(crate) fn learn_members(&mut self, members: &Map<String, Value>) {
        let before = self.known.len();
        self.look_at(members);
        if self.known.len() > before {
            self.sort();
        }
    }

    /// Writes the JSON text of something, without secrets.
    pub(crate) fn write(&mut self, text: &mut Vec<u8>, told: &impl Serialize) -> io::Result<()> {
        let from = text.len();
        serde_json::to_writer(&mut *text, told)?;
        self.clean(text, from)
    }

    /// Takes the secrets out of the JSON text that begins at `from`. Most have none, which their bytes alone tell.
    pub(crate) fn clean(&mut self, text: &mut Vec<u8>, from: usize) -> io::Result<()> {
        if !self.may_hold_secrets(&text[from..]) {
            return Ok(());
        }
        let value: Value = serde_json::from_slice(&text[from..])?;
        text.truncate(from);
        let redactor = RefCell::new(self);
        Ok(serde_json::to_writer(text, &Clean { redactor: &redactor, value: &value })?)
    }

    fn may_hold_secrets(&self, text: &[u8]) -> bool {
        let is_in = |secret: &str| {
            is_written_otherwise(secret) || str::from_utf8(text).map_or(true, |text| text.contains(secret))
        };
        self.known.iter().any(|(secret, _)| is_in(secret)) || self.sieve.may_hold_secrets(text)
    }

    /// A text without secrets.
    fn cleaned<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let mut clean = Cow::Borrowed(text);
        for (secret, mask) in &self.known {
            if clean.contains(secret.as_str()) {
                clean = Cow::Owned(clean.replace(secret.as_str(), mask));
            }
        }
        while let Some((prefix, word)) = self.word_in(&clean) {
            *self.counts.entry(prefix.to_owned()).or_default() += 1;
            clean = Cow::Owned(clean.replace(&word, REDACTED));
        }
        clean
    }

    /// How often something was taken out, by the field or the beginning that it was known by.
    pub(crate) fn counts(&self) -> &BTreeMap<String, u64> {
        &self.counts
    }

    fn look(&mut self, value: &Value) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.look(item)),
            Value::Object(members) => self.look_at(members),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn look_at(&mut self, members: &Map<String, Value>) {
        for (name, member) in members {
            if let Value::String(text) = member
                && self.sieve.names_secret(name)
                && text.chars().count() >= EVERYWHERE_CHARS_MIN
            {
                self.known.push((text.clone(), REDACTED.to_owned()));
            } else {
                self.look(member);
            }
        }
    }

    /// The first word that begins as secrets do, and what it begins with.
    fn word_in(&self, text: &str) -> Option<(&'a str, String)> {
        let policy = self.policy;
        if text.len() < policy.redacted_chars_min {
            return None;
        }
        let bytes = text.as_bytes();
        let begins = (0..bytes.len()).filter(|at| self.sieve.may_begin(bytes[*at]));
        begins.into_iter().find_map(|at| {
            // What a prefix begins with is no continuation of a character: the policy's prefixes are whole texts.
            let rest = text.get(at..)?;
            let prefix = policy.redacted_prefixes.iter().find(|prefix| rest.starts_with(prefix.as_str()))?;
            let is_inside = text[..at].chars().next_back().is_some_and(is_of_word);
            let word: String = rest.chars().take_while(|it| is_of_word(*it)).collect();
            (!is_inside && word.chars().count() >= policy.redacted_chars_min)
                .then_some((prefix.as_str(), word))
        })
    }

    fn sort(&mut self) {
        self.known.sort_by(|one, other| other.0.len().cmp(&one.0.len()).then_with(|| one.cmp(other)));
        self.known.dedup();
    }
}

fn is_of_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '.' | '+' | '/' | '=')
}

/// A name without the marks between its words, in lower case.
fn folded(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars().filter(|it| !matches!(it, '-' | '_')).flat_map(char::to_lowercase)
}

/// A value whose secrets are taken out while it is written.
struct Clean<'r, 'p, 'v> {
    redactor: &'r RefCell<&'r mut Redactor<'p>>,
    value: &'v Value,
}

impl<'v> Clean<'_, '_, 'v> {
    fn of(&self, value: &'v Value) -> Self {
        Self { redactor: self.redactor, value }
    }
}

impl Serialize for Clean<'_, '_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.value {
            Value::String(text) => {
                let clean = self.redactor.borrow_mut().cleaned(text);
                serializer.serialize_str(&clean)
            }
            Value::Array(items) => serializer.collect_seq(items.iter().map(|item| self.of(item))),
            Value::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (name, member) in members {
                    let is_secret = matches!(member, Value::String(text) if text != REDACTED)
                        && self.redactor.borrow().sieve.names_secret(name);
                    if is_secret {
                        *self.redactor.borrow_mut().counts.entry(name.clone()).or_default() += 1;
                        map.serialize_entry(name, REDACTED)?;
                    } else {
                        map.serialize_entry(name, &self.of(member))?;
                    }
                }
                map.end()
            }
            plain @ (Value::Null | Value::Bool(_) | Value::Number(_)) => plain.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use policy::Policy;
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    /// A text that may have something of a secret in it.
    fn text() -> impl Strategy<Value = String> {
        let pieces = prop::sample::select(vec![
            "sk-",
            "AKIA",
            "abcdefghijklmnop1234",
            "ghp_0123456789",
            " ",
            "\n",
            "\"",
            "\\",
            "é",
            "ri",
            "hunter2hunter2",
            "\"cookie\":",
        ]);
        prop::collection::vec(pieces, 0..5).prop_map(|pieces| pieces.concat())
    }

    fn value() -> impl Strategy<Value = Value> {
        let names = prop::sample::select(vec![
            "api_key",
            "Api-Key",
            "-_password",
            "pass\u{212a}word",
            "coo\u{212a}ie",
            "cookie",
            "cooki",
            "price",
            "set cookie",
            "setcookie",
            "cookies",
            "sk-abcdefghijklmnop1234",
            "note",
            "",
        ]);
        let leaf = prop_oneof![text().prop_map(Value::String), any::<u8>().prop_map(|number| json!(number))];
        leaf.prop_recursive(3, 24, 4, move |inner| {
            let members = prop::collection::vec((names.clone(), inner.clone()), 0..4);
            let object = members.prop_map(|members| members.into_iter().collect::<Value>());
            prop_oneof![object, prop::collection::vec(inner, 0..4).prop_map(Value::Array)]
        })
    }

    /// A text without its secrets, and what was taken out.
    fn redacted(value: &Value, known: &[(&str, &str)]) -> (String, BTreeMap<String, u64>) {
        let policy = Policy::shipped().unwrap();
        let sieve = Sieve::new(&policy.recording);
        let known = known.iter().map(|(secret, mask)| ((*secret).to_owned(), (*mask).to_owned())).collect();
        let mut redactor = Redactor::new(&policy.recording, &sieve, known);
        redactor.learn(value);
        let mut text = Vec::new();
        redactor.write(&mut text, value).unwrap();
        (String::from_utf8(text).unwrap(), redactor.counts().clone())
    }

    fn cleaned(value: &Value) -> (Value, BTreeMap<String, u64>) {
        let (text, counts) = redacted(value, &[]);
        (serde_json::from_str(&text).unwrap(), counts)
    }

    #[test]
    fn a_secret_goes_wherever_it_stands() {
        let (value, counts) = cleaned(&json!({
            "arguments": {"Api-Key": "hunter2hunter2", "symbol": "BTC"}, "text": "asked with hunter2hunter2.",
        }));
        assert_eq!(value["arguments"], json!({"Api-Key": REDACTED, "symbol": "BTC"}));
        assert_eq!(value["text"], "asked with [redacted].");
        assert_eq!(counts["Api-Key"], 1);
    }

    #[test]
    fn words_that_begin_as_secrets_do_go_and_others_stay() {
        let (value, counts) =
            cleaned(&json!(["use sk-abcdefghijklmnop1234 now", "task-abcdefghijklmnop1234", "sk-1"]));
        assert_eq!(value, json!(["use [redacted] now", "task-abcdefghijklmnop1234", "sk-1"]));
        assert_eq!(counts["sk-"], 1);
    }

    #[test]
    fn a_secret_that_is_not_known_yet_is_found_by_its_bytes() {
        let policy = Policy::shipped().unwrap();
        let sieve = Sieve::new(&policy.recording);
        let mut redactor = Redactor::new(&policy.recording, &sieve, Vec::new());
        for (text, clean) in [
            (r#"{"note":"line\nsk-abcdefghijklmnop1234"}"#, r#"{"note":"line\n[redacted]"}"#),
            (r#"{"a":{"Set-Cookie":"crumbs"}}"#, r#"{"a":{"Set-Cookie":"[redacted]"}}"#),
            (r#"{"_API_KEY":"short"}"#, r#"{"_API_KEY":"[redacted]"}"#),
            (r#"{"cook":"skies are eyed","token":"x"}"#, r#"{"cook":"skies are eyed","token":"x"}"#),
        ] {
            let mut bytes = format!("before {text}").into_bytes();
            redactor.clean(&mut bytes, "before ".len()).unwrap();
            assert_eq!(String::from_utf8(bytes).unwrap(), format!("before {clean}"));
        }
    }

    #[test]
    fn a_number_in_a_secret_field_is_no_text() {
        assert_eq!(cleaned(&json!({"password": 7})).0, json!({"password": 7}));
    }

    proptest! {
        #[test]
        fn nothing_goes_by_that_a_closer_look_would_take_out(value in value(), is_told in any::<bool>()) {
            let known: &[_] = if is_told { &[("hunter2hunter2", "[masked]")] } else { &[] };
            let policy = Policy::shipped().unwrap();
            let sieve = Sieve::new(&policy.recording);
            let owned = known.iter().map(|(one, other): &(&str, &str)| ((*one).to_owned(), (*other).to_owned()));
            let mut closely = Redactor::new(&policy.recording, &sieve, owned.collect());
            closely.learn(&value);
            let clean = serde_json::to_string(&Clean { redactor: &RefCell::new(&mut closely), value: &value }).unwrap();
            prop_assert_eq!(redacted(&value, known), (clean, closely.counts().clone()));
        }
    }
}

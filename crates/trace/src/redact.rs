//! What is never written: the text of fields that hold secrets, and words that begin as secrets do.
//!
//! A secret is replaced wherever it stands in the recording, so that a replay, which has only what was written, comes to
//! the same bytes.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;

use policy::Recording;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

/// Stands where a secret was.
pub const REDACTED: &str = "[redacted]";

/// Shorter texts are replaced in their own field alone: elsewhere they could be anything.
const EVERYWHERE_CHARS_MIN: usize = 8;

/// Finds secrets, and takes them out of texts.
#[derive(Debug)]
pub(crate) struct Redactor<'a> {
    policy: &'a Recording,
    fields: Vec<String>,
    /// What prefixes of secrets begin with, and what comes next.
    first_bytes: [bool; 256],
    second_bytes: [bool; 256],
    /// What names of secrets begin with.
    field_bytes: [bool; 256],
    /// Whether a field or a prefix has anything in it that JSON writes in another way.
    is_escaped: bool,
    /// Secrets and what stands for them, longest first.
    known: Vec<(String, String)>,
    counts: BTreeMap<String, u64>,
}

impl<'a> Redactor<'a> {
    /// A redactor that knows of these secrets already, each with what stands for it.
    pub(crate) fn new(policy: &'a Recording, known: Vec<(String, String)>) -> Self {
        let fields = policy.redacted_fields.iter().map(|field| folded(field).collect()).collect();
        let mut field_bytes = [false; 256];
        for first in policy.redacted_fields.iter().filter_map(|field| folded(field).next()) {
            for byte in [first.to_ascii_lowercase(), first.to_ascii_uppercase()] {
                field_bytes[usize::from(u8::try_from(byte).unwrap_or_default())] = true;
            }
        }
        let (mut first_bytes, mut second_bytes) = ([false; 256], [false; 256]);
        for prefix in &policy.redacted_prefixes {
            let mut bytes = prefix.bytes();
            first_bytes[usize::from(bytes.next().unwrap_or_default())] = true;
            match bytes.next() {
                Some(second) => second_bytes[usize::from(second)] = true,
                None => second_bytes = [true; 256],
            }
        }
        let odd = |text: &String| {
            text.chars().any(|it| it.is_control() || matches!(it, '"' | '\\') || !it.is_ascii())
        };
        let is_escaped = policy.redacted_prefixes.iter().chain(&policy.redacted_fields).any(odd);
        let counts = BTreeMap::new();
        let mut redactor =
            Self { policy, fields, first_bytes, second_bytes, field_bytes, is_escaped, known, counts };
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

    /// The JSON text of something, without secrets.
    pub(crate) fn text_of(&mut self, told: &impl Serialize) -> io::Result<String> {
        self.text(serde_json::to_string(told)?)
    }

    /// A JSON text without its secrets. Most have none, which their bytes alone tell.
    pub(crate) fn text(&mut self, text: String) -> io::Result<String> {
        if !self.may_hold_secrets(&text) {
            return Ok(text);
        }
        let value: Value = serde_json::from_str(&text)?;
        let redactor = RefCell::new(self);
        Ok(serde_json::to_string(&Clean { redactor: &redactor, value: &value })?)
    }

    /// Whether a JSON text has anything in it that could be a secret or the name of one: says yes too often, and never no
    /// where there is one.
    fn may_hold_secrets(&self, text: &str) -> bool {
        if !self.known.is_empty() || self.is_escaped {
            return true;
        }
        let bytes = text.as_bytes();
        bytes.windows(2).enumerate().any(|(at, pair)| {
            if pair[0] == b'"' {
                return self.may_name_secret(&text[at + 1..]);
            }
            self.first_bytes[usize::from(pair[0])]
                && self.second_bytes[usize::from(pair[1])]
                && self.policy.redacted_prefixes.iter().any(|it| bytes[at..].starts_with(it.as_bytes()))
        })
    }

    /// Whether a text begins as the name of a secret does.
    fn may_name_secret(&self, text: &str) -> bool {
        let plain = text.trim_start_matches(['-', '_']);
        let may_begin =
            plain.bytes().next().is_some_and(|it| !it.is_ascii() || self.field_bytes[usize::from(it)]);
        may_begin
            && self.fields.iter().any(|field| {
                let mut rest = folded(plain);
                field.chars().all(|wanted| rest.next() == Some(wanted))
            })
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
                && self.is_secret(name)
                && text.chars().count() >= EVERYWHERE_CHARS_MIN
            {
                self.known.push((text.clone(), REDACTED.to_owned()));
            } else {
                self.look(member);
            }
        }
    }

    fn is_secret(&self, name: &str) -> bool {
        self.fields.iter().any(|field| folded(name).eq(field.chars()))
    }

    /// The first word that begins as secrets do, and what it begins with.
    fn word_in(&self, text: &str) -> Option<(&'a str, String)> {
        let policy = self.policy;
        if text.len() < policy.redacted_chars_min {
            return None;
        }
        let bytes = text.as_bytes();
        let begins = (0..bytes.len()).filter(|at| self.first_bytes[usize::from(bytes[*at])]);
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
                        && self.redactor.borrow().is_secret(name);
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
    use serde_json::json;

    use super::*;

    fn cleaned(value: &Value) -> (Value, BTreeMap<String, u64>) {
        let policy = Policy::shipped().unwrap();
        let mut redactor = Redactor::new(&policy.recording, Vec::new());
        redactor.learn(value);
        let text = redactor.text_of(value).unwrap();
        (serde_json::from_str(&text).unwrap(), redactor.counts().clone())
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
        let mut redactor = Redactor::new(&policy.recording, Vec::new());
        for (text, clean) in [
            (r#"{"note":"line\nsk-abcdefghijklmnop1234"}"#, r#"{"note":"line\n[redacted]"}"#),
            (r#"{"a":{"Set-Cookie":"crumbs"}}"#, r#"{"a":{"Set-Cookie":"[redacted]"}}"#),
            (r#"{"_API_KEY":"short"}"#, r#"{"_API_KEY":"[redacted]"}"#),
            (r#"{"cook":"skies are eyed","token":"x"}"#, r#"{"cook":"skies are eyed","token":"x"}"#),
        ] {
            assert_eq!(redactor.text(text.to_owned()).unwrap(), clean);
        }
    }

    #[test]
    fn a_number_in_a_secret_field_is_no_text() {
        assert_eq!(cleaned(&json!({"password": 7})).0, json!({"password": 7}));
    }
}

//! What is never written: the text of fields that hold secrets, and words that begin as secrets do.
//!
//! A secret is replaced wherever it stands in the recording, so that a replay, which has only what was written, comes to
//! the same bytes.

use std::collections::BTreeMap;

use policy::Recording;
use serde_json::Value;

/// Stands where a secret was.
pub const REDACTED: &str = "[redacted]";

/// Shorter texts are replaced in their own field alone: elsewhere they could be anything.
const EVERYWHERE_CHARS_MIN: usize = 8;

/// Finds secrets, and takes them out of texts.
#[derive(Debug)]
pub(crate) struct Redactor<'a> {
    policy: &'a Recording,
    fields: Vec<String>,
    /// Secrets and what stands for them, longest first.
    known: Vec<(String, String)>,
    counts: BTreeMap<String, u64>,
}

impl<'a> Redactor<'a> {
    /// A redactor that knows of these secrets already, each with what stands for it.
    pub(crate) fn new(policy: &'a Recording, known: Vec<(String, String)>) -> Self {
        let fields = policy.redacted_fields.iter().map(|field| folded(field)).collect();
        let mut redactor = Self { policy, fields, known, counts: BTreeMap::new() };
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

    /// The value without secrets.
    pub(crate) fn clean(&mut self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Some(clean) = self.cleaned(text) {
                    *text = clean;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.clean(item)),
            Value::Object(members) => {
                for (name, member) in members.iter_mut() {
                    if let Value::String(text) = member
                        && self.is_secret(name)
                        && text != REDACTED
                    {
                        REDACTED.clone_into(text);
                        *self.counts.entry(name.clone()).or_default() += 1;
                    } else {
                        self.clean(member);
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// A text without secrets; none where it has none.
    fn cleaned(&mut self, text: &str) -> Option<String> {
        let mut clean: Option<String> = None;
        for (secret, mask) in &self.known {
            if clean.as_deref().unwrap_or(text).contains(secret.as_str()) {
                clean = Some(clean.as_deref().unwrap_or(text).replace(secret.as_str(), mask));
            }
        }
        loop {
            let current = clean.as_deref().unwrap_or(text);
            let Some((prefix, word)) = self.word_in(current) else { return clean };
            *self.counts.entry(prefix.to_owned()).or_default() += 1;
            clean = Some(current.replace(&word, REDACTED));
        }
    }

    /// How often something was taken out, by the field or the beginning that it was known by.
    pub(crate) fn counts(self) -> BTreeMap<String, u64> {
        self.counts
    }

    fn look(&mut self, value: &Value) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.look(item)),
            Value::Object(members) => {
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
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn is_secret(&self, name: &str) -> bool {
        self.fields.contains(&folded(name))
    }

    /// The first word that begins as secrets do, and what it begins with.
    fn word_in(&self, text: &str) -> Option<(&'a str, String)> {
        let policy = self.policy;
        policy.redacted_prefixes.iter().find_map(|prefix| {
            text.match_indices(prefix.as_str()).find_map(|(at, _)| {
                let is_inside = text[..at].chars().next_back().is_some_and(is_of_word);
                let word: String = text[at..].chars().take_while(|it| is_of_word(*it)).collect();
                (!is_inside && word.chars().count() >= policy.redacted_chars_min)
                    .then_some((prefix.as_str(), word))
            })
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
fn folded(name: &str) -> String {
    name.chars().filter(|it| !matches!(it, '-' | '_')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use policy::Policy;
    use serde_json::json;

    use super::*;

    fn cleaned(mut value: Value) -> (Value, BTreeMap<String, u64>) {
        let policy = Policy::shipped().unwrap();
        let mut redactor = Redactor::new(&policy.recording, Vec::new());
        redactor.learn(&value);
        redactor.clean(&mut value);
        (value, redactor.counts())
    }

    #[test]
    fn a_secret_goes_wherever_it_stands() {
        let (value, counts) = cleaned(json!({
            "arguments": {"Api-Key": "hunter2hunter2", "symbol": "BTC"}, "text": "asked with hunter2hunter2.",
        }));
        assert_eq!(value["arguments"], json!({"Api-Key": REDACTED, "symbol": "BTC"}));
        assert_eq!(value["text"], "asked with [redacted].");
        assert_eq!(counts["Api-Key"], 1);
    }

    #[test]
    fn words_that_begin_as_secrets_do_go_and_others_stay() {
        let (value, counts) =
            cleaned(json!(["use sk-abcdefghijklmnop1234 now", "task-abcdefghijklmnop1234", "sk-1"]));
        assert_eq!(value, json!(["use [redacted] now", "task-abcdefghijklmnop1234", "sk-1"]));
        assert_eq!(counts["sk-"], 1);
    }

    #[test]
    fn a_number_in_a_secret_field_is_no_text() {
        assert_eq!(cleaned(json!({"password": 7})).0, json!({"password": 7}));
    }
}

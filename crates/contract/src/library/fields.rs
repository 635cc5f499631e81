//! Reads what callers send: JSON bodies, arguments of tools and query strings alike. Clients send arrays, numbers and flags as
//! JSON in a string; that is taken for what it says.

use serde_json::{Map, Value};

use crate::error::{BodyFault, ErrorCode};

/// The members of a JSON body; an empty one has none.
pub fn from_body(bytes: &[u8]) -> Result<Map<String, Value>, BodyFault> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(Map::new());
    }
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(BodyFault::new(ErrorCode::InvalidBody, "", "the body must be a JSON object")),
        Err(fault) => {
            let message =
                format!("the body is not valid JSON at line {}, column {}", fault.line(), fault.column());
            Err(BodyFault::new(ErrorCode::InvalidJson, "", message))
        }
    }
}

/// The members of a query string; one that is given several times is an array.
#[must_use]
pub fn from_pairs(pairs: Vec<(String, String)>) -> Map<String, Value> {
    let mut members: Map<String, Value> = Map::new();
    for (name, value) in pairs {
        match members.get_mut(&name) {
            Some(Value::Array(values)) => values.push(value.into()),
            Some(known) => *known = Value::Array(vec![known.take(), value.into()]),
            None => {
                members.insert(name, value.into());
            }
        }
    }
    members
}

/// The members of a request.
pub(super) struct Fields<'a>(pub(super) &'a Map<String, Value>);

impl Fields<'_> {
    /// A text that is not blank; none where it is absent or null.
    pub(super) fn text(&self, name: &str) -> Result<Option<String>, BodyFault> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => {
                Ok(Some(text.trim()).filter(|text| !text.is_empty()).map(str::to_owned))
            }
            Some(other) => Err(wrong(name, "a string", other)),
        }
    }

    /// A text as it stands; none where it is absent or null.
    pub(super) fn raw(&self, name: &str) -> Result<Option<String>, BodyFault> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => Err(wrong(name, "a string", other)),
        }
    }

    pub(super) fn required(&self, name: &str) -> Result<String, BodyFault> {
        self.text(name)?.ok_or_else(|| BodyFault::missing(name))
    }

    /// A whole number from 1.
    pub(super) fn count(&self, name: &str) -> Result<Option<usize>, BodyFault> {
        let invalid = || BodyFault::new(ErrorCode::InvalidValue, name, "must be a whole number from 1");
        let number = match self.0.get(name) {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::String(text)) if text.trim().is_empty() => return Ok(None),
            Some(Value::String(text)) => text.trim().parse().map_err(|_| invalid())?,
            Some(Value::Number(number)) => whole(number).ok_or_else(invalid)?,
            Some(other) => return Err(wrong(name, "a number", other)),
        };
        if number == 0 { Err(invalid()) } else { Ok(Some(number)) }
    }

    pub(super) fn flag(&self, name: &str) -> Result<Option<bool>, BodyFault> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(Value::String(text)) => match text.trim() {
                "" => Ok(None),
                "true" | "1" => Ok(Some(true)),
                "false" | "0" => Ok(Some(false)),
                _ => Err(BodyFault::new(ErrorCode::InvalidValue, name, "must be `true` or `false`")),
            },
            Some(other) => Err(wrong(name, "a boolean", other)),
        }
    }

    /// A list of texts: an array, an array as JSON in a string, or texts between commas.
    pub(super) fn list(&self, name: &str) -> Result<Vec<String>, BodyFault> {
        let items = match self.0.get(name) {
            None | Some(Value::Null) => return Ok(Vec::new()),
            Some(Value::Array(items)) => items.clone(),
            Some(Value::String(text)) => match serde_json::from_str(text) {
                Ok(Value::Array(items)) => items,
                _ => text.split(',').map(Value::from).collect(),
            },
            Some(other) => return Err(wrong(name, "an array of strings", other)),
        };
        let mut texts = Vec::with_capacity(items.len());
        for item in items {
            let Value::String(text) = &item else { return Err(wrong(name, "an array of strings", &item)) };
            if !text.trim().is_empty() {
                texts.push(text.trim().to_owned());
            }
        }
        Ok(texts)
    }

    /// One of some words.
    pub(super) fn word<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Result<Option<T>, BodyFault> {
        let Some(said) = self.text(name)? else { return Ok(None) };
        let known = words.iter().find(|(word, _)| *word == said);
        known.map(|(_, value)| Some(*value)).ok_or_else(|| {
            let all: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            BodyFault::new(ErrorCode::InvalidValue, name, format!("must be one of {}", all.join(", ")))
        })
    }
}

/// Clients that have no integers send `5.0`.
fn whole(number: &serde_json::Number) -> Option<usize> {
    if let Some(whole) = number.as_u64() {
        return usize::try_from(whole).ok();
    }
    let text = number.as_f64().filter(|value| value.fract() == 0.0)?.to_string();
    text.parse().ok()
}

fn wrong(name: &str, wanted: &str, value: &Value) -> BodyFault {
    let given = match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    };
    BodyFault::new(ErrorCode::InvalidType, name, format!("must be {wanted}, not {given}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn list(value: &Value) -> Result<Vec<String>, BodyFault> {
        let members = Map::from_iter([("tags".to_owned(), value.clone())]);
        Fields(&members).list("tags")
    }

    #[test]
    fn arrays_come_as_arrays_or_in_strings() {
        for value in [json!(["a", "b"]), json!("[\"a\", \"b\"]"), json!("a, b")] {
            assert_eq!(list(&value), Ok(vec!["a".to_owned(), "b".to_owned()]), "{value}");
        }
        assert_eq!(list(&json!(null)), Ok(Vec::new()));
        assert_eq!(list(&json!([1])).unwrap_err().field, "tags");
    }

    #[test]
    fn numbers_and_flags_come_in_strings_too() {
        let members = from_pairs(vec![
            ("limit".to_owned(), "5".to_owned()),
            ("semantic".to_owned(), "false".to_owned()),
        ]);
        let fields = Fields(&members);
        assert_eq!((fields.count("limit"), fields.flag("semantic")), (Ok(Some(5)), Ok(Some(false))));
        let members = from_body(br#"{"limit": 5.0, "zero": 0, "half": 1.5, "minus": -1}"#).unwrap();
        assert_eq!(Fields(&members).count("limit"), Ok(Some(5)));
        for name in ["zero", "half", "minus"] {
            assert_eq!(Fields(&members).count(name).unwrap_err().code, ErrorCode::InvalidValue, "{name}");
        }
    }
}

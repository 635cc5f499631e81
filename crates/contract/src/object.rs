//! A JSON object of a request, read member by member; what is wrong is told with the member's path.

use serde_json::{Map, Value};

use crate::error::{BodyFault, ErrorCode};

/// Characters of a caller's text that an error repeats.
const ECHO_CHARS: usize = 60;

/// The members of a body, which has to be a JSON object.
pub(crate) fn parsed(bytes: &[u8]) -> Result<Map<String, Value>, BodyFault> {
    let value: Value = serde_json::from_slice(bytes).map_err(|fault| {
        let message =
            format!("the body is not valid JSON at line {}, column {}", fault.line(), fault.column());
        BodyFault::new(ErrorCode::InvalidJson, "", message)
    })?;
    match value {
        Value::Object(members) => Ok(members),
        other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_)) => {
            let message = format!("the body must be a JSON object, not {}", type_name(&other));
            Err(BodyFault::new(ErrorCode::InvalidBody, "", message))
        }
    }
}

/// An object of the body and where it stands: the path of its members without their names.
pub(crate) struct Object<'a> {
    pub(crate) members: &'a Map<String, Value>,
    pub(crate) path: &'static str,
}

impl<'a> Object<'a> {
    pub(crate) fn get(&self, key: &str) -> Option<&'a Value> {
        self.members.get(key).filter(|value| !value.is_null())
    }

    pub(crate) fn field(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    pub(crate) fn required_text(&self, key: &str) -> Result<String, BodyFault> {
        let text = self.text(key)?.ok_or_else(|| BodyFault::missing(self.field(key)))?;
        if text.trim().is_empty() {
            return Err(BodyFault::new(ErrorCode::InvalidValue, self.field(key), "must not be empty"));
        }
        Ok(text)
    }

    pub(crate) fn text(&self, key: &str) -> Result<Option<String>, BodyFault> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => Err(wrong_type(self.field(key), "a string", other)),
        }
    }

    pub(crate) fn flag(&self, key: &str) -> Result<Option<bool>, BodyFault> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(other) => Err(wrong_type(self.field(key), "true or false", other)),
        }
    }

    pub(crate) fn word<T: Copy>(&self, key: &str, words: &[(&str, T)]) -> Result<Option<T>, BodyFault> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        if let Some((_, value)) = words.iter().find(|(word, _)| *word == text) {
            return Ok(Some(*value));
        }
        let allowed: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let message = format!("must be one of {}, not {}", allowed.join(", "), echo(&text));
        Err(BodyFault::new(ErrorCode::InvalidValue, self.field(key), message))
    }

    pub(crate) fn object(&self, key: &'static str) -> Result<Option<Object<'a>>, BodyFault> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::Object(members)) => Ok(Some(Object { members, path: key })),
            Some(other) => Err(wrong_type(self.field(key), "an object", other)),
        }
    }
}

pub(crate) fn wrong_type(field: String, expected: &str, value: &Value) -> BodyFault {
    BodyFault::new(ErrorCode::InvalidType, field, format!("must be {expected}, not {}", type_name(value)))
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

pub(crate) fn echo(text: &str) -> String {
    match text.char_indices().nth(ECHO_CHARS) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?} and so on", &text[..end]),
    }
}

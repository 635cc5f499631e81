//! A stage's reply schema, compiled once.

use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

use crate::report::FallbackReason;

/// A compiled reply schema.
pub(crate) struct Schema(Validator);

impl Schema {
    /// None where the schema is no schema, or refers to something outside of itself.
    pub(crate) fn compile(schema: &Value) -> Option<Self> {
        jsonschema::options()
            .offline()
            .with_pattern_options(PatternOptions::regex())
            .should_validate_formats(false)
            .build(schema)
            .ok()
            .map(Self)
    }

    /// The value that a reply's text spells, where it has the schema's form. Reasons never carry the reply's own words.
    pub(crate) fn read(&self, text: &str) -> Result<Value, FallbackReason> {
        let value: Value = serde_json::from_str(object_in(text)).map_err(|error| {
            FallbackReason::Garbled(format!(
                "no JSON object at line {}, column {}",
                error.line(),
                error.column()
            ))
        })?;
        self.0.validate(&value).map_err(|error| {
            let place = match error.instance_path().to_string() {
                path if path.is_empty() => "the whole".to_owned(),
                path => path,
            };
            FallbackReason::BreaksSchema(format!("{place}: {}", error.masked_with("the value")))
        })?;
        Ok(value)
    }
}

/// The object within a text: models without structured output put a code fence or a sentence around it.
fn object_in(text: &str) -> &str {
    let text = text.trim();
    match (text.find('{'), text.rfind('}')) {
        (Some(start), Some(end)) if start < end => &text[start..=end],
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn schema() -> Schema {
        Schema::compile(&json!({
            "type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": false
        }))
        .unwrap()
    }

    #[test]
    fn an_object_is_found_in_what_is_around_it() {
        for text in ["{\"a\": 1}", "```json\n{\"a\": 1}\n```", "Here it is: {\"a\": 1} ."] {
            assert_eq!(schema().read(text), Ok(json!({"a": 1})), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_told_without_the_replys_words() {
        let fault = |text| schema().read(text).unwrap_err().to_string();
        assert!(fault("sesame").starts_with("the reply is garbled: no JSON object at line 1"));
        let broken = fault("{\"a\": \"sesame\"}");
        assert!(
            broken.contains("/a") && broken.contains("integer") && !broken.contains("sesame"),
            "{broken}"
        );
        assert!(fault("{}").contains("the whole"));
    }
}

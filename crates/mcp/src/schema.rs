//! JSON Schemas of methods, compiled once.
//!
//! A schema is a stranger's: it may load nothing, its patterns run in linear time, and formats are not asserted.

use jsonschema::{PatternOptions, ValidationError, Validator};
use serde_json::Value;

/// A compiled schema.
pub(crate) struct Schema(Validator);

/// Where a value breaks its schema, and how, without the value itself.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Breach {
    /// A JSON pointer into the value; empty for the whole.
    pub(crate) path: String,
    pub(crate) problem: String,
}

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

    /// The first breach.
    pub(crate) fn check(&self, value: &Value) -> Result<(), Breach> {
        self.0.validate(value).map_err(|error| breach(&error))
    }
}

fn breach(error: &ValidationError<'_>) -> Breach {
    Breach { path: error.instance_path().to_string(), problem: error.masked_with("the value").to_string() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_breach_names_the_path_and_hides_the_value() {
        let schema =
            Schema::compile(&json!({"properties": {"key": {"type": "integer"}}, "required": ["key"]}))
                .unwrap();
        assert_eq!(schema.check(&json!({"key": 1})), Ok(()));
        let breach = schema.check(&json!({"key": "sesame"})).unwrap_err();
        assert_eq!(breach.path, "/key");
        assert!(
            breach.problem.contains("integer") && !breach.problem.contains("sesame"),
            "{}",
            breach.problem
        );
        assert!(schema.check(&json!({})).unwrap_err().problem.contains("\"key\""));
    }

    #[test]
    fn a_hostile_pattern_ends_at_once() {
        let schema = Schema::compile(&json!({"pattern": "^(a+)+$"})).unwrap();
        assert!(schema.check(&json!("a".repeat(10_000) + "b")).is_err());
    }

    #[test]
    fn formats_are_not_asserted() {
        let schema = Schema::compile(&json!({"format": "date"})).unwrap();
        assert_eq!(schema.check(&json!("no date")), Ok(()));
    }
}

//! A method's typed signature, from its JSON Schemas, in a notation that is short and read by everybody.

use std::fmt::Write;

use domain::Method;
use serde_json::Value;

/// Nesting below which a type is only named, and alternatives of one type that are listed.
const DEPTH_MAX: usize = 6;
const LISTED_MAX: usize = 24;

/// `alias.method(argument: type, optional?: type = default) -> type`; an argument's description stands behind it.
pub(crate) fn of(name: &str, method: &Method) -> String {
    let mut text = format!("{name}(");
    let input = Schema { root: &method.input_schema, depth: 0 };
    let arguments = input.properties(&method.input_schema);
    for (place, argument) in arguments.iter().enumerate() {
        let _ = write!(text, "{}{argument}", if place == 0 { "" } else { ", " });
    }
    text.push_str(") -> ");
    match &method.output_schema {
        Some(schema) => Schema { root: schema, depth: 0 }.write(schema, &mut text),
        None => text.push_str("unknown"),
    }
    text
}

/// A place in a schema.
#[derive(Clone, Copy)]
struct Schema<'a> {
    root: &'a Value,
    depth: usize,
}

impl<'a> Schema<'a> {
    fn write(self, schema: &'a Value, text: &mut String) {
        if self.depth > DEPTH_MAX {
            text.push_str("..");
            return;
        }
        let inner = Self { depth: self.depth + 1, ..self };
        if let Some(target) = schema["$ref"].as_str() {
            match target.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer)) {
                Some(target) => inner.write(target, text),
                None => text.push_str("any"),
            }
            return;
        }
        if let Some(value) = schema.get("const") {
            let _ = write!(text, "{value}");
        } else if let Some(values) = schema["enum"].as_array() {
            let mut listed: Vec<String> = values.iter().take(LISTED_MAX).map(Value::to_string).collect();
            if values.len() > LISTED_MAX {
                listed.push("..".to_owned());
            }
            text.push_str(&listed.join(" | "));
        } else if let Some(branches) = ["anyOf", "oneOf"].iter().find_map(|key| schema[key].as_array()) {
            for (place, branch) in branches.iter().take(LISTED_MAX).enumerate() {
                text.push_str(if place == 0 { "" } else { " | " });
                inner.write(branch, text);
            }
        } else {
            inner.write_type(schema, text);
        }
    }

    fn write_type(self, schema: &'a Value, text: &mut String) {
        let kinds: Vec<&str> = match &schema["type"] {
            Value::String(kind) => vec![kind.as_str()],
            Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
            _ if schema.get("properties").is_some() => vec!["object"],
            _ if schema.get("items").is_some() => vec!["array"],
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => vec!["any"],
        };
        for (place, kind) in kinds.into_iter().enumerate() {
            text.push_str(if place == 0 { "" } else { " | " });
            match kind {
                "array" => {
                    text.push('[');
                    match schema.get("items") {
                        Some(items) => self.write(items, text),
                        None => text.push_str("any"),
                    }
                    text.push(']');
                }
                "object" => {
                    let properties = self.properties(schema);
                    let _ = write!(text, "{{{}}}", properties.join(", "));
                }
                "null" => text.push_str("()"),
                scalar => {
                    text.push_str(scalar);
                    write_bounds(schema, text);
                }
            }
        }
    }

    /// `name: type`, `name?: type = default`, each with its description as a comment.
    fn properties(self, schema: &'a Value) -> Vec<String> {
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let Some(properties) = schema["properties"].as_object() else { return Vec::new() };
        let property = |(name, schema): (&String, &'a Value)| {
            let mut text = written(name);
            text.push_str(if required.contains(&name.as_str()) { ": " } else { "?: " });
            self.write(schema, &mut text);
            if let Some(default) = schema.get("default") {
                let _ = write!(text, " = {default}");
            }
            if let Some(description) = schema["description"].as_str() {
                let line = description.split_whitespace().collect::<Vec<_>>().join(" ");
                let _ = write!(text, " /* {} */", line.replace("*/", "* /"));
            }
            text
        };
        properties.iter().map(property).collect()
    }
}

fn write_bounds(schema: &Value, text: &mut String) {
    if let Some(format) = schema["format"].as_str() {
        let _ = write!(text, " {format}");
    }
    match (schema.get("minimum"), schema.get("maximum")) {
        (Some(least), Some(most)) => {
            let _ = write!(text, " {least}..{most}");
        }
        (Some(least), None) => {
            let _ = write!(text, " from {least}");
        }
        (None, Some(most)) => {
            let _ = write!(text, " to {most}");
        }
        (None, None) => {}
    }
}

/// A key as a program would write it.
fn written(name: &str) -> String {
    let is_word = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    if is_word { name.to_owned() } else { Value::from(name).to_string() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn schemas_become_types() {
        let method = Method::new(
            "inflows",
            json!({
                "type": "object", "required": ["asset"],
                "properties": {
                    "asset": {"type": "string", "enum": ["BTC", "ETH"], "description": "Which\n asset."},
                    "hours": {"type": "integer", "minimum": 1, "maximum": 168, "default": 24},
                    "by-day": {"type": ["boolean", "null"]}
                }
            }),
            Some(json!({
                "$defs": {"row": {"type": "object", "required": ["at"], "properties": {
                    "at": {"type": "string", "format": "date-time"}, "next": {"$ref": "#/$defs/row"}
                }}},
                "type": "object", "properties": {"rows": {"type": "array", "items": {"$ref": "#/$defs/row"}}}
            })),
        );
        let text = of("flows.inflows", &method);
        assert!(
            text.starts_with(
                "flows.inflows(asset: \"BTC\" | \"ETH\" /* Which asset. */, hours?: integer 1..168 = 24, \
                 \"by-day\"?: boolean | ()) -> {rows?: [{at: string date-time, next?: "
            ),
            "{text}"
        );
        assert!(text.contains(".."), "what refers to itself ends: {text}");
    }

    #[test]
    fn a_method_without_schemas_has_a_signature() {
        assert_eq!(of("a.b", &Method::new("b", json!({}), None)), "a.b() -> unknown");
    }
}

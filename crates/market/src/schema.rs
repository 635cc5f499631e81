//! JSON Schemas of argument and result types: plain ones, with nothing to resolve.

use rmcp::model::JsonObject;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

/// The schema of a method's arguments.
pub(crate) fn of_arguments<A: JsonSchema>() -> JsonObject {
    root(settings().for_deserialize().into_generator().into_root_schema_for::<A>())
}

/// The schema of a method's result.
pub(crate) fn of_result<R: JsonSchema>() -> JsonObject {
    root(settings().for_serialize().into_generator().into_root_schema_for::<R>())
}

/// What each argument may be, in one line, for the text of a refusal.
pub(crate) fn summary(arguments: &JsonObject) -> String {
    let Some(Value::Object(properties)) = arguments.get("properties") else {
        return "no arguments".to_owned();
    };
    if properties.is_empty() {
        return "no arguments".to_owned();
    }
    let required = arguments.get("required").and_then(Value::as_array);
    let lines = properties.iter().map(|(name, property)| {
        let is_required = required.is_some_and(|names| names.contains(&json!(name)));
        format!("`{name}` ({}{})", kind(property), if is_required { ", required" } else { "" })
    });
    lines.collect::<Vec<_>>().join(", ")
}

fn settings() -> SchemaSettings {
    SchemaSettings::draft2020_12()
        .with(|settings| {
            settings.meta_schema = None;
            settings.inline_subschemas = true;
        })
        .with_transform(RecursiveTransform(plain))
}

fn root(mut schema: Schema) -> JsonObject {
    schema.remove("title");
    schema.remove("description");
    let object = schema.ensure_object();
    object.entry("properties").or_insert_with(|| json!({}));
    std::mem::take(object)
}

/// Optional means absent, never null; and the formats of Rust's numbers mean nothing to a client.
fn plain(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if object.get("default").is_some_and(Value::is_null) {
        object.remove("default");
    }
    drop_null_branch(object);
    let is_number = object.get("type").is_some_and(|name| name == "number" || name == "integer");
    if is_number {
        object.remove("format");
    }
}

fn drop_null_branch(object: &mut JsonObject) {
    let Some(Value::Array(branches)) = object.get("anyOf") else { return };
    let others: Vec<_> =
        branches.iter().filter(|branch| **branch != json!({ "type": "null" })).cloned().collect();
    if let [Value::Object(only)] = others.as_slice() {
        object.remove("anyOf");
        for (key, value) in only {
            object.entry(key.as_str()).or_insert_with(|| value.clone());
        }
    }
}

fn kind(property: &Value) -> String {
    let values = property.get("enum").or_else(|| property.pointer("/items/enum"));
    if let Some(Value::Array(values)) = values {
        let values: Vec<_> = values.iter().filter_map(Value::as_str).collect();
        return format!("one of {}", values.join(" "));
    }
    let word = |key| property.get(key).and_then(Value::as_str);
    word("format").or_else(|| word("type")).unwrap_or("any").to_owned()
}

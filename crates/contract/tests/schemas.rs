//! The schemas of the wire, as the API document has them.

use contract::error::ErrorBody;
use contract::events::Event;
use contract::job::{JobStarted, JobState};
use contract::query::QueryBody;
use contract::result::QueryResult;
use contract::tools::{SearchReply, Tool};
use serde_json::{Value, json};
use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(components(schemas(
    QueryBody,
    QueryResult,
    Event,
    JobStarted,
    JobState,
    SearchReply,
    Tool,
    ErrorBody
)))]
struct Document;

fn document() -> Value {
    json!(Document::openapi())
}

fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get("$ref").and_then(Value::as_str));
            members.values().for_each(|member| references(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn every_reference_has_its_schema() {
    let document = document();
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(found.len() > 50, "{}", found.len());
    for reference in found {
        let pointer = reference.trim_start_matches('#');
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

#[test]
fn a_request_needs_its_query_only() {
    let document = document();
    let schema = &document["components"]["schemas"]["QueryBody"];
    assert_eq!(schema["required"], json!(["query"]));
    assert!(!schema["properties"]["responseShape"].is_null());
}

#[test]
fn the_conclusion_stands_beside_the_response() {
    let result = document()["components"]["schemas"]["QueryResult"].to_string();
    assert!(result.contains("Conclusion") || result.contains("stopReason"), "{result}");
}

#[test]
fn names_are_in_camel_case() {
    let document = document();
    let schemas = document["components"]["schemas"].as_object().into_iter().flatten();
    for (name, schema) in schemas {
        for key in schema["properties"].as_object().into_iter().flat_map(serde_json::Map::keys) {
            assert!(!key.trim_start_matches('_').contains('_'), "{name}.{key}");
        }
    }
}

//! What the marketplace says about its listings and methods.

use std::collections::BTreeSet;

use rmcp::model::Tool;
use serde_json::{Value, json};

use crate::client::{NOON, properties, samples, with_client};

/// The listing that is weakly described on purpose.
const WEAK: &str = "Desk Notes";

async fn tools() -> Vec<(String, Tool)> {
    let mut tools = Vec::new();
    for sample in samples(NOON) {
        let name = sample.name().to_owned();
        let listed = with_client(&sample, async |client| client.tools().await).await;
        tools.extend(listed.into_iter().map(|tool| (name.clone(), tool)));
    }
    tools
}

async fn described() -> Vec<Tool> {
    tools().await.into_iter().filter(|(listing, _)| listing != WEAK).map(|(_, tool)| tool).collect()
}

#[tokio::test]
async fn there_are_seven_listings_and_sixty_methods_with_names_of_their_own() {
    let samples = samples(NOON);
    assert_eq!(samples.len(), 7);
    let tools = tools().await;
    assert!((60..=72).contains(&tools.len()), "{} methods", tools.len());
    let names: BTreeSet<_> = tools.iter().map(|(listing, tool)| (listing, tool.name.clone())).collect();
    assert_eq!(names.len(), tools.len());
    let of = |name: &str| tools.iter().filter(|(listing, _)| listing == name).count();
    assert!(of("Prediction Markets") >= 12);
}

#[tokio::test]
async fn every_listing_introduces_itself_as_sample_data() {
    for sample in samples(NOON) {
        assert!(sample.description().starts_with("Sample data: "), "{}", sample.name());
        assert!(!sample.category().is_empty());
        assert!(sample.price().parse::<f64>().unwrap() >= 0.0);
        with_client(&sample, async |client| {
            let info = client.session().peer_info().unwrap();
            assert_eq!(info.server_info.as_ref().unwrap().name, sample.name());
            assert_eq!(info.instructions.as_deref(), Some(sample.description()));
        })
        .await;
    }
}

#[tokio::test]
async fn schemas_are_valid_complete_and_plain() {
    for tool in described().await {
        let output =
            tool.output_schema.as_ref().unwrap_or_else(|| panic!("{} has no output schema", tool.name));
        for schema in [&tool.input_schema, output] {
            let schema_value = Value::Object((**schema).clone());
            assert!(jsonschema::meta::is_valid(&schema_value), "{}: {schema_value:#}", tool.name);
            assert_eq!(schema.get("type"), Some(&json!("object")), "{}", tool.name);
            assert!(!schema_value.to_string().contains("$ref"), "{}", tool.name);
            assert!(!schema_value.to_string().contains("\"null\""), "{}", tool.name);
            assert_described(&tool.name, &schema_value);
        }
        assert_eq!(tool.input_schema.get("additionalProperties"), Some(&json!(false)), "{}", tool.name);
        let required = output.get("required").unwrap().as_array().unwrap();
        assert!(required.contains(&json!("observedAt")) && required.contains(&json!("sampleData")));
    }
}

/// Every property, however deep, has a description and a type.
fn assert_described(tool: &str, schema: &Value) {
    let Some(object) = schema.as_object() else { return };
    for (name, property) in properties(object) {
        assert!(property.get("description").is_some(), "{tool}: `{name}` has no description: {property}");
        assert!(property.get("type").is_some(), "{tool}: `{name}` has no type: {property}");
        assert_described(tool, &property);
    }
    if let Some(items) = schema.get("items") {
        assert_described(tool, items);
    }
}

#[tokio::test]
async fn required_arguments_have_an_example_or_a_choice() {
    for tool in described().await {
        let required =
            tool.input_schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        for name in required {
            let property = &tool.input_schema["properties"][name.as_str().unwrap()];
            assert!(property.get("examples").is_some(), "{}: {name} has no example", tool.name);
        }
    }
}

#[tokio::test]
async fn every_described_method_has_the_metadata_of_the_marketplace() {
    for tool in described().await {
        let meta = &tool.meta.as_ref().unwrap().0;
        assert!(["answer", "execute", "both"].contains(&meta["surface"].as_str().unwrap()), "{}", tool.name);
        assert!(meta["queryEligible"].is_boolean());
        let latency = meta["latencyClass"].as_str().unwrap();
        assert!(["instant", "fast", "slow", "streaming"].contains(&latency), "{}", tool.name);
        assert!(meta["pricing"]["executeUsd"].as_str().unwrap().parse::<f64>().unwrap() > 0.0);
        assert!(meta["rateLimit"]["maxConcurrency"].as_u64().unwrap() > 0);
    }
}

#[tokio::test]
async fn writes_are_marked_but_for_the_one_that_lies() {
    let writes = ["place_order", "cancel_order", "create_flow_alert"];
    for tool in described().await {
        let meta = &tool.meta.as_ref().unwrap().0;
        let read_only = tool.annotations.as_ref().and_then(|annotations| annotations.read_only_hint);
        match &*tool.name {
            "close_position" => {
                assert_eq!((read_only, &meta["surface"]), (None, &json!("answer")));
                assert_eq!(meta["queryEligible"], json!(true));
            }
            name if writes.contains(&name) => {
                assert_eq!((read_only, &meta["surface"]), (Some(false), &json!("execute")));
                assert_eq!(meta["queryEligible"], json!(false));
            }
            "stream_liquidations" => {
                assert_eq!(meta["latencyClass"], json!("streaming"));
                assert_eq!(meta["queryEligible"], json!(false));
            }
            name => assert_eq!((read_only, &meta["queryEligible"]), (Some(true), &json!(true)), "{name}"),
        }
    }
}

#[tokio::test]
async fn one_listing_says_next_to_nothing() {
    let weak: Vec<_> = tools().await.into_iter().filter(|(listing, _)| listing == WEAK).collect();
    assert_eq!(weak.len(), 5);
    for (_, tool) in weak {
        assert!(tool.output_schema.is_none() && tool.meta.is_none() && tool.annotations.is_none());
        let described = |property: &Value| property.get("description").is_some();
        assert!(!properties(&tool.input_schema).values().any(described), "{}", tool.name);
    }
}

//! The OpenAPI document and its page.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::Value;

use crate::server::{Setup, json};

const OPERATIONS: [(&str, &str); 38] = [
    ("/api/chat", "post"),
    ("/api/chat", "delete"),
    ("/api/chat/{id}", "get"),
    ("/api/chat/{id}/stream", "get"),
    ("/api/chat/{id}/stop", "post"),
    ("/api/history", "get"),
    ("/api/history", "delete"),
    ("/api/session", "get"),
    ("/api/vote", "get"),
    ("/api/vote", "patch"),
    ("/api/v1/query", "post"),
    ("/api/v1/query/jobs", "post"),
    ("/api/v1/query/jobs/{id}", "get"),
    ("/api/v1/tools/search", "get"),
    ("/api/v1/tools/{id}", "get"),
    ("/api/v1/traces", "get"),
    ("/api/v1/traces/{id}", "get"),
    ("/metrics", "get"),
    ("/v1/search", "get"),
    ("/v1/pd/session", "post"),
    ("/v1/pd/search", "post"),
    ("/v1/pd/read/{chunkId}", "get"),
    ("/v1/pd/expand", "post"),
    ("/v1/reason", "post"),
    ("/v1/documents", "get"),
    ("/v1/documents", "post"),
    ("/v1/documents/{id}", "get"),
    ("/v1/documents/{id}", "delete"),
    ("/v1/documents/{id}/quote", "get"),
    ("/v1/collections", "get"),
    ("/v1/collections", "post"),
    ("/v1/collections/{id}", "get"),
    ("/v1/collections/{id}", "delete"),
    ("/data/{token}", "get"),
    ("/healthz", "get"),
    ("/readyz", "get"),
    ("/openapi.json", "get"),
    ("/docs/", "get"),
];

#[tokio::test]
async fn every_route_is_described() {
    let server = Setup::bare().start().await;
    let (status, document) =
        json(server.bare_request(Method::GET, "/openapi.json").send().await.unwrap()).await;
    assert_eq!(status, 200);
    assert!(document["openapi"].as_str().unwrap().starts_with("3."), "{}", document["openapi"]);
    let paths = document["paths"].as_object().unwrap();
    let mut described: Vec<(&str, &str)> = paths
        .iter()
        .flat_map(|(path, item)| {
            item.as_object().unwrap().keys().map(|method| (path.as_str(), method.as_str()))
        })
        .collect();
    described.sort_unstable();
    let mut expected = OPERATIONS;
    expected.sort_unstable();
    assert_eq!(described, expected);

    let operations = paths.values().flat_map(|item| item.as_object().unwrap().values());
    let names: BTreeSet<&str> =
        operations.map(|operation| operation["operationId"].as_str().unwrap()).collect();
    assert_eq!(names.len(), OPERATIONS.len(), "{names:?}");

    assert_eq!(document["components"]["securitySchemes"]["api_key"]["scheme"], "bearer");
    for (path, method) in OPERATIONS.iter().filter(|(path, _)| path.starts_with("/api/v1/")) {
        let operation = &document["paths"][path][method];
        assert_eq!(operation["security"][0]["api_key"], serde_json::json!([]), "{path}");
        for status in ["400", "401", "503"] {
            let body = &operation["responses"][status]["content"]["application/json"];
            assert_eq!(body["schema"]["$ref"], "#/components/schemas/ErrorBody", "{path} {status}");
            assert!(body["example"]["error"].is_string(), "{path} {status}");
        }
    }
    let streamed =
        &document["paths"]["/api/v1/query"]["post"]["responses"]["200"]["content"]["text/event-stream"];
    assert!(streamed["schema"].is_object());
}

#[tokio::test]
async fn every_reference_leads_somewhere() {
    let server = Setup::bare().start().await;
    let (_, document) = json(server.get("/openapi.json").await).await;
    let mut references = Vec::new();
    gather(&document, &mut references);
    assert!(references.len() > 20, "{}", references.len());
    for reference in references {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

fn gather<'a>(value: &'a Value, references: &mut Vec<&'a str>) {
    match value {
        Value::Object(members) => {
            references.extend(members.get("$ref").and_then(Value::as_str));
            members.values().for_each(|member| gather(member, references));
        }
        Value::Array(items) => items.iter().for_each(|item| gather(item, references)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[tokio::test]
async fn the_page_works_without_a_network() {
    let server = Setup::bare().start().await;
    let redirect = server.get("/docs").await;
    assert_eq!(
        (redirect.status().as_u16(), redirect.headers()["location"].to_str().unwrap()),
        (308, "/docs/")
    );
    let page = server.get("/docs/").await;
    assert!(page.headers()["content-type"].to_str().unwrap().starts_with("text/html"));
    let page = page.text().await.unwrap();
    assert!(!page.contains("src=\"http") && !page.contains("href=\"http"), "{page}");
    let start = server.get("/docs/swagger-initializer.js").await.text().await.unwrap();
    assert!(start.contains("/openapi.json") && start.contains("\"validatorUrl\": \"none\""), "{start}");
    assert_eq!(server.get("/docs/swagger-ui-bundle.js").await.status(), 200);
}

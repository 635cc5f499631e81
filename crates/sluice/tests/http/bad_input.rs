//! What is wrong with a request is told by its status, a code, and the name of the field.

use reqwest::Method;
use serde_json::{Value, json};

use crate::server::{Server, Setup, json};

const QUERY: &str = "/api/v1/query";
const JOBS: &str = "/api/v1/query/jobs";
const NO_TOOL: &str = "00000000-0000-4000-8000-000000000000";

/// Status, code and field.
type Refusal = (u16, &'static str, Option<&'static str>);

async fn check(server: &Server, path: &str, body: &str, expected: Refusal) -> String {
    let (status, refusal) = json(server.post(path, body).await).await;
    let shown: String = body.chars().take(80).collect();
    assert_eq!(
        (status, refusal["code"].as_str().unwrap(), refusal["field"].as_str()),
        expected,
        "{shown}: {refusal}"
    );
    refusal["error"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn wrong_bodies() {
    let server = Setup::bare().start().await;
    let many: Vec<&str> = vec![NO_TOOL; 51];
    let attempt = json!({"sessionId": "a", "attemptId": "b"});
    let cases: [(Value, Refusal); 17] = [
        (json!([]), (400, "invalid_body", None)),
        (json!({}), (400, "missing_field", Some("query"))),
        (json!({"query": null}), (400, "missing_field", Some("query"))),
        (json!({"query": ""}), (400, "invalid_value", Some("query"))),
        (json!({"query": " \n"}), (400, "invalid_value", Some("query"))),
        (json!({"query": 7}), (400, "invalid_type", Some("query"))),
        (json!({"query": "q", "stream": "yes"}), (400, "invalid_type", Some("stream"))),
        (json!({"query": "q", "includeData": 1}), (400, "invalid_type", Some("includeData"))),
        (json!({"query": "q", "tools": "x"}), (400, "invalid_type", Some("tools"))),
        (json!({"query": "q", "tools": [NO_TOOL, "x"]}), (400, "invalid_value", Some("tools[1]"))),
        (json!({"query": "q", "tools": many}), (400, "limit_exceeded", Some("tools"))),
        (json!({"query": "q", "responseShape": "poem"}), (400, "invalid_value", Some("responseShape"))),
        (
            json!({"query": "q", "clarificationPolicy": "x"}),
            (400, "invalid_value", Some("clarificationPolicy")),
        ),
        (json!({"query": "q", "queryDepth": "x"}), (400, "invalid_value", Some("queryDepth"))),
        (
            json!({"query": "q", "queryDepth": "fast", "debugScoutDeepMode": "deep-light"}),
            (400, "conflicting_fields", Some("debugScoutDeepMode")),
        ),
        (
            json!({"query": "q", "resumeFrom": attempt, "forkFrom": attempt}),
            (400, "conflicting_fields", Some("forkFrom")),
        ),
        (
            json!({"query": "q", "forkFrom": {"sessionId": "a", "attemptId": "b", "reason": "x"}}),
            (400, "invalid_value", Some("forkFrom.reason")),
        ),
    ];
    for path in [QUERY, JOBS] {
        for (body, expected) in &cases {
            check(&server, path, &body.to_string(), *expected).await;
        }
        let message = check(&server, path, "{\"query\":\n  x}", (400, "invalid_json", None)).await;
        assert!(message.contains("line 2, column 3"), "{message}");
    }
}

#[tokio::test]
async fn a_stream_that_cannot_begin_is_refused_like_any_request() {
    let server = Setup::bare().start().await;
    let body = json!({"query": "q", "stream": true, "tools": ["x"]}).to_string();
    check(&server, QUERY, &body, (400, "invalid_value", Some("tools[0]"))).await;
    let body = json!({"query": "q", "stream": true, "tools": [NO_TOOL]}).to_string();
    check(&server, QUERY, &body, (404, "tool_not_found", Some("tools"))).await;
}

#[tokio::test]
async fn what_is_not_known() {
    let server = Setup::bare().start().await;
    let tool = json!({"query": "q", "tools": [NO_TOOL]}).to_string();
    let attempt = json!({"query": "q", "resumeFrom": {"sessionId": "a", "attemptId": "b"}}).to_string();
    for path in [QUERY, JOBS] {
        check(&server, path, &tool, (404, "tool_not_found", Some("tools"))).await;
        check(&server, path, &attempt, (404, "session_not_found", None)).await;
    }
}

#[tokio::test]
async fn limits_are_named() {
    let server = Setup::bare().start().await;
    let too_long = json!({"query": "a".repeat(4001)}).to_string();
    let message = check(&server, QUERY, &too_long, (400, "limit_exceeded", Some("query"))).await;
    assert!(message.contains("query_chars_max") && message.contains("4000"), "{message}");
    let a_megabyte = json!({"query": "a".repeat(1_000_000)}).to_string();
    check(&server, QUERY, &a_megabyte, (400, "limit_exceeded", Some("query"))).await;
    let too_large = json!({"query": "a".repeat(2_200_000)}).to_string();
    let message = check(&server, QUERY, &too_large, (413, "body_too_large", None)).await;
    assert!(message.contains("body_bytes_max") && message.contains("2097152"), "{message}");
    let of_unknown_length = futures::stream::iter([Ok::<_, std::io::Error>(too_large)]);
    let request = server.request(Method::POST, QUERY).body(reqwest::Body::wrap_stream(of_unknown_length));
    let (status, body) = json(request.send().await.unwrap()).await;
    assert_eq!((status, body["code"].as_str()), (413, Some("body_too_large")));
}

#[tokio::test]
async fn a_body_is_json_whatever_it_is_declared_as() {
    let server = Setup::bare().start().await;
    let request = server.request(Method::POST, QUERY).header("content-type", "text/plain");
    let (status, result) =
        json(request.body(r#"{"query": "What is the tide level?"}"#).send().await.unwrap()).await;
    assert_eq!((status, result["outcomeType"].as_str()), (200, Some("capability_miss")), "{result}");
}

#[tokio::test]
async fn wrong_methods_and_paths() {
    let server = Setup::bare().start().await;
    for (path, allowed) in [(QUERY, "POST"), (JOBS, "POST"), ("/api/v1/tools/search", "GET,HEAD")] {
        let response = server.request(Method::PUT, path).send().await.unwrap();
        assert_eq!(response.headers()["allow"], allowed, "{path}");
        let (status, body) = json(response).await;
        assert_eq!((status, body["code"].as_str()), (405, Some("method_not_allowed")), "{path}");
    }
    for path in ["/api/v1", "/api/v1/query/", "/api/v1/tools/search/", "/nowhere", "/docs/nothing.js"] {
        let (status, body) = json(server.get(path).await).await;
        assert_eq!((status, body["code"].as_str()), (404, Some("not_found")), "{path}");
    }
}

#[tokio::test]
async fn wrong_parameters() {
    let server = Setup::bare().start().await;
    let cases = [
        ("search?limit=0", 400, "invalid_value", "limit"),
        ("search?limit=51", 400, "invalid_value", "limit"),
        ("search?limit=ten", 400, "invalid_value", "limit"),
        ("search?mode=chat", 400, "invalid_value", "mode"),
        ("search?surface=none", 400, "invalid_value", "surface"),
        ("search?queryEligible=perhaps", 400, "invalid_value", "queryEligible"),
        ("search?excludeLatency=slow,medium", 400, "invalid_value", "excludeLatency"),
        ("not-a-uuid", 400, "invalid_value", "id"),
        (NO_TOOL, 404, "tool_not_found", "id"),
    ];
    for (path, expected_status, code, field) in cases {
        let (status, body) = json(server.get(&format!("/api/v1/tools/{path}")).await).await;
        assert_eq!(
            (status, body["code"].as_str(), body["field"].as_str()),
            (expected_status, Some(code), Some(field)),
            "{path}"
        );
    }
    let (_, body) = json(server.get("/api/v1/tools/search?limit=51").await).await;
    assert_eq!(body["error"], "`limit` must be a whole number from 1 to 50");
    let (status, body) = json(server.get(&format!("{JOBS}/{NO_TOOL}")).await).await;
    assert_eq!((status, body["code"].as_str()), (404, Some("job_not_found")));
}

#[tokio::test]
async fn wrong_idempotency_keys() {
    let server = Setup::bare().start().await;
    let long = "k".repeat(256);
    for path in [QUERY, JOBS] {
        for (key, code) in [("with space", "invalid_value"), (long.as_str(), "limit_exceeded")] {
            let (status, body) = json(server.post_once(path, key, json!({"query": "q"})).await).await;
            assert_eq!(
                (status, body["code"].as_str(), body["field"].as_str()),
                (400, Some(code), Some("Idempotency-Key"))
            );
        }
    }
}

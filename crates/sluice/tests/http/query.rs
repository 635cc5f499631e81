//! Questions answered as JSON, and the data behind them.

use reqwest::Method;
use serde_json::json;

use crate::server::{Setup, json};
use crate::upstream::{QUESTION, Upstream};

#[tokio::test]
async fn an_answer_comes_with_its_evidence() {
    let upstream = Upstream::start().await;
    let server = Setup::with(&upstream).start().await;
    let response = server.post("/api/v1/query", json!({"query": QUESTION})).await;
    assert_eq!(response.headers()["content-type"], "application/json");
    assert!(response.headers().contains_key("x-request-id"));
    let (status, result) = json(response).await;
    assert_eq!(
        (status, result["success"].as_bool(), result["outcomeType"].as_str()),
        (200, Some(true), Some("answer"))
    );
    assert!(result["response"].as_str().unwrap().contains("3.25"), "{result}");
    assert!(!result["evidence"]["facts"].as_array().unwrap().is_empty(), "{result}");
    assert_eq!(result["toolsUsed"][0]["name"], "Harbour");
    assert_eq!(upstream.calls(), 1);
}

#[tokio::test]
async fn data_has_an_address_of_its_own() {
    let upstream = Upstream::start().await;
    let server = Setup::with(&upstream).start().await;
    let body = json!({"query": QUESTION, "includeData": true, "includeDataUrl": true});
    let (_, result) = json(server.post("/api/v1/query", body).await).await;
    let path = result["dataUrl"].as_str().unwrap().strip_prefix(server.url()).unwrap();
    let response = server.bare_request(Method::GET, path).send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "application/json");
    assert!(response.headers()["cache-control"].to_str().unwrap().contains("immutable"));
    assert_eq!(json(response).await, (200, result["data"].clone()));

    let (status, body) = json(server.get("/data/0000").await).await;
    assert_eq!((status, body["code"].as_str()), (404, Some("data_not_found")));
}

#[tokio::test]
async fn the_samples_answer() {
    let server = Setup::with_samples().start().await;
    let question = "Which exchanges saw the largest BTC inflows in the last 24 hours?";
    let (status, result) = json(server.post("/api/v1/query", json!({"query": question})).await).await;
    assert_eq!((status, result["outcomeType"].as_str()), (200, Some("answer")), "{result}");
    assert!(!result["view"]["rows"].as_array().unwrap().is_empty(), "{result}");
}

#[tokio::test]
async fn too_many_requests_are_told_to_come_back() {
    let upstream = Upstream::holding().await;
    let server = Setup::with(&upstream)
        .policy("requests_in_flight_max", 1)
        .policy("retry_after_seconds", 7)
        .start()
        .await;
    let held = server.request(Method::POST, "/api/v1/query").body(json!({"query": QUESTION}).to_string());
    let held = tokio::task::spawn(held.send());
    upstream.called(1).await;

    let response = server.get("/api/v1/tools/search").await;
    assert_eq!(response.headers()["retry-after"], "7");
    let (status, body) = json(response).await;
    assert_eq!((status, body["code"].as_str()), (503, Some("overloaded")));
    assert!(body["error"].as_str().unwrap().contains("requests_in_flight_max"), "{body}");
    assert_eq!(server.get("/healthz").await.status(), 200);

    upstream.release();
    assert_eq!(held.await.unwrap().unwrap().status(), 200);
}

#[tokio::test]
async fn the_log_tells_of_requests_and_not_of_what_is_in_them() {
    let upstream = Upstream::start().await;
    let setup = Setup::with(&upstream).argument("--log-format").argument("json");
    let server = setup.start().await;
    let body = json!({"query": QUESTION, "includeDataUrl": true});
    let (_, result) = json(server.post("/api/v1/query", body).await).await;
    let path = result["dataUrl"].as_str().unwrap().strip_prefix(server.url()).unwrap().to_owned();
    assert_eq!(server.get(&path).await.status(), 200);
    server.get("/api/v1/tools/search?q=confidential").await;
    assert!(server.stop().await.success());
    let log = setup.log();
    for told in ["/api/v1/query", "/api/v1/tools/search", "/data/{token}", "\"status\":200"] {
        assert!(log.contains(told), "{told}: {log}");
    }
    let token = path.strip_prefix("/data/").unwrap();
    for secret in [QUESTION, "confidential", token, crate::server::KEY] {
        assert!(!log.contains(secret), "{secret}: {log}");
    }
}

//! From the start of a server to its end.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use reqwest::Method;
use serde_json::json;

use crate::server::{Setup, json};
use crate::upstream::{QUESTION, Upstream};

#[tokio::test]
async fn a_ready_server_counts_its_listings() {
    let upstream = Upstream::start().await;
    let server = Setup::with(&upstream).start().await;
    let ready = server.bare_request(Method::GET, "/readyz").send().await.unwrap();
    let listings = json!({"connecting": 0, "healthy": 1, "unhealthy": 0});
    let workers = json!({"busy": 0, "idle": 0, "started": 0, "lost": 0});
    assert_eq!(
        json(ready).await,
        (200, json!({"status": "ready", "listings": listings, "workers": workers}))
    );
    let alive = server.bare_request(Method::GET, "/healthz").send().await.unwrap();
    assert_eq!(json(alive).await, (200, json!({"status": "alive"})));
}

#[tokio::test]
async fn a_server_with_nothing_to_do_stops_when_asked() {
    let setup = Setup::bare();
    let server = setup.start().await;
    assert_eq!(server.stop().await.code(), Some(0));
    let mode = fs::metadata(setup.data_dir()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

#[tokio::test]
async fn a_stopping_server_answers_what_it_was_asked() {
    let upstream = Upstream::holding().await;
    let mut server = Setup::with(&upstream).policy("drain_ms", 3_600_000).start().await;
    let asked = server.request(Method::POST, "/api/v1/query").body(json!({"query": QUESTION}).to_string());
    let asked = tokio::task::spawn(asked.send());
    upstream.called(1).await;
    server.terminate().await;
    upstream.release();
    let (status, result) = json(asked.await.unwrap().unwrap()).await;
    assert_eq!((status, result["outcomeType"].as_str()), (200, Some("answer")));
    assert_eq!(server.ended().await.code(), Some(0));
}

#[tokio::test]
async fn a_run_that_outlasts_the_draining_is_refused_for_now() {
    let upstream = Upstream::holding().await;
    let setup = Setup::with(&upstream).policy("drain_ms", 1);
    let mut server = setup.start().await;
    let asked = server.request(Method::POST, "/api/v1/query").header("idempotency-key", "later");
    let asked = tokio::task::spawn(asked.body(json!({"query": QUESTION}).to_string()).send());
    upstream.called(1).await;
    server.terminate().await;
    let response = asked.await.unwrap().unwrap();
    assert!(response.headers().contains_key("retry-after"));
    let (status, body) = json(response).await;
    assert_eq!((status, body["code"].as_str()), (503, Some("shutting_down")));
    assert_eq!(server.ended().await.code(), Some(0));

    upstream.release();
    let server = setup.start().await;
    let again = server.post_once("/api/v1/query", "later", json!({"query": QUESTION})).await;
    assert_eq!(again.status(), 200);
}

#[tokio::test]
async fn an_address_in_use_is_said_so() {
    let setup = Setup::bare();
    let server = setup.start().await;
    let address = server.url().strip_prefix("http://").unwrap();
    let (code, message) = Setup::bare().refused(address).await;
    assert_eq!(code, Some(1), "{message}");
    assert!(message.contains("the address is in use"), "{message}");
}

#[tokio::test]
async fn a_data_directory_serves_one_server_at_a_time() {
    let setup = Setup::bare();
    let _server = setup.start().await;
    let (code, message) = setup.refused("127.0.0.1:0").await;
    assert_eq!(code, Some(2), "{message}");
    assert!(message.contains("in use by another process"), "{message}");
}

//! Recordings of a server: its callers see their own, and a disk that fails is nobody's trouble.

use std::fs;

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::server::{Server, Setup, json, until};
use crate::upstream::{QUESTION, Upstream};

async fn listed(server: &Server, count: usize) -> Vec<serde_json::Value> {
    until(async || {
        let (_, body) = json(server.get("/api/v1/traces").await).await;
        let traces = body["traces"].as_array().unwrap().clone();
        (traces.len() >= count).then_some(traces)
    })
    .await
}

#[tokio::test]
async fn callers_see_their_own_recordings() {
    let upstream = Upstream::start().await;
    let server = Setup::with(&upstream).start().await;
    assert_eq!(json(server.get("/api/v1/traces").await).await.1, json!({"traces": []}));
    let (_, reply) = json(server.post("/api/v1/query", json!({"query": QUESTION})).await).await;
    let trace = listed(&server, 1).await.remove(0);
    assert_eq!(
        (&trace["query"], &trace["outcome"], &trace["calls"]),
        (&json!(QUESTION), &json!("answer"), &json!(1))
    );
    assert_eq!(trace["durationMs"], reply["durationMs"]);

    let address = format!("/api/v1/traces/{}", trace["id"].as_str().unwrap());
    let (status, recording) = json(server.get(&address).await).await;
    assert_eq!((status, &recording["request"]), (200, &trace));
    let events = recording["events"].as_array().unwrap();
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert!(names.contains(&"depth-decision") && names.ends_with(&["query-ended"]), "{names:?}");

    let other = server.bare_request(Method::GET, &address).bearer_auth("sk_test_of_another");
    assert_eq!(other.send().await.unwrap().status(), StatusCode::NOT_FOUND);
    for name in ["..", "%2e%2e%2fdata", "nothing"] {
        let response = server.get(&format!("/api/v1/traces/{name}")).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{name}");
    }
}

#[tokio::test]
async fn a_disk_that_fails_changes_no_reply_and_is_told_once() {
    let upstream = Upstream::start().await;
    let setup = Setup::with(&upstream);
    let server = setup.start().await;
    let ask = async || json(server.post("/api/v1/query", json!({"query": QUESTION})).await).await;
    let (status, before) = ask().await;
    listed(&server, 1).await;
    fs::remove_dir_all(server.recordings()).unwrap();
    fs::write(server.recordings(), "no directory").unwrap();
    for _ in 0..3 {
        let (status_after, after) = ask().await;
        assert_eq!((status_after, &after["response"]), (status, &before["response"]));
    }
    let recordings = server.recordings().to_owned();
    server.stop().await;
    let told = setup.log().matches("a recording was not written").count();
    assert_eq!(told, 1, "{}", setup.log());
    fs::remove_file(recordings).unwrap();
}

//! Streams, byte by byte.

use reqwest::Response;
use serde_json::{Value, json};

use crate::server::{Server, Setup, json};
use crate::upstream::{QUESTION, Upstream};

async fn stream(server: &Server, mut body: Value) -> Response {
    body["stream"] = json!(true);
    server.post("/api/v1/query", body).await
}

/// The events of a stream, held to the framing that clients rely on.
pub(crate) fn events(text: &str) -> Vec<Value> {
    crate::leaks::scan(text);
    let frames: Vec<&str> = text.strip_suffix("\n\n").unwrap().split("\n\n").collect();
    let (end, frames) = frames.split_last().unwrap();
    assert_eq!(*end, "data: [DONE]");
    let data = frames.iter().filter(|frame| !frame.starts_with(':')).map(|frame| {
        assert!(!frame.contains('\n'), "{frame}");
        let event = frame.strip_prefix("data: ").unwrap_or_else(|| panic!("{frame}"));
        serde_json::from_str(event).unwrap()
    });
    data.collect()
}

fn of_kind<'a>(events: &'a [Value], kind: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["type"] == kind).collect()
}

#[tokio::test]
async fn a_stream_tells_its_progress_the_text_and_the_result() {
    let upstream = Upstream::start().await;
    let server = Setup::with(&upstream).start().await;
    let response = stream(&server, json!({"query": QUESTION})).await;
    for (header, value) in
        [("content-type", "text/event-stream"), ("cache-control", "no-cache"), ("x-accel-buffering", "no")]
    {
        assert_eq!(response.headers()[header], value);
    }
    let events = events(&response.text().await.unwrap());
    let statuses: Vec<&str> =
        of_kind(&events, "tool-status").iter().map(|event| event["status"].as_str().unwrap()).collect();
    assert_eq!(
        statuses,
        ["discovering", "discovered", "planning", "executing", "tool-complete", "synthesizing"]
    );
    let called = &of_kind(&events, "tool-status")[3]["tool"];
    assert_eq!(called["name"], "Harbour");
    let text: String =
        of_kind(&events, "text-delta").iter().map(|event| event["delta"].as_str().unwrap()).collect();
    let done = of_kind(&events, "done");
    assert_eq!((done.len(), done[0]["result"]["response"].as_str()), (1, Some(text.as_str())));
    assert_eq!(events.last().unwrap()["type"], "done");
    assert!(of_kind(&events, "developer-trace").is_empty());
}

#[tokio::test]
async fn the_trace_is_an_event_of_its_own() {
    let upstream = Upstream::start().await;
    let server = Setup::with(&upstream).start().await;
    let response = stream(&server, json!({"query": QUESTION, "includeDeveloperTrace": true})).await;
    let events = events(&response.text().await.unwrap());
    let traces = of_kind(&events, "developer-trace");
    assert_eq!(traces.len(), 1);
    assert!(!traces[0]["trace"]["timeline"].as_array().unwrap().is_empty());
    assert_eq!(events.last().unwrap()["result"].get("developerTrace"), None);
}

#[tokio::test]
async fn evidence_alone_has_no_text() {
    let upstream = Upstream::start().await;
    let server = Setup::with(&upstream).start().await;
    let response = stream(&server, json!({"query": QUESTION, "responseShape": "evidence_only"})).await;
    let events = events(&response.text().await.unwrap());
    assert!(of_kind(&events, "text-delta").is_empty());
    assert_eq!(events.last().unwrap()["result"]["responseShape"], "evidence_only");
}

#[tokio::test]
async fn a_silent_stream_is_kept_alive() {
    let upstream = Upstream::holding().await;
    let server = Setup::with(&upstream).policy("heartbeat_ms", 1).start().await;
    let mut response = stream(&server, json!({"query": QUESTION})).await;
    upstream.called(1).await;
    let mut text = String::new();
    // What comes after the call has left and before it is answered can only be comments.
    while !text.ends_with("\n\n: keep-alive\n\n") {
        text.push_str(str::from_utf8(&response.chunk().await.unwrap().unwrap()).unwrap());
    }
    upstream.release();
    text.push_str(&response.text().await.unwrap());
    assert_eq!(events(&text).last().unwrap()["type"], "done");
}

#[tokio::test]
async fn line_ends_of_other_alphabets_do_not_cut_an_event() {
    let server = Setup::bare().start().await;
    let question = "tide\u{2028}level\u{2029}of\u{85}today";
    let response = stream(&server, json!({"query": question, "includeDeveloperTrace": true})).await;
    let text = response.text().await.unwrap();
    assert!(!text.contains(['\u{2028}', '\u{2029}', '\u{85}']), "{text}");
    let events = events(&text);
    assert_eq!(events.last().unwrap()["result"]["capabilityMiss"]["originalQuery"], question);
    assert_eq!(of_kind(&events, "developer-trace")[0]["trace"]["query"], question);
}

#[tokio::test]
async fn a_failure_inside_is_an_event() {
    let upstream = Upstream::holding().await;
    let server = Setup::with(&upstream).policy("drain_ms", 1).start().await;
    let response = stream(&server, json!({"query": QUESTION})).await;
    upstream.called(1).await;
    server.terminate().await;
    let events = events(&response.text().await.unwrap());
    let last = events.last().unwrap();
    assert_eq!((last["type"].as_str(), last["code"].as_str()), (Some("error"), Some("shutting_down")));
    assert!(of_kind(&events, "done").is_empty());
}

#[tokio::test]
async fn a_run_whose_reader_leaves_is_settled() {
    let upstream = Upstream::holding().await;
    // Nothing but the reader's leaving can end this run: its call is never answered, and the server waits for it.
    let setup = Setup::with(&upstream).policy("drain_ms", 3_600_000);
    let server = setup.start().await;
    let response = stream(&server, json!({"query": QUESTION})).await;
    upstream.called(1).await;
    drop(response);
    assert!(server.stop().await.success());
    assert_eq!(settlements(&setup).await, ["failed"]);
}

#[tokio::test]
async fn a_run_with_a_key_goes_on_without_its_reader() {
    let upstream = Upstream::holding().await;
    let server = Setup::with(&upstream).start().await;
    let body = json!({"query": QUESTION, "stream": true});
    let response = server.post_once("/api/v1/query", "left-early", &body).await;
    upstream.called(1).await;
    drop(response);
    upstream.release();
    let repeated = server.post_once("/api/v1/query", "left-early", &body).await;
    let events = events(&repeated.text().await.unwrap());
    assert_eq!(events.last().unwrap()["result"]["outcomeType"], "answer");
    assert_eq!(upstream.calls(), 1);
}

#[tokio::test]
async fn a_reader_of_json_that_leaves_ends_its_run_too() {
    let upstream = Upstream::holding().await;
    let setup = Setup::with(&upstream).policy("drain_ms", 3_600_000);
    let server = setup.start().await;
    let asking =
        server.request(reqwest::Method::POST, "/api/v1/query").body(json!({"query": QUESTION}).to_string());
    let asking = tokio::task::spawn(asking.send());
    upstream.called(1).await;
    asking.abort();
    assert!(asking.await.unwrap_err().is_cancelled());
    assert!(server.stop().await.success());
    assert_eq!(settlements(&setup).await, ["failed"]);
}

/// How the requests on record ended.
async fn settlements(setup: &Setup) -> Vec<String> {
    let file = sqlx::sqlite::SqliteConnectOptions::new().filename(setup.data_dir().join("sluice.db"));
    let pool = sqlx::SqlitePool::connect_with(file).await.unwrap();
    sqlx::query_scalar("SELECT outcome FROM settlements ORDER BY created_at").fetch_all(&pool).await.unwrap()
}

#[tokio::test]
async fn a_miss_is_streamed_like_an_answer() {
    let server = Setup::bare().start().await;
    let response = stream(&server, json!({"query": QUESTION})).await;
    let events = events(&response.text().await.unwrap());
    let (status, plain) = json(server.post("/api/v1/query", json!({"query": QUESTION})).await).await;
    assert_eq!(status, 200);
    assert_eq!(events.last().unwrap()["result"]["capabilityMiss"], plain["capabilityMiss"]);
}

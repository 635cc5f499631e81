//! The same key is the same request.

use reqwest::Method;
use serde_json::{Value, json};

use crate::server::{KEY, Server, Setup, json};
use crate::stream::events;
use crate::upstream::{QUESTION, Upstream};

const PATH: &str = "/api/v1/query";

fn question() -> Value {
    json!({"query": QUESTION, "includeDeveloperTrace": true})
}

#[tokio::test]
async fn requests_at_once_share_one_run() {
    let upstream = Upstream::holding().await;
    let server = Setup::with(&upstream).start().await;
    let ask = |server: &Server| {
        let request = server.request(Method::POST, PATH).header("idempotency-key", "once");
        tokio::task::spawn(request.body(question().to_string()).send())
    };
    let asked: Vec<_> = (0..5).map(|_| ask(&server)).collect();
    upstream.called(1).await;
    let late = ask(&server);
    upstream.release();
    let mut replies = Vec::new();
    for reply in asked.into_iter().chain([late]) {
        replies.push(json(reply.await.unwrap().unwrap()).await);
    }
    assert_eq!(replies[0].0, 200);
    assert_eq!(replies[0].1["developerTrace"]["requestId"], "once");
    assert!(replies.iter().all(|reply| *reply == replies[0]));
    assert_eq!(upstream.calls(), 1);
}

#[tokio::test]
async fn a_reply_outlives_the_process() {
    let upstream = Upstream::start().await;
    let setup = Setup::with(&upstream);
    let server = setup.start().await;
    let first = json(server.post_once(PATH, "kept", question()).await).await;
    server.kill().await;
    let server = setup.start().await;
    assert_eq!(json(server.post_once(PATH, "kept", question()).await).await, first);
    assert_eq!(upstream.calls(), 1);
}

#[tokio::test]
async fn a_streamed_reply_is_streamed_again() {
    let upstream = Upstream::start().await;
    let server = Setup::with(&upstream).start().await;
    let body = json!({"query": QUESTION, "stream": true});
    let first = events(&server.post_once(PATH, "kept", &body).await.text().await.unwrap());
    let again = events(&server.post_once(PATH, "kept", &body).await.text().await.unwrap());
    assert_eq!(again[0]["type"], "text-delta");
    assert_eq!(again.last(), first.last());
    assert_eq!(upstream.calls(), 1);
}

#[tokio::test]
async fn a_failure_is_kept_too() {
    let server = Setup::bare().start().await;
    let body = json!({"query": QUESTION, "tools": ["00000000-0000-4000-8000-000000000000"]});
    let first = json(server.post_once(PATH, "failed", &body).await).await;
    assert_eq!((first.0, first.1["code"].as_str()), (404, Some("tool_not_found")));
    assert_eq!(json(server.post_once(PATH, "failed", &body).await).await, first);
}

#[tokio::test]
async fn another_body_is_refused() {
    let upstream = Upstream::holding().await;
    let server = Setup::with(&upstream).start().await;
    let held =
        server.request(Method::POST, PATH).header("idempotency-key", "taken").body(question().to_string());
    let held = tokio::task::spawn(held.send());
    upstream.called(1).await;
    let other = json!({"query": "What is the depth?"});
    let refused = |reply: (u16, Value)| {
        assert_eq!(
            (reply.0, reply.1["code"].as_str(), reply.1["field"].as_str()),
            (409, Some("idempotency_key_reused"), Some("Idempotency-Key"))
        );
    };
    refused(json(server.post_once(PATH, "taken", &other).await).await);
    upstream.release();
    assert_eq!(held.await.unwrap().unwrap().status(), 200);
    refused(json(server.post_once(PATH, "taken", &other).await).await);
}

#[tokio::test]
async fn keys_of_two_callers_are_two_keys() {
    let upstream = Upstream::start().await;
    let server = Setup::with(&upstream).start().await;
    for key in [KEY, "someone else's"] {
        let request =
            server.bare_request(Method::POST, PATH).bearer_auth(key).header("idempotency-key", "same");
        assert_eq!(request.body(question().to_string()).send().await.unwrap().status(), 200);
    }
    assert_eq!(upstream.calls(), 2);
}

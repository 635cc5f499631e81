//! What keeps a public conversation from being worn out or talked out of its bounds.

use std::path::Path;

use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::chat::{Visitor, chunks, said};
use crate::server::{Setup, json};
use crate::upstream::{QUESTION, Upstream};

/// The shipped guardrails with some lines changed.
pub(crate) fn guardrails(changes: &[(&str, &str)]) -> String {
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../policies/guardrails.toml");
    let mut text = std::fs::read_to_string(shipped).unwrap();
    for (line, by) in changes {
        assert!(text.contains(line), "{line}");
        text = text.replacen(line, by, 1);
    }
    text
}

fn guarded(changes: &[(&str, &str)]) -> Setup {
    Setup::bare().policy_file("guardrails.toml", &guardrails(changes))
}

#[tokio::test]
async fn a_body_that_is_wrong_is_refused_with_a_word_and_never_as_a_success() {
    let server = Setup::bare().start().await;
    let visitor = Visitor::arrives(&server).await;
    let with = |key: &str, value: Value| {
        let mut body = said("t1", "m1", QUESTION);
        body[key] = value;
        body
    };
    let part = json!({"type": "text", "text": "a"});
    let parts = |count: usize| json!({"id": "m", "role": "user", "parts": vec![part.clone(); count]});
    let cases = [
        (json!([]), "", 400),
        (said("../x", "m1", QUESTION), "id", 400),
        (said("t1", "m 1", QUESTION), "message.id", 400),
        (said("t1", "m1", &"a".repeat(2_001)), "message.parts", 400),
        (said("t1", "m1", &"\u{1f600}".repeat(2_001)), "message.parts", 400),
        (with("message", parts(17)), "message.parts", 400),
        (with("message", json!({"id": "m", "role": "assistant", "parts": [part]})), "message.role", 400),
        (
            json!({"id": "t1", "messages": [{"id": "s", "role": "system", "parts": [part]}]}),
            "messages[0].role",
            400,
        ),
        (
            json!({"id": "t1", "messages": [
                said("t1", "m1", QUESTION)["message"], {"id": "x", "role": "tool", "parts": [part]}, said("t1", "m2", QUESTION)["message"]
            ]}),
            "messages[1].role",
            400,
        ),
        (with("clarification", json!({"clarificationId": "c", "optionId": "o"})), "clarification", 400),
        (with("tools", json!(["everything"])), "tools", 400),
        (with("tools", json!([uuid::Uuid::nil()])), "tools", 404),
    ];
    for (body, field, due) in cases {
        let (status, fault) = json(visitor.say(&body).await).await;
        assert_eq!((status, fault["field"].as_str().unwrap_or_default()), (due, field), "{fault}");
        assert!(
            fault["code"].as_str().unwrap().ends_with(":chat") && fault["message"].is_string(),
            "{fault}"
        );
    }
    let huge = format!("{{\"id\":\"{}\"}}", "a".repeat(3_000_000));
    let request = server.bare_request(Method::POST, "/api/chat").body(huge);
    let (status, fault) = json(request.send().await.unwrap()).await;
    assert_eq!((status, &fault["code"]), (413, &json!("bad_request:chat")));
}

#[tokio::test]
async fn rates_are_kept_whoever_one_says_to_be() {
    let server = guarded(&[
        ("per_address_max = 20", "per_address_max = 3"),
        ("per_session_max = 10", "per_session_max = 2"),
    ])
    .start()
    .await;
    let visitor = Visitor::arrives(&server).await;
    for turn in 0..2 {
        let text = visitor.say(&said("t1", &format!("m{turn}"), QUESTION)).await.text().await.unwrap();
        assert!(text.contains("finish"), "{text}");
    }
    let refused = visitor.say(&said("t1", "m3", QUESTION)).await;
    let wait: u64 = refused.headers()["retry-after"].to_str().unwrap().parse().unwrap();
    let (status, fault) = json(refused).await;
    assert_eq!((status, &fault["limit"]), (429, &json!("rate.minute.per_session_max")));
    assert_eq!(fault["retryAfterSeconds"], wait);
    // A new session is the same address, and so is one that says to come from elsewhere.
    let other = Visitor::arrives(&server).await;
    chunks(&other.say(&said("t1", "m1", QUESTION)).await.text().await.unwrap());
    let request = server.bare_request(Method::POST, "/api/chat").header("x-forwarded-for", "203.0.113.7");
    let request = request.header("forwarded", "for=203.0.113.7").header("x-real-ip", "203.0.113.7");
    let (status, fault) =
        json(request.body(said("t1", "m1", QUESTION).to_string()).send().await.unwrap()).await;
    assert_eq!((status, &fault["limit"]), (429, &json!("rate.minute.per_address_max")));
}

#[tokio::test]
async fn many_at_once_pass_no_quota_by_one() {
    let changes = [
        ("per_address_max = 20", "per_address_max = 10000"),
        ("per_address_max = 200", "per_address_max = 10000"),
        ("per_session_max = 10", "per_session_max = 10000"),
        ("per_session_max = 100", "per_session_max = 10000"),
        ("global_max = 300", "global_max = 10000"),
        ("per_owner_max = 2", "per_owner_max = 10000"),
        ("messages_per_day_max = 100", "messages_per_day_max = 7"),
    ];
    let server = guarded(&changes).start().await;
    let visitor = Visitor::arrives(&server).await;
    let turns = (0..40).map(|turn| {
        let visitor = &visitor;
        async move {
            let response = visitor.say(&said(&format!("t{turn}"), "m1", QUESTION)).await;
            let status = response.status().as_u16();
            let text = response.text().await.unwrap();
            assert!(
                status == 200 || text.contains("messages_per_day_max") || text.contains("open_max"),
                "{text}"
            );
            status
        }
    });
    let statuses = futures::future::join_all(turns).await;
    assert!(statuses.iter().filter(|status| **status == 200).count() <= 7, "{statuses:?}");
    let (_, session) = json(visitor.get("/api/session").await).await;
    assert!(session["quota"]["day"]["used"].as_u64().unwrap() <= 7, "{session}");
}

#[tokio::test]
async fn a_proof_of_work_is_asked_for_and_serves_once() {
    let server =
        guarded(&[("check = \"off\"", "check = \"proof_of_work\""), ("proof_bits = 16", "proof_bits = 8")])
            .start()
            .await;
    let visitor = Visitor::arrives(&server).await;
    let (status, fault) = json(visitor.say(&said("t1", "m1", QUESTION)).await).await;
    assert_eq!((status, &fault["cause"]), (403, &json!("bot_check_required")));
    let challenge = fault["botCheck"]["challenge"].as_str().unwrap().to_owned();
    let nonce = (0_u32..).map(|nonce| nonce.to_string());
    let nonce =
        nonce.into_iter().find(|nonce| Sha256::digest(format!("{challenge}.{nonce}"))[0] == 0).unwrap();
    let mut body = said("t1", "m1", QUESTION);
    body["proof"] = json!({"challenge": challenge, "nonce": nonce});
    assert_eq!(visitor.say(&body).await.status(), 200);
    let (_, session) = json(visitor.get("/api/session").await).await;
    assert_eq!(session["botCheck"], Value::Null);
    // The same proof in another session.
    let other = Visitor::arrives(&server).await;
    let (status, fault) = json(other.say(&body).await).await;
    assert_eq!((status, &fault["cause"]), (403, &json!("bot_check_failed")));
}

#[tokio::test]
async fn a_scope_does_not_grow() {
    let upstream = Upstream::start().await;
    let server = Setup::with(&upstream).start().await;
    let visitor = Visitor::arrives(&server).await;
    let harbour = domain::ListingId::of_name("Harbour").to_string();
    let mut body = said("t1", "m1", QUESTION);
    body["tools"] = json!([harbour]);
    chunks(&visitor.say(&body).await.text().await.unwrap());
    for tools in [json!([]), json!([uuid::Uuid::nil()]), json!([harbour, uuid::Uuid::nil()])] {
        let mut wider = said("t1", "m2", QUESTION);
        wider["tools"] = tools;
        let (status, fault) = json(visitor.say(&wider).await).await;
        assert_eq!((status, &fault["cause"]), (403, &json!("scope_fixed")), "{fault}");
    }
}

#[tokio::test]
async fn one_session_does_not_see_another() {
    let server = Setup::bare().start().await;
    let (one, other) = (Visitor::arrives(&server).await, Visitor::arrives(&server).await);
    chunks(&one.say(&said("t1", "m1", QUESTION)).await.text().await.unwrap());
    for path in ["/api/chat/t1", "/api/chat/t1/stream", "/api/vote?chatId=t1"] {
        let (status, fault) = json(other.get(path).await).await;
        assert_eq!(status, 404, "{path}");
        assert!(fault["code"].as_str().unwrap().starts_with("not_found:"), "{fault}");
    }
    let (_, history) = json(other.get("/api/history").await).await;
    assert_eq!(history, json!({"chats": [], "hasMore": false}));
    assert_eq!(json(other.send(Method::DELETE, "/api/chat?id=t1", &Value::Null).await).await.0, 404);
}

#[tokio::test]
async fn without_a_key_nobody_speaks_where_keys_are_wanted() {
    let setup = Setup::bare();
    std::fs::write(setup.path("keys"), crate::server::KEY).unwrap();
    let keys = setup.path("keys").to_str().unwrap().to_owned();
    let server = setup.argument("--api-keys-file").argument(&keys).start().await;
    let (status, fault) = json(server.bare_request(Method::GET, "/api/session").send().await.unwrap()).await;
    assert_eq!((status, &fault["code"]), (401, &json!("unauthorized:api")));
    let wrong = server.bare_request(Method::GET, "/api/session").bearer_auth("another key");
    assert_eq!(wrong.send().await.unwrap().status(), 401);
    let (status, session) = json(server.get("/api/session").await).await;
    assert_eq!((status, &session["anonymous"], &session["quota"]), (200, &json!(false), &Value::Null));
}

#[tokio::test]
async fn another_sites_page_does_not_speak_here() {
    let server = Setup::bare().start().await;
    let post = |site: &'static str, host: &'static str| {
        let request = server.bare_request(Method::POST, "/api/chat").header("sec-fetch-site", site);
        request.header("host", host).body(said("t1", "m1", QUESTION).to_string()).send()
    };
    assert_eq!(post("same-origin", "localhost").await.unwrap().status(), 200);
    assert_eq!(json(post("cross-site", "localhost").await.unwrap()).await.1["cause"], "cross_site");
    assert_eq!(post("same-origin", "evil.example").await.unwrap().status(), 403);
}

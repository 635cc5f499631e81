//! Conversations about documents: looked into as often as it takes, every step seen, and answered from what is there.

use serde_json::{Value, json};
use testkit::model_server::{Line, ModelServer};

use crate::chat::{Visitor, chunks, said};
use crate::chat_guard::guardrails;
use crate::library::{GUIDE, OLD_GUIDE, add};
use crate::models;
use crate::server::{Server, Setup, json};

const QUESTION: &str = "When does a session expire?";

fn about_documents(thread: &str, id: &str, text: &str) -> Value {
    let mut body = said(thread, id, text);
    body["documents"] = json!(true);
    body
}

async fn told(server: &Server, body: &Value) -> Vec<Value> {
    let response = server.post("/api/chat", body).await;
    assert_eq!(response.status(), 200);
    chunks(&response.text().await.unwrap())
}

fn of<'a>(chunks: &'a [Value], kind: &str) -> Vec<&'a Value> {
    chunks.iter().filter(|chunk| chunk["type"] == kind).collect()
}

fn text(chunks: &[Value]) -> String {
    chunks.iter().filter_map(|chunk| chunk["delta"].as_str()).collect()
}

fn calls(chunks: &[Value]) -> Vec<(&str, &Value)> {
    let calls = of(chunks, "tool-input-available").into_iter();
    calls.map(|call| (call["toolName"].as_str().unwrap(), &call["input"])).collect()
}

#[tokio::test]
async fn documents_answer_with_passages_and_conflicts_and_without_a_key_for_models() {
    let server = Setup::bare().start().await;
    add(&server, "Server guide", GUIDE).await;
    add(&server, "Old guide", OLD_GUIDE).await;
    let mut asked = about_documents("t1", "m1", QUESTION);
    asked["includeDeveloperTrace"] = json!(true);
    let chunks = told(&server, &asked).await;
    let names: Vec<&str> = calls(&chunks).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["Documents/deep_search", "Documents/deep_expand"]);
    let steps: Vec<&str> =
        of(&chunks, "data-step").iter().map(|it| it["data"]["stage"].as_str().unwrap()).collect();
    assert_eq!((steps[0], steps[steps.len() - 1]), ("search", "synthesis"));
    assert!(
        text(&chunks).contains("[1]") && text(&chunks).contains("minutes of silence"),
        "{}",
        text(&chunks)
    );
    let source = &of(&chunks, "source-document")[0]["providerMetadata"]["app"];
    assert!(source["quote"].as_str().unwrap().contains("A session expires"), "{source}");
    assert!(
        source["path"].as_str().unwrap().ends_with("Sessions") && source["chunkId"].is_string(),
        "{source}"
    );
    let conflict = &of(&chunks, "data-conflicts")[0]["data"]["conflicts"][0];
    let sides: Vec<&str> =
        conflict["sides"].as_array().unwrap().iter().map(|it| it["value"].as_str().unwrap()).collect();
    assert!(
        sides.iter().any(|it| it.contains("30")) && sides.iter().any(|it| it.contains("60")),
        "{conflict}"
    );
    let trace = &of(&chunks, "data-trace")[0]["data"]["trace"];
    let steps = trace["timeline"].as_array().unwrap().iter();
    let methods: Vec<&str> = steps.filter_map(|step| step["tool"]["method"].as_str()).collect();
    assert_eq!((methods, &trace["query"]), (vec!["deep_search", "deep_expand"], &json!(QUESTION)));
    // The validated list comes last of all, and says what the text cites.
    let last: Vec<&str> = chunks.iter().rev().take(3).map(|it| it["type"].as_str().unwrap()).collect();
    assert_eq!(last, ["finish", "finish-step", "data-citations"]);
    let finish = &of(&chunks, "finish")[0]["messageMetadata"];
    assert_eq!((&finish["outcome"], &finish["usage"]["toolCalls"]), (&json!("answer"), &json!(2)));

    // The scope is the thread's own; the next question has the one before it for company.
    let again = told(&server, &said("t1", "m2", "Can it be renewed?")).await;
    assert!(text(&again).contains("renewed once"), "{}", text(&again));
    let missing = told(&server, &said("t1", "m3", "Who painted the ceiling of the chapel?")).await;
    assert_eq!(of(&missing, "finish")[0]["messageMetadata"]["outcome"], "capability_miss");
    assert!(of(&missing, "source-document").is_empty() && !text(&missing).is_empty());
    let (_, thread) = json(server.get("/api/chat/t1").await).await;
    assert_eq!(thread["messages"].as_array().unwrap().len(), 6);
}

#[tokio::test]
async fn a_scope_of_documents_neither_grows_nor_is_taken() {
    let setup = Setup::bare();
    let server = setup.start().await;
    let one = add(&server, "Server guide", GUIDE).await;
    add(&server, "Old guide", OLD_GUIDE).await;
    let mut body = said("t1", "m1", QUESTION);
    body["documents"] = json!({"documentId": one});
    let chunks = told(&server, &body).await;
    assert!(text(&chunks).contains("30 minutes") && !text(&chunks).contains("60"), "{}", text(&chunks));
    for wider in [json!(true), json!({}), json!({"documentId": "another"}), json!({"collectionId": "c"})] {
        let mut body = said("t1", "m2", QUESTION);
        body["documents"] = wider;
        let (status, fault) = json(server.post("/api/chat", &body).await).await;
        assert_eq!((status, &fault["cause"]), (403, &json!("scope_fixed")), "{fault}");
    }
    let mut body = said("t2", "m1", QUESTION);
    body["documents"] = json!({"documentId": "nobody-has-this"});
    let (status, fault) = json(server.post("/api/chat", &body).await).await;
    assert_eq!(
        (status, &fault["field"], &fault["code"]),
        (404, &json!("documents"), &json!("not_found:chat"))
    );
    body["documents"] = json!("all of them");
    let (status, fault) = json(server.post("/api/chat", &body).await).await;
    assert_eq!((status, &fault["field"]), (400, &json!("documents")));
    // Without a key there are no documents but those that the policy opens.
    let visitor = Visitor::arrives(&server).await;
    let (status, fault) = json(visitor.say(&about_documents("t1", "m1", QUESTION)).await).await;
    assert_eq!((status, &fault["cause"]), (403, &json!("scope_fixed")));
    assert_eq!(json(visitor.get("/api/session").await).await.1["documents"], false);
    drop(server);
    let owner = sha2::Digest::finalize(<sha2::Sha256 as sha2::Digest>::new_with_prefix(crate::server::KEY));
    let opened = format!("documents_of = \"{}\"", hex::encode(owner));
    let server =
        setup.policy_file("guardrails.toml", &guardrails(&[("documents_of = \"\"", &opened)])).start().await;
    let visitor = Visitor::arrives(&server).await;
    assert_eq!(json(visitor.get("/api/session").await).await.1["documents"], true);
    let response = visitor.say(&about_documents("t1", "m1", QUESTION)).await;
    let chunks = chunks_of(response).await;
    assert!(text(&chunks).contains("minutes of silence. [1]"), "{}", text(&chunks));
}

async fn chunks_of(response: reqwest::Response) -> Vec<Value> {
    assert_eq!(response.status(), 200);
    chunks(&response.text().await.unwrap())
}

/// The shipped models with these servers for the moves and the answer, and the shipped library with other bounds.
fn hosted(explorer: &ModelServer, writer: &ModelServer, bounds: &[(&str, &str)]) -> Setup {
    let mut text = include_str!("../../../../policies/models.toml").to_owned();
    let mut put = |shipped: &str, own: &str| {
        assert!(text.contains(shipped), "{shipped}");
        text = text.replace(shipped, own);
    };
    let (mut endpoints, mut named) = ("\n[endpoints]\n".to_owned(), "\n[models]\n".to_owned());
    for (stage, server) in [("explore", explorer), ("reason", writer)] {
        let base_url = server.base_url();
        endpoints.push_str(&models::endpoint(stage, &base_url));
        named.push_str(&models::model(stage));
        put(
            &format!("[stages.{stage}]\nmodels = [\"embedded\"]"),
            &format!("[stages.{stage}]\nmodels = [\"{stage}\", \"embedded\"]"),
        );
    }
    put("\n[endpoints]\n", &endpoints);
    put("\n[models]\n", &named);
    put("first_ms = 250\nlast_ms = 8_000", "first_ms = 1\nlast_ms = 2");
    let mut library = include_str!("../../../../policies/library.toml").to_owned();
    for (line, by) in bounds {
        assert!(library.contains(line), "{line}");
        library = library.replace(line, by);
    }
    Setup::bare().policy_file("models.toml", &text).policy_file("library.toml", &library)
}

fn makes(kind: &str, query: &str, passage: i64) -> Line {
    let direction = if kind == "expand" { "surrounding" } else { "" };
    Line::Say(json!({"move": kind, "query": query, "passage": passage, "direction": direction}).to_string())
}

fn writes(answer: &str) -> Line {
    let reply = json!({"answer": answer, "citations": [1], "gaps": [], "conflicts": [], "sufficient": true});
    Line::Say(reply.to_string())
}

#[tokio::test]
async fn a_model_looks_around_before_another_answers() {
    let moves = [
        makes("search", "session expire silence", 0),
        makes("read", "", 1),
        makes("expand", "", 1),
        makes("answer", "", 0),
    ];
    let explorer = ModelServer::start(moves);
    let writer = ModelServer::start([writes("It expires after 30 minutes of silence [1]. And never [9].")]);
    let server = hosted(&explorer, &writer, &[]).start().await;
    add(&server, "Server guide", GUIDE).await;
    let chunks = told(&server, &about_documents("t1", "m1", "How long does a session live?")).await;
    let names: Vec<&str> = calls(&chunks).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["Documents/deep_search", "Documents/deep_read", "Documents/deep_expand"]);
    assert!(text(&chunks).starts_with("It expires after 30 minutes of silence [1]"), "{}", text(&chunks));
    assert!(!text(&chunks).contains("[9]"), "{}", text(&chunks));
    let finish = &of(&chunks, "finish")[0]["messageMetadata"];
    assert_eq!((&finish["outcome"], &finish["citationsDropped"]), (&json!("answer"), &json!(1)));
    assert_ne!(finish["usage"]["modelCostUsd"], "0.000000");
    // The prompt is built anew each time, with the five rules and what was found by then.
    let asked = explorer.asked();
    assert_eq!(asked.len(), 4);
    let told: Vec<String> = asked.iter().map(|it| it.body.to_string()).collect();
    assert!(told.iter().all(|it| it.contains("Five rules of accuracy")));
    assert!(told[0].contains("Moves left: 6.") && told[3].contains("Moves left: 3."), "{}", told[3]);
    assert!(!told[0].contains("30 minutes of silence") && told[1].contains("30 minutes of silence"));
    assert!(told[3].contains("search: session expire silence -> "), "{}", told[3]);
}

#[tokio::test]
async fn the_last_request_writes_the_answer_and_has_no_moves() {
    let searches = ["session", "session expire", "expire silence", "silence", "session renewed"];
    let explorer = ModelServer::start(searches.map(|query| makes("search", query, 0)));
    let writer = ModelServer::start([writes("After 30 minutes [1].")]);
    let bounds = [("model_requests_max = 5", "model_requests_max = 3")];
    let server = hosted(&explorer, &writer, &bounds).start().await;
    add(&server, "Server guide", GUIDE).await;
    let chunks = told(&server, &about_documents("t1", "m1", QUESTION)).await;
    assert_eq!((explorer.asked().len(), writer.asked().len()), (2, 1));
    assert_eq!(calls(&chunks).len(), 2);
    assert_eq!(text(&chunks), "After 30 minutes [1].");
    assert!(!writer.asked()[0].body.to_string().contains("deep_search"));
}

/// What an open stream has told by the time that it says this.
async fn read_until(response: &mut reqwest::Response, wanted: &str) -> String {
    let mut told = String::new();
    while !told.contains(wanted) {
        let piece = response.chunk().await.unwrap().unwrap_or_else(|| panic!("no {wanted} in {told}"));
        told.push_str(std::str::from_utf8(&piece).unwrap());
    }
    told
}

#[tokio::test]
async fn an_answer_is_told_while_it_is_written_and_only_what_holds_of_it() {
    let explorer = ModelServer::start([makes("answer", "", 0)]);
    let first = r#"{"answer": "It expires after 30 minutes of silence [1]. Then "#;
    let rest =
        r#"it is gone [9], for good.", "citations": [1], "gaps": [], "conflicts": [], "sufficient": true}"#;
    let writer = ModelServer::start([Line::Wait(first.to_owned(), rest.to_owned())]);
    let bounds = [("model_requests_max = 5", "model_requests_max = 1")];
    let server = hosted(&explorer, &writer, &bounds).start().await;
    add(&server, "Server guide", GUIDE).await;
    let mut response = server.post("/api/chat", &about_documents("t1", "m1", QUESTION)).await;
    // The writer has not said the rest by now, and will not before it is let.
    let told = read_until(&mut response, "silence [1].").await;
    let (source, words) = (told.find("source-document").unwrap(), told.find("text-delta").unwrap());
    assert!(source < words && told.contains("\"quote\":\"A session expires after 30 minutes"), "{told}");
    writer.release();
    let rest = response.text().await.unwrap();
    let chunks = chunks(&format!("{told}{rest}"));
    assert_eq!(text(&chunks), "It expires after 30 minutes of silence [1]. Then it is gone, for good.");
    assert_eq!((of(&chunks, "text-start").len(), of(&chunks, "source-document").len()), (1, 1));
    let written = |chunk: &Value| chunk["data"]["stage"] == "synthesis" && chunk["data"]["state"] == "done";
    let written = chunks.iter().position(written).unwrap();
    assert!(chunks[..written].iter().any(|chunk| chunk["type"] == "text-delta"), "{chunks:?}");
    let cited = &of(&chunks, "data-citations")[0]["data"];
    assert_eq!((&cited["dropped"], cited["citations"].as_array().unwrap().len()), (&json!(1), 1));
    let (_, thread) = json(server.get("/api/chat/t1").await).await;
    assert!(thread["messages"][1].to_string().contains("silence [1]"), "{thread}");
}

#[tokio::test]
async fn an_answer_that_does_not_hold_is_never_seen_or_begins_anew() {
    let cites_nothing = writes("It expires after a year [7]. That is certain.");
    let goes_astray =
        Line::Say(r#"{"answer": "After 30 minutes [1]. Then", "citations": "none"}"#.to_owned());
    for (line, texts) in [(cites_nothing, 1), (goes_astray, 2)] {
        let explorer = ModelServer::start([makes("answer", "", 0)]);
        let writer = ModelServer::start([line]);
        let server =
            hosted(&explorer, &writer, &[("model_requests_max = 5", "model_requests_max = 1")]).start().await;
        add(&server, "Server guide", GUIDE).await;
        let chunks = told(&server, &about_documents("t1", "m1", QUESTION)).await;
        assert!(!text(&chunks).contains("year"), "{}", text(&chunks));
        assert!(of(&chunks, "text-start").len() >= texts, "{chunks:?}");
        let (_, thread) = json(server.get("/api/chat/t1").await).await;
        let parts = thread["messages"][1]["parts"].as_array().unwrap();
        let last = parts.iter().rfind(|part| part["type"] == "text").unwrap()["text"].as_str().unwrap();
        let outcome = &of(&chunks, "finish")[0]["messageMetadata"]["outcome"];
        if texts == 1 {
            assert_eq!(outcome, "capability_miss");
        } else {
            assert_eq!(
                (outcome, last),
                (&json!("answer"), "A session expires after 30 minutes of silence. [1]")
            );
        }
    }
}

#[tokio::test]
async fn where_models_fail_rules_look_and_the_sources_answer() {
    let explorer =
        ModelServer::start(std::iter::repeat_with(|| Line::Say("no move at all".to_owned())).take(12));
    let writer = ModelServer::start(std::iter::repeat_with(|| Line::Say("no answer".to_owned())).take(12));
    let server = hosted(&explorer, &writer, &[]).start().await;
    add(&server, "Server guide", GUIDE).await;
    let chunks = told(&server, &about_documents("t1", "m1", QUESTION)).await;
    assert_eq!(calls(&chunks)[0], ("Documents/deep_search", &json!({"query": QUESTION})));
    assert!(
        text(&chunks).contains("A session expires after 30 minutes of silence. [1]"),
        "{}",
        text(&chunks)
    );
    assert_eq!(of(&chunks, "finish")[0]["messageMetadata"]["outcome"], "answer");
}

/// The replies that were recorded so far, oldest first.
fn recorded(server: &Server) -> Vec<Value> {
    let folders = server.recorded().into_iter();
    let runs = folders.map(|folder| std::fs::read_to_string(folder.join("run.jsonl")).unwrap());
    let mut replies: Vec<(String, Value)> = runs
        .map(|run| {
            let lines: Vec<Value> = run.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            let response = lines.iter().find(|line| line["kind"] == "response").unwrap();
            let body = lines.iter().find(|line| line["kind"] == "body" && line["sha256"] == response["body"]);
            (lines[0]["started_at"].to_string(), body.unwrap()["body"].clone())
        })
        .collect();
    replies.sort_by(|(one, _), (other, _)| one.cmp(other));
    replies.into_iter().map(|(_, reply)| reply).collect()
}

#[tokio::test]
async fn a_recording_has_every_chunk_that_left() {
    let moves = [makes("search", "session expires", 0), makes("answer", "", 0), makes("read", "", 7)];
    let explorer = ModelServer::start(moves);
    let writer = ModelServer::start([writes("It expires after 30 minutes of silence [1]. Then it is gone.")]);
    let server = hosted(&explorer, &writer, &[]).start().await;
    add(&server, "Server guide", GUIDE).await;
    let mut left = Vec::new();
    for (id, text, is_traced) in [
        ("m1", QUESTION, false),
        ("m2", "Can it be renewed?", true),
        ("m3", "Who painted the chapel?", false),
    ] {
        let mut asked = about_documents("t1", id, text);
        asked["includeDeveloperTrace"] = json!(is_traced);
        // The first two name the run.
        left.push(told(&server, &asked).await.split_off(2));
        crate::server::until(async || (recorded(&server).len() == left.len()).then_some(())).await;
    }
    for (reply, left) in recorded(&server).into_iter().zip(left) {
        assert_eq!(reply, json!({ "chunks": left }));
    }
}

//! Conversation files: what somebody says turn by turn to the sample servers, and what is called for each turn, or what else comes
//! of it. What a turn takes over from earlier ones, and what it must not, is seen in the calls. Each directory of
//! `tests/conversations` is one test.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::chat::{chunks, said, text};
use crate::server::{Server, Setup};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Conversation {
    turn: Vec<Turn>,
}

/// What is said, and what comes of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Turn {
    says: String,
    /// The calls that it is answered with, each as the method and its arguments in the order of their names. What changes with the
    /// time of day is a `*`.
    #[serde(default)]
    calls: BTreeSet<String>,
    /// How it ends, where not with an answer.
    #[serde(default = "answer")]
    outcome: String,
}

fn answer() -> String {
    "answer".to_owned()
}

/// The calls of a reply.
fn calls(chunks: &[Value]) -> BTreeSet<String> {
    let told = chunks.iter().filter(|chunk| chunk["type"] == "tool-input-available");
    let call = |chunk: &Value| {
        let name = chunk["toolName"].as_str().unwrap().rsplit('/').next().unwrap();
        format!("{name} {}", chunk["input"])
    };
    told.map(call).collect()
}

fn are_as_told(calls: &BTreeSet<String>, told: &BTreeSet<String>) -> bool {
    let is_told = |call: &String| {
        told.iter().any(|told| match told.split_once('*') {
            Some((start, end)) => call.starts_with(start) && call.ends_with(end),
            None => told == call,
        })
    };
    calls.len() == told.len() && calls.iter().all(is_told)
}

async fn faults(server: &Server, name: &str, conversation: &Conversation) -> Vec<String> {
    let mut faults = Vec::new();
    for (at, turn) in conversation.turn.iter().enumerate() {
        let response = server.post("/api/chat", &said(name, &format!("m{at}"), &turn.says)).await;
        assert_eq!(response.status(), 200, "{name}: {}", turn.says);
        let chunks = chunks(&response.text().await.unwrap());
        let end = chunks.iter().find(|chunk| chunk["type"] == "finish").unwrap();
        let outcome = end["messageMetadata"]["outcome"].as_str().unwrap_or_default();
        let calls = calls(&chunks);
        if outcome != turn.outcome || !are_as_told(&calls, &turn.calls) {
            faults.push(format!("{name}: {:?}: {outcome}, {calls:?}\n{}", turn.says, text(&chunks)));
        }
    }
    faults
}

/// Holds every conversation of a directory.
async fn check(directory: &str) {
    let server = Setup::with_samples().start().await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conversations").join(directory);
    let mut found = Vec::new();
    for (name, text) in testkit::files(&folder) {
        let conversation: Conversation =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        found.extend(faults(&server, &name, &conversation).await);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_goes_on_as_the_files_say() {
    check("goes_on").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_over_time_goes_on_as_the_files_say() {
    check("over_time").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_conversation_lists_goes_on_as_the_files_say() {
    check("listed").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_changes_what_was_asked_as_the_files_say() {
    check("changed").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_ends_what_was_asked_as_the_files_say() {
    check("ends").await;
}

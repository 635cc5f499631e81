//! The released Python clients, unmodified, against the running binary.

use serde_json::Value;
use tokio::process::Command;

use crate::clients::{all_hold, file, installed};
use crate::server::{KEY, Setup};

async fn accepts(version: &str) {
    let python = installed(&format!("ctxprotocol-{version}/bin/python"));
    let server = Setup::with_samples().start().await;
    let output = Command::new(python)
        .arg(file("tests/clients/acceptance.py"))
        .args([server.url(), KEY])
        .arg(file("../../evals/anchors/anchors.toml"))
        .output()
        .await
        .unwrap();
    all_hold(&output, 15);
}

#[tokio::test]
async fn ctxprotocol_0_10_0() {
    accepts("0.10.0").await;
}

#[tokio::test]
async fn ctxprotocol_0_13_1() {
    accepts("0.13.1").await;
}

#[tokio::test]
async fn ctxprotocol_0_20_0() {
    accepts("0.20.0").await;
}

#[tokio::test]
async fn ctxprotocol_0_25_0() {
    accepts("0.25.0").await;
}

#[tokio::test]
async fn curl_shows_a_well_formed_stream() {
    let server = Setup::with_samples().start().await;
    let output = Command::new("curl")
        .args(["-sN", "--fail-with-body", "-H", &format!("Authorization: Bearer {KEY}"), "-d"])
        .arg(r#"{"query": "What is the current weather in Tokyo?", "stream": true}"#)
        .arg(format!("{}/api/v1/query", server.url()))
        .output()
        .await
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}");
    let blocks: Vec<&str> = said.trim_end().split("\n\n").filter(|block| !block.starts_with(':')).collect();
    let (end, events) = blocks.split_last().unwrap();
    assert_eq!(*end, "data: [DONE]");
    let events: Vec<Value> = events
        .iter()
        .map(|block| {
            serde_json::from_str(block.strip_prefix("data: ").unwrap_or_else(|| panic!("{block}"))).unwrap()
        })
        .collect();
    assert_eq!(events.iter().filter(|event| event["type"] == "done").count(), 1);
    assert_eq!(events.last().unwrap()["result"]["outcomeType"], "answer");
    let text: String = events.iter().filter_map(|event| event["delta"].as_str()).collect();
    assert_eq!(text, events.last().unwrap()["result"]["response"]);
}

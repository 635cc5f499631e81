//! Recordings of a server: its callers see their own, and a disk that fails is nobody's trouble.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use testkit::model_server::{Line, ModelServer};

use crate::library::{GUIDE, add, with_model};
use crate::server::{Server, Setup, changed, json, until};
use crate::upstream::{QUESTION, Upstream};

/// A server whose policy of recordings differs in one value.
fn kept(upstream: &Upstream, key: &str, value: &str) -> Setup {
    let text = changed("recording.toml", [(key, value.to_owned())]);
    Setup::with(upstream).policy_file("recording.toml", &text)
}

async fn asked(server: &Server) -> Value {
    let (status, reply) = json(server.post("/api/v1/query", json!({"query": QUESTION})).await).await;
    assert_eq!(status, 200);
    reply
}

/// Replays a recording of a server in a process of its own, which has none of its documents.
fn replay(folder: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sluice"));
    command.env_clear().arg("replay").arg(folder).args(more).output().unwrap()
}

fn folder_of(server: &Server, trace: &Value) -> PathBuf {
    server.recordings().join(trace["id"].as_str().unwrap())
}

async fn listed(server: &Server, count: usize) -> Vec<Value> {
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

#[tokio::test]
async fn only_the_newest_recordings_are_kept() {
    let upstream = Upstream::start().await;
    let setup = kept(&upstream, "runs_kept_max", "2");
    let server = setup.start().await;
    let mut newest = Vec::new();
    for count in 1..=4_usize {
        asked(&server).await;
        let known = newest.clone();
        newest = until(async || {
            let traces = listed(&server, 1).await;
            let ids: Vec<String> =
                traces.iter().map(|trace| trace["id"].as_str().unwrap().to_owned()).collect();
            // The newest stands in its place before the oldest goes.
            (ids != known && ids.len() == count.min(2)).then_some(ids)
        })
        .await;
    }
    assert_eq!((newest.len(), server.recorded().len()), (2, 2));
}

#[tokio::test]
async fn requests_outside_the_sample_are_not_recorded() {
    let upstream = Upstream::start().await;
    let server = kept(&upstream, "sample_share", "0.0").start().await;
    asked(&server).await;
    let directory = server.recordings().to_owned();
    server.stop().await;
    assert!(!directory.exists());
}

#[tokio::test]
async fn a_recording_over_its_bytes_tells_what_happened_and_is_not_replayed() {
    let upstream = Upstream::start().await;
    let server = kept(&upstream, "run_bytes_max", "1").start().await;
    asked(&server).await;
    let trace = listed(&server, 1).await.remove(0);
    assert_eq!((&trace["canBeReplayed"], &trace["outcome"]), (&json!(false), &json!("answer")));
    let folder = folder_of(&server, &trace);
    let replay = replay(&folder, &[]);
    let said = String::from_utf8(replay.stderr).unwrap();
    assert!(!replay.status.success() && said.contains("`run_bytes_max`"), "{said}");
    fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn a_disk_that_fills_up_changes_no_reply_and_keeps_no_halves() {
    let may_mount =
        Command::new("/usr/bin/unshare").args(["-rm", "/bin/sh", "-c", "mount -t tmpfs tmpfs /mnt"]).output();
    if !may_mount.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: no file system can be mounted here");
        return;
    }
    let upstream = Upstream::start().await;
    let setup = Setup::with(&upstream).disk(1 << 20);
    let server = setup.start().await;
    let before = asked(&server).await;
    let full = "a recording was not written";
    let mut after = 0;
    while !setup.log().contains(full) || after < 3 {
        assert_eq!(asked(&server).await["response"], before["response"]);
        after += usize::from(setup.log().contains(full));
    }
    // What is under way is written or gone in the end; halves would stay.
    until(async || {
        let folders = fs::read_dir(server.recordings_inside()).unwrap().count();
        (listed(&server, 1).await.len() == folders).then_some(())
    })
    .await;
    assert!(server.stop().await.success());
}

const ABOUT_DOCUMENTS: &str = "When does a session expire?";

#[tokio::test]
async fn a_question_about_documents_is_replayed_to_the_same_bytes_without_them() {
    let said = json!({
        "answer": "A session expires after 30 minutes [1].", "citations": [1], "gaps": [], "conflicts": [],
        "sufficient": true
    });
    let model = ModelServer::start(vec![Line::Say(said.to_string())]);
    let server = Setup::bare().policy_file("models.toml", &with_model(&model.base_url())).start().await;
    add(&server, "Server guide", GUIDE).await;
    let response = server.post("/v1/reason", json!({"query": ABOUT_DOCUMENTS})).await;
    assert_eq!(response.status(), StatusCode::OK);
    let bytes = response.text().await.unwrap();
    let trace = listed(&server, 1).await.remove(0);
    assert_eq!((&trace["outcome"], &trace["canBeReplayed"]), (&json!("answer"), &json!(true)));
    assert_eq!((&trace["query"], &trace["modelRequests"]), (&json!(ABOUT_DOCUMENTS), &json!(1)));
    let folder = folder_of(&server, &trace);
    assert_eq!(String::from_utf8(replay(&folder, &["--print"]).stdout).unwrap().trim_end(), bytes);

    // The journal says what was read, and at which revision; another reading is not the same.
    let run = fs::read_to_string(folder.join("run.jsonl")).unwrap();
    assert!(run.contains("\"kind\":\"looked\"") && run.contains("\"revision\":1"), "{run}");
    let asked = "\"given\":{\"question\":\"When";
    assert!(run.contains(asked), "{run}");
    let elsewhere = run.replace(asked, "\"given\":{\"question\":\"Where");
    fs::write(folder.join("run.jsonl"), elsewhere).unwrap();
    let other = replay(&folder, &[]);
    let said = String::from_utf8(other.stdout).unwrap();
    assert_eq!((other.status.code(), said.contains("looks into `documents`")), (Some(1), true), "{said}");
    fs::write(folder.join("run.jsonl"), run).unwrap();
}

#[tokio::test]
async fn what_nobody_waits_for_is_recorded_up_to_there() {
    let model = ModelServer::start(vec![Line::Hang]);
    let server = Setup::bare().policy_file("models.toml", &with_model(&model.base_url())).start().await;
    add(&server, "Server guide", GUIDE).await;
    let asked =
        server.request(Method::POST, "/v1/reason").body(json!({"query": ABOUT_DOCUMENTS}).to_string());
    let asking = tokio::spawn(asked.send());
    until(async || (!model.asked().is_empty()).then_some(())).await;
    asking.abort();
    let trace = listed(&server, 1).await.remove(0);
    assert_eq!((&trace["outcome"], &trace["canBeReplayed"]), (&json!("failed"), &json!(true)));
    let said = String::from_utf8(replay(&folder_of(&server, &trace), &[]).stdout).unwrap();
    assert!(said.contains("given up where it was"), "{said}");
}

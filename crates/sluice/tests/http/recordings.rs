//! Recordings of a server: its callers see their own, and a disk that fails is nobody's trouble.

use std::fs;

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::server::{Server, Setup, changed, json, until};
use crate::upstream::{QUESTION, Upstream};

/// A server whose policy of recordings differs in one value.
fn kept(upstream: &Upstream, key: &str, value: &str) -> Setup {
    let text = changed("recording.toml", [(key, value.to_owned())]);
    Setup::with(upstream).policy_file("recording.toml", &text)
}

async fn asked(server: &Server) -> serde_json::Value {
    let (status, reply) = json(server.post("/api/v1/query", json!({"query": QUESTION})).await).await;
    assert_eq!(status, 200);
    reply
}

fn folders(server: &Server) -> usize {
    fs::read_dir(server.recordings()).map_or(0, Iterator::count)
}

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

#[tokio::test]
async fn only_the_newest_recordings_are_kept() {
    let upstream = Upstream::start().await;
    let setup = kept(&upstream, "runs_kept_max", "2");
    let server = setup.start().await;
    let mut newest = Vec::new();
    for _ in 0..4 {
        asked(&server).await;
        let known = newest.clone();
        newest = until(async || {
            let traces = listed(&server, 1).await;
            let ids: Vec<String> =
                traces.iter().map(|trace| trace["id"].as_str().unwrap().to_owned()).collect();
            (ids != known && ids.len() <= 2).then_some(ids)
        })
        .await;
    }
    assert_eq!((newest.len(), folders(&server)), (2, 2));
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
    let folder = server.recordings().join(trace["id"].as_str().unwrap());
    let replay = std::process::Command::new(env!("CARGO_BIN_EXE_sluice"))
        .env_clear()
        .arg("replay")
        .arg(&folder)
        .output()
        .unwrap();
    let said = String::from_utf8(replay.stderr).unwrap();
    assert!(!replay.status.success() && said.contains("`run_bytes_max`"), "{said}");
    fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn a_disk_that_fills_up_changes_no_reply_and_keeps_no_halves() {
    let may_mount = std::process::Command::new("/usr/bin/unshare")
        .args(["-rm", "/bin/sh", "-c", "mount -t tmpfs tmpfs /mnt"])
        .output();
    if !may_mount.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: no file system can be mounted here");
        return;
    }
    let upstream = Upstream::start().await;
    let setup = Setup::with(&upstream).disk(256 * 1024);
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

//! Jobs, over restarts and crashes.

use reqwest::Method;
use serde_json::{Value, json};

use crate::server::{Server, Setup, json, until};
use crate::upstream::{QUESTION, Upstream};

const PATH: &str = "/api/v1/query/jobs";

async fn start(server: &Server) -> String {
    let response = server.post(PATH, json!({"query": QUESTION, "stream": false, "tools": null})).await;
    let location = response.headers()["location"].to_str().unwrap().to_owned();
    let (status, job) = json(response).await;
    let id = job["jobId"].as_str().unwrap().to_owned();
    assert_eq!((status, job["status"].as_str(), location), (202, Some("queued"), format!("{PATH}/{id}")));
    assert!(job["createdAt"].is_string() && job["updatedAt"].is_string());
    id
}

async fn get(server: &Server, id: &str) -> Value {
    let (status, job) = json(server.get(&format!("{PATH}/{id}")).await).await;
    assert_eq!(status, 200, "{job}");
    job
}

async fn ended(server: &Server, id: &str) -> Value {
    until(async || Some(get(server, id).await).filter(|job| job["completedAt"].is_string())).await
}

#[tokio::test]
async fn a_job_runs_tells_how_far_it_is_and_ends() {
    let upstream = Upstream::holding().await;
    let server = Setup::with(&upstream).start().await;
    let id = start(&server).await;
    upstream.called(1).await;
    let running =
        until(async || Some(get(&server, &id).await).filter(|job| job["progress"] == "Calling tools")).await;
    assert_eq!((running["status"].as_str(), running.get("result")), (Some("running"), None));
    upstream.release();
    let job = ended(&server, &id).await;
    assert_eq!(job["status"], "completed");
    assert_eq!(job["result"]["outcomeType"], "answer");
    assert!(job["result"]["response"].as_str().unwrap().contains("3.25"), "{job}");
}

#[tokio::test]
async fn a_job_is_its_callers_alone() {
    let server = Setup::bare().start().await;
    let id = start(&server).await;
    let request = server.bare_request(Method::GET, &format!("{PATH}/{id}")).bearer_auth("someone else's");
    let (status, body) = json(request.send().await.unwrap()).await;
    assert_eq!((status, body["code"].as_str()), (404, Some("job_not_found")));
}

#[tokio::test]
async fn a_failed_job_says_why() {
    let upstream = Upstream::holding().await;
    let setup = Setup::with(&upstream).policy("jobs_in_flight_max", 1);
    let server = setup.start().await;
    let _running = start(&server).await;
    upstream.called(1).await;
    let tools = server.get("/api/v1/tools/search").await;
    let tool = json(tools).await.1["tools"][0]["id"].clone();
    let (_, started) = json(server.post(PATH, json!({"query": QUESTION, "tools": [tool]})).await).await;
    server.kill().await;

    // The tool that the waiting job wants is gone when its turn comes.
    setup.lists(&json!({}));
    let server = setup.start().await;
    let job = ended(&server, started["jobId"].as_str().unwrap()).await;
    assert_eq!(job["status"], "failed");
    assert!(job["error"].as_str().unwrap().contains("no tool"), "{job}");
}

#[tokio::test]
async fn a_clarification_is_never_the_result() {
    let server = Setup::bare().start().await;
    let body = json!({"query": QUESTION, "clarificationPolicy": "return"});
    let (_, started) = json(server.post(PATH, body).await).await;
    let job = ended(&server, started["jobId"].as_str().unwrap()).await;
    assert_eq!(job["result"]["outcomeType"], "capability_miss");
}

#[tokio::test]
async fn one_key_is_one_job() {
    let upstream = Upstream::start().await;
    let setup = Setup::with(&upstream);
    let server = setup.start().await;
    let body = json!({"query": QUESTION});
    let (status, first) = json(server.post_once(PATH, "one", &body).await).await;
    assert_eq!(status, 202);
    assert_eq!(json(server.post_once(PATH, "one", &body).await).await, (202, first.clone()));
    ended(&server, first["jobId"].as_str().unwrap()).await;
    server.kill().await;
    let server = setup.start().await;
    assert_eq!(json(server.post_once(PATH, "one", &body).await).await, (202, first));
    let (status, refused) = json(server.post_once(PATH, "one", json!({"query": "other"})).await).await;
    assert_eq!((status, refused["code"].as_str()), (409, Some("idempotency_key_reused")));
    assert_eq!(upstream.calls(), 1);
}

#[tokio::test]
async fn after_a_crash_what_ran_has_failed_and_what_waited_runs() {
    let upstream = Upstream::holding().await;
    let setup = Setup::with(&upstream).policy("jobs_in_flight_max", 1);
    let server = setup.start().await;
    let ran = start(&server).await;
    upstream.called(1).await;
    let waited = start(&server).await;
    assert_eq!(get(&server, &waited).await["status"], "queued");
    server.kill().await;
    upstream.release();

    let server = setup.start().await;
    let failed = ended(&server, &ran).await;
    assert_eq!(failed["status"], "failed");
    assert!(failed["error"].as_str().unwrap().contains("stopped while the job was running"), "{failed}");
    let completed = ended(&server, &waited).await;
    assert_eq!((completed["status"].as_str(), upstream.calls()), (Some("completed"), 2), "{completed}");
}

#[tokio::test]
async fn a_stopping_server_lets_its_jobs_end() {
    let upstream = Upstream::holding().await;
    let setup = Setup::with(&upstream).policy("drain_ms", 3_600_000);
    let mut server = setup.start().await;
    let id = start(&server).await;
    upstream.called(1).await;
    server.terminate().await;
    until(async || (json(server.get("/readyz").await).await.1["status"] == "draining").then_some(())).await;
    let response = server.post(PATH, json!({"query": QUESTION})).await;
    assert!(response.headers().contains_key("retry-after"));
    let (status, body) = json(response).await;
    assert_eq!((status, body["code"].as_str()), (503, Some("shutting_down")));
    assert_eq!(get(&server, &id).await["status"], "running");
    upstream.release();
    assert_eq!(server.ended().await.code(), Some(0));
    let server = setup.start().await;
    assert_eq!(get(&server, &id).await["status"], "completed");
}

#[tokio::test]
async fn a_job_that_takes_too_long_to_stop_for_fails_with_the_reason() {
    let upstream = Upstream::holding().await;
    let setup = Setup::with(&upstream).policy("drain_ms", 1);
    let server = setup.start().await;
    let id = start(&server).await;
    upstream.called(1).await;
    assert_eq!(server.stop().await.code(), Some(0));
    let server = setup.start().await;
    let job = get(&server, &id).await;
    assert_eq!(job["status"], "failed");
    assert!(job["error"].as_str().unwrap().contains("stopped while the job was running"), "{job}");
}

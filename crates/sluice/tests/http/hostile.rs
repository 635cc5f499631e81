//! Every program that tries to break out, as a model's plan on a real server, while other requests go on: they are answered
//! as ever, each hostile one comes to an ending of its own, and the pool and its memory are as before.

use std::path::Path;

use futures::future::join;
use reqwest::Method;
use serde_json::{Value, json};
use testkit::model_server::{Asked, Line, ModelServer};

use crate::models::{self, CLEAR, PROGRAM};
use crate::server::{Server, Setup, json, until};
use crate::workers::{children, sandbox, status, workers};

/// The corpus, by the names of its files.
fn corpus() -> Vec<(String, String)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../program/tests/breaking");
    let programs = testkit::files(&directory);
    assert!(programs.len() > 60);
    programs
}

fn question(name: &str) -> String {
    format!("{CLEAR} This is trial {name}, and no other.")
}

/// Plans what the question's trial says; the honest program for any other question.
fn planned(corpus: &[(String, String)], asked: &Asked) -> Line {
    let told = asked.told();
    let trial = corpus.iter().find(|(name, _)| told.contains(&question(name)));
    models::program(trial.map_or(PROGRAM, |(_, source)| source))
}

/// Asks through the fast lane and gives the status with the body.
async fn asked(server: &Server, question: &str) -> (u16, Value) {
    let body = json!({
        "query": question, "tools": [models::listing()], "queryDepth": "fast", "includeData": true
    });
    json(server.post("/api/v1/query", body).await).await
}

async fn honest(server: &Server) {
    let (code, result) = asked(server, CLEAR).await;
    assert_eq!((code, &result["outcomeType"]), (200, &json!("answer")), "{result}");
    assert_eq!(result["stopReason"], "complete_answer", "{result}");
    assert!(result["data"]["price"].is_number(), "{result}");
}

/// Kibibytes that a process holds.
fn resident_kib(process: u32) -> u64 {
    let status = status(process).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0");
    line.split_whitespace().next().unwrap().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_way_of_breaking_out_leaves_the_server_as_it_was() {
    let programs = corpus();
    let plans = programs.clone();
    let planner = ModelServer::directed(move |asked| planned(&plans, asked));
    let setup = Setup::with_samples()
        .policy_file("models.toml", &models::policy_of(&[("plan", "planner", &planner)]))
        .policy_file("sandbox.toml", &sandbox(&[("wall_ms_max", "1_000")]));
    let server = setup.start().await;
    for _ in 0..8 {
        join(honest(&server), honest(&server)).await;
    }
    let before = resident_kib(server.id());

    let hostile = async {
        for (name, _) in &programs {
            let (code, body) = asked(&server, &question(name)).await;
            let ended = match code {
                // The rules plan in the place of what cannot run.
                200 => body["outcomeType"] == "answer" || body["outcomeType"] == "capability_miss",
                _ => {
                    body["code"] == "query_failed"
                        && body["error"].as_str().unwrap().contains("worker process")
                }
            };
            assert!(ended, "{name}: {code} {body}");
        }
    };
    let others = async {
        for _ in 0..programs.len() {
            honest(&server).await;
            assert_eq!(server.request(Method::GET, "/healthz").send().await.unwrap().status(), 200);
        }
    };
    join(hostile, others).await;

    until(async || (workers(&server).await["busy"] == 0).then_some(())).await;
    let counts = workers(&server).await;
    assert_eq!(counts["lost"], 0, "{counts}");
    let pool = children(server.id());
    assert!(pool.len() <= 4, "{counts}: {} processes", pool.len());
    let heaviest = pool.into_iter().map(resident_kib).max().unwrap_or(0);
    assert!(heaviest < 64 << 10, "a worker kept {heaviest} KiB");
    let grown = resident_kib(server.id()).saturating_sub(before);
    assert!(grown < 64 << 10, "the server grew by {grown} KiB");
    honest(&server).await;

    assert_eq!(server.stop().await.code(), Some(0));
}

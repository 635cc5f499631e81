//! Worker processes behind the HTTP surface: what is lost with one, and that none is left.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use testkit::model_server::{Line, ModelServer};
use tokio::process::Command;

use crate::models::{self, CLEAR, PROGRAM};
use crate::server::{Server, Setup, json, until};

/// A program that does not end by itself; the call that it never comes to is what it is asked for.
const ENDLESS: &str =
    "loop { }\ncall_tool(\"prediction_markets.get_market_price\", #{market_id: \"mkt-1001-01\"})";

/// The shipped limits with these lines in place of their own.
pub(crate) fn sandbox(lines: &[(&str, &str)]) -> String {
    let mut text = include_str!("../../../../policies/sandbox.toml").to_owned();
    for (key, value) in lines {
        let shipped = text.lines().find(|line| line.starts_with(&format!("{key} = "))).unwrap().to_owned();
        text = text.replace(&shipped, &format!("{key} = {value}"));
    }
    text
}

/// No count and no clock ends a program.
fn boundless() -> String {
    sandbox(&[("operations_max", "1_000_000_000_000"), ("wall_ms_max", "600_000")])
}

/// The servers of a house's models, which live as long as it does.
struct Models {
    servers: [ModelServer; 3],
}

impl Models {
    /// A planner that says these lines.
    fn planning(lines: Vec<Line>) -> Self {
        Self { servers: [vec![], lines, vec![]].map(ModelServer::start) }
    }

    fn policy(&self) -> String {
        let [judge, planner, writer] = &self.servers;
        models::policy([judge, planner, writer])
    }
}

async fn ask(server: &Server, question: &str, listing: &str) -> (u16, Value) {
    let body =
        json!({"query": question, "tools": [listing], "queryDepth": "fast", "includeDeveloperTrace": true});
    json(server.post("/api/v1/query", body).await).await
}

/// How the worker processes of a server are doing.
pub(crate) async fn workers(server: &Server) -> Value {
    json(server.get("/readyz").await).await.1["workers"].clone()
}

/// The processes that a process has started and that are still there.
pub(crate) fn children(parent: u32) -> Vec<u32> {
    let processes =
        fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let line = format!("PPid:\t{parent}\n");
    processes.filter(|id| status(*id).is_some_and(|status| status.contains(&line))).collect()
}

pub(crate) fn status(process: u32) -> Option<String> {
    fs::read_to_string(Path::new("/proc").join(process.to_string()).join("status")).ok()
}

/// Waits until a server's program is under way, and gives its worker process.
async fn busy(server: &Server) -> u32 {
    until(async || (workers(server).await["busy"] == 1).then_some(())).await;
    until(async || children(server.id()).first().copied()).await
}

#[tokio::test]
async fn a_killed_worker_is_one_failed_request() {
    let models = Models::planning(vec![models::program(ENDLESS), models::program(PROGRAM)]);
    let setup = Setup::with_samples().policy_file("models.toml", &models.policy());
    let setup = setup.policy_file("sandbox.toml", &boundless());
    let server = setup.start().await;
    let listing = models::listing();
    let killed = async {
        let id = busy(&server).await.to_string();
        assert!(Command::new("kill").args(["-KILL", &id]).status().await.unwrap().success());
    };
    let (lost, ()) = tokio::join!(ask(&server, CLEAR, &listing), killed);
    assert_eq!((lost.0, lost.1["code"].as_str()), (500, Some("query_failed")), "{lost:?}");
    let said = lost.1["error"].as_str().unwrap();
    assert!(said.contains("its worker process was lost") && !said.contains('/'), "{said}");

    let (code, result) = ask(&server, CLEAR, &listing).await;
    assert_eq!((code, result["outcomeType"].as_str()), (200, Some("answer")), "{result}");
    let counts = workers(&server).await;
    assert_eq!(counts, json!({"busy": 0, "idle": 1, "started": 2, "lost": 1}));
    assert_eq!(server.stop().await.code(), Some(0));
}

#[tokio::test]
async fn a_stopping_server_leaves_no_worker_behind() {
    let models = Models::planning(vec![models::program(ENDLESS)]);
    let setup = Setup::with_samples().policy_file("models.toml", &models.policy()).policy("drain_ms", 1);
    let setup = setup.policy_file("sandbox.toml", &boundless());
    let mut server = setup.start().await;
    let listing = models::listing();
    let stopped = async {
        let worker = busy(&server).await;
        server.terminate().await;
        worker
    };
    let ((code, body), worker) = tokio::join!(ask(&server, CLEAR, &listing), stopped);
    assert_eq!((code, body["code"].as_str()), (503, Some("shutting_down")), "{body}");
    assert_eq!(server.ended().await.code(), Some(0));
    assert_eq!(status(worker), None);
}

#[tokio::test]
async fn a_killed_server_leaves_no_worker_behind() {
    let models = Models::planning(vec![models::program(ENDLESS)]);
    let setup = Setup::with_samples().policy_file("models.toml", &models.policy());
    let setup = setup.policy_file("sandbox.toml", &boundless());
    let server = setup.start().await;
    let body = json!({"query": CLEAR, "tools": [models::listing()], "queryDepth": "fast"});
    let asked = server.request(reqwest::Method::POST, "/api/v1/query").body(body.to_string());
    let asked = tokio::task::spawn(asked.send());
    let worker = busy(&server).await;
    server.kill().await;
    asked.await.unwrap().unwrap_err();
    // Its input has ended; whoever adopted it has to take note of that.
    until(async || status(worker).is_none_or(|status| status.contains("State:\tZ")).then_some(())).await;
}

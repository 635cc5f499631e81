//! A fault at every call of a program of ten, mended, through the whole server: whatever went wrong, each method was reached
//! once with each set of arguments, as its own server counts, wherever programs run.

use std::collections::BTreeMap;
use std::fmt::Write;

use futures::future::join_all;
use serde_json::{Value, json};
use testkit::model_server::{Asked, Line, ModelServer};

use crate::models;
use crate::scripted::{Listing, Method, Reply, Scripted};
use crate::server::{Server, Setup, json};
use crate::workers::sandbox;

const CALLS: usize = 10;

/// Which call goes wrong, and how: refused by its method, or turned away before it reaches it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Trial {
    at: usize,
    is_refused: bool,
}

impl Trial {
    fn all() -> impl Iterator<Item = Self> {
        (1..=CALLS).flat_map(|at| [true, false].map(|is_refused| Self { at, is_refused }))
    }

    /// A number of its own, which every call of it carries.
    fn number(self) -> usize {
        self.at + if self.is_refused { 0 } else { 100 }
    }

    fn question(self) -> String {
        format!("Follow the relay of stages for trial {} to its end.", self.number())
    }

    /// Ten calls, each with what the one before gave. The mended one asks differently where the fault was.
    fn program(self, is_mended: bool) -> String {
        let mut text = "let baton_0 = #{baton: 0};\n".to_owned();
        for stage in 1..=CALLS {
            let mark = if is_mended && stage == self.at { ", lane: \"inner\"" } else { "" };
            writeln!(
                text,
                "let baton_{stage} = call_tool(\"relay.run_stage\", #{{trial: {}, stage: {stage}, baton: \
                 baton_{}.baton{mark}}});",
                self.number(),
                stage - 1
            )
            .unwrap();
        }
        text + &format!("baton_{CALLS}\n")
    }

    /// Every call that has to reach the method, each once.
    fn due(self) -> BTreeMap<String, usize> {
        let call = |stage: usize, lane: &str| {
            let (before, trial) = (stage - 1, self.number());
            format!("run_stage {{\"baton\":{before},{lane}\"stage\":{stage},\"trial\":{trial}}}")
        };
        let mut due: BTreeMap<String, usize> = (1..=CALLS).map(|stage| (call(stage, ""), 1)).collect();
        if self.is_refused {
            due.insert(call(self.at, "\"lane\":\"inner\","), 1);
        }
        due
    }
}

/// A relay whose stages hand on the number of their own, but for one stage of each trial.
fn relay() -> Listing {
    let mut replies = Vec::new();
    for trial in Trial::all() {
        let mut when = serde_json::Map::new();
        when.insert("trial".to_owned(), json!(trial.number()));
        when.insert("stage".to_owned(), json!(trial.at));
        let whole = Reply { when, times: None, value: None, error: None, status: None };
        if trial.is_refused {
            let mut mended = whole.clone();
            mended.when.insert("lane".to_owned(), json!("inner"));
            replies.push(Reply { value: Some(baton(trial.at)), ..mended });
            replies.push(Reply { error: Some("the outer lane is closed".to_owned()), ..whole });
        } else {
            replies.push(Reply { status: Some(503), times: Some(1), ..whole });
        }
    }
    for stage in 1..=CALLS {
        let when = serde_json::Map::from_iter([("stage".to_owned(), json!(stage))]);
        replies.push(Reply { when, times: None, value: Some(baton(stage)), error: None, status: None });
    }
    let input = json!({
        "type": "object",
        "properties": {
            "trial": {"type": "integer"},
            "stage": {"type": "integer"},
            "baton": {"type": "integer"},
            "lane": {"type": "string", "enum": ["inner", "outer"]},
        },
        "required": ["trial", "stage", "baton"],
    });
    let output = json!({
        "type": "object", "properties": {"baton": {"type": "integer"}}, "required": ["baton"]
    });
    let method = Method {
        name: "run_stage".to_owned(),
        description: "Runs one stage of the relay of a trial and hands on the baton.".to_owned(),
        input: input.to_string(),
        output: Some(output.to_string()),
        replies,
    };
    Listing { name: "Relay".to_owned(), methods: vec![method] }
}

fn baton(stage: usize) -> String {
    json!({"baton": stage}).to_string()
}

/// Writes the program of the trial that it is asked about, and mends it when it is told what went wrong.
fn planner(asked: &Asked) -> Line {
    let told = asked.told();
    let trial = Trial::all().find(|trial| told.contains(&trial.question())).unwrap();
    let is_mended = told.contains("the outer lane is closed");
    let reply = json!({
        "outcome": "program", "source": trial.program(is_mended), "primary": "relay.run_stage", "dimension": null,
        "measures": ["baton"], "assumptions": [], "missing": [], "reason": ""
    });
    Line::Say(reply.to_string())
}

async fn asked(server: &Server, trial: Trial) -> (Trial, Value) {
    let body = json!({
        "query": trial.question(),
        "tools": [domain::ListingId::of_name("Relay").to_string()],
        "queryDepth": "fast",
        "responseShape": "answer_with_evidence",
        "includeData": true,
        "includeDeveloperTrace": true,
    });
    let (status, result) = json(server.post("/api/v1/query", body).await).await;
    assert_eq!(status, 200, "{result}");
    (trial, result)
}

/// Every trial at once, on one server.
async fn check(mode: &str) {
    let upstream = Scripted::start(vec![relay()]).await;
    let planner = ModelServer::directed(planner);
    let setup = Setup::bare()
        .policy_file("models.toml", &models::policy_of(&[("plan", "planner", &planner)]))
        .policy_file("sandbox.toml", &sandbox(&[("mode", mode)]));
    setup.lists(&upstream.config());
    let config = setup.path("mcp.json");
    let server = setup.argument("--mcp-config").argument(config.to_str().unwrap()).start().await;
    let results = join_all(Trial::all().map(|trial| asked(&server, trial))).await;
    let mut due = BTreeMap::new();
    for (trial, result) in results {
        let what = format!("{mode}, call {}, refused: {}", trial.at, trial.is_refused);
        assert_eq!(result["data"], json!({"baton": CALLS}), "{what}: {result}");
        assert_eq!(result["stopReason"], "complete_answer", "{what}: {result}");
        assert_eq!(result["issueClass"], Value::Null, "{what}: {result}");
        let actions = json!(["inspect_current_grounding", "patch_current_program", "return_complete_answer"]);
        assert_eq!(result["actionsTaken"], actions, "{what}: {result}");
        let trace = &result["developerTrace"];
        let events = &trace["diagnostics"]["completeness"]["repairEvents"];
        let outcome = if trial.is_refused { "patched" } else { "attempted" };
        assert_eq!(
            (&events[0]["outcome"], &events[0]["strategy"]),
            (&json!(outcome), &json!("patch")),
            "{what}"
        );
        assert_eq!(events.as_array().map(Vec::len), Some(1), "{what}");
        let lineage = &trace["executionProgram"];
        let patches = u64::from(trial.is_refused);
        assert_eq!(
            (lineage["patchCount"].as_u64(), lineage["replanCount"].as_u64()),
            (Some(patches), Some(0)),
            "{what}"
        );
        assert_eq!(result["grounding"]["toolCallSuccessCount"], CALLS, "{what}: {}", result["grounding"]);
        due.extend(trial.due());
    }
    assert_eq!(upstream.calls(), due, "{mode}");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_call_of_a_mended_program_is_made_twice_in_workers() {
    check("\"workers\"").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_call_of_a_mended_program_is_made_twice_in_process() {
    check("\"in-process\"").await;
}

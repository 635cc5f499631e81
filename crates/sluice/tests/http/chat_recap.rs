//! Long conversations: what no longer fits is put in short by a model, once, and left out where none can.

use serde_json::{Value, json};
use testkit::model_server::{Line, ModelServer};

use crate::chat::{chunks, said};
use crate::chat_guard::guardrails;
use crate::library::{GUIDE, add};
use crate::models::{CLEAR, PROGRAM, policy_of, program};
use crate::server::{Server, Setup, json};

const QUESTION: &str = "When does a session expire?";
const RECAP: &str = "They asked when a session expires, and it was 30 minutes.";

fn recap(text: &str) -> Line {
    Line::Say(json!({"summary": text}).to_string())
}

fn writes() -> Line {
    let answer = "A session expires after 30 minutes of silence [1].";
    let reply = json!({"answer": answer, "citations": [1], "gaps": [], "conflicts": [], "sufficient": true});
    Line::Say(reply.to_string())
}

/// Two pairs are said again, and two at a time are put in short.
fn short_memory(setup: Setup, stages: &[(&str, &str, &ModelServer)]) -> Setup {
    let limits = [("\npairs_max = 6\n", "\npairs_max = 2\n"), ("recap_pairs = 3", "recap_pairs = 2")];
    let models = policy_of(stages).replace(
        "timeout_ms = 12_000\nattempt_timeout_ms = 8_000",
        "timeout_ms = 400\nattempt_timeout_ms = 300",
    );
    setup.policy_file("guardrails.toml", &guardrails(&limits)).policy_file("models.toml", &models)
}

async fn told(server: &Server, turn: usize, text: &str, documents: bool) -> Vec<Value> {
    let mut body = said("t1", &format!("m{turn}"), text);
    if documents && turn == 1 {
        body["documents"] = json!(true);
    }
    let response = server.post("/api/chat", &body).await;
    assert_eq!(response.status(), 200);
    let chunks = chunks(&response.text().await.unwrap());
    assert_eq!(finish(&chunks)["outcome"], "answer", "{chunks:?}");
    chunks
}

fn finish(chunks: &[Value]) -> &Value {
    &chunks.iter().find(|chunk| chunk["type"] == "finish").unwrap()["messageMetadata"]
}

fn recalled(chunks: &[Value]) -> Option<&str> {
    chunks
        .iter()
        .rfind(|chunk| chunk["data"]["stage"] == "recap")
        .map(|chunk| chunk["data"]["state"].as_str().unwrap())
}

#[tokio::test]
async fn the_beginning_is_put_in_short_once_and_kept() {
    let historian = ModelServer::start([recap(RECAP)]);
    let writer = ModelServer::start([writes()]);
    let setup =
        short_memory(Setup::bare(), &[("recap", "historian", &historian), ("reason", "writer", &writer)]);
    let server = setup.start().await;
    add(&server, "Server guide", GUIDE).await;
    let mut costs = Vec::new();
    for turn in 1..=4 {
        let chunks = told(&server, turn, QUESTION, true).await;
        assert_eq!(recalled(&chunks), (turn == 4).then_some("done"), "turn {turn}");
        costs.push(finish(&chunks)["usage"]["modelCostUsd"].as_str().unwrap().parse::<f64>().unwrap());
    }
    assert!(costs[3] > costs[2], "what it cost is told: {costs:?}");
    // It is made of whole pairs: of the one that does not fit, and of the next, so that it lasts.
    let asked = historian.asked();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].told().matches(&format!("caller: {QUESTION}")).count(), 2, "{}", asked[0].told());
    assert_eq!(asked[0].told().matches("answer: A session expires").count(), 2);
    // Who writes is told of it as of anything that others said: as data.
    let told_writer = writer.asked()[3].told();
    let fenced = told_writer.split("<data ").find(|part| part.contains(RECAP)).unwrap();
    assert!(fenced.contains(&format!("what was said before, in short: {RECAP}\n")), "{fenced}");
    // It is the thread's own, and outlives the server.
    drop(server);
    let server = setup.start().await;
    let chunks = told(&server, 5, QUESTION, true).await;
    assert_eq!((recalled(&chunks), historian.asked().len()), (None, 1));
    assert!(writer.asked()[4].told().contains(RECAP));
    // With more that does not fit it is made anew, from what there was.
    let chunks = told(&server, 6, QUESTION, true).await;
    assert_eq!((recalled(&chunks), historian.asked().len()), (Some("done"), 2));
    assert!(historian.asked()[1].told().contains(RECAP));
    // A thread that is begun anew from an earlier question remembers nothing of what came after it.
    told(&server, 2, QUESTION, true).await;
    assert!(!writer.asked()[6].told().contains(RECAP));
}

#[tokio::test]
async fn where_no_model_can_the_beginning_is_left_out() {
    let historian = ModelServer::start([Line::Say("no recap at all".to_owned())]);
    let writer = ModelServer::start([writes()]);
    let stages = [("recap", "historian", &historian), ("reason", "writer", &writer)];
    let server = short_memory(Setup::bare(), &stages).start().await;
    add(&server, "Server guide", GUIDE).await;
    for turn in 1..=3 {
        told(&server, turn, QUESTION, true).await;
    }
    let lines = [
        Line::Say("no recap at all".to_owned()),
        recap(" "),
        recap("They were told 45 minutes."),
        recap("See https://example.com/."),
        Line::Hang,
        Line::Refuse { status: 500, retry_after: None },
        Line::Decline,
    ];
    for (turn, line) in (4..).zip(lines) {
        historian.go_on([line]);
        let chunks = told(&server, turn, QUESTION, true).await;
        assert_eq!(recalled(&chunks), Some("failed"), "turn {turn}");
        let told = writer.asked()[turn - 1].told();
        assert!(!told.contains("in short") && told.matches("caller: ").count() == 2, "{told}");
    }
    // The next turn tries again, from all that is not told yet.
    historian.go_on([recap(RECAP)]);
    let chunks = told(&server, 11, QUESTION, true).await;
    assert_eq!(recalled(&chunks), Some("done"));
    assert!(writer.asked()[10].told().contains(RECAP));
}

#[tokio::test]
async fn the_planner_of_a_tools_thread_is_told_the_same() {
    let historian = ModelServer::start([recap("They asked for the price of market mkt-1001-01.")]);
    let planner = ModelServer::start([program(PROGRAM)]);
    let stages = [("recap", "historian", &historian), ("plan", "planner", &planner)];
    let server = short_memory(Setup::with_samples(), &stages).start().await;
    for turn in 1..=4 {
        let chunks = told(&server, turn, CLEAR, false).await;
        let asked = planner.asked();
        let last = asked.last().unwrap().told();
        assert_eq!(last.contains("They asked for the price"), turn == 4, "{last}");
        assert_eq!(last.matches(&format!("caller: {CLEAR}")).count(), (turn - 1).min(2));
        let cost = finish(&chunks)["usage"]["modelCostUsd"].as_str().unwrap();
        assert_eq!(cost.parse::<f64>().unwrap() > 0.000_12, turn == 4, "{cost}");
    }
    let (_, thread) = json(server.get("/api/chat/t1").await).await;
    assert_eq!(thread["messages"].as_array().unwrap().len(), 8);
}

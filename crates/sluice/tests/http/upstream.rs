//! An MCP server with one method, whose answers can be held back.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// A question that the one method answers.
pub(crate) const QUESTION: &str = "What is the tide level?";

/// A running MCP server, over streamable HTTP.
pub(crate) struct Upstream {
    address: SocketAddr,
    state: Arc<Calls>,
    serving: JoinHandle<()>,
}

struct Calls {
    count: watch::Sender<usize>,
    is_held: watch::Sender<bool>,
    /// What calls carried of the trace that they belong to.
    parents: Mutex<Vec<String>>,
}

impl Upstream {
    /// A server that answers at once.
    pub(crate) async fn start() -> Self {
        let state = Arc::new(Calls {
            count: watch::Sender::new(0),
            is_held: watch::Sender::new(false),
            parents: Mutex::default(),
        });
        let router = Router::new().route("/mcp", post(answer)).with_state(Arc::clone(&state));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let serving = tokio::task::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { address, state, serving }
    }

    /// A server that holds its answers back until it is told to release them.
    pub(crate) async fn holding() -> Self {
        let upstream = Self::start().await;
        upstream.state.is_held.send_replace(true);
        upstream
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// Gives the answers that were held back, and those to come.
    pub(crate) fn release(&self) {
        self.state.is_held.send_replace(false);
    }

    /// Waits until the method was called so many times.
    pub(crate) async fn called(&self, times: usize) {
        self.state.count.subscribe().wait_for(|count| *count >= times).await.unwrap();
    }

    /// The `traceparent` of every call that carried one.
    pub(crate) fn parents(&self) -> Vec<String> {
        self.state.parents.lock().unwrap().clone()
    }

    /// How often the method was called.
    pub(crate) fn calls(&self) -> usize {
        *self.state.count.borrow()
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn answer(State(calls): State<Arc<Calls>>, Json(message): Json<Value>) -> Response {
    let Some(id) = message.get("id") else { return StatusCode::ACCEPTED.into_response() };
    let result = match message["method"].as_str().unwrap_or_default() {
        "initialize" => json!({
            "protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
            "serverInfo": {"name": "harbour", "version": "1"}, "instructions": "Readings of a harbour's gauges."
        }),
        "ping" => json!({}),
        "tools/list" => json!({"tools": [method()]}),
        "tools/call" => {
            let parent = message["params"]["_meta"]["traceparent"].as_str();
            calls.parents.lock().unwrap().extend(parent.map(str::to_owned));
            calls.count.send_modify(|count| *count += 1);
            calls.is_held.subscribe().wait_for(|is_held| !is_held).await.unwrap();
            let reading = json!({"harbour": "Oldport", "tide_level_metres": 3.25});
            json!({"content": [{"type": "text", "text": reading.to_string()}], "structuredContent": reading})
        }
        _ => {
            let error = json!({"code": -32601, "message": "method not found"});
            return Json(json!({"jsonrpc": "2.0", "id": id, "error": error})).into_response();
        }
    };
    Json(json!({"jsonrpc": "2.0", "id": id, "result": result})).into_response()
}

fn method() -> Value {
    json!({
        "name": "get_tide_level",
        "description": "The tide level of the harbour, in metres.",
        "inputSchema": {"type": "object", "properties": {}},
        "outputSchema": {
            "type": "object",
            "properties": {"harbour": {"type": "string"}, "tide_level_metres": {"type": "number"}},
            "required": ["harbour", "tide_level_metres"]
        },
        "annotations": {"readOnlyHint": true},
        "_meta": {"surface": "both", "latencyClass": "fast", "pricing": {"executeUsd": "0.001"}}
    })
}

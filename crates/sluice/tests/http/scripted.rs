//! MCP servers that answer as they are told to, call by call, and count what reaches each of their methods.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// One listing: a server with its methods.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Listing {
    pub(crate) name: String,
    pub(crate) methods: Vec<Method>,
}

/// One method, with what it replies.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Method {
    pub(crate) name: String,
    pub(crate) description: String,
    /// Its input schema, as JSON.
    pub(crate) input: String,
    /// Its output schema, as JSON.
    pub(crate) output: Option<String>,
    /// Tried in order; the first one that a call fits is given.
    #[serde(default)]
    pub(crate) replies: Vec<Reply>,
}

/// What a method replies to some calls.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reply {
    /// Arguments that the call has; any others may stand beside them.
    #[serde(default)]
    pub(crate) when: Map<String, Value>,
    /// How often it is given; then the next one has its turn.
    pub(crate) times: Option<usize>,
    /// A result, as JSON. `{ago N}` in it is the time N minutes before the call.
    pub(crate) value: Option<String>,
    /// What went wrong, in the method's own words.
    pub(crate) error: Option<String>,
    /// An HTTP status in the place of an answer: the call does not reach the method.
    pub(crate) status: Option<u16>,
}

/// Running servers, one for each listing.
pub(crate) struct Scripted {
    address: SocketAddr,
    state: Arc<Stage>,
    serving: JoinHandle<()>,
}

struct Stage {
    listings: Vec<Listing>,
    /// How often each reply was given.
    given: Mutex<BTreeMap<(usize, usize, usize), usize>>,
    /// How often each method was reached with which arguments.
    calls: Mutex<BTreeMap<String, usize>>,
}

impl Scripted {
    pub(crate) async fn start(listings: Vec<Listing>) -> Self {
        let state = Arc::new(Stage { listings, given: Mutex::default(), calls: Mutex::default() });
        let router = Router::new().route("/{listing}/mcp", post(answer)).with_state(Arc::clone(&state));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let serving = tokio::task::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { address, state, serving }
    }

    /// The servers as a configuration names them.
    pub(crate) fn config(&self) -> Value {
        let named = self.state.listings.iter().enumerate().map(|(place, listing)| {
            let url = format!("http://{}/{place}/mcp", self.address);
            (listing.name.clone(), json!({"url": url}))
        });
        Value::Object(named.collect())
    }

    /// How often each method was reached with which arguments: `name {"argument":1}`.
    pub(crate) fn calls(&self) -> BTreeMap<String, usize> {
        self.state.calls.lock().unwrap().clone()
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn answer(
    State(stage): State<Arc<Stage>>,
    Path(place): Path<usize>,
    Json(message): Json<Value>,
) -> Response {
    let Some(id) = message.get("id") else { return StatusCode::ACCEPTED.into_response() };
    let listing = &stage.listings[place];
    let result = match message["method"].as_str().unwrap_or_default() {
        "initialize" => json!({
            "protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
            "serverInfo": {"name": listing.name, "version": "1"}
        }),
        "ping" => json!({}),
        "tools/list" => json!({"tools": listing.methods.iter().map(Method::listed).collect::<Vec<_>>()}),
        "tools/call" => match stage.call(place, &message["params"]) {
            Ok(result) => result,
            Err(status) => return status.into_response(),
        },
        _ => {
            let error = json!({"code": -32601, "message": "method not found"});
            return Json(json!({"jsonrpc": "2.0", "id": id, "error": error})).into_response();
        }
    };
    Json(json!({"jsonrpc": "2.0", "id": id, "result": result})).into_response()
}

impl Method {
    fn listed(&self) -> Value {
        let mut listed = json!({
            "name": self.name,
            "description": self.description,
            "inputSchema": parsed(&self.input),
            "annotations": {"readOnlyHint": true},
            "_meta": {"surface": "both", "latencyClass": "fast", "pricing": {"executeUsd": "0.001"}}
        });
        if let Some(output) = &self.output {
            listed["outputSchema"] = parsed(output);
        }
        listed
    }
}

impl Stage {
    /// What a call gives, or the status that it is turned away with.
    fn call(&self, place: usize, params: &Value) -> Result<Value, StatusCode> {
        let arguments = params["arguments"].as_object().cloned().unwrap_or_default();
        let methods = &self.listings[place].methods;
        let at = methods.iter().position(|method| params["name"] == method.name.as_str()).unwrap();
        let method = &methods[at];
        let fits = |reply: &Reply| reply.when.iter().all(|(name, value)| arguments.get(name) == Some(value));
        let reply = {
            let mut given = self.given.lock().unwrap();
            let mut replies = method.replies.iter().enumerate().filter(|(_, reply)| fits(reply));
            let next = replies.find(|(turn, reply)| {
                reply.times.is_none_or(|times| given.get(&(place, at, *turn)).copied().unwrap_or(0) < times)
            });
            next.map(|(turn, reply)| {
                *given.entry((place, at, turn)).or_default() += 1;
                reply.clone()
            })
        };
        let Some(reply) = reply else { panic!("{} has no reply to {arguments:?}", method.name) };
        if let Some(status) = reply.status {
            return Err(StatusCode::from_u16(status).unwrap());
        }
        let told = format!("{} {}", method.name, Value::Object(arguments));
        *self.calls.lock().unwrap().entry(told).or_default() += 1;
        if let Some(error) = reply.error {
            return Ok(json!({"content": [{"type": "text", "text": error}], "isError": true}));
        }
        let text = dated(&reply.value.unwrap());
        let value = parsed(&text);
        Ok(json!({"content": [{"type": "text", "text": text}], "structuredContent": value}))
    }
}

/// The text with its ages as times.
fn dated(text: &str) -> String {
    let mut parts = text.split("{ago ");
    let mut dated = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (minutes, rest) = part.split_once('}').unwrap();
        let at = Timestamp::now() - SignedDuration::from_mins(minutes.parse().unwrap());
        dated.push_str(&at.to_string());
        dated.push_str(rest);
    }
    dated
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

//! The misbehaving server over streamable HTTP on loopback, with sessions as servers of the TypeScript SDK keep them.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use futures::StreamExt;
use futures::channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

use super::server::{Act, Quirk, Server};

const SESSION: &str = "mcp-session-id";
const SHUTDOWN: Duration = Duration::from_secs(5);

/// Tells the sessions of all servers of a process apart, so that a restarted one knows none of before.
static SESSIONS: AtomicUsize = AtomicUsize::new(1);

/// A running server. Its connections live on a runtime of its own, so that stopping it cuts them all.
pub struct Http {
    address: SocketAddr,
    quirks: Vec<Quirk>,
    runtime: Option<Runtime>,
}

impl Http {
    /// Starts a server on a free port of loopback.
    ///
    /// # Panics
    ///
    /// Where there is no port or thread to be had.
    #[must_use]
    pub fn start(quirks: &[Quirk]) -> Self {
        let (address, runtime) = serve(SocketAddr::from(([127, 0, 0, 1], 0)), quirks);
        Self { address, quirks: quirks.to_vec(), runtime: Some(runtime) }
    }

    /// The endpoint.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// Stops the server and cuts its connections.
    pub fn stop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // A runtime may not be ended from within another one.
            let ended = thread::spawn(move || runtime.shutdown_timeout(SHUTDOWN)).join();
            assert!(ended.is_ok(), "the server's runtime ends");
        }
    }

    /// Stops the server and starts it anew on the same port, without a memory.
    pub fn restart(&mut self) {
        self.stop();
        self.runtime = Some(serve(self.address, &self.quirks).1);
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

#[expect(clippy::expect_used, reason = "a test without a server is broken")]
fn serve(address: SocketAddr, quirks: &[Quirk]) -> (SocketAddr, Runtime) {
    let state = Arc::new(Mutex::new(Served::new(quirks)));
    let start = move || {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
        let listener = runtime.block_on(TcpListener::bind(address)).expect("a port");
        let address = listener.local_addr().expect("an address");
        let routes = Router::new().route("/mcp", post(answer).delete(end)).with_state(state);
        runtime.spawn(async move { axum::serve(listener, routes).await });
        (address, runtime)
    };
    // The caller may be on a runtime, which may not block on another one.
    thread::spawn(start).join().expect("a server")
}

type Shared = Arc<Mutex<Served>>;

/// A server with the requests that wait for its answers.
struct Served {
    server: Server,
    session: Option<String>,
    waiting: BTreeMap<String, UnboundedSender<Act>>,
}

impl Served {
    fn new(quirks: &[Quirk]) -> Self {
        Self { server: Server::new(quirks), session: None, waiting: BTreeMap::new() }
    }

    /// Takes one message in; gives what its sender is to be sent.
    fn receive(&mut self, message: &Value) -> UnboundedReceiver<Act> {
        let (sender, receiver) = unbounded();
        if !message["id"].is_null() {
            self.waiting.insert(message["id"].to_string(), sender.clone());
        }
        for act in self.server.receive(message) {
            let to = match &act {
                Act::Send(sent) => self.waiting.remove(&sent["id"].to_string()),
                Act::SendGarbage(_) | Act::Die => self.waiting.remove(&message["id"].to_string()),
            };
            let _ = to.unwrap_or_else(|| sender.clone()).unbounded_send(act);
        }
        receiver
    }
}

async fn answer(State(shared): State<Shared>, headers: HeaderMap, body: Bytes) -> Response {
    let Ok(message) = serde_json::from_slice::<Value>(&body) else { return refuse("Parse error") };
    let (acts, plain, session) = {
        let mut served = shared.lock().unwrap_or_else(PoisonError::into_inner);
        let method = message["method"].as_str().unwrap_or_default();
        if method == "initialize" {
            served.session = Some(format!("session-{}", SESSIONS.fetch_add(1, Ordering::Relaxed)));
        } else if method != "server/discover" {
            let known = headers.get(SESSION).and_then(|value| value.to_str().ok());
            if known.is_none() || known != served.session.as_deref() {
                return refuse("Bad Request: No valid session ID provided");
            }
        }
        (
            served.receive(&message),
            served.server.has(Quirk::PlainJson),
            served.session.clone().unwrap_or_default(),
        )
    };
    if message["id"].is_null() {
        return StatusCode::ACCEPTED.into_response();
    }
    let body = if plain { plain_json(acts).await } else { events(acts) };
    let kind = if plain { "application/json" } else { "text/event-stream" };
    ([(header::CONTENT_TYPE, kind), (header::HeaderName::from_static(SESSION), session.as_str())], body)
        .into_response()
}

async fn end(State(shared): State<Shared>) -> StatusCode {
    shared.lock().unwrap_or_else(PoisonError::into_inner).session = None;
    StatusCode::OK
}

/// As servers of the TypeScript SDK refuse: with an error that names no request.
fn refuse(message: &str) -> Response {
    let body = json!({"jsonrpc": "2.0", "error": {"code": -32000, "message": message}, "id": null});
    (StatusCode::BAD_REQUEST, [(header::CONTENT_TYPE, "application/json")], body.to_string()).into_response()
}

/// One event an act; the last one is the answer. Dying breaks the connection.
fn events(acts: UnboundedReceiver<Act>) -> Body {
    Body::from_stream(acts.map(|act| match act {
        Act::Send(message) => Ok(format!("data: {message}\n\n")),
        Act::SendGarbage(text) => Ok(format!("data: {text}\n\n")),
        Act::Die => Err(io::Error::other("died")),
    }))
}

/// The answer alone, once it is there.
async fn plain_json(mut acts: UnboundedReceiver<Act>) -> Body {
    while let Some(act) = acts.next().await {
        match act {
            Act::Send(message) if message["id"].is_null() => {}
            Act::Send(message) => return Body::from(message.to_string()),
            Act::SendGarbage(text) => return Body::from(text),
            Act::Die => break,
        }
    }
    Body::from_stream(futures::stream::iter([Err::<String, _>(io::Error::other("died"))]))
}

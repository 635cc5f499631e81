//! A model server that says what it is told to, over real HTTP on loopback: chat completions, messages and embeddings, whole
//! and streamed, with every fault that real endpoints have.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;

mod embed;
mod wire;

pub use embed::Meanings;

/// What the server does with one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Replies with this text.
    Say(String),
    /// Replies with what the fenced data of the prompt tells it to, behind [`ORDER`]: a model that obeys everybody.
    Obey,
    /// Refuses with a status, and says when to come back where that is given.
    Refuse {
        /// The status.
        status: u16,
        /// The header's text.
        retry_after: Option<String>,
    },
    /// Takes the request and never answers.
    Hang,
    /// Replies with this text so slowly that nobody waits for its end.
    Drip(String),
    /// Replies with the first text, and with the second once [`ModelServer::release`] lets it.
    Wait(String, String),
    /// Breaks the connection in the middle of this text.
    Break(String),
    /// Sends something that is no JSON.
    Garble,
    /// Declines, in the dialect's own form.
    Decline,
    /// Replies with this text, cut off at the bound on its tokens.
    Exhaust(String),
    /// Replies with this text ten times over, whatever the bound on its tokens.
    Repeat(String),
    /// Replies with vectors of the texts.
    Embed(Meanings),
}

/// What stands before the order that [`Line::Obey`] obeys, up to the end of its line.
pub const ORDER: &str = "OBEY: ";

/// One request that came in.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Its path.
    pub path: String,
    /// The key that it brought.
    pub key: Option<String>,
    /// The trace that it belongs to, in the words of W3C.
    pub traceparent: Option<String>,
    /// Its body.
    pub body: Value,
}

impl Asked {
    /// Everything that the model was told, one text after the other.
    #[must_use]
    pub fn told(&self) -> String {
        let system = self.body["system"].as_str();
        let messages = self.body["messages"].as_array().into_iter().flatten();
        system
            .into_iter()
            .chain(messages.filter_map(|it| it["content"].as_str()))
            .collect::<Vec<_>>()
            .join("\n")
    }
}

/// A running server. Its connections live on a runtime of their own, which ends with it.
pub struct ModelServer {
    address: SocketAddr,
    stage: Arc<Mutex<Stage>>,
    gate: Arc<Semaphore>,
    runtime: Option<Runtime>,
}

/// The lines that are left or the director of them, and what was asked.
struct Stage {
    script: Script,
    asked: Vec<Asked>,
    gate: Arc<Semaphore>,
}

enum Script {
    Lines(VecDeque<Line>),
    Director(Box<dyn FnMut(&Asked) -> Line + Send>),
}

impl ModelServer {
    /// Starts a server that does with each request what the next line says; with those after the last line, what the last
    /// one says.
    ///
    /// # Panics
    ///
    /// Where there is no port or thread to be had.
    #[must_use]
    pub fn start(lines: impl IntoIterator<Item = Line>) -> Self {
        Self::serving(Script::Lines(lines.into_iter().collect()))
    }

    /// Starts a server that does with each request what `director` says.
    ///
    /// # Panics
    ///
    /// Where there is no port or thread to be had.
    #[must_use]
    pub fn directed(director: impl FnMut(&Asked) -> Line + Send + 'static) -> Self {
        Self::serving(Script::Director(Box::new(director)))
    }

    #[expect(clippy::expect_used, reason = "a test without a server is broken")]
    fn serving(script: Script) -> Self {
        let gate = Arc::new(Semaphore::new(0));
        let stage = Stage { script, asked: Vec::new(), gate: Arc::clone(&gate) };
        let stage = Arc::new(Mutex::new(stage));
        let shared = Arc::clone(&stage);
        let start = move || {
            let runtime =
                Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
            let any = SocketAddr::from(([127, 0, 0, 1], 0));
            let listener = runtime.block_on(TcpListener::bind(any)).expect("a port");
            let address = listener.local_addr().expect("an address");
            let routes = Router::new().fallback(answer).with_state(shared);
            runtime.spawn(async move { axum::serve(listener, routes).await });
            (address, runtime)
        };
        // The caller may be on a runtime, which may not block on another one.
        let (address, runtime) = thread::spawn(start).join().expect("a server");
        Self { address, stage, gate, runtime: Some(runtime) }
    }

    /// The address that a policy names.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Does from the next request on what these lines say.
    pub fn go_on(&self, lines: impl IntoIterator<Item = Line>) {
        lock(&self.stage).script = Script::Lines(lines.into_iter().collect());
    }

    /// Lets one reply that waits go on.
    pub fn release(&self) {
        self.gate.add_permits(1);
    }

    /// The requests so far.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        lock(&self.stage).asked.clone()
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn lock(stage: &Mutex<Stage>) -> MutexGuard<'_, Stage> {
    stage.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn answer(
    State(stage): State<Arc<Mutex<Stage>>>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let Ok(body) = serde_json::from_slice::<Value>(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let (line, gate) = {
        let mut stage = lock(&stage);
        let Stage { script, asked, gate } = &mut *stage;
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let key = text("x-api-key").or_else(|| text("authorization"));
        let traceparent = text("traceparent");
        let request = Asked { path: uri.path().to_owned(), key, traceparent, body: body.clone() };
        let next = match script {
            Script::Lines(lines) if lines.len() > 1 => lines.pop_front(),
            Script::Lines(lines) => lines.front().cloned(),
            Script::Director(director) => Some(director(&request)),
        };
        asked.push(request);
        (next.unwrap_or(Line::Refuse { status: 500, retry_after: None }), Arc::clone(gate))
    };
    let wire = wire::Wire::of(uri.path(), &body);
    match line {
        Line::Say(text) => wire.reply(&text, wire::End::Done),
        Line::Obey => wire.reply(&order(&body), wire::End::Done),
        Line::Exhaust(text) => wire.reply(&text, wire::End::Length),
        Line::Repeat(text) => wire.reply(&text.repeat(10), wire::End::Done),
        Line::Decline => wire.reply("I cannot help with that.", wire::End::Declined),
        Line::Refuse { status, retry_after } => refuse(status, retry_after.as_deref()),
        Line::Hang => std::future::pending().await,
        Line::Drip(text) => wire.slowly(&text),
        Line::Wait(first, rest) => wire.waiting(&first, &rest, gate),
        Line::Break(text) => wire.broken(&text),
        Line::Garble => wire.garbled(),
        Line::Embed(meanings) => embed::reply(&meanings, &body).unwrap_or_else(|| refuse(400, None)),
    }
}

fn refuse(status: u16, retry_after: Option<&str>) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, Body::from(r#"{"error": {"message": "no"}}"#)).into_response();
    if let Some(value) = retry_after.and_then(|text| text.parse().ok()) {
        response.headers_mut().insert(header::RETRY_AFTER, value);
    }
    response
}

/// What the prompt's data orders; nothing where it orders nothing. Data that comes as JSON is read as such.
fn order(body: &Value) -> String {
    let messages = body["messages"].as_array();
    let mut told = messages.into_iter().flatten().rev().filter_map(|message| message["content"].as_str());
    let Some((_, rest)) = told.find_map(|text| text.split_once(ORDER)) else { return String::new() };
    let line = rest.lines().next().unwrap_or_default();
    let escaped = line.split("\\n").next().unwrap_or(line);
    serde_json::from_str(&format!("\"{escaped}\"")).unwrap_or_else(|_| line.to_owned())
}

//! The server without its transport: messages in, messages and mishaps out.

use std::str::FromStr;

use serde_json::{Value, json};

use super::tools::{BIG_BYTES, FLOOD, list};

/// A lasting oddity of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quirk {
    /// Speaks the revision 2026-07-28, where notifications are subscribed to. Not over HTTP.
    Modern,
    /// Answers discovery with `{}`, as some old servers do.
    EmptyDiscovery,
    /// Never answers a handshake.
    NoHandshake,
    /// Its `tools/list` never ends.
    EndlessPages,
    /// One of its tools has a schema that cannot be compiled.
    BadSchema,
    /// Answers HTTP requests with plain JSON instead of event streams.
    PlainJson,
}

impl Quirk {
    const ALL: [(&str, Self); 6] = [
        ("modern", Self::Modern),
        ("empty-discovery", Self::EmptyDiscovery),
        ("no-handshake", Self::NoHandshake),
        ("endless-pages", Self::EndlessPages),
        ("bad-schema", Self::BadSchema),
        ("plain-json", Self::PlainJson),
    ];

    /// Its name on the command line.
    #[must_use]
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(_, quirk)| *quirk == self).map_or("", |(word, _)| word)
    }
}

/// A text that names no quirk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoQuirk;

impl FromStr for Quirk {
    type Err = NoQuirk;

    fn from_str(text: &str) -> Result<Self, NoQuirk> {
        Self::ALL.iter().find(|(word, _)| *word == text).map(|(_, quirk)| *quirk).ok_or(NoQuirk)
    }
}

/// What a server does.
pub(super) enum Act {
    /// Sends a message.
    Send(Value),
    /// Sends what is no JSON; the text names the request or does not.
    SendGarbage(String),
    /// Ends at once.
    Die,
}

/// The state of one server.
pub(super) struct Server {
    quirks: Vec<Quirk>,
    added: usize,
    waiting: Vec<Value>,
    cancellations: usize,
    awaiting_cancellation: Vec<Value>,
    subscription: Option<Value>,
}

impl Server {
    pub(super) fn new(quirks: &[Quirk]) -> Self {
        Self {
            quirks: quirks.to_vec(),
            added: 0,
            waiting: Vec::new(),
            cancellations: 0,
            awaiting_cancellation: Vec::new(),
            subscription: None,
        }
    }

    pub(super) fn has(&self, quirk: Quirk) -> bool {
        self.quirks.contains(&quirk)
    }

    /// Takes one message in; says what to do, in order.
    pub(super) fn receive(&mut self, message: &Value) -> Vec<Act> {
        let method = message["method"].as_str().unwrap_or_default();
        let id = message["id"].clone();
        match method {
            "notifications/cancelled" => self.count_cancellation(),
            _ if id.is_null() || method.is_empty() => Vec::new(),
            "initialize" | "server/discover" if self.has(Quirk::NoHandshake) => Vec::new(),
            "initialize" => vec![answer(&id, &welcome(&message["params"]["protocolVersion"]))],
            "server/discover" if self.has(Quirk::EmptyDiscovery) => vec![answer(&id, &json!({}))],
            "server/discover" if self.has(Quirk::Modern) => vec![answer(&id, &discovery())],
            "subscriptions/listen" if self.has(Quirk::Modern) => self.subscribe(id),
            "ping" => vec![answer(&id, &json!({}))],
            "tools/list" => vec![answer(&id, &self.page())],
            "tools/call" => self.call(&id, &message["params"]),
            _ => {
                vec![Act::Send(
                    json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "no such method"}}),
                )]
            }
        }
    }

    fn page(&self) -> Value {
        let mut page = json!({"tools": list(self.added, self.has(Quirk::BadSchema))});
        if self.has(Quirk::EndlessPages) {
            page = json!({"tools": [], "nextCursor": "more"});
        }
        page
    }

    fn call(&mut self, id: &Value, params: &Value) -> Vec<Act> {
        match params["name"].as_str().unwrap_or_default() {
            "hang" => Vec::new(),
            "slow" => {
                self.waiting.push(id.clone());
                Vec::new()
            }
            "release" => {
                let waiting = std::mem::take(&mut self.waiting);
                waiting.iter().chain([id]).map(|id| answer(id, &structured(&json!({"value": 1})))).collect()
            }
            "cancelled" => {
                self.awaiting_cancellation.push(id.clone());
                self.answer_cancellations()
            }
            "die" => vec![Act::Die],
            "invalid_json" => {
                vec![Act::SendGarbage(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":["#))]
            }
            "gibberish" => vec![Act::SendGarbage("<html>503</html>".to_owned())],
            "breaks_schema" => vec![answer(id, &structured(&json!({"value": "seven"})))],
            "no_result" => vec![answer(id, &json!("done"))],
            "big" => vec![answer(id, &text(&"x".repeat(BIG_BYTES)))],
            "flood" => flood(id),
            "is_error" => {
                let mut failed = text(&format!("no such market: {}", "very ".repeat(500)));
                failed["isError"] = json!(true);
                vec![answer(id, &failed)]
            }
            "needs_signature" => {
                let action = json!({"_action": "signature_request", "domain": {}, "message": {}});
                vec![answer(id, &structured(&json!({"_meta": {"handshakeAction": action}})))]
            }
            "needs_input" => vec![answer(id, &json!({"resultType": "input_required", "requestState": "1"}))],
            "changes" => {
                self.added += 1;
                vec![Act::Send(self.list_changed()), answer(id, &structured(&json!({"value": self.added})))]
            }
            "echo" => vec![answer(id, &text(params["arguments"]["text"].as_str().unwrap_or_default()))],
            "pid" => vec![answer(id, &structured(&json!({"value": std::process::id()})))],
            _ => vec![answer(id, &structured(&json!({"value": 7})))],
        }
    }

    fn subscribe(&mut self, id: Value) -> Vec<Act> {
        let params = json!({"_meta": {SUBSCRIPTION: id}, "notifications": {"toolsListChanged": true}});
        self.subscription = Some(id);
        vec![Act::Send(
            json!({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": params}),
        )]
    }

    fn list_changed(&self) -> Value {
        let mut notification = list_changed();
        if let Some(id) = &self.subscription {
            notification["params"] = json!({"_meta": {SUBSCRIPTION: id}});
        }
        notification
    }

    fn count_cancellation(&mut self) -> Vec<Act> {
        self.cancellations += 1;
        self.answer_cancellations()
    }

    fn answer_cancellations(&mut self) -> Vec<Act> {
        if self.cancellations == 0 {
            return Vec::new();
        }
        let asked = std::mem::take(&mut self.awaiting_cancellation);
        asked.iter().map(|id| answer(id, &structured(&json!({"value": self.cancellations})))).collect()
    }
}

const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

fn discovery() -> Value {
    json!({
        "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {"listChanged": true}},
        "instructions": "Misbehaves on request.", "ttlMs": 0, "cacheScope": "private"
    })
}

fn welcome(version: &Value) -> Value {
    json!({
        "protocolVersion": version, "capabilities": {"tools": {"listChanged": true}},
        "serverInfo": {"name": "misbehaving", "version": "0"}, "instructions": "Misbehaves on request."
    })
}

fn flood(id: &Value) -> Vec<Act> {
    let progress = |number: usize| {
        let params = json!({"progressToken": 1, "progress": number, "message": "still at it"});
        json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
    };
    let chatter = (0..FLOOD).flat_map(|number| [progress(number), list_changed()]);
    chatter.map(Act::Send).chain([answer(id, &structured(&json!({"value": FLOOD})))]).collect()
}

fn list_changed() -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
}

fn answer(id: &Value, result: &Value) -> Act {
    Act::Send(json!({"jsonrpc": "2.0", "id": id, "result": result}))
}

fn structured(value: &Value) -> Value {
    json!({"content": [{"type": "text", "text": value.to_string()}], "structuredContent": value})
}

fn text(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

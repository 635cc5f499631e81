//! A reply as each dialect sends it.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures::StreamExt;
use futures::stream::{self, Stream};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

/// How a request wants to be answered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wire {
    is_messages: bool,
    is_streamed: bool,
    is_tool: bool,
}

/// How a reply ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Done,
    Length,
    Declined,
}

/// Between two pieces of a slow reply, and before a connection breaks.
const PAUSE: Duration = Duration::from_millis(30);

const MODEL: &str = "scripted-1";
const INPUT_TOKENS: u64 = 100;
const OUTPUT_TOKENS: u64 = 10;

impl Wire {
    pub(super) fn of(path: &str, body: &Value) -> Self {
        Self {
            is_messages: path.ends_with("/messages"),
            is_streamed: body["stream"] == json!(true),
            is_tool: body.get("tools").is_some(),
        }
    }

    pub(super) fn reply(self, text: &str, end: End) -> Response {
        if !self.is_streamed {
            return axum::Json(self.whole(text, end)).into_response();
        }
        let events: Vec<String> = self.events(text, end);
        events_of(stream::iter(events.into_iter().map(Ok::<_, Infallible>)))
    }

    /// A piece every while, and never the end.
    pub(super) fn slowly(self, text: &str) -> Response {
        let pieces: Vec<String> = if self.is_streamed {
            self.events(text, End::Done)
        } else {
            self.whole(text, End::Done).to_string().chars().map(String::from).collect()
        };
        let last = pieces.len().saturating_sub(LAST_EVENTS);
        let pieces = stream::iter(pieces.into_iter().take(last)).then(|piece| async {
            tokio::time::sleep(PAUSE).await;
            Ok::<_, Infallible>(piece)
        });
        let pieces = pieces.chain(stream::pending());
        if self.is_streamed { events_of(pieces) } else { Body::from_stream(pieces).into_response() }
    }

    /// The first text, and the rest once the gate opens.
    pub(super) fn waiting(self, first: &str, rest: &str, gate: Arc<Semaphore>) -> Response {
        let (begun, mut rest) = if self.is_streamed {
            let mut begun = self.events(first, End::Done);
            begun.truncate(begun.len() - LAST_EVENTS + usize::from(self.is_messages));
            (begun, self.events(rest, End::Done))
        } else {
            (Vec::new(), vec![self.whole(&format!("{first}{rest}"), End::Done).to_string()])
        };
        if self.is_messages && self.is_streamed {
            rest.remove(0);
        }
        let rest = stream::once(async move {
            gate.acquire().await.map_err(io::Error::other)?.forget();
            Ok::<_, io::Error>(rest.concat())
        });
        let pieces = stream::iter(begun.into_iter().map(Ok)).chain(rest);
        if self.is_streamed { events_of(pieces) } else { Body::from_stream(pieces).into_response() }
    }

    /// The first half, and then a broken connection.
    pub(super) fn broken(self, text: &str) -> Response {
        let whole = if self.is_streamed {
            self.events(text, End::Done).concat()
        } else {
            self.whole(text, End::Done).to_string()
        };
        let half: String = whole.chars().take(whole.chars().count() / 2).collect();
        // The half has to be on its way before the connection breaks, or nothing of the reply would arrive.
        let broken = stream::once(async {
            tokio::time::sleep(PAUSE).await;
            Err(io::Error::other("broken"))
        });
        let pieces = stream::iter([Ok(half)]).chain(broken);
        if self.is_streamed { events_of(pieces) } else { Body::from_stream(pieces).into_response() }
    }

    pub(super) fn garbled(self) -> Response {
        if self.is_streamed {
            return events_of(stream::iter([Ok::<_, Infallible>("data: {\"choices\": [\n\n".to_owned())]));
        }
        (StatusCode::OK, [(header::CONTENT_TYPE, "application/json")], "{\"choices\": [").into_response()
    }

    fn whole(self, text: &str, end: End) -> Value {
        if self.is_messages {
            let block = if self.is_tool && end != End::Declined {
                json!({"type": "tool_use", "id": "1", "name": "reply", "input": parsed(text)})
            } else {
                json!({"type": "text", "text": text})
            };
            return json!({
                "type": "message", "role": "assistant", "model": MODEL, "content": [block],
                "stop_reason": messages_end(end), "usage": {"input_tokens": INPUT_TOKENS, "output_tokens": OUTPUT_TOKENS}
            });
        }
        let message = if end == End::Declined {
            json!({"role": "assistant", "content": null, "refusal": text})
        } else if self.is_tool {
            let function = json!({"name": "reply", "arguments": text});
            json!({"role": "assistant", "content": null, "tool_calls": [{"id": "1", "type": "function", "function": function}]})
        } else {
            json!({"role": "assistant", "content": text})
        };
        json!({
            "model": MODEL, "choices": [{"index": 0, "message": message, "finish_reason": completions_end(end)}],
            "usage": {"prompt_tokens": INPUT_TOKENS, "completion_tokens": OUTPUT_TOKENS}
        })
    }

    fn events(self, text: &str, end: End) -> Vec<String> {
        let letters: Vec<char> = text.chars().collect();
        let pieces = letters.chunks(PIECE).map(|piece| piece.iter().collect::<String>());
        if self.is_messages {
            let start = json!({"type": "message_start", "message": {"model": MODEL, "usage": {"input_tokens": INPUT_TOKENS, "output_tokens": 1}}});
            let delta = |piece| json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}});
            let stop = json!({"type": "message_delta", "delta": {"stop_reason": messages_end(end)}, "usage": {"output_tokens": OUTPUT_TOKENS}});
            let events =
                [start].into_iter().chain(pieces.map(delta)).chain([stop, json!({"type": "message_stop"})]);
            return events
                .map(|event| {
                    format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
                })
                .collect();
        }
        let delta =
            |piece: String| json!({"model": MODEL, "choices": [{"index": 0, "delta": {"content": piece}}]});
        let last = if end == End::Declined { json!({"refusal": text}) } else { json!({}) };
        let stop = json!({"choices": [{"index": 0, "delta": last, "finish_reason": completions_end(end)}]});
        let usage = json!({"choices": [], "usage": {"prompt_tokens": INPUT_TOKENS, "completion_tokens": OUTPUT_TOKENS}});
        let events = pieces.map(delta).chain([stop, usage]).map(|event| format!("data: {event}\n\n"));
        events.chain(["data: [DONE]\n\n".to_owned()]).collect()
    }
}

/// Characters of one piece of a streamed text, and the events after the last one.
const PIECE: usize = 7;
const LAST_EVENTS: usize = 3;

fn messages_end(end: End) -> &'static str {
    match end {
        End::Done => "end_turn",
        End::Length => "max_tokens",
        End::Declined => "refusal",
    }
}

fn completions_end(end: End) -> &'static str {
    match end {
        End::Done | End::Declined => "stop",
        End::Length => "length",
    }
}

/// The arguments of a tool are a value; what is no JSON goes as one under a key that no schema has.
fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| json!({"said": text}))
}

fn events_of<E: std::error::Error + Send + Sync + 'static>(
    events: impl Stream<Item = Result<String, E>> + Send + 'static,
) -> Response {
    ([(header::CONTENT_TYPE, "text/event-stream")], Body::from_stream(events)).into_response()
}

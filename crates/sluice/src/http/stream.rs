//! A query's reply as server-sent events.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName};
use axum::response::{IntoResponse, Response};
use contract::error::ErrorCode;
use contract::events::{self, Event};
use contract::result::QueryResult;
use tokio::time::{Interval, MissedTickBehavior};
use tokio_util::sync::DropGuard;

use crate::http::fault::Fault;
use crate::http::flights::Flight;
use crate::http::limits::Place;
use crate::http::progress::Progress;
use crate::to_wire::pieces::pieces;

/// Tells proxies not to hold events back.
const ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// A stream that is about to begin.
pub(crate) struct Stream {
    pub(crate) progress: Progress,
    pub(crate) flight: Flight<QueryResult>,
    /// Whether the answer's text is told piece by piece.
    pub(crate) tells_text: bool,
    /// What ends the run when the reader leaves, and the stream's place.
    #[expect(dead_code, reason = "both are let go of with the stream, and for nothing else")]
    pub(crate) held: (Option<DropGuard>, Place),
}

impl Stream {
    /// The response. Its body ends with `[DONE]`, after exactly one `done` or `error`.
    pub(crate) fn into_response(self, policy: &policy::Server) -> Response {
        let mut heartbeat = tokio::time::interval(Duration::from_millis(policy.heartbeat_ms));
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        heartbeat.reset();
        let delta_chars_max = policy.delta_chars_max;
        let frames = Frames {
            stream: self,
            heartbeat,
            delta_chars_max,
            has_told_text: false,
            deltas: VecDeque::new(),
            stage: Stage::Progress,
        };
        let body = futures::stream::unfold(frames, |mut frames| async {
            frames.next().await.map(|frame| (Ok::<_, Infallible>(frame), frames))
        });
        let headers =
            [(CONTENT_TYPE, "text/event-stream"), (CACHE_CONTROL, "no-cache"), (ACCEL_BUFFERING, "no")];
        (headers, Body::from_stream(body)).into_response()
    }
}

struct Frames {
    stream: Stream,
    heartbeat: Interval,
    delta_chars_max: usize,
    /// Whether the answer's text was told while it was written.
    has_told_text: bool,
    /// What is left of the last piece.
    deltas: VecDeque<String>,
    stage: Stage,
}

enum Stage {
    /// The run tells of itself.
    Progress,
    /// The run is over, its reply is being kept.
    Reply,
    /// What is left to say is known.
    Rest(VecDeque<String>),
}

impl Frames {
    /// The next frame; none at the end.
    async fn next(&mut self) -> Option<String> {
        loop {
            if let Stage::Rest(frames) = &mut self.stage {
                return frames.pop_front();
            }
            if let Some(delta) = self.deltas.pop_front() {
                return Some(events::frame(&Event::TextDelta { delta }));
            }
            let Stream { progress, flight, tells_text, .. } = &mut self.stream;
            if progress.fell_behind() {
                self.stage = Stage::Rest(lagging());
                continue;
            }
            if matches!(self.stage, Stage::Progress) {
                tokio::select! {
                    biased;
                    event = progress.next() => match event {
                        Some(Event::TextDelta { delta }) => {
                            self.heartbeat.reset();
                            self.has_told_text = true;
                            self.deltas.extend(pieces(&delta, self.delta_chars_max));
                        }
                        Some(event) => {
                            self.heartbeat.reset();
                            return Some(events::frame(&event));
                        }
                        None => self.stage = Stage::Reply,
                    },
                    _ = self.heartbeat.tick() => return Some(events::KEEP_ALIVE.to_owned()),
                }
            } else {
                tokio::select! {
                    biased;
                    reply = flight.landed() => {
                        // A stream that joined a run under way has heard nothing of its text.
                        let tells_text = *tells_text && !self.has_told_text;
                        self.stage = Stage::Rest(rest(reply, tells_text, self.delta_chars_max));
                    }
                    _ = self.heartbeat.tick() => return Some(events::KEEP_ALIVE.to_owned()),
                }
            }
        }
    }
}

/// What is said at the end of a run.
fn rest(
    reply: Result<Arc<QueryResult>, Fault>,
    tells_text: bool,
    delta_chars_max: usize,
) -> VecDeque<String> {
    let mut frames = VecDeque::new();
    match reply {
        Err(fault) => {
            let (_, body) = fault.told();
            frames.push_back(events::frame(&Event::error(
                body.code.unwrap_or(ErrorCode::QueryFailed),
                body.error,
            )));
        }
        Ok(result) => {
            let mut result = Box::new(Arc::unwrap_or_clone(result));
            if tells_text {
                let deltas = pieces(&result.response, delta_chars_max).into_iter();
                frames.extend(deltas.map(|delta| events::frame(&Event::TextDelta { delta })));
            }
            // Clients join the traces of a stream, so it is told once: in an event of its own.
            if let Some(trace) = result.developer_trace.take() {
                frames.push_back(events::frame(&Event::DeveloperTrace { trace }));
            }
            frames.push_back(events::frame(&Event::Done { result }));
        }
    }
    frames.push_back(events::DONE.to_owned());
    frames
}

fn lagging() -> VecDeque<String> {
    let words = "the stream was read too slowly (`events_buffered_max`)";
    VecDeque::from([events::frame(&Event::error(ErrorCode::Overloaded, words)), events::DONE.to_owned()])
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;
    use contract::error::ErrorBody;
    use contract::result::Cost;
    use contract::trace::DeveloperTrace;

    use super::*;

    fn kinds(frames: &VecDeque<String>) -> Vec<String> {
        let data = |frame: &String| frame.strip_prefix("data: ").unwrap().trim_end().to_owned();
        let kind = |data: String| match serde_json::from_str::<serde_json::Value>(&data) {
            Ok(event) if event["type"].is_string() => event["type"].as_str().unwrap().to_owned(),
            _ => data,
        };
        frames.iter().map(data).map(kind).collect()
    }

    #[test]
    fn a_trace_is_told_once() {
        let mut result = QueryResult::answer("one two".to_owned(), Vec::new(), Cost::zero(), 1);
        result.developer_trace = Some(Box::new(DeveloperTrace::default()));
        let frames = rest(Ok(Arc::new(result)), true, 4);
        assert_eq!(kinds(&frames), ["text-delta", "text-delta", "developer-trace", "done", "[DONE]"]);
        assert!(!frames[3].contains("developerTrace"), "{}", frames[3]);
    }

    #[test]
    fn evidence_has_no_text_to_tell() {
        let result = QueryResult::answer("one two".to_owned(), Vec::new(), Cost::zero(), 1);
        assert_eq!(kinds(&rest(Ok(Arc::new(result)), false, 4)), ["done", "[DONE]"]);
    }

    #[test]
    fn a_failure_is_one_event_with_its_code() {
        let body = ErrorBody::new(ErrorCode::ToolNotFound, "no tool");
        let frames = rest(Err(Fault::Run(StatusCode::NOT_FOUND, body)), true, 4);
        assert_eq!(
            frames[0],
            "data: {\"type\":\"error\",\"error\":\"no tool\",\"code\":\"tool_not_found\"}\n\n"
        );
        assert_eq!(kinds(&frames), ["error", "[DONE]"]);
    }
}

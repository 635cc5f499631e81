//! A run's stream, from its beginning or from where a reader left it; and its stop.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Path, RawQuery, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use contract::chat::{Chunk, PROTOCOL_HEADER, StopBody, Stopped, Surface, checked_id};
use contract::events;
use store::ThreadKey;
use tokio::sync::watch;
use tokio::time::{Interval, MissedTickBehavior};

use crate::chat::runs::{Reader, Run};
use crate::http::chat::caller::Asker;
use crate::http::chat::refusal::{Documented, Refused};
use crate::http::limits::Place;
use crate::http::{Api, body};

/// Tells proxies not to hold frames back.
const ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// What a reader still has to read of a run.
pub(super) struct Tail {
    run: Arc<Run>,
    told: watch::Receiver<()>,
    after: u64,
    /// What was told before the reader came is told in fewer pieces.
    joins: bool,
    is_over: bool,
    heartbeat: Interval,
    _reader: Reader,
    _place: Place,
}

impl Tail {
    /// What a run tells after number `after`.
    pub(super) fn of(run: &Arc<Run>, after: u64, place: Place, api: &Api) -> Self {
        let mut heartbeat = tokio::time::interval(Duration::from_millis(api.policy().heartbeat_ms));
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        heartbeat.reset();
        let (reader, run, told) = (run.read(), Arc::clone(run), run.listen());
        Self { run, told, after, joins: false, is_over: false, heartbeat, _reader: reader, _place: place }
    }

    pub(super) fn into_response(self) -> Response {
        let body = futures::stream::unfold(self, |mut tail| async {
            tail.next().await.map(|frames| (Ok::<_, Infallible>(frames), tail))
        });
        let (protocol, version) = PROTOCOL_HEADER;
        let headers = [
            (CONTENT_TYPE, "text/event-stream"),
            (CACHE_CONTROL, "no-cache"),
            (ACCEL_BUFFERING, "no"),
            (HeaderName::from_static(protocol), version),
        ];
        (headers, Body::from_stream(body)).into_response()
    }

    /// The next frames; none at the end.
    ///
    /// # Cancel safety
    /// May be dropped and called again.
    async fn next(&mut self) -> Option<String> {
        if self.is_over {
            return None;
        }
        loop {
            self.told.mark_unchanged();
            let (frames, last, is_closed) = self.run.frames(self.after, self.joins);
            self.joins = false;
            self.after = last;
            if is_closed {
                self.is_over = true;
                return Some(frames + events::DONE);
            }
            if !frames.is_empty() {
                self.heartbeat.reset();
                return Some(frames);
            }
            tokio::select! {
                biased;
                changed = self.told.changed() => if changed.is_err() {
                    self.is_over = true;
                    return Some(events::DONE.to_owned());
                },
                _ = self.heartbeat.tick() => return Some(events::KEEP_ALIVE.to_owned()),
            }
        }
    }
}

/// Comes back to a conversation that is being answered.
///
/// Everything is told again, from its beginning; with `Last-Event-ID` or `after` only what came after that number. Of a
/// run that has ended, only the latter is told.
#[utoipa::path(
    get,
    path = "/api/chat/{id}/stream",
    operation_id = "resume_chat",
    tag = "chat",
    params(
        ("id" = String, Path, description = "The conversation."),
        ("after" = Option<u64>, Query, description = "The number of the last frame that was read."),
        ("Last-Event-ID" = Option<u64>, Header, description = "The same.")
    ),
    responses(
        (status = 200, description = "The answer as it comes.", content((Chunk = "text/event-stream"))),
        (status = 204, description = "Nothing is being answered."),
        Documented
    ),
    security((), ("api_key" = []))
)]
pub(super) async fn resume(
    State(api): State<Arc<Api>>,
    Extension(asker): Extension<Asker>,
    Extension(place): Extension<Place>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let on_stream = |refused: Refused| refused.on(Surface::Stream);
    let id = checked_id("id", id).map_err(Refused::body).map_err(on_stream)?;
    let key = ThreadKey { owner: &asker.owner, thread: &id };
    let thread = api.assembly.store.thread(key).await.map_err(Refused::store).map_err(on_stream)?;
    if thread.is_none() {
        return Err(on_stream(Refused::no_thread()));
    }
    let after = after(query.as_deref(), &headers);
    let run = api.assembly.conversations.runs.of_thread((&asker.owner, &id), api.assembly.clock.now());
    match (run, after) {
        (Some((run, _)), Some(after)) => Ok(Tail::of(&run, after, place, &api).into_response()),
        (Some((run, true)), None) => {
            Ok(Tail { joins: true, ..Tail::of(&run, 0, place, &api) }.into_response())
        }
        (Some((_, false)) | None, _) => Ok(StatusCode::NO_CONTENT.into_response()),
    }
}

fn after(query: Option<&str>, headers: &HeaderMap) -> Option<u64> {
    let in_query = query.into_iter().flat_map(|query| query.split('&'));
    let in_query = in_query.filter_map(|pair| pair.split_once('=')).find(|(name, _)| *name == "after");
    let in_header = || headers.get("last-event-id").and_then(|value| value.to_str().ok());
    in_query.map(|(_, value)| value).or_else(in_header)?.trim().parse().ok()
}

/// Stops the answer of a conversation.
///
/// With `runId` that run alone: a late stop leaves a newer one be. Stopping what has ended does nothing.
#[utoipa::path(
    post,
    path = "/api/chat/{id}/stop",
    operation_id = "stop_chat",
    tag = "chat",
    params(("id" = String, Path, description = "The conversation.")),
    request_body(content = StopBody, content_type = "application/json"),
    responses((status = 200, description = "Whether there was something to stop.", body = Stopped), Documented),
    security((), ("api_key" = []))
)]
pub(super) async fn stop(
    State(api): State<Arc<Api>>,
    Extension(asker): Extension<Asker>,
    Path(id): Path<String>,
    body: Body,
) -> Result<Json<Stopped>, Refused> {
    let id = checked_id("id", id).map_err(Refused::body)?;
    let bytes: Bytes = body::read(body, api.policy()).await.map_err(Refused::fault)?.into();
    let wanted = StopBody::parse(&bytes).map_err(Refused::body)?;
    let run = api.assembly.conversations.runs.of_thread((&asker.owner, &id), api.assembly.clock.now());
    let meant =
        run.filter(|(run, is_open)| *is_open && wanted.run_id.as_ref().is_none_or(|id| *id == run.id));
    if let Some((run, _)) = &meant {
        run.cancel.cancel();
    }
    Ok(Json(Stopped { stopped: meant.is_some() }))
}

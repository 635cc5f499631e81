//! `GET /api/v1/traces` and `GET /api/v1/traces/{id}`: a caller's own recorded requests.

use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::{Extension, Json};
use contract::recording::{RecordedEvent, RecordedRequest, RecordedRequests, Recording};
use trace::{Header, Trace};

use crate::http::Api;
use crate::http::auth::Caller;
use crate::http::fault::Fault;
use crate::http::openapi::Refusals;
use crate::to_wire::{count, time};

/// Lists the caller's recorded requests, newest first. There are none where the server does not record.
#[utoipa::path(
    get,
    path = "/api/v1/traces",
    operation_id = "list_traces",
    tag = "traces",
    responses((status = 200, description = "The recorded requests.", body = RecordedRequests), Refusals),
    security(("api_key" = []))
)]
pub(crate) async fn list(
    State(api): State<Arc<Api>>,
    Extension(caller): Extension<Caller>,
) -> Result<Json<RecordedRequests>, Fault> {
    let Some(directory) = directory(&api) else { return Ok(Json(RecordedRequests { traces: Vec::new() })) };
    // Nothing was recorded yet where there is no directory.
    let found = read(move || Ok(trace::list(&directory).unwrap_or_default())).await?;
    let own = found.into_iter().rev().filter(|(_, header)| header.caller == caller.name());
    Ok(Json(RecordedRequests { traces: own.map(|(id, header)| request(id, header)).collect() }))
}

/// Gives one of the caller's recorded requests: what happened, in order.
#[utoipa::path(
    get,
    path = "/api/v1/traces/{id}",
    operation_id = "get_trace",
    tag = "traces",
    params(("id" = String, Path, description = "The `id` that the list names.")),
    responses((status = 200, description = "The recorded request.", body = Recording), Refusals),
    security(("api_key" = []))
)]
pub(crate) async fn get(
    State(api): State<Arc<Api>>,
    Extension(caller): Extension<Caller>,
    id: Result<Path<String>, PathRejection>,
) -> Result<Json<Recording>, Fault> {
    let Path(id) = id.map_err(|_| Fault::NotFound)?;
    // A name of ours has no mark that could lead to another folder.
    let is_name = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let folder = directory(&api).filter(|_| is_name).ok_or(Fault::NotFound)?.join(&id);
    let trace = read(move || Trace::open(&folder).map_err(|_| Fault::NotFound)).await?;
    if trace.header.caller != caller.name() {
        return Err(Fault::NotFound);
    }
    let event =
        |event: trace::ToldEvent| RecordedEvent { at: time(event.at), event: event.name, told: event.told };
    let events = trace.events().map(event).collect();
    Ok(Json(Recording { request: request(id, trace.header.clone()), events }))
}

fn directory(api: &Api) -> Option<PathBuf> {
    api.assembly.recorder().map(|recorder| recorder.directory().to_owned())
}

/// Reads the disk beside the runtime.
async fn read<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Fault> + Send + 'static,
) -> Result<T, Fault> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(Fault::internal(&error, "reading recordings")))
}

fn request(id: String, header: Header) -> RecordedRequest {
    let summary = header.summary;
    RecordedRequest {
        id,
        request_id: header.request,
        query: header.question,
        started_at: time(header.started_at),
        outcome: summary.outcome,
        lane: summary.lane,
        reason_code: summary.reason,
        duration_ms: summary.duration_ms,
        calls: count(summary.calls),
        failed_calls: count(summary.failed_calls),
        model_requests: count(summary.model_requests),
        cost_usd: summary.cost_usd,
        policy_hash: header.policy_hash,
        decisions_hash: summary.decisions,
        can_be_replayed: summary.is_whole,
    }
}

//! `GET /metrics`: what was measured, for Prometheus.

use std::sync::{Arc, Weak};

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use tokio::sync::Semaphore;
use worker::Counts;

use crate::http::Api;
use crate::http::fault::Fault;
use crate::http::openapi::Refusals;
use crate::to_wire::count;
use telemetry::Instruments;
use trace::Recorder;

/// Prometheus' text format.
const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Gives what was measured, in Prometheus' text format.
#[utoipa::path(
    get,
    path = "/metrics",
    operation_id = "scrape_metrics",
    tag = "health",
    responses((status = 200, description = "The metrics.", body = String, content_type = "text/plain"), Refusals),
    security(("api_key" = []))
)]
pub(crate) async fn scrape(State(api): State<Arc<Api>>) -> Result<Response, Fault> {
    let telemetry = api.assembly.telemetry().ok_or(Fault::NotFound)?;
    let text = telemetry.scraped().map_err(|error| Fault::internal(&error, "writing metrics"))?;
    Ok(([(CONTENT_TYPE, TEXT)], text).into_response())
}

/// Measures how full the server's queues are.
pub(crate) fn measure(api: &Arc<Api>) {
    let Some(telemetry) = api.assembly.telemetry() else { return };
    let policy = api.policy();
    let taken = |read: fn(&Api) -> &Arc<Semaphore>, whole: usize| {
        let api: Weak<Api> = Arc::downgrade(api);
        move || {
            let free = api.upgrade().map_or(whole, |api| read(&api).available_permits());
            u64::try_from(whole.saturating_sub(free)).unwrap_or(0)
        }
    };
    let gauges = &telemetry.instruments;
    gauges.gauge(
        "sluice.requests.open",
        "HTTP requests that are served now.",
        taken(|api| &api.requests, policy.requests_in_flight_max),
    );
    gauges.gauge(
        "sluice.jobs.open",
        "Jobs that run or wait.",
        taken(|api| &api.jobs_open, policy.jobs_open_max),
    );
    gauges.gauge(
        "sluice.jobs.running",
        "Jobs that run.",
        taken(|api| &api.jobs_running, policy.jobs_in_flight_max),
    );
    if api.assembly.programs.counts().is_some() {
        workers(api, gauges);
    }
    recordings(api, gauges);
}

/// Measures how recordings are doing.
fn recordings(api: &Arc<Api>, gauges: &Instruments) {
    let counted = |read: fn(&Recorder) -> u64| {
        let api: Weak<Api> = Arc::downgrade(api);
        move || api.upgrade().and_then(|api| api.assembly.recorder().map(read)).unwrap_or(0)
    };
    let lost = |recorder: &Recorder| {
        let (left_out, failed) = recorder.lost();
        left_out + failed
    };
    gauges.gauge("sluice.recordings.lost", "Recordings that were left out or not written.", counted(lost));
    gauges.gauge(
        "sluice.recordings.waiting",
        "Recordings that are yet to be written.",
        counted(Recorder::waiting),
    );
}

/// Measures how the processes that programs run in are doing.
fn workers(api: &Arc<Api>, gauges: &Instruments) {
    let counted = |read: fn(Counts) -> u64| {
        let api: Weak<Api> = Arc::downgrade(api);
        move || api.upgrade().and_then(|api| api.assembly.programs.counts()).map_or(0, read)
    };
    gauges.gauge(
        "sluice.workers.busy",
        "Worker processes that run a program.",
        counted(|counts| count(counts.busy)),
    );
    gauges.gauge(
        "sluice.workers.idle",
        "Worker processes that wait for one.",
        counted(|counts| count(counts.idle)),
    );
    gauges.gauge(
        "sluice.workers.started",
        "Worker processes started so far.",
        counted(|counts| counts.started),
    );
    gauges.gauge(
        "sluice.workers.lost",
        "Worker processes that crashed or were killed while they ran a program.",
        counted(|counts| counts.lost),
    );
}

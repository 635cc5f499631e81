//! Jobs: `POST /api/v1/query/jobs` and `GET /api/v1/query/jobs/{id}`. They outlive connections and processes.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::header::LOCATION;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use contract::job::{JobStarted, JobState, JobStatus};
use contract::query::QueryBody;
use contract::result::QueryResult;
use domain::{Query, RequestId};
use futures::{FutureExt, future};
use store::{Job, NewJob};
use tokio::sync::OwnedSemaphorePermit;
use tracing::Instrument;
use uuid::Uuid;

use crate::from_wire;
use crate::http::auth::Caller;
use crate::http::fault::Fault;
use crate::http::flights::Lead;
use crate::http::idempotency::{self, Ticket};
use crate::http::openapi::{BodyRefusals, Refusals};
use crate::http::query::Asked;
use crate::http::{Api, body, progress, query};
use crate::to_wire::time;

/// Why a job of a process that is gone has no result.
const INTERRUPTED: &str = "the server stopped while the job was running; ask again";

/// Asks a question whose answer is fetched later.
#[utoipa::path(
    post,
    path = "/api/v1/query/jobs",
    operation_id = "start_job",
    tag = "jobs",
    params(("Idempotency-Key" = Option<String>, Header, description = "Makes one job of any number of requests.")),
    request_body(content = QueryBody, content_type = "application/json", example = json!({
        "query": "Which exchanges saw the largest BTC inflows in the last 24 hours?"
    })),
    responses(
        (status = 202, description = "The job is queued.", body = JobStarted, headers(
            ("location" = String, description = "Where the job is fetched.")
        )),
        Refusals,
        BodyRefusals
    ),
    security(("api_key" = []))
)]
pub(crate) async fn start(
    State(api): State<Arc<Api>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Fault> {
    let policy = api.policy();
    let bytes = body::read(body, policy).await?;
    let query = understood(&api, &bytes)?;
    let ticket = Ticket::of(&headers, &bytes, &caller, "jobs", policy)?;
    let (mut flight, lead) = api.job_starts.join(ticket.as_ref())?;
    if let Some(lead) = lead {
        let job = NewJob {
            job_id: Uuid::new_v4().to_string(),
            request_id: idempotency::request_id(ticket.as_ref()),
            caller: caller.name().to_owned(),
            body: bytes,
            created_at: api.assembly.clock.now(),
        };
        let own = Arc::clone(&api);
        let asked = Asked { request: job.request_id.clone(), caller, query };
        api.runs.spawn(async move {
            let work = async |_: &Lead<JobStarted>| {
                query::admit(&own, asked).await?;
                queue(&own, job).await.map(Arc::new)
            };
            own.job_starts.lead(lead, &own.assembly, work).await;
        });
    }
    let started = flight.landed().await?;
    let location = format!("/api/v1/query/jobs/{}", started.job_id);
    Ok((StatusCode::ACCEPTED, [(LOCATION, location)], Json(started)).into_response())
}

/// Tells how a job stands, and its result once there is one.
#[utoipa::path(
    get,
    path = "/api/v1/query/jobs/{id}",
    operation_id = "get_job",
    tag = "jobs",
    params(("id" = String, Path, description = "The `jobId` that the job was started with.")),
    responses((status = 200, description = "How the job stands.", body = JobState), Refusals),
    security(("api_key" = []))
)]
pub(crate) async fn get(
    State(api): State<Arc<Api>>,
    Extension(caller): Extension<Caller>,
    id: Result<Path<String>, PathRejection>,
) -> Result<Json<JobState>, Fault> {
    let Path(id) = id.map_err(|_| Fault::JobNotFound)?;
    let job = api.assembly.store.job(&id).await.map_err(|error| Fault::internal(&error, "reading a job"))?;
    let own = job.filter(|job| job.caller == caller.name()).ok_or(Fault::JobNotFound)?;
    standing(own).map(Json)
}

fn standing(job: Job) -> Result<JobState, Fault> {
    let (status, result, error) = match job.state {
        store::JobState::Queued => (JobStatus::Queued, None, None),
        store::JobState::Running => (JobStatus::Running, None, None),
        store::JobState::Completed(result) => (JobStatus::Completed, Some(result), None),
        store::JobState::Failed(reason) => (JobStatus::Failed, None, Some(reason)),
    };
    let result = result.map(|text| serde_json::from_str(&text)).transpose();
    let has_ended = matches!(status, JobStatus::Completed | JobStatus::Failed);
    Ok(JobState {
        status,
        job_id: job.job_id,
        progress: job.progress.filter(|_| !has_ended),
        query_session: None,
        result: result.map_err(|error| Fault::internal(&error, "reading a job's result"))?,
        error,
        created_at: time(job.created_at),
        updated_at: time(job.updated_at),
        completed_at: has_ended.then(|| time(job.updated_at)),
    })
}

/// A job's body as a query. Clients that speak of jobs cannot read a clarification, so none is asked for.
fn understood(api: &Api, body: &[u8]) -> Result<Query, Fault> {
    let parsed = QueryBody { clarification_policy: None, ..QueryBody::parse(body)? };
    Ok(from_wire::query(parsed, &api.assembly.policy)?)
}

async fn queue(api: &Arc<Api>, job: NewJob) -> Result<JobStarted, Fault> {
    let open = Arc::clone(&api.jobs_open).try_acquire_owned().map_err(|_| Fault::Overloaded {
        limit: "jobs_open_max",
        retry_after_seconds: api.policy().retry_after_seconds,
    })?;
    api.assembly.store.queue_job(&job).await.map_err(|error| Fault::internal(&error, "queueing a job"))?;
    let started = JobStarted {
        status: JobStatus::Queued,
        job_id: job.job_id.clone(),
        polling_tool: None,
        message: Some("Fetch the job until its status is `completed` or `failed`.".to_owned()),
        progress: None,
        query_session: None,
        created_at: time(job.created_at),
        updated_at: time(job.created_at),
    };
    let waiting = Waiting { id: job.job_id, request: job.request_id, caller: job.caller, body: job.body };
    launch(api, waiting, Some(open));
    Ok(started)
}

/// Takes up what a process that is gone left behind: what waited waits again, what ran is failed with the reason.
pub(crate) async fn recover(api: &Arc<Api>) -> Result<(), store::Error> {
    let (store, now) = (&api.assembly.store, api.assembly.clock.now());
    for job in store.interrupted_jobs().await? {
        if job.state == store::JobState::Queued && store.requeue_interrupted_job(&job.job_id, now).await? {
            let waiting =
                Waiting { id: job.job_id, request: job.request_id, caller: job.caller, body: job.body };
            let open = Arc::clone(&api.jobs_open).try_acquire_owned().ok();
            launch(api, waiting, open);
        }
    }
    let failed = store.fail_interrupted_jobs(INTERRUPTED, now).await?;
    if failed > 0 {
        tracing::warn!(jobs = failed, "jobs were interrupted when the server last stopped");
    }
    Ok(())
}

/// A queued job.
struct Waiting {
    id: String,
    request: RequestId,
    caller: String,
    body: Vec<u8>,
}

fn launch(api: &Arc<Api>, job: Waiting, open: Option<OwnedSemaphorePermit>) {
    let own = Arc::clone(api);
    let span = tracing::info_span!("job", id = job.id);
    let working = async move {
        let turn = async {
            own.settled.cancelled().await;
            Arc::clone(&own.jobs_running).acquire_owned().await
        };
        // A job that still waits when the server stops is taken up by the next one.
        let Some(running) = own.leaving.run_until_cancelled(turn).await else { return };
        if let Err(error) = Box::pin(work(&own, job)).await {
            tracing::error!(%error, "a job could not be kept");
        }
        drop((running, open));
    };
    api.runs.spawn(working.instrument(span));
}

async fn work(api: &Api, job: Waiting) -> Result<(), store::Error> {
    let (store, clock) = (&api.assembly.store, &api.assembly.clock);
    if !store.start_job(&job.id, clock.now()).await? {
        return Ok(());
    }
    let id = job.id.clone();
    let reply = AssertUnwindSafe(told(api, job)).catch_unwind().await;
    let text = reply.unwrap_or_else(|_| Err(Fault::internal("a panic", "a job"))).and_then(|result| {
        serde_json::to_string(&result).map_err(|error| Fault::internal(&error, "writing a job's result"))
    });
    match text {
        Ok(result) => store.complete_job(&id, &result, clock.now()).await?,
        Err(Fault::ShuttingDown { .. }) => store.fail_job(&id, INTERRUPTED, clock.now()).await?,
        Err(fault) => store.fail_job(&id, &fault.to_string(), clock.now()).await?,
    };
    Ok(())
}

/// Runs a job and keeps note of how far it is.
async fn told(api: &Api, job: Waiting) -> Result<Arc<QueryResult>, Fault> {
    let (listener, mut phases) = progress::phases();
    let query = understood(api, &job.body)?;
    let admitted =
        query::admit(api, Asked { request: job.request, caller: Caller::named(&job.caller), query }).await?;
    let run = query::run(api, admitted, api.stop.child_token(), Some(listener));
    // Polled beside the run and never in its place: both may want the store's one writer.
    let noting = async {
        while phases.changed().await.is_ok() {
            let phase = *phases.borrow_and_update();
            let noted = api.assembly.store.note_progress(&job.id, phase, api.assembly.clock.now()).await;
            if let Err(error) = noted {
                tracing::warn!(%error, "a job's progress was not noted");
            }
        }
        future::pending().await
    };
    tokio::select! {
        biased;
        reply = run => reply,
        reply = noting => reply,
    }
}

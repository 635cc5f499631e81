//! `GET /healthz` and `GET /readyz`: whether the process lives, and whether it is ready for work.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use domain::{Health, Snapshot};
use mcp::Catalog;
use serde::Serialize;
use utoipa::ToSchema;
use worker::Counts;

use crate::http::Api;

/// That the process lives.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Liveness {
    /// Always `alive`.
    status: &'static str,
}

/// Whether the server is ready for work.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Readiness {
    /// `starting`, `ready` or `draining`.
    status: &'static str,
    /// How the listings are doing.
    listings: Listings,
    /// How the processes that programs run in are doing; absent where programs run in the server's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    workers: Option<Workers>,
}

/// Worker processes by how they are doing, and what became of them since the server started.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Workers {
    /// Running a program.
    busy: usize,
    /// Waiting for one.
    idle: usize,
    /// Started so far.
    started: u64,
    /// Lost while they ran a program: crashed, or killed because they hung.
    lost: u64,
}

/// Listings by how they are doing.
#[derive(Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Listings {
    /// Not tried yet.
    connecting: usize,
    /// In use.
    healthy: usize,
    /// Not to be used now.
    unhealthy: usize,
}

/// Says that the process lives.
#[utoipa::path(
    get,
    path = "/healthz",
    operation_id = "get_liveness",
    tag = "health",
    responses((status = 200, description = "It lives.", body = Liveness)),
    security(())
)]
pub(crate) async fn alive() -> Json<Liveness> {
    Json(Liveness { status: "alive" })
}

/// Says whether the server is ready for work: every listing was tried, and it is not about to stop.
#[utoipa::path(
    get,
    path = "/readyz",
    operation_id = "get_readiness",
    tag = "health",
    responses(
        (status = 200, description = "It is ready.", body = Readiness),
        (status = 503, description = "It is starting, or stopping.", body = Readiness)
    ),
    security(())
)]
pub(crate) async fn ready(State(api): State<Arc<Api>>) -> (StatusCode, Json<Readiness>) {
    let listings = by_health(&api.assembly.upstreams.snapshot());
    let (code, status) = if api.leaving.is_cancelled() {
        (StatusCode::SERVICE_UNAVAILABLE, "draining")
    } else if api.settled.is_cancelled() {
        (StatusCode::OK, "ready")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "starting")
    };
    let workers = api.assembly.programs.counts().map(Workers::of);
    (code, Json(Readiness { status, listings, workers }))
}

impl Workers {
    fn of(Counts { busy, idle, started, lost }: Counts) -> Self {
        Self { busy, idle, started, lost }
    }
}

fn by_health(snapshot: &Snapshot) -> Listings {
    let mut listings = Listings::default();
    for listing in &snapshot.listings {
        match listing.health {
            Health::Connecting => listings.connecting += 1,
            Health::Healthy => listings.healthy += 1,
            Health::Unhealthy { .. } => listings.unhealthy += 1,
        }
    }
    listings
}

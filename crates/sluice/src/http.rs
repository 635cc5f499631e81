//! The HTTP surface: its routes, what stands around them, and what they share.

mod auth;
mod body;
mod chat;
mod data;
mod fault;
mod flights;
mod health;
mod idempotency;
mod jobs;
mod library;
mod limits;
mod mcp;
mod metrics;
mod openapi;
mod page;
mod progress;
mod query;
mod rates;
mod stream;
mod tools;
mod traces;

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{MatchedPath, Request};
use axum::http::header::AUTHORIZATION;
use axum::middleware;
use axum::response::{IntoResponse, Response};
use contract::job::JobStarted;
use contract::result::QueryResult;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, RequestId, SetRequestIdLayer};
use tower_http::sensitive_headers::SetSensitiveRequestHeadersLayer;
use tower_http::trace::TraceLayer;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::assembly::Assembly;
use crate::carry;
use crate::http::fault::Fault;
use crate::http::flights::Flights;

pub(crate) use auth::Keys;
pub(crate) use jobs::recover as recover_jobs;
pub(crate) use page::{Setup as PageSetup, embed_origin};
pub(crate) use rates::{Kind, Rates};

/// What every handler may reach.
pub(crate) struct Api {
    assembly: Arc<Assembly>,
    keys: Keys,
    queries: Flights<QueryResult>,
    job_starts: Flights<JobStarted>,
    requests: Arc<Semaphore>,
    jobs_open: Arc<Semaphore>,
    jobs_running: Arc<Semaphore>,
    rates: Arc<Rates>,
    /// The runs; a stopping server waits for them.
    runs: TaskTracker,
    /// Trips when no new work is taken.
    leaving: CancellationToken,
    /// Trips when runs are to end at once.
    stop: CancellationToken,
    /// Trips when every listing was tried.
    settled: CancellationToken,
}

impl Api {
    /// The surface over an assembly, for the callers that `keys` lets in.
    pub(crate) fn new(assembly: Arc<Assembly>, keys: Keys) -> Arc<Self> {
        let policy = &assembly.policy.server;
        let places = |count: usize| Arc::new(Semaphore::new(count.min(Semaphore::MAX_PERMITS)));
        let api = Arc::new(Self {
            keys,
            queries: Flights::default(),
            job_starts: Flights::default(),
            requests: places(policy.requests_in_flight_max),
            jobs_open: places(policy.jobs_open_max),
            jobs_running: places(policy.jobs_in_flight_max),
            rates: Arc::new(Rates::new(assembly.policy.library.rates)),
            runs: TaskTracker::new(),
            leaving: CancellationToken::new(),
            stop: CancellationToken::new(),
            settled: CancellationToken::new(),
            assembly,
        });
        metrics::measure(&api);
        api
    }

    /// From now on the server is ready: every listing was tried.
    pub(crate) fn settle(&self) {
        self.settled.cancel();
    }

    /// From now on no new work is taken. Waits until the runs under way have ended.
    pub(crate) async fn drain(&self) {
        self.leaving.cancel();
        self.runs.close();
        self.runs.wait().await;
    }

    /// Ends the runs under way; they settle all the same.
    pub(crate) fn stop_runs(&self) {
        self.stop.cancel();
    }

    fn policy(&self) -> &policy::Server {
        &self.assembly.policy.server
    }

    fn shutting_down(&self) -> Fault {
        Fault::ShuttingDown { retry_after_seconds: self.policy().retry_after_seconds }
    }
}

/// Every route, documented, with what stands around all of them.
pub(crate) fn router(api: &Arc<Api>, pages: PageSetup) -> Router {
    let guarded = OpenApiRouter::with_openapi(openapi::frame())
        .routes(routes!(query::ask))
        .routes(routes!(jobs::start))
        .routes(routes!(jobs::get))
        .routes(routes!(tools::search))
        .routes(routes!(tools::get))
        .routes(routes!(metrics::scrape))
        .routes(routes!(traces::list))
        .routes(routes!(traces::get))
        .route_layer(middleware::from_fn_with_state(Arc::clone(api), limits::admit))
        .route_layer(middleware::from_fn_with_state(Arc::clone(api), auth::check));
    let counted = OpenApiRouter::new()
        .routes(routes!(data::get))
        .route_layer(middleware::from_fn_with_state(Arc::clone(api), limits::admit));
    let open = OpenApiRouter::new()
        .routes(routes!(health::alive))
        .routes(routes!(health::ready))
        .routes(routes!(openapi::document))
        .routes(routes!(openapi::front_page));
    let library = library::routes()
        .route_layer(middleware::from_fn_with_state(Arc::clone(api), rates::check))
        .route_layer(middleware::from_fn_with_state(Arc::clone(api), limits::admit))
        .route_layer(middleware::from_fn_with_state(Arc::clone(api), auth::check));
    let tools = mcp::routes(api)
        .route_layer(middleware::from_fn_with_state(Arc::clone(api), limits::admit))
        .route_layer(middleware::from_fn_with_state(Arc::clone(api), auth::check));
    let is_embedded = !pages.embed_origins.is_empty();
    let (router, document) = guarded
        .merge(counted)
        .merge(library)
        .merge(chat::routes(api, is_embedded))
        .merge(open)
        .split_for_parts();
    router
        .merge(tools)
        .route("/docs", axum::routing::get(openapi::to_front_page))
        .route("/docs/{*file}", axum::routing::get(openapi::page))
        .merge(page::router(pages))
        .method_not_allowed_fallback(fault::method_not_allowed)
        .fallback(fault::not_found)
        .layer(axum::Extension(openapi::Document::of(&document)))
        .with_state(Arc::clone(api))
        .layer(middleware::from_fn(library::enveloped))
        .layer(
            ServiceBuilder::new()
                .layer(SetSensitiveRequestHeadersLayer::new([AUTHORIZATION]))
                .layer(SetRequestIdLayer::x_request_id(MakeRequestUuid))
                .layer(
                    TraceLayer::new_for_http()
                        .make_span_with(span)
                        .on_request(())
                        .on_response(log)
                        .on_body_chunk(())
                        .on_eos(())
                        .on_failure(()),
                )
                .layer(PropagateRequestIdLayer::x_request_id())
                .layer(CatchPanicLayer::custom(panicked)),
        )
}

/// A request's span: the route's pattern, since addresses of stored data are secrets.
fn span(request: &Request) -> Span {
    let path = match request.extensions().get::<MatchedPath>() {
        Some(route) => route.as_str(),
        None => request.uri().path(),
    };
    let id = request.extensions().get::<RequestId>().and_then(|id| id.header_value().to_str().ok());
    let span = tracing::info_span!("request", method = %request.method(), path, id);
    // Where nobody collects spans, this one belongs to no trace.
    let _ = span.set_parent(carry::parent_of(request.headers()));
    span
}

fn log<B>(response: &axum::http::Response<B>, latency: Duration, _: &Span) {
    tracing::info!(status = response.status().as_u16(), latency_ms = latency.as_millis(), "answered");
}

fn panicked(_: Box<dyn Any + Send>) -> Response {
    tracing::error!("a handler panicked");
    Fault::Internal.into_response()
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use axum::routing::get;
    use tower::ServiceExt;

    use super::*;

    #[tokio::test]
    async fn a_panic_is_told_without_its_words() {
        async fn broken() {
            panic!("the password is 1234");
        }
        let router: Router = Router::new().route("/", get(broken)).layer(CatchPanicLayer::custom(panicked));
        let response = router.oneshot(Request::new(Body::empty())).await.unwrap();
        assert_eq!(response.status(), 500);
        let body = to_bytes(Body::new(response.into_body()), 1_000).await.unwrap();
        assert_eq!(body, r#"{"error":"an internal error","code":"internal"}"#);
    }
}

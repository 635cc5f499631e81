//! Telemetry, as a collector receives it, and as Prometheus scrapes it.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::routing::post;
use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use reqwest::Method;
use serde_json::json;
use testkit::model_server::{Line, ModelServer};
use tokio::net::TcpListener;

use crate::models::{CLEAR, listing, policy_of};
use crate::server::{Setup, changed, until};
use crate::upstream::{QUESTION, Upstream};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

/// What a collector was sent.
#[derive(Default)]
struct Collected {
    spans: Mutex<Vec<Span>>,
    metrics: Mutex<Vec<String>>,
    logs: Mutex<Vec<String>>,
}

impl Collected {
    /// The first span of this name, once it was sent.
    async fn span(&self, name: &str) -> Span {
        until(async || self.spans.lock().unwrap().iter().find(|span| span.name == name).cloned()).await
    }
}

async fn collector() -> (SocketAddr, Arc<Collected>) {
    let collected = Arc::new(Collected::default());
    let router = Router::new()
        .route("/v1/traces", post(spans))
        .route("/v1/metrics", post(metrics))
        .route("/v1/logs", post(logs))
        .with_state(Arc::clone(&collected));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::task::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (address, collected)
}

async fn spans(State(collected): State<Arc<Collected>>, body: Bytes) {
    let sent = ExportTraceServiceRequest::decode(body).unwrap();
    let scopes = sent.resource_spans.into_iter().flat_map(|resource| resource.scope_spans);
    collected.spans.lock().unwrap().extend(scopes.flat_map(|scope| scope.spans));
}

async fn metrics(State(collected): State<Arc<Collected>>, body: Bytes) {
    let sent = ExportMetricsServiceRequest::decode(body).unwrap();
    let scopes = sent.resource_metrics.into_iter().flat_map(|resource| resource.scope_metrics);
    collected
        .metrics
        .lock()
        .unwrap()
        .extend(scopes.flat_map(|scope| scope.metrics).map(|metric| metric.name));
}

async fn logs(State(collected): State<Arc<Collected>>, body: Bytes) {
    let sent = ExportLogsServiceRequest::decode(body).unwrap();
    let scopes = sent.resource_logs.into_iter().flat_map(|resource| resource.scope_logs);
    let lines = scopes.flat_map(|scope| scope.log_records).map(|line| format!("{line:?}"));
    collected.logs.lock().unwrap().extend(lines);
}

#[tokio::test]
async fn a_collector_receives_spans_metrics_and_logs_of_one_trace() {
    let upstream = Upstream::start().await;
    let (address, collected) = collector().await;
    let server = Setup::with(&upstream)
        .environment("OTEL_EXPORTER_OTLP_ENDPOINT", &format!("http://{address}"))
        .environment("OTEL_BSP_SCHEDULE_DELAY", "20")
        .environment("OTEL_BLRP_SCHEDULE_DELAY", "20")
        .environment("OTEL_METRIC_EXPORT_INTERVAL", "50")
        .start()
        .await;
    let request = server
        .request(Method::POST, "/api/v1/query")
        .header("traceparent", format!("00-{TRACE}-b7ad6b7169203331-01"));
    let response = request.body(json!({"query": QUESTION}).to_string()).send().await.unwrap();
    assert_eq!(response.status(), 200);

    let of_trace = || -> Vec<Span> {
        let spans = collected.spans.lock().unwrap();
        spans.iter().filter(|span| hex::encode(&span.trace_id) == TRACE).cloned().collect()
    };
    let wanted = ["request", "query", "stage selection", "stage execution", "tools/call get_tide_level"];
    let spans = until(async || {
        let spans = of_trace();
        wanted.iter().all(|name| spans.iter().any(|span| span.name == *name)).then_some(spans)
    })
    .await;
    let call = spans.iter().find(|span| span.name == "tools/call get_tide_level").unwrap();
    assert_eq!(upstream.parents(), [format!("00-{TRACE}-{}-01", hex::encode(&call.span_id))]);
    let query = spans.iter().find(|span| span.name == "query").unwrap();
    let told = format!("{:?}", query.attributes);
    for key in ["sluice.policy.hash", "sluice.lane", "sluice.outcome", "sluice.reason"] {
        assert!(told.contains(key), "{key}: {told}");
    }
    assert!(!format!("{spans:?}").contains("tide level?"), "a question stands in a span");

    let names = ["sluice.request.duration", "sluice.stage.duration", "mcp.client.operation.duration"];
    until(async || {
        let metrics = collected.metrics.lock().unwrap();
        names.iter().all(|name| metrics.iter().any(|metric| metric == name)).then_some(())
    })
    .await;
    until(async || {
        let logs = collected.logs.lock().unwrap();
        logs.iter().any(|line| line.contains("query-depth-decision")).then_some(())
    })
    .await;

    let scraped = server.get("/metrics").await.text().await.unwrap();
    for name in [
        "sluice_request_duration_seconds_count",
        "sluice_stage_duration_seconds_bucket",
        "mcp_client_operation_duration_seconds_sum",
        "sluice_gate_decisions_total",
        "sluice_jobs_open",
        "sluice_workers_busy",
        "sluice_workers_idle",
        "sluice_workers_started",
        "sluice_workers_lost",
        "process_memory_usage_bytes",
    ] {
        assert!(scraped.contains(name), "{name}\n{scraped}");
    }
    assert!(scraped.contains("sluice_outcome=\"answer\""), "{scraped}");
    for told in [collected.logs.lock().unwrap().join("\n"), scraped] {
        assert!(!told.contains("tide level?"), "a question stands in {told}");
    }
}

#[tokio::test]
async fn models_get_the_trace_and_a_policy_lets_the_question_into_spans() {
    let writer = ModelServer::start([Line::Say("The price is told in the table [1].".to_owned())]);
    let (address, collected) = collector().await;
    let server = Setup::with_samples()
        .policy_file("models.toml", &policy_of(&[("synthesize", "writer", &writer)]))
        .policy_file(
            "recording.toml",
            &changed("recording.toml", [("query_text_in_spans", "true".to_owned())]),
        )
        .environment("OTEL_EXPORTER_OTLP_ENDPOINT", &format!("http://{address}"))
        .environment("OTEL_BSP_SCHEDULE_DELAY", "20")
        .start()
        .await;
    let request = server
        .request(Method::POST, "/api/v1/query")
        .header("traceparent", format!("00-{TRACE}-b7ad6b7169203331-01"));
    let body = json!({"query": CLEAR, "tools": [listing()]});
    assert_eq!(request.body(body.to_string()).send().await.unwrap().status(), 200);
    let stage = collected.span("stage synthesis").await;
    let parent = format!("00-{TRACE}-{}-01", hex::encode(&stage.span_id));
    assert_eq!(writer.asked()[0].traceparent.as_deref(), Some(parent.as_str()));
    let query = collected.span("query").await;
    assert!(format!("{:?}", query.attributes).contains(CLEAR), "{query:?}");
}

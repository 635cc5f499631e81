//! Telemetry: spans, metrics and logs over OTLP where the standard environment variables name a collector, and metrics for
//! Prometheus always.
//!
//! A request's spans and metrics are a view of its events, as its progress and its recording are.

mod carried;
mod instruments;
mod watch;

use opentelemetry::trace::TracerProvider;
use opentelemetry_appender_tracing::layer::OpenTelemetryTracingBridge;
use opentelemetry_otlp::{ExporterBuildError, LogExporter, MetricExporter, SpanExporter};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::logs::SdkLoggerProvider;
use opentelemetry_sdk::metrics::{PeriodicReader, SdkMeterProvider};
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};
use prometheus::{Encoder, Registry, TextEncoder};

pub use carried::parent_of;
pub use instruments::Instruments;
pub use watch::{Watch, Watched};

/// The name that spans, metrics and logs are told under.
const SCOPE: &str = "sluice";

/// The telemetry of a process.
pub struct Telemetry {
    /// What is measured.
    pub instruments: Instruments,
    registry: Registry,
    meters: SdkMeterProvider,
    spans: Option<SdkTracerProvider>,
    logs: Option<SdkLoggerProvider>,
}

/// Why there is no telemetry.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryFault {
    /// The environment's settings cannot be used.
    #[error("OTLP: {0}")]
    Exporter(#[from] ExporterBuildError),
    /// Metrics cannot be kept.
    #[error("metrics: {0}")]
    Metrics(#[from] opentelemetry_sdk::error::OTelSdkError),
}

impl Telemetry {
    /// Starts what `environment` configures. Not to be called from within a runtime.
    pub fn start(environment: &dyn Fn(&str) -> Option<String>) -> Result<Self, TelemetryFault> {
        let set = |name: &str| environment(name).is_some_and(|value| !value.trim().is_empty());
        let is_off = environment("OTEL_SDK_DISABLED").is_some_and(|value| value.eq_ignore_ascii_case("true"));
        let is_wanted = |signal: &str| {
            let exporter = environment(&format!("OTEL_{signal}_EXPORTER"));
            let endpoint = format!("OTEL_EXPORTER_OTLP_{signal}_ENDPOINT");
            !is_off
                && exporter.as_deref() != Some("none")
                && (set("OTEL_EXPORTER_OTLP_ENDPOINT") || set(&endpoint))
        };
        // Whoever comes first chooses for the process, and everybody chooses the same.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut resource = Resource::builder();
        if !set("OTEL_SERVICE_NAME") {
            resource = resource.with_service_name(SCOPE);
        }
        let resource = resource.build();
        let registry = Registry::new();
        let scraped = opentelemetry_prometheus::exporter().with_registry(registry.clone()).build()?;
        let mut meters = SdkMeterProvider::builder().with_reader(scraped).with_resource(resource.clone());
        if is_wanted("METRICS") {
            let exporter = MetricExporter::builder().with_http().build()?;
            meters = meters.with_reader(PeriodicReader::builder(exporter).build());
        }
        let meters = meters.build();
        let spans = if is_wanted("TRACES") {
            let exporter = SpanExporter::builder().with_http().build()?;
            let provider = SdkTracerProvider::builder().with_batch_exporter(exporter);
            Some(provider.with_resource(resource.clone()).build())
        } else {
            None
        };
        let logs = if is_wanted("LOGS") {
            let exporter = LogExporter::builder().with_http().build()?;
            Some(SdkLoggerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build())
        } else {
            None
        };
        let instruments = Instruments::of(&meters);
        Ok(Self { instruments, registry, meters, spans, logs })
    }

    /// Makes spans; none where nobody collects them.
    #[must_use]
    pub fn tracer(&self) -> Option<SdkTracer> {
        self.spans.as_ref().map(|provider| provider.tracer(SCOPE))
    }

    /// Sends log lines; none where nobody collects them.
    #[must_use]
    pub fn log_lines(
        &self,
    ) -> Option<OpenTelemetryTracingBridge<SdkLoggerProvider, opentelemetry_sdk::logs::SdkLogger>> {
        self.logs.as_ref().map(OpenTelemetryTracingBridge::new)
    }

    /// The metrics, in Prometheus' text format.
    pub fn scraped(&self) -> Result<String, prometheus::Error> {
        let mut text = Vec::new();
        TextEncoder::new().encode(&self.registry.gather(), &mut text)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Sends what is left. Not to be called from within a runtime.
    pub fn end(&self) {
        let ended = [
            self.spans.as_ref().map_or(Ok(()), SdkTracerProvider::shutdown),
            self.logs.as_ref().map_or(Ok(()), SdkLoggerProvider::shutdown),
            self.meters.shutdown(),
        ];
        for error in ended.into_iter().filter_map(Result::err) {
            tracing::debug!(%error, "some telemetry was not sent");
        }
    }
}

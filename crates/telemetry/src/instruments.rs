//! What is measured, by the semantic conventions of MCP and of generative AI where they name it.

use std::sync::Arc;

use opentelemetry::metrics::{Counter, Histogram, MeterProvider, UpDownCounter};
use opentelemetry_sdk::metrics::SdkMeterProvider;

use super::SCOPE;

/// Bounds of durations, in seconds.
const SECONDS: [f64; 14] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0];

/// Bounds of counts of tokens.
const TOKENS: [f64; 8] = [16.0, 64.0, 256.0, 1_024.0, 4_096.0, 16_384.0, 65_536.0, 262_144.0];

/// The instruments of a process.
pub struct Instruments {
    pub(crate) requests: Histogram<f64>,
    pub(crate) under_way: UpDownCounter<i64>,
    pub(crate) stages: Histogram<f64>,
    pub(crate) stage_failures: Counter<u64>,
    pub(crate) calls: Histogram<f64>,
    pub(crate) models: Histogram<f64>,
    pub(crate) tokens: Histogram<u64>,
    pub(crate) decisions: Counter<u64>,
    pub(crate) budget_hits: Counter<u64>,
    pub(crate) cost: Counter<f64>,
    meters: SdkMeterProvider,
}

impl Instruments {
    pub(crate) fn of(meters: &SdkMeterProvider) -> Self {
        let meter = meters.meter(SCOPE);
        let seconds = |name: &'static str, description: &'static str| {
            let histogram = meter.f64_histogram(name).with_unit("s").with_description(description);
            histogram.with_boundaries(SECONDS.to_vec()).build()
        };
        meter
            .u64_observable_gauge("process.memory.usage")
            .with_unit("By")
            .with_description("Memory that the process holds.")
            .with_callback(|observer| {
                if let Some(bytes) = resident_bytes() {
                    observer.observe(bytes, &[]);
                }
            })
            .build();
        let tokens = meter.u64_histogram("gen_ai.client.token.usage").with_unit("{token}");
        Self {
            requests: seconds("sluice.request.duration", "Requests, by outcome and lane."),
            under_way: meter
                .i64_up_down_counter("sluice.requests.under_way")
                .with_description("Requests that run now.")
                .build(),
            stages: seconds("sluice.stage.duration", "Stages of requests."),
            stage_failures: meter
                .u64_counter("sluice.stage.failures")
                .with_description("Requests that failed, by the last stage that they came to.")
                .build(),
            calls: seconds("mcp.client.operation.duration", "Calls of MCP methods."),
            models: seconds("gen_ai.client.operation.duration", "Requests to models."),
            tokens: tokens.with_boundaries(TOKENS.to_vec()).with_description("Tokens, by type.").build(),
            decisions: meter
                .u64_counter("sluice.gate.decisions")
                .with_description("Decisions of the gate, by outcome and reason.")
                .build(),
            budget_hits: meter
                .u64_counter("sluice.budget.hits")
                .with_description("Limits that were hit, by their key.")
                .build(),
            cost: meter
                .f64_counter("sluice.cost")
                .with_unit("{usd}")
                .with_description("Dollars for models.")
                .build(),
            meters: meters.clone(),
        }
    }

    /// Measures a number that is asked for when somebody looks.
    pub fn gauge(
        &self,
        name: &'static str,
        description: &'static str,
        read: impl Fn() -> u64 + Send + Sync + 'static,
    ) {
        let read = Arc::new(read);
        self.meters
            .meter(SCOPE)
            .u64_observable_gauge(name)
            .with_description(description)
            .with_callback(move |observer| observer.observe(read(), &[]))
            .build();
    }
}

/// Memory that the process holds; none where the system does not tell.
fn resident_bytes() -> Option<u64> {
    let told = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = told.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

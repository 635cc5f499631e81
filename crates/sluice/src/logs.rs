//! Log lines, on standard error.

use std::io::{self, IsTerminal};

use engine::Settled;
use trace::Event;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

use crate::arguments::LogFormat;
use telemetry::Telemetry;

/// Starts logging, to standard error and wherever telemetry is collected. A filter that cannot be read falls back to
/// warnings.
pub(crate) fn start(format: LogFormat, filter: &str, telemetry: &Telemetry) {
    let filter = || EnvFilter::try_new(filter).unwrap_or_else(|_| EnvFilter::new("warn"));
    let mut lines = tracing_subscriber::fmt::layer().with_writer(io::stderr);
    if !io::stderr().is_terminal() {
        lines.set_ansi(false);
    }
    let lines = match format {
        LogFormat::Pretty => lines.with_target(false).with_filter(filter()).boxed(),
        LogFormat::Json => lines.json().with_filter(filter()).boxed(),
    };
    let sent = telemetry.log_lines().map(|sent| sent.with_filter(filter()));
    // The spans of this program, whatever is logged: those of libraries are theirs.
    let own = Targets::new().with_target("sluice", LevelFilter::INFO);
    let spans = telemetry.tracer();
    let spans = spans.map(|tracer| tracing_opentelemetry::layer().with_tracer(tracer).with_filter(own));
    tracing_subscriber::registry().with(spans).with(sent).with(lines).init();
}

/// The request log's lines on the lane and the gate. They tell what was decided, and nothing of what was asked.
pub(crate) fn decisions(settled: &Settled) {
    let request = settled.request.as_str();
    for stamped in settled.events.iter() {
        if let Event::DepthDecided { asked, lane, reason, flags } = &stamped.event {
            tracing::info!(request, asked = asked.word(), lane, reason, "query-depth-decision");
            tracing::info!(
                request,
                method_reasoning = flags.method_reasoning_enabled,
                ambiguity_judge = flags.ambiguity_judge_enabled,
                external_probe = flags.external_probe_enabled,
                one_shot = flags.preserve_fast_one_shot,
                "query-depth-router-contract"
            );
        }
        if let Event::ModelAsked(report) = &stamped.event
            && let Some(reason) = &report.fallback
        {
            let (stage, model) = (report.stage.word(), report.first.as_str());
            tracing::warn!(request, stage, model, reason = reason.word(), "a model did not answer");
        }
        if let Event::GateInput(input) = &stamped.event {
            let (candidates, left_out) = (input.candidates.len(), input.left_out.len());
            tracing::info!(request, candidates, left_out, "query-clarification-input");
        }
        if let Event::Ruled(decision) = &stamped.event {
            tracing::info!(request, stage = decision.rollout.word(), "query-scout-rollout-contract");
            tracing::info!(
                request,
                outcome = decision.verdict.word(),
                reason = decision.reason.word(),
                auto_resolved = decision.assumption.is_some(),
                fallback = decision.fallback_reason.is_some(),
                "query-clarification-decision"
            );
        }
    }
}

//! One request's spans and metrics, from its events.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use domain::{Call, CallFault, FaultKind};
use jiff::Timestamp;
use llm::StageReport;
use opentelemetry::trace::{SpanKind, Status, TraceContextExt, Tracer};
use opentelemetry::{Context, KeyValue};
use opentelemetry_sdk::trace::SdkTracer;
use policy::Policy;
use trace::{Event, Stamped};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

use crate::{Telemetry, carried};

/// Watches one request.
pub struct Watch {
    telemetry: Arc<Telemetry>,
    tracer: Option<SdkTracer>,
    state: Mutex<State>,
}

struct State {
    request: Context,
    stage: Context,
    calls: BTreeMap<String, Context>,
    lane: &'static str,
    /// The last stage that it came to.
    came_to: &'static str,
}

/// Who is watched.
#[derive(Clone, Copy, Debug)]
pub struct Watched<'a> {
    /// The request's identifier.
    pub request: &'a str,
    /// The hash of the policies that it runs under.
    pub policy_hash: &'a str,
    /// The question, where the policy lets it into spans.
    pub question: Option<&'a str>,
}

impl Watch {
    /// Watches a request that begins now, within the span that it was asked in; none where nothing watches requests.
    #[must_use]
    pub fn of_request(
        telemetry: Option<&Arc<Telemetry>>,
        policy: &Policy,
        (request, question): (&str, &str),
        at: Timestamp,
    ) -> Option<Arc<Self>> {
        let question = policy.recording.query_text_in_spans.then_some(question);
        let who = Watched { request, policy_hash: &policy.hash, question };
        let parent = Span::current().context();
        Some(Arc::new(Self::begin(telemetry?, &parent, at, &who)))
    }

    /// Begins to watch a request that begins now, within the span that its caller is in.
    #[must_use]
    pub fn begin(telemetry: &Arc<Telemetry>, parent: &Context, at: Timestamp, who: &Watched<'_>) -> Self {
        let tracer = telemetry.tracer();
        let mut attributes = vec![
            KeyValue::new("sluice.request.id", who.request.to_owned()),
            KeyValue::new("sluice.policy.hash", who.policy_hash.to_owned()),
        ];
        attributes.extend(who.question.map(|text| KeyValue::new("sluice.query.text", text.to_owned())));
        let request =
            started(tracer.as_ref(), parent, ("query".to_owned(), SpanKind::Internal), at, attributes);
        telemetry.instruments.under_way.add(1, &[]);
        let state =
            State { stage: request.clone(), request, calls: BTreeMap::new(), lane: "none", came_to: "none" };
        Self { telemetry: Arc::clone(telemetry), tracer, state: Mutex::new(state) }
    }

    /// What a call carries to its server.
    #[must_use]
    pub fn of_call(&self, call: &Call) -> Vec<(String, String)> {
        let state = self.state();
        let context = state.calls.get(&call.position.to_string()).unwrap_or(&state.stage);
        carried::carried(context)
    }

    /// What the stage's requests carry to models.
    #[must_use]
    pub fn of_stage(&self) -> Vec<(String, String)> {
        carried::carried(&self.state().stage)
    }

    /// Hears an event.
    pub fn hear(&self, stamped: &Stamped) {
        let at = stamped.at;
        match &stamped.event {
            Event::StageStarted { stage } => {
                let mut state = self.state();
                state.came_to = stage.word();
                let attributes = vec![KeyValue::new("sluice.stage", stage.word())];
                let name = (format!("stage {}", stage.word()), SpanKind::Internal);
                state.stage = started(self.tracer.as_ref(), &state.request, name, at, attributes);
            }
            Event::StageEnded { stage, duration_ms } => {
                let mut state = self.state();
                ended(&state.stage, at);
                state.stage = state.request.clone();
                let attributes = [KeyValue::new("sluice.stage", stage.word())];
                self.telemetry.instruments.stages.record(seconds(*duration_ms), &attributes);
            }
            Event::DepthDecided { lane, reason, .. } => {
                let mut state = self.state();
                state.lane = lane;
                tell(
                    &state.request,
                    [KeyValue::new("sluice.lane", *lane), KeyValue::new("sluice.reason", *reason)],
                );
            }
            Event::Ruled(decision) => {
                let told = [
                    KeyValue::new("sluice.gate.outcome", decision.verdict.word()),
                    KeyValue::new("sluice.reason", decision.reason.word()),
                ];
                self.telemetry.instruments.decisions.add(1, &told);
                tell(&self.state().request, told);
            }
            Event::CallStarted { .. } => self.call_started(stamped),
            Event::CallEnded { .. } => self.call_ended(stamped),
            Event::ModelAsked(report) => self.models(report, at),
            Event::ProgramEnded { fault: Some(fault), .. } => self.limit(fault),
            Event::QueryEnded { outcome, duration_ms } => self.over(outcome, *duration_ms, at),
            Event::QueryStarted { .. }
            | Event::ToolsSelected { .. }
            | Event::Probed(_)
            | Event::GateInput(_)
            | Event::Judged(_)
            | Event::ProgramWritten { .. }
            | Event::ProgramRejected { .. }
            | Event::ProgramEnded { fault: None, .. }
            | Event::ContributorSearched { .. }
            | Event::Repaired(_)
            | Event::Rediscovered(_)
            | Event::AnswerSpoken { .. }
            | Event::DocumentsLooked(_)
            | Event::AnswerChecked(_)
            | Event::CompletenessEvaluated { .. } => {}
        }
    }

    fn call_started(&self, stamped: &Stamped) {
        let Event::CallStarted { position, method, listing_name } = &stamped.event else { return };
        let mut state = self.state();
        let attributes = vec![
            KeyValue::new("mcp.method.name", "tools/call"),
            KeyValue::new("gen_ai.operation.name", "execute_tool"),
            KeyValue::new("gen_ai.tool.name", method.method.to_string()),
            KeyValue::new("sluice.upstream", listing_name.clone()),
        ];
        let name = (format!("tools/call {}", method.method), SpanKind::Client);
        let span = started(self.tracer.as_ref(), &state.stage, name, stamped.at, attributes);
        state.calls.insert(position.to_string(), span);
    }

    fn call_ended(&self, stamped: &Stamped) {
        let Event::CallEnded { position, method, listing_name, outcome, duration_ms, .. } = &stamped.event
        else {
            return;
        };
        let mut attributes = vec![
            KeyValue::new("mcp.method.name", "tools/call"),
            KeyValue::new("gen_ai.tool.name", method.method.to_string()),
            KeyValue::new("sluice.upstream", listing_name.clone()),
        ];
        if let Err(fault) = outcome {
            attributes.push(KeyValue::new("error.type", fault.kind.word()));
            self.budget(fault);
        }
        self.telemetry.instruments.calls.record(seconds(*duration_ms), &attributes);
        let span = self.state().calls.remove(&position.to_string());
        if let Some(span) = span {
            if let Err(fault) = outcome {
                tell(&span, [KeyValue::new("error.type", fault.kind.word())]);
                span.span().set_status(Status::error(fault.kind.word()));
            }
            ended(&span, stamped.at);
        }
    }

    /// A limit that a call ran into, by the key that its fault names.
    fn budget(&self, fault: &CallFault) {
        if matches!(fault.kind, FaultKind::Budget | FaultKind::Timeout | FaultKind::TooLarge) {
            self.limit(&fault.message);
        }
    }

    /// A limit that was run into, by the key that words name first.
    fn limit(&self, words: &str) {
        let named = words.split('`').nth(1).filter(|key| key.ends_with("_max"));
        if let Some(key) = named {
            self.telemetry.instruments.budget_hits.add(1, &[KeyValue::new("sluice.limit", key.to_owned())]);
        }
    }

    fn models(&self, report: &StageReport, at: Timestamp) {
        let instruments = &self.telemetry.instruments;
        let parent = self.state().stage.clone();
        for attempt in &report.attempts {
            let mut attributes = vec![
                KeyValue::new("gen_ai.operation.name", "chat"),
                KeyValue::new("gen_ai.request.model", attempt.model.clone()),
                KeyValue::new("sluice.stage", report.stage.word()),
            ];
            attributes.extend(attempt.fault.as_ref().map(|fault| KeyValue::new("error.type", fault.word())));
            instruments.models.record(attempt.elapsed.as_secs_f64(), &attributes);
            let usage = &attempt.usage;
            for (kind, count) in [("input", usage.input_tokens), ("output", usage.output_tokens)] {
                let mut told = attributes.clone();
                told.push(KeyValue::new("gen_ai.token.type", kind));
                instruments.tokens.record(count, &told);
            }
            attributes.extend([
                KeyValue::new("gen_ai.usage.input_tokens", signed(usage.input_tokens)),
                KeyValue::new("gen_ai.usage.output_tokens", signed(usage.output_tokens)),
            ]);
            let effective = attempt.effective_model.clone();
            attributes.extend(effective.map(|model| KeyValue::new("gen_ai.response.model", model)));
            let began = at - jiff::SignedDuration::try_from(attempt.elapsed).unwrap_or_default();
            let name = (format!("chat {}", attempt.model), SpanKind::Client);
            let span = started(self.tracer.as_ref(), &parent, name, began, attributes);
            ended(&span, at);
        }
        let cost = f64::try_from(report.usage().cost.amount()).unwrap_or(0.0);
        instruments.cost.add(cost, &[KeyValue::new("sluice.stage", report.stage.word())]);
    }

    fn over(&self, outcome: &'static str, duration_ms: u64, at: Timestamp) {
        let state = self.state();
        let told = [KeyValue::new("sluice.outcome", outcome), KeyValue::new("sluice.lane", state.lane)];
        self.telemetry.instruments.requests.record(seconds(duration_ms), &told);
        if outcome == "failed" {
            let came_to = [KeyValue::new("sluice.stage", state.came_to)];
            self.telemetry.instruments.stage_failures.add(1, &came_to);
            state.request.span().set_status(Status::error(outcome));
        }
        tell(&state.request, told);
        ended(&state.request, at);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Watch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch").finish_non_exhaustive()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.telemetry.instruments.under_way.add(-1, &[]);
    }
}

/// A span that begins; without a tracer the parent stands for it.
fn started(
    tracer: Option<&SdkTracer>,
    parent: &Context,
    (name, kind): (String, SpanKind),
    at: Timestamp,
    attributes: Vec<KeyValue>,
) -> Context {
    let Some(tracer) = tracer else { return parent.clone() };
    let span = tracer.span_builder(name).with_kind(kind).with_start_time(SystemTime::from(at));
    parent.with_span(span.with_attributes(attributes).start_with_context(tracer, parent))
}

fn tell(context: &Context, attributes: impl IntoIterator<Item = KeyValue>) {
    context.span().set_attributes(attributes);
}

fn ended(context: &Context, at: Timestamp) {
    context.span().end_with_timestamp(SystemTime::from(at));
}

fn seconds(duration_ms: u64) -> f64 {
    Duration::from_millis(duration_ms).as_secs_f64()
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

//! One question about documents, from its being asked to its reply: what it sees of the outside, what is told of it, and
//! what is written of it.

use std::collections::BTreeMap;
use std::future::Future;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use contract::library::{MarkerStyle, ReasonRequest};
use domain::{Clock, Turn, Usd};
use jiff::Timestamp;
use llm::{Exchanges, Model, Session, StageReport, Usage};
use serde::{Deserialize, Serialize};
use serde_json::json;
use telemetry::Watch;
use tokio_util::sync::CancellationToken;
use trace::{AskedTurn, Ended, Event, Finished, Journal, Listener, Record, Response, Stage};
use uuid::Uuid;

use super::explore::{Audience, AudienceWants, Inquiry, Purse};
use super::{Desk, Reader};
use crate::carry::CarriedExchanges;
use crate::outside::Outside;

/// What is asked, as it is recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Asked {
    /// A question that stands alone.
    Alone {
        question: String,
        previous: Option<String>,
        limit: Option<usize>,
        tokens_max: Option<usize>,
        collection_id: Option<String>,
        document_id: Option<String>,
        cites_by_ids: bool,
    },
    /// A question of a conversation.
    InThread {
        question: String,
        history: Vec<AskedTurn>,
        collection_id: Option<String>,
        document_id: Option<String>,
        moves_max: usize,
        spend_usd: String,
        /// What was wanted beside the answer; none in recordings that have no more than it.
        #[serde(default)]
        wants: Option<AudienceWants>,
    },
}

/// What a sitting is recorded or replayed over, and who hears of it.
pub(crate) struct Around {
    pub(crate) outside: Outside,
    pub(crate) cancel: CancellationToken,
    pub(crate) listener: Option<Listener>,
}

/// A question under way.
pub(super) struct Sitting<'a> {
    desk: &'a Desk,
    caller: &'a str,
    asked: Asked,
    request: String,
    outside: Outside,
    clock: Arc<dyn Clock>,
    gate: CancellationToken,
    record: Record,
    watch: Option<Arc<Watch>>,
    started_at: Timestamp,
    close: Mutex<Close>,
}

/// What is known of a sitting's end.
#[derive(Default)]
struct Close {
    is_over: bool,
    is_given_up: bool,
    response: Option<Response>,
    cost: Usd,
}

impl<'a> Sitting<'a> {
    /// A sitting over the live parts, recorded where requests are.
    pub(super) fn begin(reader: &Reader<'a>, asked: Asked, cancel: CancellationToken) -> Self {
        let desk = reader.desk;
        let request = Uuid::new_v4().to_string();
        let is_wanted = desk.recorder().is_some_and(|recorder| recorder.wants(&request));
        let outside = if is_wanted {
            let question = serde_json::to_value(&asked).unwrap_or_default();
            let ends = (Arc::clone(&desk.clock), cancel.clone());
            let bytes_max = desk.policy.recording.run_bytes_max;
            Outside::Recorded(Journal::of_documents(question, BTreeMap::new(), ends, bytes_max))
        } else {
            Outside::Live
        };
        Self::over(reader, asked, request, Around { outside, cancel, listener: None })
    }

    /// A sitting over this outside.
    pub(super) fn over(reader: &Reader<'a>, asked: Asked, request: String, around: Around) -> Self {
        let desk = reader.desk;
        let who = (request.as_str(), asked.question());
        let watch = Watch::of_request(desk.telemetry(), &desk.policy, who, desk.clock.now());
        Self::watched(reader, asked, (request, watch), around)
    }

    /// A sitting within a request that is recorded and watched itself.
    pub(super) fn within(reader: &Reader<'a>, asked: Asked) -> Self {
        let around = Around { outside: Outside::Live, cancel: CancellationToken::new(), listener: None };
        let sitting = Self::watched(reader, asked, (String::new(), None), around);
        sitting.close().is_over = true;
        sitting
    }

    fn watched(
        reader: &Reader<'a>,
        asked: Asked,
        (request, watch): (String, Option<Arc<Watch>>),
        around: Around,
    ) -> Self {
        let Around { outside, cancel, listener } = around;
        let clock = outside.clock(&reader.desk.clock);
        let listener = crate::reply::heard_by(watch.clone(), listener);
        let gate = outside.gate(cancel);
        let started_at = clock.now();
        Self {
            desk: reader.desk,
            caller: reader.caller,
            asked,
            request,
            outside,
            record: Record::new(Arc::clone(&clock), listener),
            clock,
            gate,
            watch,
            started_at,
            close: Mutex::default(),
        }
    }

    /// Waits for the answer; none where the question is given up before.
    pub(super) async fn attend<T: Send>(&self, work: impl Future<Output = T> + Send) -> Option<T> {
        let work = async {
            tokio::select! {
                biased;
                () = self.gate.cancelled() => None,
                value = work => Some(value),
            }
        };
        let ending = self.outside.attend(work).await;
        if ending.is_none() {
            self.close().is_given_up = true;
            self.end("failed");
        }
        ending
    }

    /// What it sees of the outside.
    pub(super) fn outside(&self) -> &Outside {
        &self.outside
    }

    /// The time now.
    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Milliseconds since then.
    pub(super) fn elapsed_ms(&self, since: Timestamp) -> u64 {
        milliseconds(since, self.now())
    }

    /// Milliseconds since it began.
    pub(super) fn whole_ms(&self) -> u64 {
        self.elapsed_ms(self.started_at)
    }

    /// What stands between it and the models.
    pub(super) fn exchanges(&self) -> CarriedExchanges<'_> {
        let inner = match &self.outside {
            Outside::Live => None,
            Outside::Recorded(journal) => Some(&**journal as &dyn Exchanges),
            Outside::Replayed(tape) => Some(&**tape as &dyn Exchanges),
        };
        CarriedExchanges { inner, watch: self.watch.as_deref() }
    }

    /// Tells that something happened.
    pub(super) fn note(&self, event: Event) {
        self.record.add(event);
    }

    /// Waits for what is written, and tells how long that took.
    pub(super) async fn writing<T>(&self, work: impl Future<Output = T>) -> T {
        let since = self.now();
        self.note(Event::StageStarted { stage: Stage::Synthesis });
        let written = work.await;
        self.note(Event::StageEnded { stage: Stage::Synthesis, duration_ms: self.elapsed_ms(since) });
        written
    }

    /// Takes and tells what the models did.
    pub(super) fn hear(&self, session: Option<&Session<'_>>) -> Vec<StageReport> {
        let reports = session.map(Session::take_reports).unwrap_or_default();
        for report in &reports {
            self.note(Event::ModelAsked(Box::new(report.clone())));
        }
        let spent: Usage = reports.iter().map(StageReport::usage).sum();
        self.close().cost += spent.cost;
        reports
    }

    /// Takes note of the reply.
    pub(super) fn replied(&self, outcome: &'static str, response: impl FnOnce() -> String) {
        self.end(outcome);
        let is_kept = !matches!(self.outside, Outside::Live);
        self.close().response = is_kept.then(|| {
            let response = response();
            Box::new(move || response) as Response
        });
    }

    /// The bytes of the reply, for who replays it.
    pub(super) fn response(&self) -> String {
        let response = self.close().response.take();
        response.map_or_else(given_up, |response| response())
    }

    fn end(&self, outcome: &'static str) {
        if !mem::replace(&mut self.close().is_over, true) {
            self.note(Event::QueryEnded { outcome, duration_ms: self.whole_ms() });
        }
    }

    fn close(&self) -> std::sync::MutexGuard<'_, Close> {
        self.close.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Sitting<'_> {
    /// Where whoever asked has gone away, what there is by then is written.
    fn drop(&mut self) {
        self.end("failed");
        let (Outside::Recorded(journal), Some(recorder)) = (&self.outside, self.desk.recorder()) else {
            return;
        };
        let close = mem::take(&mut *self.close());
        let is_cancelled = close.is_given_up || close.response.is_none();
        recorder.keep(Finished::of(
            journal,
            Ended {
                policy: Arc::clone(&self.desk.policy),
                caller: self.caller.to_owned(),
                request: mem::take(&mut self.request),
                question: self.asked.question().to_owned(),
                started_at: self.started_at,
                events: Arc::new(self.record.take()),
                cost_usd: close.cost.to_string(),
                is_cancelled,
                response: close.response.unwrap_or_else(|| Box::new(given_up)),
                secrets: Vec::new(),
            },
        ));
    }
}

/// Stands for the reply to a question that was given up.
pub(super) fn given_up() -> String {
    json!({ "given_up": true }).to_string()
}

/// Milliseconds between two moments.
pub(super) fn milliseconds(since: Timestamp, until: Timestamp) -> u64 {
    u64::try_from(until.duration_since(since).as_millis()).unwrap_or_default()
}

impl Asked {
    pub(super) fn alone(request: &ReasonRequest) -> Self {
        Self::Alone {
            question: request.query.clone(),
            previous: request.previous.clone(),
            limit: request.limit,
            tokens_max: request.tokens_max,
            collection_id: request.collection_id.clone(),
            document_id: request.document_id.clone(),
            cites_by_ids: request.markers == MarkerStyle::Ids,
        }
    }

    pub(super) fn in_thread(inquiry: &Inquiry, purse: Purse, wants: Option<AudienceWants>) -> Self {
        Self::InThread {
            question: inquiry.question.clone(),
            history: inquiry.history.iter().map(AskedTurn::from).collect(),
            collection_id: inquiry.collection_id.clone(),
            document_id: inquiry.document_id.clone(),
            moves_max: purse.moves_max,
            spend_usd: purse.spend.amount().to_string(),
            wants,
        }
    }

    /// What was wanted beside the answer, where that is known.
    pub(crate) fn wants(&self) -> Option<&AudienceWants> {
        match self {
            Self::Alone { .. } => None,
            Self::InThread { wants, .. } => wants.as_ref(),
        }
    }

    pub(crate) fn question(&self) -> &str {
        match self {
            Self::Alone { question, .. } | Self::InThread { question, .. } => question,
        }
    }
}

impl Reader<'_> {
    /// Asks a recorded question again over a recording, with an audience that keeps what a conversation is told; the bytes
    /// of the reply.
    pub(crate) async fn ask_again(
        &self,
        asked: Asked,
        request: String,
        around: Around,
        audience: &dyn Audience,
    ) -> String {
        let sitting = Sitting::over(self, asked.clone(), request, around);
        match asked {
            Asked::Alone {
                question,
                previous,
                limit,
                tokens_max,
                collection_id,
                document_id,
                cites_by_ids,
            } => {
                let markers = if cites_by_ids { MarkerStyle::Ids } else { MarkerStyle::Numbers };
                let request = ReasonRequest {
                    query: question,
                    previous,
                    limit,
                    tokens_max,
                    collection_id,
                    document_id,
                    markers,
                };
                drop(Box::pin(self.reason_at(&request, true, &sitting)).await);
            }
            Asked::InThread {
                question,
                history,
                collection_id,
                document_id,
                moves_max,
                spend_usd,
                wants: _,
            } => {
                let history = history.iter().map(Turn::from).collect();
                let inquiry = Inquiry { question, history, collection_id, document_id };
                let purse = Purse { moves_max, spend: Usd::parse(&spend_usd).unwrap_or(Usd::ZERO) };
                drop(Box::pin(self.explore_at(&inquiry, purse, audience, &sitting)).await);
            }
        }
        sitting.response()
    }
}

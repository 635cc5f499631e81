//! The whole engine over the embedded marketplace, on a clock that stands still.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use domain::{
    ClarificationPolicy, Clock, Depth, Include, ListingId, Query, RequestId, ResponseShape, ToolScope,
};
use engine::{Outcome, Ports, Run, Settled, Shelf};
use jiff::Timestamp;
use ledger::Ledger;
use llm::Portfolio;
use mcp::{Catalog, Tools, Transport, Upstream, Upstreams};
use policy::Policy;
use store::{Settings, Store};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use trace::{Ended, Finished, Journal, Listener, Recorder};
use worker::Programs;

use crate::FixedClock;

/// An engine with its catalog, ready to be asked.
pub struct House {
    /// The policies.
    pub policy: Policy,
    shared_policy: Arc<Policy>,
    /// The catalog and its methods.
    pub upstreams: Arc<Upstreams>,
    /// Where programs run: in process, unless a test says otherwise.
    pub programs: Programs,
    clock: Arc<FixedClock>,
    shelf: Shelf,
    portfolio: Portfolio,
    ledger: Ledger,
}

/// Who looks on where a question is asked.
#[derive(Default)]
pub struct Watched<'a> {
    /// Records the request.
    pub recorder: Option<&'a Recorder>,
    /// Hears its events.
    pub listener: Option<Listener>,
}

impl House {
    /// The embedded marketplace and whatever `others` adds to it, at `now`.
    ///
    /// # Panics
    ///
    /// Where the parts do not fit together.
    #[expect(clippy::expect_used, reason = "a test without its house is broken")]
    pub async fn build(now: Timestamp, others: Vec<Upstream>) -> Self {
        Self::under(Policy::shipped().expect("the shipped policies are sound"), now, others).await
    }

    /// The same under a policy of its own, whose models take any key.
    ///
    /// # Panics
    ///
    /// Where the parts do not fit together.
    #[expect(clippy::expect_used, reason = "a test without its house is broken")]
    pub async fn under(policy: Policy, now: Timestamp, others: Vec<Upstream>) -> Self {
        let clock = Arc::new(FixedClock::new(now));
        let upstreams = Upstreams::start(
            samples(&clock).into_iter().chain(others).collect(),
            Arc::new(policy.upstreams.clone()),
            Arc::clone(&clock) as Arc<dyn Clock>,
            TaskTracker::new(),
            &CancellationToken::new(),
        )
        .expect("the listings have names of their own");
        upstreams.settled().await;
        let settings = Settings {
            readers_max: 1,
            acquire_timeout: Duration::from_secs(30),
            busy_timeout: Duration::from_secs(30),
            blob_bytes_max: 1 << 20,
        };
        let store = Store::in_memory(settings).await.expect("a store");
        let shelf = Shelf::default();
        let knowledge = Arc::clone(shelf.knowledge());
        let portfolio = Portfolio::open(
            &policy,
            knowledge,
            &|_| Some("a key".to_owned()),
            Arc::clone(&clock) as Arc<dyn Clock>,
        )
        .expect("the models can be asked");
        let shared_policy = Arc::new(policy.clone());
        let ledger = Ledger::new(store);
        let programs = Programs::InProcess;
        Self { policy, shared_policy, upstreams, programs, clock, shelf, portfolio, ledger }
    }

    /// The time, which stands still.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// A run of this request that begins now.
    #[must_use]
    pub fn run(&self, request: &str) -> Run {
        let clock = Arc::clone(&self.clock) as Arc<dyn Clock>;
        let request = RequestId::new(request);
        Run::start(request, "tests".to_owned(), clock, &self.policy.budgets, CancellationToken::new(), None)
    }

    /// Asks a question through the fast lane, of these listings or of all.
    pub async fn ask(&self, question: &str, pinned: Vec<ListingId>, run: &Run) -> Settled {
        let tools = if pinned.is_empty() { ToolScope::Discover } else { ToolScope::Pinned(pinned) };
        self.serve(Query { tools, ..query(question) }, run).await
    }

    /// Asks a question of every listing through the fast lane, its calls made by `tools`, with whoever looks on.
    pub async fn ask_watched(
        &self,
        question: &str,
        request: &str,
        tools: &dyn Tools,
        watched: Watched<'_>,
    ) -> Arc<Settled> {
        let query = query(question);
        let Watched { recorder, listener } = watched;
        let Some(recorder) = recorder else {
            let run = Run::start(
                RequestId::new(request),
                "tests".to_owned(),
                Arc::clone(&self.clock) as Arc<dyn Clock>,
                &self.policy.budgets,
                CancellationToken::new(),
                listener,
            );
            return Arc::new(self.served(query, &run, tools).await);
        };
        let ends = (Arc::clone(&self.clock) as Arc<dyn Clock>, CancellationToken::new());
        let journal = Journal::of(&query, BTreeMap::new(), ends, self.policy.recording.run_bytes_max);
        let clock = Arc::clone(&journal) as Arc<dyn Clock>;
        let (id, budgets) = (RequestId::new(request), &self.policy.budgets);
        let run = Run::start(id, "tests".to_owned(), clock, budgets, journal.gate(), listener);
        let session = self.portfolio.session_over(None, &*journal);
        let (catalog, tools) = (journal.catalog(&*self.upstreams), journal.tools(tools));
        let programs = journal.programs(&self.programs);
        let ports = Ports {
            catalog: &catalog,
            shelf: &self.shelf,
            tools: &tools,
            programs: &programs,
            model: &session,
            token_key: b"a key of the tests",
            ledger: &self.ledger,
        };
        let settled = Arc::new(journal.attend(engine::serve(query, &run, &self.policy, ports)).await);
        let told = Arc::clone(&settled);
        let ended = Ended {
            policy: Arc::clone(&self.shared_policy),
            caller: "tests".to_owned(),
            request: request.to_owned(),
            question: question.to_owned(),
            started_at: settled.started_at,
            events: Arc::clone(&settled.events),
            cost_usd: settled.spent.tool_cost().to_string(),
            is_cancelled: false,
            response: Box::new(move || response(&told)),
            secrets: Vec::new(),
        };
        recorder.keep(Finished::of(&journal, ended));
        settled
    }

    /// Asks a question of every listing, to be answered by the model of this name.
    pub async fn ask_of_model(&self, question: &str, model: &str) -> Settled {
        let query = Query { answer_model: Some(model.to_owned()), ..query(question) };
        self.serve(query, &self.run(question)).await
    }

    /// Asks a question of every listing, its calls made by `tools`.
    pub async fn ask_through(&self, question: &str, tools: &dyn Tools) -> Settled {
        self.served(query(question), &self.run(question), tools).await
    }

    async fn serve(&self, query: Query, run: &Run) -> Settled {
        self.served(query, run, &*self.upstreams).await
    }

    async fn served(&self, query: Query, run: &Run, tools: &dyn Tools) -> Settled {
        let session = self.portfolio.session(query.answer_model.as_deref());
        let ports = Ports {
            catalog: &*self.upstreams,
            shelf: &self.shelf,
            tools,
            programs: &self.programs,
            model: &session,
            token_key: b"a key of the tests",
            ledger: &self.ledger,
        };
        Box::pin(engine::serve(query, run, &self.policy, ports)).await
    }

    /// The listing of this name.
    ///
    /// # Panics
    ///
    /// Where there is none.
    #[must_use]
    pub fn listing(&self, name: &str) -> ListingId {
        let id = ListingId::of_name(name);
        assert!(self.upstreams.snapshot().listing(id).is_some(), "no listing {name}");
        id
    }
}

/// What a recording of the house has in the place of a reply's bytes.
fn response(settled: &Settled) -> String {
    match &settled.ending {
        Ok(Outcome::Answer(answer) | Outcome::Evidence(answer)) => answer.data.to_string(),
        Ok(Outcome::Clarify(_) | Outcome::Miss(_)) | Err(_) => "null".to_owned(),
    }
}

fn query(question: &str) -> Query {
    Query {
        text: question.to_owned(),
        tools: ToolScope::Discover,
        depth: Depth::Fast,
        clarification: ClarificationPolicy::Return,
        shape: ResponseShape::AnswerWithEvidence,
        answer_model: None,
        include: Include { data: true, data_url: false, developer_trace: true },
        lineage: None,
        history: Vec::new(),
        choice: None,
    }
}

fn samples(clock: &Arc<FixedClock>) -> Vec<Upstream> {
    let clock = Arc::clone(clock);
    let samples = market::listings(Arc::new(move || clock.now()), 1).into_iter().map(|sample| {
        let (name, description) = (sample.name().to_owned(), sample.description().to_owned());
        let transport = Transport::Embedded(Arc::new(move |io| {
            let sample = sample.clone();
            Box::pin(async move { sample.serve(io).await })
        }));
        Upstream { description: Some(description), ..Upstream::new(name, transport) }
    });
    samples.collect()
}

//! The whole engine over the embedded marketplace, on a clock that stands still. What it is asked is recorded and replayed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use domain::{
    ClarificationPolicy, Clock, Depth, Include, ListingId, Query, RequestId, ResponseShape, Speaker,
    ToolScope, Turn,
};
use engine::{Outcome, Ports, Run, Settled, Shelf};
use jiff::Timestamp;
use ledger::Ledger;
use llm::{Portfolio, Session};
use mcp::{Catalog, Tools, Transport, Upstream, Upstreams};
use policy::Policy;
use store::{Settings, Store};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use trace::{Ended, Finished, Journal, Keeping, Listener, Mismatch, Recorder, Still, Tape};
use worker::{Passes, Programs};

use crate::FixedClock;

/// An engine with its catalog, ready to be asked.
pub struct House {
    /// The policies.
    pub policy: Arc<Policy>,
    /// The catalog and its methods.
    pub upstreams: Arc<Upstreams>,
    /// Where programs run: in process, unless a test says otherwise.
    pub programs: Programs,
    clock: Arc<FixedClock>,
    shelf: Shelf,
    portfolio: Portfolio,
    ledger: Ledger,
    /// Questions so far.
    asked: AtomicUsize,
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
        let (policy, clock) = (Arc::new(policy), Arc::new(FixedClock::new(now)));
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
            // Replays move time.
            acquire_timeout: Duration::from_secs(1_000_000),
            busy_timeout: Duration::from_secs(30),
            blob_bytes_max: 1 << 20,
        };
        let store = Store::in_memory(settings).await.expect("a store");
        let shelf = Shelf::of(&policy.probe);
        let knowledge = Arc::clone(shelf.knowledge());
        let portfolio = Portfolio::open(
            &policy,
            knowledge,
            &|_| Some("a key".to_owned()),
            Arc::clone(&clock) as Arc<dyn Clock>,
        )
        .expect("the models can be asked");
        let ledger = Ledger::new(store);
        let programs = Programs::InProcess;
        let asked = AtomicUsize::new(0);
        Self { policy, upstreams, programs, clock, shelf, portfolio, ledger, asked }
    }

    /// The time, which stands still.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Asks a question through the fast lane, of these listings or of all. It is recorded and replayed, as every question of
    /// the house is, and has to come to the same.
    ///
    /// # Panics
    ///
    /// Where the replay comes to something else.
    pub async fn ask(&self, question: &str, pinned: Vec<ListingId>) -> Settled {
        let asked = || {
            let pinned = pinned.clone();
            let tools = if pinned.is_empty() { ToolScope::Discover } else { ToolScope::Pinned(pinned) };
            Query { tools, ..query(question) }
        };
        self.held(asked, &*self.upstreams).await
    }

    /// Asks a question of every listing through the deep lane, after these of the same caller.
    ///
    /// # Panics
    ///
    /// As [`ask`](Self::ask).
    pub async fn ask_after(&self, question: &str, earlier: &[String]) -> Settled {
        let said = |text: &String| Turn::said(Speaker::User, text);
        let asked =
            || Query { depth: Depth::Deep, history: earlier.iter().map(said).collect(), ..query(question) };
        self.held(asked, &*self.upstreams).await
    }

    /// Asks a question of every listing, to be answered by the model of this name.
    ///
    /// # Panics
    ///
    /// As [`ask`](Self::ask).
    pub async fn ask_of_model(&self, question: &str, model: &str) -> Settled {
        let asked = || Query { answer_model: Some(model.to_owned()), ..query(question) };
        self.held(asked, &*self.upstreams).await
    }

    /// Asks a question of every listing, its calls made by `tools`.
    ///
    /// # Panics
    ///
    /// As [`ask`](Self::ask).
    pub async fn ask_through(&self, question: &str, tools: &dyn Tools) -> Settled {
        self.held(|| query(question), tools).await
    }

    /// Asks a question of every listing through the fast lane, its calls made by `tools`, with whoever looks on. It is
    /// recorded where there is a recorder, and not replayed: this is what is measured.
    pub async fn ask_watched(
        &self,
        question: &str,
        request: &str,
        tools: &dyn Tools,
        watched: Watched<'_>,
    ) -> Arc<Settled> {
        let (query, Watched { recorder, listener }) = (query(question), watched);
        let Some(recorder) = recorder else {
            let clock = Arc::clone(&self.clock) as Arc<dyn Clock>;
            let run = self.run(request, clock, CancellationToken::new(), listener);
            let session = self.portfolio.session(None);
            let ports = (&*self.upstreams as &dyn Catalog, tools, &self.programs as &dyn Passes, &session);
            return Arc::new(self.served(query, &run, (&self.shelf, ports)).await);
        };
        let (settled, finished) = self.recorded(query, request, tools, listener).await;
        recorder.keep(finished);
        settled
    }

    /// Answers a question, records and replays it.
    #[expect(clippy::expect_used, clippy::panic, reason = "a test whose replay parts has failed")]
    async fn held(&self, asked: impl Fn() -> Query + Sync, tools: &dyn Tools) -> Settled {
        let request = format!("question {}", self.asked.fetch_add(1, Ordering::Relaxed));
        let (settled, finished) = Box::pin(self.recorded(asked(), &request, tools, None)).await;
        let tape = finished.tape(Keeping::Strict).expect("nothing was left out");
        // The replay has a runtime of its own, whose time it moves.
        let replayed = thread::scope(|scope| scope.spawn(|| self.replayed(asked(), &request, &tape)).join());
        let replayed = replayed.expect("a replay that ends");
        let again = replayed.unwrap_or_else(|mismatch| panic!("the replay of {request:?} parts: {mismatch}"));
        assert_eq!(told(&again), told(&settled), "the replay of {request:?} ends otherwise");
        let [one, other] = [&settled, &again].map(|run| trace::decisions_of(&run.events));
        assert_eq!(trace::parting(&one, &other), None, "the replay of {request:?} decides otherwise");
        Arc::into_inner(settled).expect("nobody else holds it")
    }

    async fn recorded(
        &self,
        query: Query,
        request: &str,
        tools: &dyn Tools,
        listener: Option<Listener>,
    ) -> (Arc<Settled>, Finished) {
        let ends = (Arc::clone(&self.clock) as Arc<dyn Clock>, CancellationToken::new());
        let journal = Journal::of(&query, BTreeMap::new(), ends, self.policy.recording.run_bytes_max);
        let run = self.run(request, Arc::clone(&journal) as Arc<dyn Clock>, journal.gate(), listener);
        let session = self.portfolio.session_over(query.answer_model.as_deref(), &*journal);
        let (catalog, tools) = (journal.catalog(&*self.upstreams), journal.tools(tools));
        let programs = journal.programs(&self.programs);
        let question = query.text.clone();
        let serving = self.served(query, &run, (&self.shelf, (&catalog, &tools, &programs, &session)));
        let settled = Arc::new(journal.attend(serving).await);
        let replied = Arc::clone(&settled);
        let ended = Ended {
            policy: Arc::clone(&self.policy),
            caller: "tests".to_owned(),
            request: request.to_owned(),
            question,
            started_at: settled.started_at,
            events: Arc::clone(&settled.events),
            cost_usd: settled.spent.tool_cost().to_string(),
            is_cancelled: false,
            response: Box::new(move || response(&replied)),
            secrets: Vec::new(),
        };
        let finished = Finished::of(&journal, ended);
        (settled, finished)
    }

    /// Runs a question over its recording, with nothing behind it.
    #[expect(clippy::expect_used, reason = "a test without its replay is broken")]
    fn replayed(&self, query: Query, request: &str, tape: &Arc<Tape>) -> Result<Settled, Mismatch> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            tokio::time::pause();
            let _still = Still::stand();
            let methods = Shelf::of(&self.policy.probe);
            let (knowledge, clock) = (Arc::clone(methods.knowledge()), Arc::clone(tape) as Arc<dyn Clock>);
            let portfolio =
                Portfolio::without_keys(&self.policy, knowledge, Arc::new(FixedClock::new(self.now())))
                    .expect("the models were asked before");
            let session = portfolio.session_over(query.answer_model.as_deref(), &**tape);
            let cancel = CancellationToken::new();
            // Another identifier, so that the ledger takes it; it decides nothing.
            let run = async {
                let run = self.run(&format!("{request}, again"), clock, cancel.clone(), None);
                let programs = tape.programs(&Programs::InProcess);
                let (catalog, tools) = (&**tape as &dyn Catalog, &**tape as &dyn Tools);
                self.served(query, &run, (&methods, (catalog, tools, &programs, &session))).await
            };
            let settled = Box::pin(tape.drive(&cancel, run)).await?;
            tape.rest().map_or(Ok(settled), |rest| Err(Mismatch(rest)))
        })
    }

    /// A run that begins now.
    fn run(
        &self,
        request: &str,
        clock: Arc<dyn Clock>,
        cancel: CancellationToken,
        listener: Option<Listener>,
    ) -> Run {
        let request = RequestId::new(request);
        Run::start(request, "tests".to_owned(), clock, &self.policy.budgets, cancel, listener)
    }

    async fn served(
        &self,
        query: Query,
        run: &Run,
        (methods, (catalog, tools, programs, model)): (&Shelf, Outside<'_>),
    ) -> Settled {
        let (token_key, ledger) = (b"a key of the tests", &self.ledger);
        let ports = Ports { catalog, shelf: methods, tools, programs, model, token_key, ledger };
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

/// What a question sees of the outside.
type Outside<'a> = (&'a dyn Catalog, &'a dyn Tools, &'a dyn Passes, &'a Session<'a>);

/// How a question ended, in words.
fn told(settled: &Settled) -> String {
    format!("{:#?}", settled.ending)
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

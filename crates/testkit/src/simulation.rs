//! The whole runtime, HTTP left out, from one seed: the clock, the identifiers, the models, the upstreams and everything
//! that goes wrong with them. The same seed gives the same run, on virtual time.
//!
//! Methods, their schemas and what they answer are those of the embedded marketplace; which listings there are, how long
//! anything takes and how it fails come from the seed.

mod dice;
mod machine;
mod upstreams;
mod world;

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use domain::{
    ClarificationPolicy, Depth, Include, MethodRef, Query, RequestId, ResponseShape, ToolScope, Usd,
};
use engine::{Ports, Run, Settled};
use ledger::Ledger;
use mcp::{Catalog, Tools};
use store::Store;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use trace::{Decision, Ended, Finished, Journal, Keeping, Mismatch, Still, Tape};
use worker::Programs;

use dice::Dice;
use machine::Machine;
use upstreams::{Odd, Sea};
pub use world::World;

/// How far time moves at once, so that whatever is due in between comes in its order.
const STEP: Duration = Duration::from_millis(250);

const QUESTIONS: [&str; 14] = [
    "Which exchanges saw the largest BTC inflows in the last 24 hours?",
    "What is the net flow of ETH over the last 7 days?",
    "What is the aggregate USDT flow across all exchanges in the last 24 hours?",
    "What is the funding rate of BTC?",
    "Rank exchanges by open interest in BTC",
    "Compare the current weather in Paris and Berlin",
    "What is the weather in Paris? Also what is the exchange rate from EUR to USD?",
    "Convert 250 EUR to JPY",
    "Convert dollars",
    "What is the price of the World Cup market?",
    "What are the odds of every outcome of the FIFA World Cup winner?",
    "Place an order for 100 contracts on the World Cup winner",
    "Search the news for Bitcoin ETF inflows in the last 24 hours",
    "zzyzx qwrtp",
];

/// What one seed came to.
pub struct Simulated {
    /// The seed.
    pub seed: u64,
    scope: Scope,
    /// How the request ended.
    pub settled: Settled,
    /// Methods whose data was delivered, and how often.
    pub delivered: BTreeMap<MethodRef, usize>,
    /// Calls that reached an upstream.
    pub executed: usize,
    /// What was delivered, at the methods' prices.
    pub owed: Usd,
    /// How much virtual time it took.
    pub took: Duration,
    /// What the ledger holds.
    pub settlement: Option<store::Settlement>,
    /// The ending in words, to be held against a replay's.
    pub ending: String,
    /// What was decided.
    pub decisions: Vec<Decision>,
    /// The recording.
    tape: Arc<Tape>,
}

/// What a seed makes up before anything runs.
struct Plan {
    question: &'static str,
    depth: Depth,
    clarification: ClarificationPolicy,
    shape: ResponseShape,
    cancel_after: Option<Duration>,
}

impl Plan {
    fn of(dice: &mut Dice) -> Self {
        Self {
            question: dice.pick(&QUESTIONS),
            depth: dice.pick(&[Depth::Fast, Depth::Auto, Depth::Deep]),
            clarification: dice.pick(&[ClarificationPolicy::Return, ClarificationPolicy::Auto]),
            shape: dice.pick(&[
                ResponseShape::Answer,
                ResponseShape::AnswerWithEvidence,
                ResponseShape::EvidenceOnly,
            ]),
            cancel_after: dice.once_in(12).then(|| Duration::from_millis(dice.below(20_000))),
        }
    }

    /// The README's question, with nothing in its way.
    fn plain() -> Self {
        Self {
            question: QUESTIONS[0],
            depth: Depth::Deep,
            clarification: ClarificationPolicy::Return,
            shape: ResponseShape::AnswerWithEvidence,
            cancel_after: None,
        }
    }

    fn query(&self) -> Query {
        Query {
            text: self.question.to_owned(),
            tools: ToolScope::Discover,
            depth: self.depth,
            clarification: self.clarification,
            shape: self.shape,
            answer_model: None,
            include: Include { data: true, data_url: false, developer_trace: true },
            lineage: None,
            history: Vec::new(),
            choice: None,
        }
    }
}

/// What a seed may change.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Everything.
    Whole,
    /// How long calls take, and so the order in which they come back.
    Order,
}

impl World {
    /// Runs the README's question, which makes calls side by side; the seed says in which order they come back, and nothing
    /// else. The runtime has to be one of a single thread, with its time paused.
    pub async fn shuffle(&self, store: &Store, seed: u64) -> Simulated {
        Box::pin(self.sail(store, seed, Scope::Order)).await
    }

    /// Runs one seed. The runtime has to be one of a single thread, with its time paused.
    pub async fn simulate(&self, store: &Store, seed: u64) -> Simulated {
        Box::pin(self.sail(store, seed, Scope::Whole)).await
    }

    #[expect(clippy::expect_used, reason = "a simulation without its store is broken")]
    async fn sail(&self, store: &Store, seed: u64, scope: Scope) -> Simulated {
        let _still = Still::stand();
        let (plan, place) = self.planned(seed, scope);
        let request = RequestId::new(format!("seed-{seed}-{}", place.name));
        let (clock, cancel) = (self.clock_from_now(), CancellationToken::new());
        let is_fair = scope == Scope::Order;
        let sea = Sea::new(self, Dice::of(seed ^ 0x5EA), is_fair);
        let odd = Odd::new(Dice::of(seed ^ 0x0DD), &sea, is_fair);
        let query = plan.query();
        let journal = Journal::of(&query, BTreeMap::new(), (clock, cancel.clone()), usize::MAX);
        let began = Instant::now();
        let run = Run::start(
            request.clone(),
            "simulation".to_owned(),
            Arc::clone(&journal) as Arc<dyn domain::Clock>,
            &place.policy.budgets,
            journal.gate(),
            None,
        );
        // The journal makes the exchanges, and the odd models stand where the endpoints would.
        let exchanges = upstreams::Through { journal: &journal, odd: &odd };
        let session = place.portfolio.session_over(None, &exchanges);
        let (catalog, tools) = (journal.catalog(place), journal.tools(&sea));
        let machine = Machine::new(Dice::of(seed ^ 0xC10), &sea, is_fair);
        let programs = journal.programs(&machine);
        let ledger = Ledger::new(store.clone());
        let ports = Ports {
            catalog: &catalog,
            shelf: &place.shelf,
            tools: &tools,
            programs: &programs,
            model: &session,
            token_key: b"a key of the simulation",
            ledger: &ledger,
        };
        let serving = journal.attend(engine::serve(query, &run, &place.policy, ports));
        let settled = Box::pin(sailed(&sea, (began, plan.cancel_after, &cancel), serving)).await;
        let took = began.elapsed();
        let settlement = store.settlement("simulation", &request).await.expect("a ledger that can be read");
        let (delivered, executed) = sea.log();
        let price = |method: &MethodRef| place.price(method);
        let owed = delivered.iter().flat_map(|(method, times)| vec![price(method); *times]).sum();
        let ended = ending(place, plan.question, &settled);
        let tape = Finished::of(&journal, ended).tape(Keeping::Strict).expect("nothing was left out");
        Simulated {
            seed,
            scope,
            ending: told(&settled),
            decisions: trace::decisions_of(&settled.events),
            settled,
            delivered,
            executed,
            owed,
            took,
            settlement,
            tape,
        }
    }

    fn planned(&self, seed: u64, scope: Scope) -> (Plan, &world::Place) {
        let mut dice = Dice::of(seed);
        match scope {
            Scope::Whole => (Plan::of(&mut dice), self.place(&mut dice)),
            Scope::Order => (Plan::plain(), self.first_place()),
        }
    }

    /// Replays a run from its recording: its ending in words, and what was decided.
    ///
    /// # Errors
    /// Where the run parts from the recording.
    ///
    /// # Panics
    ///
    /// Where the store fails.
    pub async fn replay(
        &self,
        store: &Store,
        simulated: &Simulated,
    ) -> Result<(String, Vec<Decision>), Mismatch> {
        let tape = &simulated.tape;
        let (plan, place) = self.planned(simulated.seed, simulated.scope);
        let cancel = CancellationToken::new();
        let session = place.portfolio.session_over(None, &**tape);
        // Another identifier, so that the ledger takes it; it decides nothing.
        let request = RequestId::new(format!("{}-again", simulated.settled.request));
        let ledger = Ledger::new(store.clone());
        let programs = tape.programs(&Programs::InProcess);
        let serving = async {
            let clock = Arc::clone(tape) as Arc<dyn domain::Clock>;
            let budgets = &place.policy.budgets;
            let run = Run::start(request, "simulation".to_owned(), clock, budgets, cancel.clone(), None);
            let ports = Ports {
                catalog: &**tape as &dyn Catalog,
                shelf: &place.shelf,
                tools: &**tape as &dyn Tools,
                programs: &programs,
                model: &session,
                token_key: b"a key of the simulation",
                ledger: &ledger,
            };
            engine::serve(plan.query(), &run, &place.policy, ports).await
        };
        let settled = Box::pin(tape.drive(&cancel, serving)).await?;
        match tape.rest() {
            Some(rest) => Err(Mismatch(rest)),
            None => Ok((told(&settled), trace::decisions_of(&settled.events))),
        }
    }
}

/// How a run ended, in words.
fn told(settled: &Settled) -> String {
    match &settled.ending {
        Ok(outcome) => format!("{outcome:?}"),
        Err(failure) => format!("failed: {failure}"),
    }
}

/// The ending of a run, for its recording.
fn ending(place: &world::Place, question: &str, settled: &Settled) -> Ended {
    Ended {
        policy: Arc::clone(&place.policy),
        caller: "simulation".to_owned(),
        request: settled.request.to_string(),
        question: question.to_owned(),
        started_at: settled.started_at,
        events: Arc::clone(&settled.events),
        cost_usd: String::new(),
        is_cancelled: matches!(settled.ending, Err(engine::Failure::Cancelled)),
        response: Box::new(|| "null".to_owned()),
        secrets: Vec::new(),
    }
}

/// Runs a request to its end. Time moves when all that it waits for is time.
async fn sailed<T>(
    sea: &Sea<'_>,
    (began, cancel_after, cancel): (Instant, Option<Duration>, &CancellationToken),
    run: impl Future<Output = T>,
) -> T {
    let mut run = pin!(run);
    loop {
        let ended = poll_fn(|context| match run.as_mut().poll(context) {
            Poll::Ready(value) => Poll::Ready(Some(value)),
            Poll::Pending if sea.is_calm() => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        })
        .await;
        if let Some(value) = ended {
            return value;
        }
        let elapsed = began.elapsed();
        if cancel_after.is_some_and(|after| elapsed >= after) {
            cancel.cancel();
        }
        let left = cancel_after.map_or(STEP, |after| after.saturating_sub(elapsed));
        let left = if left.is_zero() { STEP } else { left };
        tokio::time::advance(sea.next_due().unwrap_or(STEP).min(STEP).min(left)).await;
    }
}

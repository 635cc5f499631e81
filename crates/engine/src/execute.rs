//! Execution: runs a verified program, making its calls wave by wave.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

use domain::{Call, CallFault, Delivered, FaultKind, Position, Reply, Usd};
use futures::future;
use mcp::Tools;
use policy::Budgets;
use program::{Cancellation, Cause, Entry, Fault, Finished, Journal, Origin, Ready, Step, path};
use serde_json::{Map, Value};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use trace::{Event, Stage};
use worker::Passes;

use crate::failure::Failure;
use crate::plan::Planned;
use crate::run::{Run, milliseconds_between};
use crate::spent::SpentCall;

/// A program that has ended, and what its calls gave.
#[derive(Debug)]
pub struct Executed {
    /// What the program gave back; null where it did not get there.
    pub value: Value,
    /// Every call that the program asked for, in the order in which they were made.
    pub calls: Vec<CallRecord>,
    /// What ended the program early.
    pub fault: Option<Cause>,
    origins: Vec<Origin>,
    told: OnceLock<String>,
}

/// One call and what came of it.
#[derive(Clone, Debug)]
pub struct CallRecord {
    /// The listing's name.
    pub listing_name: String,
    /// The call and its reply, as the journal has them.
    entry: Arc<Entry>,
}

impl Executed {
    fn new(calls: Vec<CallRecord>, ended: Result<(Value, Vec<Origin>), Cause>) -> Self {
        let (value, origins, fault) = match ended {
            Ok((value, origins)) => (value, origins, None),
            Err(fault) => (Value::Null, Vec::new(), Some(fault)),
        };
        Self { value, calls, fault, origins, told: OnceLock::new() }
    }

    /// The names of the methods that were called, one for each call.
    pub(crate) fn methods(&self) -> impl Iterator<Item = &str> {
        self.calls.iter().map(|record| record.call().method.method.as_str())
    }

    /// The results themselves, in the place of the value that a program never came to; by method where there are several.
    pub(crate) fn salvaged(mut self) -> Self {
        let mut values = Map::new();
        for (record, delivered) in self.delivered() {
            let method = record.call().method.method.as_str();
            let names =
                (1..).map(|at: usize| if at == 1 { method.to_owned() } else { format!("{method}_{at}") });
            let Some(name) = names.into_iter().find(|name| !values.contains_key(name)) else { continue };
            values.insert(name, Value::clone(&delivered.value));
        }
        let positions: Vec<Position> =
            self.delivered().map(|(record, _)| record.call().position.clone()).collect();
        let origin = |path: String, position| Origin { path, position, pointer: String::new() };
        (self.value, self.origins) = if values.len() == 1 {
            let whole = values.into_iter().next().map_or(Value::Null, |(_, value)| value);
            (whole, positions.into_iter().map(|position| origin("$".to_owned(), position)).collect())
        } else {
            let paths = values.keys().map(|name| path::member("$", name));
            let origins = paths.zip(positions).map(|(path, position)| origin(path, position)).collect();
            (Value::Object(values), origins)
        };
        self
    }

    /// The call whose result holds the value at a JSON path: the nearest one above it, or the only one there is.
    #[must_use]
    pub fn source_of(&self, path: &str) -> Option<usize> {
        let origin = self
            .origins
            .iter()
            .filter(|origin| is_above(&origin.path, path))
            .max_by_key(|origin| origin.path.len())
            .and_then(|origin| {
                self.calls.iter().position(|record| record.call().position == origin.position)
            });
        origin.or_else(|| (self.calls.len() == 1).then_some(0))
    }

    /// The call whose result, or the part of it at a JSON pointer, is the program's whole value.
    pub(crate) fn whole(&self) -> Option<(&CallRecord, &str)> {
        let origin = self.origins.iter().find(|origin| origin.path == "$")?;
        let record = self.calls.iter().find(|record| record.call().position == origin.position)?;
        Some((record, &origin.pointer))
    }

    /// What the calls were told, in lower case.
    #[must_use]
    pub fn told(&self) -> &str {
        self.told.get_or_init(|| self.calls.iter().map(CallRecord::told).collect::<String>().to_lowercase())
    }

    /// The calls that gave no data.
    pub fn faults(&self) -> impl Iterator<Item = (&CallRecord, &CallFault)> {
        self.calls.iter().filter_map(|record| record.reply().as_ref().err().map(|fault| (record, fault)))
    }

    /// The calls that gave data.
    pub fn delivered(&self) -> impl Iterator<Item = (&CallRecord, &Delivered)> {
        self.calls
            .iter()
            .filter_map(|record| record.reply().as_ref().ok().map(|delivered| (record, delivered)))
    }
}

impl CallRecord {
    /// The call.
    #[must_use]
    pub fn call(&self) -> &Call {
        self.entry.call()
    }

    /// What came of it.
    pub fn reply(&self) -> &Reply {
        self.entry.reply()
    }

    /// Its arguments, as JSON.
    #[must_use]
    pub fn told(&self) -> String {
        serde_json::to_string(&self.call().arguments).unwrap_or_default()
    }
}

fn is_above(origin: &str, path: &str) -> bool {
    path.strip_prefix(origin).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// Runs a program to its end. What an earlier program of the same request was given is served from its journal.
pub(crate) async fn program(
    planned: &Planned,
    journal: Journal,
    run: &Run,
    programs: &dyn Passes,
    tools: &dyn Tools,
    budgets: &Budgets,
) -> Result<(Executed, Journal), Failure> {
    run.stage(Stage::Execution, waves(planned, journal, run, programs, tools, budgets)).await?
}

async fn waves(
    planned: &Planned,
    journal: Journal,
    run: &Run,
    programs: &dyn Passes,
    tools: &dyn Tools,
    budgets: &Budgets,
) -> Result<(Executed, Journal), Failure> {
    let caller =
        Caller { planned, run, tools, budgets, in_flight: Semaphore::new(budgets.calls_in_flight_max) };
    let ready = planned.program().ready(journal, &Cancellation::default());
    let mut step = caller.pass(ready, programs).await?;
    loop {
        step = match step {
            Step::Calls(pending) => {
                let replies = caller.wave(pending.calls()).await;
                caller.pass(pending.ready(replies), programs).await?
            }
            Step::Done(finished) => {
                let Finished { value, origins, journal, asked, usage } = *finished;
                caller.ended(usage.passes, usage.operations, None);
                let calls = caller.records(&journal, &asked);
                return Ok((Executed::new(calls, Ok((value, origins))), journal));
            }
            Step::Failed(fault) => {
                let Fault { cause, journal, asked, usage } = *fault;
                caller.ended(usage.passes, usage.operations, Some(cause.to_string()));
                let calls = caller.records(&journal, &asked);
                return Ok((Executed::new(calls, Err(cause)), journal));
            }
        };
    }
}

/// Makes the calls of one program within the budgets of its request.
struct Caller<'a> {
    planned: &'a Planned,
    run: &'a Run,
    tools: &'a dyn Tools,
    budgets: &'a Budgets,
    in_flight: Semaphore,
}

impl Caller<'_> {
    /// Runs the program up to its next step.
    async fn pass(&self, ready: Ready, programs: &dyn Passes) -> Result<Step, Failure> {
        let before = ready.usage();
        programs.next(ready).await.map_err(|lost| {
            tracing::error!(error = %lost, "a program was lost");
            self.ended(before.passes, before.operations, Some(lost.to_string()));
            Failure::ProgramLost(lost)
        })
    }

    /// Makes the calls of a wave side by side. Its time is over for all of them at once.
    async fn wave(&self, calls: &[Call]) -> Vec<Reply> {
        let over = CancellationToken::new();
        let timed = async {
            // Where the time is over already, all of them are made before the first is given up, as in a replay.
            tokio::task::yield_now().await;
            tokio::time::sleep_until(self.run.calls_until()).await;
            over.cancel();
            future::pending::<Infallible>().await
        };
        let made = future::join_all(calls.iter().map(|call| self.make(call, &over)));
        tokio::select! {
            biased;
            never = timed => match never {},
            replies = made => replies,
        }
    }

    async fn make(&self, call: &Call, over: &CancellationToken) -> Reply {
        let listing_name = self.planned.listing_name(call.method.listing).to_owned();
        self.run.note(Event::CallStarted {
            position: call.position.clone(),
            method: call.method.clone(),
            listing_name: listing_name.clone(),
        });
        let began = self.run.now();
        let reply = self.within_budget(call, over).await;
        self.charge(call, &listing_name, &reply);
        if let Some(search) = reply.as_ref().ok().and_then(|delivered| contributor_search(&delivered.value)) {
            self.run.note(Event::ContributorSearched {
                method: call.method.clone(),
                listing_name: listing_name.clone(),
                search: search.clone(),
            });
        }
        self.run.note(Event::CallEnded {
            position: call.position.clone(),
            method: call.method.clone(),
            listing_name,
            arguments: call.arguments.clone(),
            outcome: reply.as_ref().map(|delivered| delivered.bytes).map_err(Clone::clone),
            duration_ms: milliseconds_between(began, self.run.now()),
        });
        reply
    }

    async fn within_budget(&self, call: &Call, over: &CancellationToken) -> Reply {
        let fault = |kind, message: &str| CallFault { kind, message: message.to_owned() };
        let spent_up = |limit: &str| fault(FaultKind::Budget, &format!("the request's `{limit}` is spent"));
        let made = async {
            let Ok(_turn) = self.in_flight.acquire().await else {
                return Err(fault(FaultKind::Cancelled, "the request is over"));
            };
            {
                let spent = self.run.spent();
                if spent.calls.len() >= self.budgets.calls_max {
                    return Err(spent_up("calls_max"));
                }
                if spent.result_bytes >= self.budgets.result_bytes_max {
                    return Err(spent_up("result_bytes_max"));
                }
                if spent.cost() + self.planned.price(&call.method) > self.budgets.spend_max() {
                    return Err(spent_up("spend_usd_max"));
                }
            }
            self.tools.call(call).await
        };
        // That the request is given up is seen by its stage alone: one place decides what is lost with it.
        tokio::select! {
            biased;
            reply = made => reply,
            () = over.cancelled() => {
                Err(fault(FaultKind::Timeout, "no answer within the request's time limit (`deadline_ms_max`)"))
            }
        }
    }

    /// A failed call is not charged.
    fn charge(&self, call: &Call, listing_name: &str, reply: &Reply) {
        let mut spent = self.run.spent();
        let (cost, bytes) = match reply {
            Ok(delivered) => (self.planned.price(&call.method), delivered.bytes),
            Err(_) => (Usd::ZERO, 0),
        };
        spent.result_bytes += bytes;
        spent.calls.push(SpentCall {
            method: call.method.clone(),
            listing_name: listing_name.to_owned(),
            cost,
            delivered: reply.is_ok(),
        });
    }

    /// The calls that the program asked for; the journal also holds those of the request's earlier programs.
    fn records(&self, journal: &Journal, asked: &BTreeSet<Position>) -> Vec<CallRecord> {
        journal
            .entries()
            .iter()
            .filter(|entry| asked.contains(&entry.call().position))
            .map(|entry| CallRecord {
                listing_name: self.planned.listing_name(entry.call().method.listing).to_owned(),
                entry: Arc::clone(entry),
            })
            .collect()
    }

    fn ended(&self, passes: usize, operations: u64, fault: Option<String>) {
        self.run.note(Event::ProgramEnded { attempt: self.planned.attempt(), passes, operations, fault });
    }
}

/// What a contributor says of its own search, in the result itself.
fn contributor_search(value: &Value) -> Option<&Value> {
    let is_one = |value: &&Value| value.get("version").and_then(Value::as_str) == Some(CONTRIBUTOR_SEARCH);
    value.as_object()?.values().find(is_one)
}

const CONTRIBUTOR_SEARCH: &str = "ctx-contributor-search/v1";

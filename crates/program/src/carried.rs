//! Passes in another process: all that one needs, as bytes, and what it came to, as bytes.
//!
//! What comes back is not believed: a program may have broken out of the interpreter. So a report can only say what a
//! program could have done: ask for calls that it was verified for, give a value, fail.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use domain::{Call, CallFault, Delivered, FaultKind, MethodName, MethodRef, Position, Usd};
use policy::Sandbox;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::interpreter;
use crate::journal::{Entry, Journal};
use crate::pass::Ended;
use crate::program::Compiled;
use crate::step::{Cancellation, Cause, Fault, Ready, Run, Step, Usage};
use crate::verify::{self, Cost};

mod report;

use report::{EndedMessage, ReportMessage};

/// A pass that is due, to be run by another process.
#[derive(Debug)]
pub struct Order {
    run: Run,
    bytes: Vec<u8>,
}

/// A report that no pass can have given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Garbled(&'static str);

impl Ready {
    /// The pass as another process can run it, in at most `bytes_max` bytes; or the program's end, where a limit forbids
    /// the pass.
    pub fn into_order(self, bytes_max: usize) -> Result<Order, Step> {
        let Self { run } = self;
        if run.is_worn() {
            return Err(run.step(Ended::Failed(Cause::limit("passes_max"))));
        }
        match serde_json::to_vec(&OrderMessage::of(&run)) {
            Ok(bytes) if bytes.len() <= bytes_max => Ok(Order { run, bytes }),
            Ok(_) => Err(run.step(Ended::Failed(Cause::limit(MESSAGE_BYTES_MAX)))),
            Err(error) => Err(run.step(Ended::Failed(Cause::Interpreter { message: error.to_string() }))),
        }
    }
}

impl Ready {
    /// The pass stopped as [`Fault::of_machine`] says, without running it.
    pub fn stopped(self, report: &Value) -> Result<Step, Garbled> {
        let report = ReportMessage::deserialize(report).map_err(|_| Garbled("it is no report"))?;
        concluded(self.run, report)
    }
}

impl Fault {
    /// What the pass came to where the machine stopped it, by its clock, its memory or a failure of its own: another run
    /// of the same program need not come to it.
    #[must_use]
    pub fn of_machine(&self) -> Option<Value> {
        let is_of_machine = match &self.cause {
            Cause::Limit { limit } => OF_MACHINE.contains(limit),
            Cause::Interpreter { .. } => true,
            Cause::CallFailed { .. }
            | Cause::Script { .. }
            | Cause::GaveUp { .. }
            | Cause::NoJson { .. }
            | Cause::Cancelled => false,
        };
        let Usage { operations, wall, memory_bytes_peak, .. } = self.usage;
        let report = is_of_machine.then(|| ReportMessage {
            ended: EndedMessage::of(Ended::Failed(self.cause.clone())),
            asked: self.asked.iter().map(ToString::to_string).collect(),
            operations,
            wall,
            memory_bytes_peak,
        })?;
        serde_json::to_value(report).ok()
    }
}

impl Order {
    /// What the other process is to be told.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How long the pass may take by the program's own limit.
    #[must_use]
    pub fn wall_left(&self) -> Duration {
        let wall_max = Duration::from_millis(self.run.compiled.limits.wall_ms_max);
        wall_max.saturating_sub(self.run.usage.wall)
    }

    /// Goes on with what the other process reported.
    pub fn conclude(self, report: &[u8]) -> Result<Step, Garbled> {
        concluded(self.run, serde_json::from_slice(report).map_err(|_| Garbled("it is no report"))?)
    }
}

fn concluded(mut run: Run, report: ReportMessage) -> Result<Step, Garbled> {
    let ended = report.ended.read(&run)?;
    run.asked.extend(report::asked(report.asked, &run)?);
    let used = &mut run.usage;
    used.passes += 1;
    used.operations = used.operations.max(report.operations);
    used.wall = used.wall.max(report.wall);
    used.memory_bytes_peak = used.memory_bytes_peak.max(report.memory_bytes_peak);
    Ok(run.step(ended))
}

/// Runs an ordered pass; `then` is told its report, of at most `report_bytes_max` bytes, on the program's thread. It must
/// not panic.
pub fn run_order(order: &[u8], report_bytes_max: usize, then: impl FnOnce(Vec<u8>) + Send + 'static) {
    let told = move |usage: Usage, asked: Vec<String>, ended: EndedMessage| {
        then(report(usage, asked, ended, report_bytes_max));
    };
    match serde_json::from_slice::<OrderMessage<'_>>(order)
        .map_err(|error| error.to_string())
        .and_then(OrderMessage::read)
    {
        Ok(run) => run.pass_aside(move |run, ended| {
            let asked = run.asked.iter().map(ToString::to_string).collect();
            told(run.usage, asked, EndedMessage::of(ended));
        }),
        Err(message) => told(Usage::default(), Vec::new(), EndedMessage::Interpreter { message }),
    }
}

fn report(usage: Usage, asked: Vec<String>, ended: EndedMessage, bytes_max: usize) -> Vec<u8> {
    let Usage { operations, wall, memory_bytes_peak, .. } = usage;
    let report = ReportMessage { ended, asked, operations, wall, memory_bytes_peak };
    // What has been read as JSON or made from a program's value can be written as JSON.
    let bytes = serde_json::to_vec(&report).unwrap_or_default();
    if bytes.len() <= bytes_max {
        return bytes;
    }
    let ended = EndedMessage::Limit { limit: MESSAGE_BYTES_MAX.to_owned() };
    serde_json::to_vec(&ReportMessage { ended, ..report }).unwrap_or_default()
}

const MESSAGE_BYTES_MAX: &str = "workers.message_bytes_max";

/// The keys of the limits that a pass can be stopped by.
const LIMITS: [&str; 11] = [
    MESSAGE_BYTES_MAX,
    "array_items_max",
    "call_depth_max",
    "map_items_max",
    "memory_bytes_max",
    "operations_max",
    "static_calls_max",
    "string_bytes_max",
    "value_depth_max",
    "variables_max",
    "wall_ms_max",
];

/// Those of them that hang on the machine, or on where the pass runs.
const OF_MACHINE: [&str; 3] = [MESSAGE_BYTES_MAX, "memory_bytes_max", "wall_ms_max"];

#[derive(Serialize, Deserialize)]
struct OrderMessage<'a> {
    limits: Cow<'a, Sandbox>,
    source: Cow<'a, str>,
    methods: Vec<(Cow<'a, str>, MethodMessage<'a>)>,
    calls_max: usize,
    operations: u64,
    wall: Duration,
    journal: Vec<EntryMessage<'a>>,
}

#[derive(Serialize, Deserialize)]
struct MethodMessage<'a> {
    listing: String,
    method: Cow<'a, str>,
}

#[derive(Serialize, Deserialize)]
struct CallMessage<'a> {
    position: String,
    method: MethodMessage<'a>,
    arguments: Cow<'a, Map<String, Value>>,
}

#[derive(Serialize, Deserialize)]
struct EntryMessage<'a> {
    call: CallMessage<'a>,
    reply: ReplyMessage<'a>,
}

#[derive(Serialize, Deserialize)]
enum ReplyMessage<'a> {
    Value(Cow<'a, Value>),
    Fault(#[serde(with = "KindMessage")] FaultKind, Cow<'a, str>),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "FaultKind")]
enum KindMessage {
    InvalidArguments,
    MethodError,
    InvalidResult,
    TooLarge,
    Timeout,
    Unreachable,
    Protocol,
    NeedsAction,
    Budget,
    Cancelled,
}

impl<'a> OrderMessage<'a> {
    fn of(run: &'a Run) -> Self {
        let compiled = &run.compiled;
        let named = |(name, method): (&'a String, &'a MethodRef)| (name.into(), MethodMessage::of(method));
        Self {
            limits: Cow::Borrowed(&compiled.limits),
            source: compiled.source().into(),
            methods: compiled.methods.iter().map(named).collect(),
            calls_max: compiled.cost.calls,
            operations: run.usage.operations,
            wall: run.usage.wall,
            journal: run.journal.entries().iter().map(|entry| EntryMessage::of(entry)).collect(),
        }
    }

    fn read(self) -> Result<Run, String> {
        let limits = self.limits.into_owned();
        let ast =
            interpreter::for_parsing(&limits).compile(&self.source).map_err(|error| error.to_string())?;
        let methods = self.methods.into_iter().map(|(name, method)| Ok((name.into_owned(), method.read()?)));
        let mut journal = Journal::default();
        for EntryMessage { call, reply } in self.journal {
            journal.record(call.read().map_err(|garbled| garbled.to_string())?, reply.read());
        }
        let compiled = Compiled::again(
            self.source.into_owned(),
            verify::written_variables(&ast),
            ast,
            methods.collect::<Result<BTreeMap<_, _>, Garbled>>().map_err(|garbled| garbled.to_string())?,
            Cost { calls: self.calls_max, spend: Usd::ZERO },
            limits,
        );
        Ok(Run {
            compiled: Arc::new(compiled),
            journal: Arc::new(journal),
            asked: BTreeSet::new(),
            cancellation: Cancellation::default(),
            usage: Usage { operations: self.operations, wall: self.wall, ..Usage::default() },
        })
    }
}

impl<'a> MethodMessage<'a> {
    fn of(method: &'a MethodRef) -> Self {
        Self { listing: method.listing.to_string(), method: method.method.as_str().into() }
    }

    fn read(self) -> Result<MethodRef, Garbled> {
        let listing = self.listing.parse().map_err(|_| Garbled("a listing's id is none"))?;
        Ok(MethodRef { listing, method: MethodName::new(self.method) })
    }
}

impl<'a> CallMessage<'a> {
    fn of(call: &'a Call) -> Self {
        Self {
            position: call.position.to_string(),
            method: MethodMessage::of(&call.method),
            arguments: Cow::Borrowed(&call.arguments),
        }
    }

    fn read(self) -> Result<Call, Garbled> {
        Ok(Call {
            position: Position::new(self.position),
            method: self.method.read()?,
            arguments: self.arguments.into_owned(),
        })
    }
}

impl<'a> EntryMessage<'a> {
    fn of(entry: &'a Entry) -> Self {
        let reply = match entry.reply() {
            Ok(delivered) => ReplyMessage::Value(Cow::Borrowed(&delivered.value)),
            Err(fault) => ReplyMessage::Fault(fault.kind, (&fault.message).into()),
        };
        Self { call: CallMessage::of(entry.call()), reply }
    }
}

impl ReplyMessage<'_> {
    /// The reply as a program can see it, which knows neither its size nor its time.
    fn read(self) -> domain::Reply {
        match self {
            Self::Value(value) => Ok(Delivered {
                value: Arc::new(value.into_owned()),
                bytes: 0,
                arrived_at: jiff::Timestamp::UNIX_EPOCH,
                elapsed: Duration::ZERO,
            }),
            Self::Fault(kind, message) => Err(CallFault { kind, message: message.into_owned() }),
        }
    }
}

impl CallMessage<'static> {
    fn owned(call: Call) -> Self {
        Self {
            position: call.position.to_string(),
            method: MethodMessage {
                listing: call.method.listing.to_string(),
                method: call.method.method.as_str().to_owned().into(),
            },
            arguments: Cow::Owned(call.arguments),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// The keys that stand as a limit in the sources.
    fn limits_in(text: &str) -> impl Iterator<Item = &str> {
        let after = [r#"Limit(""#, r#"limit(""#].into_iter().flat_map(|before| text.split(before).skip(1));
        after.filter_map(|rest| rest.split('"').next()).filter(|key| key.ends_with("_max"))
    }

    #[test]
    fn every_limit_of_a_pass_can_be_reported() {
        let mut found = 0;
        let sources = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap();
        let files = sources.map(|file| file.unwrap().path()).filter(|path| path.is_file());
        for text in files.map(|path| fs::read_to_string(path).unwrap()) {
            for key in limits_in(&text).filter(|key| *key != "passes_max") {
                assert!(LIMITS.contains(&key), "{key}");
                found += 1;
            }
        }
        assert!(found > 10);
    }
}

//! One run of a program from its journal.

use std::collections::{BTreeSet, HashMap};
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex, PoisonError};

use domain::{Call, CallFault, Position};
use policy::Sandbox;
use rhai::{Dynamic, EvalAltResult, Map};
use serde_json::Value;

use crate::convert::{Unwritable, Writer};
use crate::held::Held;
use crate::interpreter;
use crate::journal::{Entry, Journal};
use crate::meter::{Meter, Stop};
use crate::program::Compiled;
use crate::raise::{self, Raised};
use crate::step::{Cancellation, Cause, Origin, Usage};

/// What host functions see of the run that they are called in.
#[derive(Debug)]
pub(crate) struct Pass {
    compiled: Arc<Compiled>,
    journal: Arc<Journal>,
    pub(crate) meter: Arc<Meter>,
    made: Mutex<Made>,
}

/// What the program has asked for in this pass.
#[derive(Debug, Default)]
struct Made {
    visits: HashMap<(usize, usize), usize>,
    wanted: Vec<Call>,
    served: BTreeSet<Position>,
    asked: usize,
}

/// How a pass ended.
pub(crate) enum Ended {
    Suspended(Vec<Call>),
    Done(Value, Vec<Origin>),
    Failed(Cause),
}

/// Runs the program once, to its end or to the first use of a value that is not there; gives the calls too that the
/// journal served. Wants a thread of the program's own, whose heap the meter reads.
pub(crate) fn run(
    compiled: &Arc<Compiled>,
    journal: &Arc<Journal>,
    usage: &mut Usage,
    cancellation: &Cancellation,
) -> (Ended, BTreeSet<Position>) {
    let meter = Arc::new(Meter::start(&compiled.limits, usage.wall, cancellation));
    let pass = || evaluate(compiled, journal, &meter, usage.operations);
    let ended = panic::catch_unwind(AssertUnwindSafe(pass)).unwrap_or_else(|_| {
        let message = "the interpreter panicked".to_owned();
        (Ended::Failed(Cause::Interpreter { message }), BTreeSet::new())
    });
    usage.operations = usage.operations.saturating_add(meter.operations());
    usage.wall += meter.elapsed();
    usage.memory_bytes_peak = usage.memory_bytes_peak.max(meter.memory_peak());
    usage.passes += 1;
    ended
}

fn evaluate(
    compiled: &Arc<Compiled>,
    journal: &Arc<Journal>,
    meter: &Arc<Meter>,
    operations_used: u64,
) -> (Ended, BTreeSet<Position>) {
    let limits = &compiled.limits;
    let Some(operations_left) = limits.operations_max.checked_sub(operations_used).filter(|left| *left > 0)
    else {
        return (Ended::Failed(Cause::limit("operations_max")), BTreeSet::new());
    };
    let pass = Arc::new(Pass {
        compiled: Arc::clone(compiled),
        journal: Arc::clone(journal),
        meter: Arc::clone(meter),
        made: Mutex::default(),
    });
    let engine = interpreter::for_pass(&pass, operations_left);
    let result = engine.eval_ast::<Dynamic>(&compiled.ast);
    let Made { wanted, served, .. } = std::mem::take(&mut *pass.made());
    let ended = match result {
        Err(error) => match Cause::of_error(*error, journal) {
            Err(Stop::Poisoned) => Ended::Failed(poisoned(meter)),
            Err(Stop::Suspended) => Ended::Suspended(wanted),
            Err(Stop::Limit(limit)) => Ended::Failed(Cause::limit(limit)),
            Err(Stop::Cancelled) => Ended::Failed(Cause::Cancelled),
            // What the program got wrong may be the fault of a value that is not there yet.
            Ok(Cause::Script { .. }) if !wanted.is_empty() => Ended::Suspended(wanted),
            Ok(cause) => Ended::Failed(cause),
        },
        Ok(_) if !wanted.is_empty() => Ended::Suspended(wanted),
        Ok(_) if meter.signals.poisoned().is_some() => Ended::Failed(poisoned(meter)),
        Ok(value) => match Writer::new(meter, limits).trace(&value, journal) {
            Ok((value, origins)) => Ended::Done(value, origins),
            Err(Unwritable::Stopped(Stop::Limit(limit))) => Ended::Failed(Cause::limit(limit)),
            Err(Unwritable::Stopped(_)) => Ended::Failed(Cause::Cancelled),
            Err(Unwritable::Failed(entry)) => Ended::Failed(Cause::of_entry(&entry)),
            Err(Unwritable::NoJson { path, message }) => Ended::Failed(Cause::NoJson { path, message }),
        },
    };
    (ended, served)
}

fn poisoned(meter: &Meter) -> Cause {
    match meter.signals.poisoned() {
        Some(entry) => Cause::of_entry(entry),
        None => Cause::Interpreter { message: "stopped without a reason".to_owned() },
    }
}

impl Pass {
    pub(crate) fn limits(&self) -> &Sandbox {
        &self.compiled.limits
    }

    /// Whether an item or a property of this variable is assigned anywhere.
    pub(crate) fn is_written(&self, variable: &str) -> bool {
        self.compiled.written.contains(variable)
    }

    /// Asks for a call: its reply from the journal, or a pending value. `item` tells the calls of one site apart.
    pub(crate) fn ask(&self, name: &str, arguments: &Map, site: Site) -> Raised<Dynamic> {
        let Some(method) = self.compiled.methods.get(name) else {
            return Err(raise::script(format!("there is no method `{name}`")));
        };
        let writer = Writer::new(&self.meter, self.limits());
        let arguments = writer.arguments(arguments).map_err(raise::unwritable)?;
        let mut made = self.made();
        made.asked += 1;
        if made.asked > self.compiled.cost.calls {
            return Err(raise::stop(Stop::Limit("static_calls_max")));
        }
        let position = site.position(&mut made.visits);
        if let Some(entry) = self.journal.find(&position, method, &arguments) {
            made.served.insert(entry.call().position.clone());
            return Ok(self.reply(entry));
        }
        if !made.wanted.iter().any(|call| call.method == *method && call.arguments == arguments) {
            let position = self.free_position(position, &made.wanted);
            made.wanted.push(Call { position, method: method.clone(), arguments });
        }
        Ok(Dynamic::from(Held::Pending(Arc::clone(&self.meter.signals))))
    }

    fn reply(&self, entry: &Arc<Entry>) -> Dynamic {
        Held::reply(entry, &self.meter.signals, self.limits().string_bytes_max)
    }

    /// A position that no other call has: the journal may hold calls of an earlier program, at the same places.
    fn free_position(&self, position: Position, wanted: &[Call]) -> Position {
        let is_free = |candidate: &Position| {
            self.journal.entry(candidate).is_none() && wanted.iter().all(|call| call.position != *candidate)
        };
        let others = (2_usize..).map(|again| Position::new(format!("{position}~{again}")));
        std::iter::once(position.clone()).chain(others).find(is_free).unwrap_or(position)
    }

    fn made(&self) -> std::sync::MutexGuard<'_, Made> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call site, as the interpreter tells it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub(crate) at: rhai::Position,
    pub(crate) item: Option<usize>,
}

impl Site {
    /// The place in the text, and how often it was reached before.
    fn position(self, visits: &mut HashMap<(usize, usize), usize>) -> Position {
        let (line, column) = (self.at.line().unwrap_or(0), self.at.position().unwrap_or(0));
        let first = self.item.is_none_or(|item| item == 0);
        let visit = visits.entry((line, column)).or_insert(0);
        *visit += usize::from(first);
        let item = self.item.map_or_else(String::new, |item| format!("[{item}]"));
        let again = if *visit > 1 { format!("#{visit}") } else { String::new() };
        let text = format!("{line}:{column}{item}{again}");
        Position::new(text)
    }
}

impl Cause {
    pub(crate) fn limit(limit: &'static str) -> Self {
        Self::Limit { limit }
    }

    pub(crate) fn of_entry(entry: &Entry) -> Self {
        let fault = entry.reply().as_ref().err().cloned();
        let call = entry.call();
        let fault =
            fault.unwrap_or_else(|| CallFault { kind: domain::FaultKind::Protocol, message: String::new() });
        Self::CallFailed { method: call.method.clone(), position: call.position.clone(), fault }
    }

    /// The cause behind an error of the interpreter, or the reason why it was stopped.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other error is the program's own")]
    fn of_error(mut error: EvalAltResult, journal: &Journal) -> Result<Self, Stop> {
        let at = error.position();
        let limit = |key| Err(Stop::Limit(key));
        match error.unwrap_inner() {
            EvalAltResult::ErrorTerminated(token, _) => {
                return Err(token.read_lock::<Stop>().map_or(Stop::Cancelled, |stop| *stop));
            }
            EvalAltResult::ErrorTooManyOperations(_) => return limit("operations_max"),
            EvalAltResult::ErrorTooManyVariables(_) => return limit("variables_max"),
            EvalAltResult::ErrorStackOverflow(_) => return limit("call_depth_max"),
            EvalAltResult::ErrorDataTooLarge(what, _) if what.contains("string") => {
                return limit("string_bytes_max");
            }
            EvalAltResult::ErrorDataTooLarge(what, _) if what.contains("map") => {
                return limit("map_items_max");
            }
            EvalAltResult::ErrorDataTooLarge(_, _) => return limit("array_items_max"),
            EvalAltResult::ErrorRuntime(thrown, _) => {
                if let Some(entry) = failed_entry(thrown, journal) {
                    return Ok(Self::of_entry(entry));
                }
                if let Ok(words) = thrown.as_immutable_string_ref() {
                    return Ok(Self::GaveUp { message: words.to_string() });
                }
            }
            _ => {}
        }
        let message = thrown_message(&error).unwrap_or_else(|| {
            let _ = error.take_position();
            error.to_string()
        });
        Ok(Self::Script { message, line: at.line(), column: at.position() })
    }
}

/// The failed call that a thrown value is about.
fn failed_entry<'j>(thrown: &Dynamic, journal: &'j Journal) -> Option<&'j Entry> {
    let map = thrown.as_map_ref().ok()?;
    let position = map.get(raise::POSITION)?.as_immutable_string_ref().ok()?.to_string();
    journal.entry(&Position::new(position)).filter(|entry| entry.reply().is_err()).map(Arc::as_ref)
}

fn thrown_message(error: &EvalAltResult) -> Option<String> {
    let mut inner = error;
    while let EvalAltResult::ErrorInFunctionCall(_, _, source, _) = inner {
        inner = source;
    }
    let EvalAltResult::ErrorRuntime(thrown, _) = inner else { return None };
    let map = thrown.as_map_ref().ok()?;
    Some(map.get("message")?.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Budget, Program};
    use crate::signature::Signatures;
    use crate::{CountingAllocator, allocation};

    #[global_allocator]
    static ALLOCATOR: CountingAllocator = CountingAllocator;

    /// Bytes that a pass leaves on its thread's heap.
    fn left_behind(compiled: &Arc<Compiled>) -> isize {
        let journal = Arc::default();
        let cancellation = Cancellation::default();
        let meter = Arc::new(Meter::start(&compiled.limits, std::time::Duration::ZERO, &cancellation));
        let before = allocation::held_bytes();
        drop(evaluate(compiled, &journal, &meter, 0));
        allocation::held_bytes() - before
    }

    #[test]
    fn a_pass_gives_its_memory_back() {
        let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/breaking");
        let mut limits = policy::Policy::shipped().unwrap().sandbox;
        limits.wall_ms_max = 200;
        let budget = Budget { calls_max: 0, spend_max: domain::Usd::ZERO };
        let mut checked = 0;
        for file in std::fs::read_dir(directory).unwrap() {
            let path = file.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let Ok(program) = Program::parse(&text, &Signatures::default(), &limits, budget) else {
                continue;
            };
            let run = || {
                left_behind(program.compiled());
                left_behind(program.compiled())
            };
            let left = std::thread::scope(|scope| {
                let builder = std::thread::Builder::new().stack_size(limits.stack_bytes);
                builder.spawn_scoped(scope, run).unwrap().join().unwrap()
            });
            assert_eq!(left, 0, "{}", path.display());
            checked += 1;
        }
        assert!(checked > 40);
    }
}

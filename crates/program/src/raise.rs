//! The errors that host functions raise in a program.

#![expect(clippy::unnecessary_box_returns, reason = "the engine's results hold boxed errors")]

use rhai::{Dynamic, EvalAltResult, Map, Position};

use crate::convert::Unwritable;
use crate::journal::Entry;
use crate::meter::Stop;

/// What a host function gives back.
pub(crate) type Raised<T> = Result<T, Box<EvalAltResult>>;

/// Ends the interpreter, past every `catch`.
pub(crate) fn stop(stop: Stop) -> Box<EvalAltResult> {
    Box::new(EvalAltResult::ErrorTerminated(Dynamic::from(stop), Position::NONE))
}

/// A failed call whose result is used. A program may catch it: `error.kind`, `error.message`, `error.method`.
pub(crate) fn failed(entry: &Entry) -> Box<EvalAltResult> {
    thrown(fault_map(entry))
}

/// A mistake of the program itself.
pub(crate) fn script(message: impl AsRef<str>) -> Box<EvalAltResult> {
    thrown(Map::from([("kind".into(), "script".into()), ("message".into(), message.as_ref().into())]))
}

pub(crate) fn unwritable(problem: Unwritable) -> Box<EvalAltResult> {
    match problem {
        Unwritable::Stopped(reason) => stop(reason),
        Unwritable::Failed(entry) => failed(&entry),
        Unwritable::NoJson { path, message } => script(format!("{path}: {message}")),
    }
}

/// A failed call as a program sees it; empty for a call that did not fail.
pub(crate) fn fault_map(entry: &Entry) -> Map {
    let mut map = Map::new();
    if let Err(fault) = entry.reply() {
        map.insert("kind".into(), fault.kind.word().into());
        map.insert("message".into(), fault.message.as_str().into());
        map.insert("method".into(), entry.call().method.method.as_str().into());
        map.insert(POSITION.into(), entry.call().position.to_string().into());
    }
    map
}

/// The field of a raised failure that says which call it was.
pub(crate) const POSITION: &str = "position";

fn thrown(map: Map) -> Box<EvalAltResult> {
    Box::new(EvalAltResult::ErrorRuntime(map.into(), Position::NONE))
}

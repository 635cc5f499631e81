//! From the words of the product to the wire. Conversions are named functions, one module a part of the wire.

pub(crate) mod chat;
pub(crate) mod clarification;
mod evidence;
pub(crate) mod failure;
pub(crate) mod gate_record;
mod market;
pub(crate) mod pieces;
pub(crate) mod progress;
pub(crate) mod result;
pub(crate) mod tools;
pub(crate) mod trace;

use jiff::Timestamp;
use jiff::fmt::temporal::DateTimePrinter;

/// A time as the wire has it: RFC 3339 in UTC, to the millisecond.
pub(crate) fn time(at: Timestamp) -> String {
    const PRINTER: DateTimePrinter = DateTimePrinter::new().precision(Some(3));
    PRINTER.timestamp_to_string(&at)
}

/// A count as the wire has it.
pub(crate) fn count(items: usize) -> u64 {
    u64::try_from(items).unwrap_or(u64::MAX)
}

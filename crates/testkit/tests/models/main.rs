//! The managed portfolio against a scripted model server: every fault ends in the documented fallback, with its reason.

#![expect(clippy::unwrap_used, clippy::panic, reason = "these are tests, their helpers too")]

mod briefs;
mod chain;
mod house;
mod keys;
mod queries;
mod scenarios;
mod wedge;

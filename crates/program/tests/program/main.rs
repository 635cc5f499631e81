//! Programs from the outside: what verification refuses, how calls and faults behave, what the sandbox holds back.

#![expect(clippy::unwrap_used, clippy::panic, reason = "these are tests, their helpers too")]
#![expect(clippy::unnecessary_wraps, reason = "replies are results")]

mod breaking;
mod harness;
mod properties;
mod running;
mod verification;

/// The limit on memory holds only where this allocator counts.
#[global_allocator]
static ALLOCATOR: program::CountingAllocator = program::CountingAllocator;

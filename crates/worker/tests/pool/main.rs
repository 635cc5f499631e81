//! The pool over real processes: what breaks one of them breaks nothing else, and none outlives the pool.

#![expect(clippy::unwrap_used, clippy::panic, reason = "these are tests, their helpers too")]
#![expect(clippy::unnecessary_wraps, reason = "replies are results")]

mod breaking;
mod harness;
mod life;
mod lost;
mod repair;

/// The limit on memory holds only where this allocator counts.
#[global_allocator]
static ALLOCATOR: program::CountingAllocator = program::CountingAllocator;

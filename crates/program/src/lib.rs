//! The Rhai sandbox: parse, verify, limit, suspend at each call, resume.
//!
//! A program is plain sequential text. `call_tool("alias.method", #{..})` gives a pending value at once; the first use of
//! one suspends the program, and the host gets every call that is pending by then as one wave. The replies go into a
//! journal and the program runs again from its start, served from the journal. Running calls together, repairing a
//! program without paying twice, resuming after a crash and replaying offline are all this one mechanism, and it holds
//! because a program can see no clock, no chance and no arrival order.
//!
//! A pass may run in another process: [`Ready::into_order`] says all that it needs, [`run_order`] runs it there, and
//! [`Order::conclude`] goes on with its report, which is checked, since the other process may have been broken.
//!
//! Another engine could stand behind the same seam: [`Program::parse`], [`Program::start`], [`Pending::resume`].

mod allocation;
mod carried;
mod convert;
mod held;
mod interpreter;
mod journal;
mod library;
mod meter;
mod names;
mod pass;
pub mod path;
mod program;
mod raise;
mod rejection;
mod signature;
mod step;
mod surface;
mod thread;
mod verify;

pub use allocation::CountingAllocator;
pub use carried::{Garbled, Order, run_order};
pub use journal::{Entry, Journal};
pub use program::{Budget, CallSite, Program};
pub use rejection::{Note, NoteKind, Rejection};
pub use signature::{Signature, Signatures};
pub use step::{Cancellation, Cause, Fault, Finished, Origin, Pending, Ready, Step, Usage};

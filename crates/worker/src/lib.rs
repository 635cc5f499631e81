//! Where programs run: on threads of this process, or in a pool of processes that can be killed.
//!
//! A worker process runs one pass at a time and holds nothing between two: the journal comes with each order, and the
//! calls are made by whoever ordered. So killing one costs one request and nothing else. Read [`Programs`] first: both
//! modes stand behind its one verb.

mod frame;
mod lost;
mod pool;
mod process;
mod programs;
mod serve;

pub use frame::FrameFault;
pub use lost::Lost;
pub use pool::{Counts, Pool};
pub use process::Executable;
pub use programs::{Passes, Programs};
pub use serve::{Confines, ServeFault, serve};

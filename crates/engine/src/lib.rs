//! The pipeline and its effectful stages. Read [`pipeline`](Engine::serve) first: it is the order of the product.

mod assess;
mod evidence;
mod execute;
mod outcome;
mod pipeline;
mod plan;
mod ports;
mod run;
mod select;
mod settle;
mod synthesize;

pub use assess::{Assessed, Completion};
pub use execute::{CallRecord, Executed};
pub use outcome::{Action, Answer, Failure, Outcome, Settled};
pub use pipeline::serve;
pub use plan::Planned;
pub use ports::Ports;
pub use run::{Run, Spent, SpentCall};
pub use select::Shelf;

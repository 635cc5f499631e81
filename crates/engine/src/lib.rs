//! The pipeline and its effectful stages. Read [`serve`] first: it is the order of the product.

mod pipeline;

mod judge;
mod select;
mod told;

mod assess;
mod execute;
mod plan;
mod playbook;

mod evidence;
mod synthesize;

mod settle;

mod failure;
mod outcome;
mod ports;
mod run;
mod shelf;
mod spent;

pub use assess::Assessed;
pub use execute::{CallRecord, Executed};
pub use failure::Failure;
pub use outcome::{Action, Answer, Completion, Outcome, Settled};
pub use pipeline::serve;
pub use plan::Planned;
pub use ports::Ports;
pub use run::Run;
pub use shelf::Shelf;
pub use spent::{Spent, SpentCall};

//! The stages that a model may fill, and the embedded deterministic portfolio, which needs no key and no network.
//!
//! A stage's brief is a typed value: what the model may know. The embedded portfolio answers it by rules over
//! [`reading`], so the same brief always gives the same reply.

mod brief;
mod embedded;
mod model;
mod plan;
mod synthesize;

pub use brief::{MissingArgument, PlanBrief, PlanReply, PlannedText, SynthesisBrief};
pub use embedded::Embedded;
pub use model::Model;

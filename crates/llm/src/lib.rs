//! The stages that a model may fill: the embedded deterministic portfolio, which needs no key and no network, and the
//! managed one, which asks hosted models by policy and falls back to it.
//!
//! A stage's brief is a typed value: what the model may know. The embedded portfolio answers it by rules over
//! [`reading`], so the same brief always gives the same reply. [`Portfolio`] puts it into the stage's prompt, checks what
//! comes back, and tells in a [`StageReport`] what was asked, what it cost and why a reply was not taken.

mod assess;
mod brief;
mod embedded;
mod embeddings;
mod explore;
mod model;
mod plan;
mod reason;
mod recap;
mod synthesize;

mod breaker;
mod dialect;
mod endpoint;
mod exchange;
mod fence;
mod lint;
mod mend;
mod portfolio;
mod prompt;
mod report;
mod schema;

pub use assess::{Completeness, CompletenessBrief, CompletenessOutcome, Summary, SummaryBrief};
pub use brief::{MissingArgument, PlanBrief, PlanLimits, PlanReply, PlannedText, SynthesisBrief};
pub use embedded::Embedded;
pub use embeddings::Embedder;
pub use exchange::{Exchanges, HearText, ModelReply, ModelRequest, Stop};
pub use explore::{ExploreBrief, ExploreKind, ExploreReply};
pub use lint::{LintKind, LintNote, lint};
pub use mend::{Mended, Slip, mended};
pub use model::{AnswerListener, Model, RefusedProgram, Spoken};
pub use portfolio::{EndpointCheck, Portfolio, PortfolioFault, Session};
pub use reason::{ReasonBrief, ReasonReply, ReasonSource, ToldConflict};
pub use recap::RecapBrief;
/// How programs are written down.
pub mod program_text {
    pub use crate::plan::write::{key, literal, quoted, steps};
}

pub use report::{Attempt, FallbackReason, StageReport, Usage};

#[cfg(test)]
mod tests;

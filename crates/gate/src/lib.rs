//! The gate: the ruling on a query, and the only maker of [`Cleared`].
//!
//! In the fast lane the gate is [waived](waive). In the deep lane a judge may give an [`Opinion`] on the [`Brief`] of what
//! was probed; [`rule`] weighs it by named [checks](check) and rules: go on, ask, or say that nothing fits. The ruling is
//! total: a missing, malformed or contradictory opinion is an input like any other.

mod cleared;
mod rule;

mod brief;
mod judge;
mod opinion;

mod standing;

pub mod check;

mod card;
mod decision;
mod miss;

pub mod token;

#[cfg(test)]
mod fixture;

pub use brief::{Asked, Brief, BriefOption, Unavailable};
pub use card::{Card, CardOption};
pub use cleared::{Assumption, Cleared, waive};
pub use decision::{CandidateSummary, Decision, JudgeReport, ReasonCode, Signal, Strategy};
pub use judge::judge;
pub use miss::Miss;
pub use opinion::{JudgeFault, Opinion, OptionId, Verdict};
pub use rule::{Ruled, Ruling, decide, rule, rule_chosen};
pub use standing::{Standing, Unclear};

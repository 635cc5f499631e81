//! The gate: the ruling on a query, and the only maker of [`Cleared`].
//!
//! In the fast lane the gate is waived. The deep lane's ruling is one of three: go on, ask, or say that nothing fits.

mod card;
mod miss;
mod opinion;

use domain::Selected;
use lane::{Fast, Reason};

pub use card::{Card, CardOption};
pub use miss::Miss;
pub use opinion::{Opinion, OpinionVerdict};

/// A query that may be planned. Nothing but this crate can make one.
#[derive(Debug)]
pub struct Cleared {
    selected: Selected,
    assumptions: Vec<String>,
}

/// The gate's decision on a deep query.
#[derive(Debug)]
pub enum Ruling {
    /// One grounded interpretation stands.
    Proceed(Cleared),
    /// Several stand that would do different things.
    Clarify(Card),
    /// None stands.
    Miss(Miss),
}

/// Lets a fast query pass unprobed, and discloses it where the caller had asked for a deeper look.
#[must_use]
pub fn waive(fast: Fast) -> Cleared {
    let reason = fast.reason();
    let selected = fast.into_selected();
    let assumptions = match reason {
        Reason::ExplicitOverride => Vec::new(),
        Reason::DeepLaneNotInService => vec![format!(
            "Query depth: `{}` was asked for, but the deep lane is not in service yet; the fast lane answered, and the \
             question was not checked for other readings.",
            selected.query.depth.word()
        )],
    };
    Cleared { selected, assumptions }
}

impl Cleared {
    /// The question and its methods.
    #[must_use]
    pub fn selected(&self) -> &Selected {
        &self.selected
    }

    /// What was assumed on the way here, in words for the caller.
    #[must_use]
    pub fn assumptions(&self) -> &[String] {
        &self.assumptions
    }

    /// The question and its methods, and what was assumed.
    #[must_use]
    pub fn into_parts(self) -> (Selected, Vec<String>) {
        (self.selected, self.assumptions)
    }
}

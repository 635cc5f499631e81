//! What a request spends.

use domain::{MethodRef, Usd};
use llm::Usage;

/// What a run has spent so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Every call that was made, in order of its ending.
    pub calls: Vec<SpentCall>,
    /// Bytes of all results.
    pub result_bytes: usize,
    /// What all models used together.
    pub models: Usage,
}

/// One call that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpentCall {
    /// What was called.
    pub method: MethodRef,
    /// The listing's name.
    pub listing_name: String,
    /// What it cost: the method's price, or nothing where the call failed.
    pub cost: Usd,
    /// Whether it gave data.
    pub delivered: bool,
}

impl Spent {
    /// Dollars for calls.
    #[must_use]
    pub fn tool_cost(&self) -> Usd {
        self.calls.iter().map(|call| call.cost).sum()
    }

    /// Dollars for calls and models together.
    #[must_use]
    pub fn cost(&self) -> Usd {
        self.tool_cost() + self.model_cost()
    }

    /// Dollars for models.
    #[must_use]
    pub fn model_cost(&self) -> Usd {
        self.models.cost
    }
}

//! What a stage's models did: every request with what it cost, and why one that was asked did not answer.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};
use std::time::Duration;

use domain::Usd;
use policy::ModelStage;

/// What one stage's models did for one brief.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageReport {
    /// The stage.
    pub stage: ModelStage,
    /// The model that the caller named, for the stage that hears it.
    pub named: Option<String>,
    /// The model that was to answer: the first of the chain.
    pub first: String,
    /// The model that did; `embedded` where the rules did.
    pub answered_by: String,
    /// Why the first one did not; none where it did.
    pub fallback: Option<FallbackReason>,
    /// Every request that was made or kept back, in order.
    pub attempts: Vec<Attempt>,
}

/// One request to a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The model, by its name in the policies.
    pub model: String,
    /// What its endpoint says that it is; none where it does not say.
    pub effective_model: Option<String>,
    /// What it spent.
    pub usage: Usage,
    /// How long it took.
    pub elapsed: Duration,
    /// Why its reply was not taken; none where it was.
    pub fault: Option<FallbackReason>,
}

/// Tokens and what they cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens of the prompts.
    pub input_tokens: u64,
    /// Tokens of the replies.
    pub output_tokens: u64,
    /// Dollars.
    pub cost: Usd,
    /// Whether some of the tokens are reckoned from characters, since an endpoint did not count them.
    pub is_estimated: bool,
}

/// Why a model's reply did not become a stage's answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FallbackReason {
    /// Its endpoint failed too often lately and is left alone for a while.
    #[error("the endpoint is left alone after failures")]
    CircuitOpen,
    /// It could cost more than the request may still spend; it was not asked.
    #[error("it could cost more than the request's `spend_usd_max` leaves")]
    BudgetSpent,
    /// Its endpoint has no room now.
    #[error("the endpoint asks to come back later")]
    RateLimited,
    /// Its endpoint failed.
    #[error("the endpoint failed with status {0}")]
    ServerError(u16),
    /// Its endpoint does not take the request: the key, the model's name or the request is wrong.
    #[error("the endpoint refused the request with status {0}")]
    Rejected(u16),
    /// Its endpoint cannot be reached, or went away.
    #[error("the endpoint cannot be reached: {0}")]
    Unreachable(String),
    /// No whole reply within the time of one request.
    #[error("the model did not answer in time")]
    TimedOut,
    /// The stage's time was over.
    #[error("the stage's time was over")]
    DeadlinePassed,
    /// Another model was faster, or nobody waits for the reply any more.
    #[error("the request was given up")]
    GivenUp,
    /// The stream ended before the reply did.
    #[error("the reply was cut off")]
    Truncated,
    /// What came is no reply of the endpoint's dialect, or no JSON where JSON is due.
    #[error("the reply is garbled: {0}")]
    Garbled(String),
    /// It is longer than the policy allows.
    #[error("the reply is too long")]
    TooLong,
    /// There is no text in it.
    #[error("the reply is empty")]
    Empty,
    /// The model declined.
    #[error("the model declined")]
    Declined,
    /// It breaks the stage's schema.
    #[error("the reply breaks its schema: {0}")]
    BreaksSchema(String),
    /// It has the form, and says what cannot be.
    #[error("the reply cannot be used: {0}")]
    Unusable(String),
}

impl FallbackReason {
    /// The word for traces.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::CircuitOpen => "circuit_open",
            Self::BudgetSpent => "budget_spent",
            Self::RateLimited => "rate_limited",
            Self::ServerError(_) => "server_error",
            Self::Rejected(_) => "rejected",
            Self::Unreachable(_) => "unreachable",
            Self::TimedOut => "timed_out",
            Self::DeadlinePassed => "deadline_passed",
            Self::GivenUp => "given_up",
            Self::Truncated => "truncated",
            Self::Garbled(_) => "garbled",
            Self::TooLong => "too_long",
            Self::Empty => "empty",
            Self::Declined => "declined",
            Self::BreaksSchema(_) => "breaks_schema",
            Self::Unusable(_) => "unusable",
        }
    }

    /// Whether the same request may do better a moment later.
    pub(crate) fn is_passing(&self) -> bool {
        matches!(self, Self::RateLimited | Self::ServerError(_) | Self::Unreachable(_) | Self::Truncated)
    }

    /// Whether the model may have worked for it all the same.
    pub(crate) fn is_charged(&self) -> bool {
        match self {
            Self::CircuitOpen
            | Self::BudgetSpent
            | Self::RateLimited
            | Self::ServerError(_)
            | Self::Rejected(_)
            | Self::Unreachable(_) => false,
            Self::TimedOut
            | Self::DeadlinePassed
            | Self::GivenUp
            | Self::Truncated
            | Self::Garbled(_)
            | Self::TooLong
            | Self::Empty
            | Self::Declined
            | Self::BreaksSchema(_)
            | Self::Unusable(_) => true,
        }
    }

    /// Whether it speaks against the endpoint, and not against one reply.
    pub(crate) fn is_the_endpoints(&self) -> bool {
        self.is_passing() || matches!(self, Self::TimedOut)
    }

    /// Whether the model may mend it when it is told.
    pub(crate) fn is_mendable(&self) -> bool {
        matches!(self, Self::Garbled(_) | Self::Empty | Self::BreaksSchema(_) | Self::Unusable(_))
    }
}

impl StageReport {
    /// What all of its requests spent.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.attempts.iter().map(|attempt| attempt.usage).sum()
    }

    /// How long its requests took together.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.attempts.iter().map(|attempt| attempt.elapsed).sum()
    }
}

impl Add for Usage {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            cost: self.cost + other.cost,
            is_estimated: self.is_estimated || other.is_estimated,
        }
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Usage {
    fn sum<I: Iterator<Item = Self>>(usages: I) -> Self {
        usages.fold(Self::default(), Add::add)
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in, {} out, ${}", self.input_tokens, self.output_tokens, self.cost)
    }
}

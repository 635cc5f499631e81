//! Runs corpora through the selection and the gate, and says how well they did.
//!
//! What is measured comes in as a function: a ranker for retrieval sets, a decider for gate cases. So the product, its
//! baselines and whatever comes later run over the same inputs in the same run.

pub mod baseline;
pub mod corpus;
mod decisions;
mod fault;
pub mod metrics;
mod naive;
pub mod report;
mod retrieval;
mod universe;

pub use decisions::{
    Decided, DecisionInput, DecisionReport, Rates, Scores, SourceScores, WorstCase, decisions,
};
pub use fault::EvalFault;
pub use naive::NaiveGate;
pub use retrieval::{Half, RankingScores, RetrievalReport, half_of, probe_ranker, retrieval};
pub use universe::universe;

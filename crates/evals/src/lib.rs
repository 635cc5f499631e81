//! Runs corpora through the selection and the gate, and says how well they did.
//!
//! What is measured comes in as a function: a ranker for retrieval sets, a decider for gate cases. So the product, its
//! baselines and whatever comes later run over the same inputs in the same run. Suites of our own are asked by the caller,
//! in process or over HTTP, and scored here.

pub mod baseline;
pub mod corpus;
mod decisions;
pub mod documents;
mod fault;
mod flips;
mod gates;
pub mod metrics;
mod naive;
mod observed;
pub mod production;
pub mod report;
mod retrieval;
mod scores;
pub mod suite;
mod universe;

pub use decisions::{
    Decided, DecisionInput, DecisionReport, Rates, Scores, SourceScores, WorstCase, decisions,
};
pub use fault::EvalFault;
pub use flips::{Flip, FlipReport, Side, SkippedRecord, flips};
pub use gates::{GateVerdict, Gates};
pub use naive::NaiveGate;
pub use observed::{Assumption, GateTrace, Observed, Reply};
pub use retrieval::{Half, RankingScores, RetrievalReport, half_of, probe_ranker, retrieval};
pub use scores::{FailedCase, FamilyScores, Measure, Measured, SkippedCase, SuiteReport, score};
pub use universe::universe;

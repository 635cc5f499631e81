//! Loads and checks the policy files; typed, read-only, and known by the hash of their bytes.
//!
//! The shipped files are embedded in the binary and are the defaults. A directory may override them file by file.
//! Unknown keys, missing keys and values out of range are errors, said with the file and the key.

mod bundle;
mod files;
mod gate;
mod judge;
mod limits;
mod range;
mod ranking;
mod rollout;

pub use bundle::{Policy, PolicyError};
pub use gate::{Gate, RolloutStage};
pub use judge::{Linear, OfArgument, OfCase, OfMethod, SignalNames, Verdicts};
pub use limits::{Budgets, Recovery, Sandbox, Server, Store, Upstreams};
pub use ranking::{FieldWeights, Groups, Kin, LightWords, Pools, Ranking, Selection, Typos};
pub use rollout::{AnswerModels, AutoLane, LaneFlags, Lanes, Models, StageModels};

//! For tests only: a clock that stands still, an MCP server that misbehaves, a model server that does what it is told, and
//! the whole runtime from one seed.

mod clock;
mod files;
mod house;
pub mod misbehaving;
pub mod model_server;
mod simulation;

pub use clock::FixedClock;
pub use files::files;
pub use house::{House, Watched};
pub use simulation::{Simulated, World};

//! For tests only: a clock that stands still, an MCP server that misbehaves, and a model server that does what it is told.

mod clock;
mod house;
pub mod misbehaving;
pub mod model_server;

pub use clock::FixedClock;
pub use house::House;

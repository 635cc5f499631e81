//! For tests only: a clock that stands still and an MCP server that misbehaves.

mod clock;
mod house;
pub mod misbehaving;

pub use clock::FixedClock;
pub use house::House;

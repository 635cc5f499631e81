//! An MCP server that misbehaves on request, by hand on raw JSON-RPC, where an SDK would not let it.
//!
//! One set of manners, three real transports: the binary `misbehaving` over standard input and output, [`Http`] over
//! streamable HTTP on loopback, and [`embedded`] over a stream in this process.

mod http;
mod server;
mod streams;
mod tools;

use std::path::PathBuf;

pub use http::Http;
pub use server::Quirk;
pub use streams::{embedded, stdio};

/// The path of the binary `misbehaving`, beside the running test; none where it was not built.
///
/// Tests of this package have it in `CARGO_BIN_EXE_misbehaving`.
#[must_use]
pub fn program() -> Option<PathBuf> {
    let test = std::env::current_exe().ok()?;
    let folder = test.ancestors().nth(2)?;
    Some(folder.join("misbehaving")).filter(|path| path.is_file())
}

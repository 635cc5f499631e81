//! Reaches MCP servers: what they offer, and calls of their methods.
//!
//! Two ports, [`Catalog`] and [`Tools`], and [`Upstreams`], which serves both live. One supervised session per server;
//! nothing that a server does or leaves undone is waited for by anything but calls to that server.

pub mod config;
mod upstream;
mod upstreams;

mod call;
mod pace;
mod preset;
mod result;
mod words;

mod board;
mod listing;
mod schema;
mod session;
mod slot;
mod supervisor;
mod transport;

use std::sync::Arc;

use domain::{Call, Reply, Snapshot};
use futures::future::BoxFuture;

pub use config::ConfigError;
pub use listing::Note;
pub use upstream::{Embedded, Transport, Upstream};
pub use upstreams::Upstreams;

/// The listings. Served live by [`Upstreams`] and by a recorded catalog when a trace is replayed.
pub trait Catalog: Send + Sync {
    /// The last good snapshot; never waits.
    fn snapshot(&self) -> Arc<Snapshot>;
}

/// The methods. Served live by [`Upstreams`] and by recorded replies when a trace is replayed.
pub trait Tools: Send + Sync {
    /// Makes one call.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future before a reply has come tells the server `notifications/cancelled`.
    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Reply>;
}

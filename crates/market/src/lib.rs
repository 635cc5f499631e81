//! The embedded marketplace: sample MCP servers with sample data, spoken to over the real protocol.
//!
//! Every value is a function of a seed, the arguments and the minute of the injected clock: the same question
//! in the same minute has the same answer, to the byte, and methods that speak of one thing agree about it.

use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;
use rmcp::service::serve_server;
use tokio::io::DuplexStream;

use crate::listing::Listing;
use crate::server::Server;
use crate::source::Source;

mod listings;

mod listing;
mod method;
mod schema;
mod server;

mod moment;
mod refusal;
mod search;
mod source;
mod vocabulary;

/// Time source of the samples.
pub type Now = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Every sample listing, in order. The same clock and seed give the same data.
#[must_use]
pub fn listings(now: Now, seed: u64) -> Vec<Sample> {
    let source = Source::new(seed);
    listings::all().into_iter().map(move |listing| Sample::new(listing, Arc::clone(&now), source)).collect()
}

/// One sample listing: an MCP server with what a marketplace says about it. Clones share it.
#[derive(Clone)]
pub struct Sample {
    server: Server,
}

impl Sample {
    fn new(listing: Listing, now: Now, source: Source) -> Self {
        Self { server: Server::new(Arc::new(listing), now, source) }
    }

    /// The name, unique among the samples.
    #[must_use]
    pub fn name(&self) -> &str {
        self.server.listing().name
    }

    /// What it offers; says that the data is sample data.
    #[must_use]
    pub fn description(&self) -> &str {
        self.server.listing().description
    }

    /// The marketplace category.
    #[must_use]
    pub fn category(&self) -> &str {
        self.server.listing().category
    }

    /// The price of one query over it: US dollars, a decimal text.
    #[must_use]
    pub fn price(&self) -> &str {
        self.server.listing().price
    }

    /// Serves one MCP client over `io` until it leaves. A client that leaves before it has introduced itself
    /// is no error. Serve again for a reconnect: nothing is shared between clients.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future ends the session: the client sees the connection close.
    pub async fn serve(&self, io: DuplexStream) {
        if let Ok(session) = serve_server(self.server.clone(), io).await {
            // How a session ended is the client's to tell: here there is nothing left to do.
            let _ended = session.waiting().await;
        }
    }
}

impl fmt::Debug for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sample").field("name", &self.name()).finish_non_exhaustive()
    }
}

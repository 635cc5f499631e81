//! How one MCP server is reached, as configured.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use domain::Usd;
use futures::future::BoxFuture;
use reqwest::Url;
use reqwest::header::{HeaderName, HeaderValue};
use secrecy::SecretString;
use tokio::io::DuplexStream;

/// One configured MCP server.
#[derive(Clone, Debug)]
pub struct Upstream {
    /// The name that it is configured under; the listing's identifier comes from it.
    pub name: String,
    /// What it offers; none to take the server's own instructions.
    pub description: Option<String>,
    /// The marketplace category.
    pub category: Option<String>,
    /// The price of one query over it.
    pub price: Usd,
    /// The price of one call of a method that names none.
    pub execute_price: Option<Usd>,
    /// How long one call may take; none for the policy's.
    pub call_timeout: Option<Duration>,
    /// Calls at once; none for the policy's.
    pub concurrency_max: Option<usize>,
    /// Arguments of its methods that its operator sets, by name: no schema shows them, and every call that takes them has
    /// them.
    pub arguments: BTreeMap<String, SecretString>,
    /// How it is reached.
    pub transport: Transport,
}

impl Upstream {
    /// A server with this name, reached this way, free of charge and with the policy's limits.
    #[must_use]
    pub fn new(name: impl Into<String>, transport: Transport) -> Self {
        Self {
            name: name.into(),
            description: None,
            category: None,
            price: Usd::ZERO,
            execute_price: None,
            call_timeout: None,
            concurrency_max: None,
            arguments: BTreeMap::new(),
            transport,
        }
    }
}

/// Serves one connection of an embedded server until the stream ends.
pub type Embedded = Arc<dyn Fn(DuplexStream) -> BoxFuture<'static, ()> + Send + Sync>;

/// How an MCP server is reached.
#[derive(Clone)]
pub enum Transport {
    /// In this process, over the protocol.
    Embedded(Embedded),
    /// As a child process, over its standard input and output.
    Stdio {
        /// The program, looked up in the `PATH` of `env`.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Its whole environment; nothing is inherited.
        env: BTreeMap<String, SecretString>,
        /// Its working directory; none for this process's.
        cwd: Option<PathBuf>,
    },
    /// Over streamable HTTP.
    Http {
        /// The endpoint.
        url: Url,
        /// Headers of every request; marked sensitive.
        headers: Vec<(HeaderName, HeaderValue)>,
    },
}

impl Transport {
    /// The word for people: `embedded`, `stdio` or `http`.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Embedded(_) => "embedded",
            Self::Stdio { .. } => "stdio",
            Self::Http { .. } => "http",
        }
    }
}

/// Says the kind alone: commands, addresses and headers may hold secrets.
impl fmt::Debug for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

//! Reads `mcp.json`, the ecosystem's `mcpServers` form.
//!
//! Our own keys stand under `sluice` in an entry: `description`, `category`, `priceUsd`, `executePriceUsd`,
//! `timeoutMs`, `concurrency`, and `arguments`, which are those that the operator sets. Errors name the server and the key,
//! never a value.

mod entry;
mod expand;
mod servers;

use serde::Deserialize;

use crate::Upstream;
use servers::Servers;

/// What a configuration file says.
#[derive(Debug)]
pub struct Config {
    /// The servers that are to be reached, in the file's order.
    pub upstreams: Vec<Upstream>,
    /// What was ignored, in words for the person who wrote the file.
    pub notes: Vec<String>,
}

/// A configuration that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The text is no JSON.
    #[error("not JSON: line {line}, column {column}")]
    NotJson {
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
    },
    /// There is no object `mcpServers`.
    #[error("expected an object with an object `mcpServers`")]
    NoServers,
    /// Two servers have one name, so that their listings would be one.
    #[error("server `{server}` is configured twice")]
    DuplicateServer {
        /// The name.
        server: String,
    },
    /// A value of an entry cannot be used.
    #[error("server `{server}`: `{key}` {requirement}")]
    Entry {
        /// The server's name.
        server: String,
        /// The key, with its parents.
        key: String,
        /// What it must be.
        requirement: &'static str,
    },
    /// A value names an environment variable that is not set, without a default.
    #[error("server `{server}`: `{key}` needs the environment variable `{variable}`, which is not set")]
    UnsetVariable {
        /// The server's name.
        server: String,
        /// The key, with its parents.
        key: String,
        /// The variable's name.
        variable: String,
    },
}

/// The environment as a lookup by name.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Reads the text of an `mcp.json`. `environment` gives the variables that values and child processes may use.
pub fn read(text: &str, environment: Environment<'_>) -> Result<Config, ConfigError> {
    let file: File = serde_json::from_str(text).map_err(|error| {
        if error.is_data() {
            ConfigError::NoServers
        } else {
            ConfigError::NotJson { line: error.line(), column: error.column() }
        }
    })?;
    let mut config = Config { upstreams: Vec::new(), notes: Vec::new() };
    let mut names: Vec<&str> = Vec::new();
    for (server, value) in &file.servers.0 {
        if names.contains(&server.as_str()) {
            return Err(ConfigError::DuplicateServer { server: server.clone() });
        }
        names.push(server);
        if let Some(upstream) = entry::read(server, value, environment, &mut config.notes)? {
            config.upstreams.push(upstream);
        }
    }
    Ok(config)
}

#[derive(Deserialize)]
struct File {
    #[serde(rename = "mcpServers")]
    servers: Servers,
}

#[cfg(test)]
mod tests;

//! The bundle: every policy file read, checked and hashed together.

use std::fs;
use std::io;
use std::path::Path;

use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::files::{self, Shipped};
use crate::gate::Gate;
use crate::limits::{Budgets, Recovery, Sandbox, Server, Store, Upstreams};
use crate::range::OutOfRange;
use crate::ranking::Ranking;
use crate::rollout::{Lanes, Models};

/// The policies of one process.
#[derive(Clone, Debug)]
pub struct Policy {
    /// Which lane a query takes.
    pub lanes: Lanes,
    /// How methods are ranked and selected.
    pub probe: Ranking,
    /// How the gate rules.
    pub gate: Gate,
    /// What happens when results do not answer the question.
    pub recovery: Recovery,
    /// What one request may spend.
    pub budgets: Budgets,
    /// What one program may use.
    pub sandbox: Sandbox,
    /// Which model answers which stage.
    pub models: Models,
    /// How MCP servers are reached.
    pub upstreams: Upstreams,
    /// How durable state is kept.
    pub store: Store,
    /// The HTTP surface's limits.
    pub server: Server,
    /// SHA-256 over every file's name and bytes, in hex.
    pub hash: String,
}

/// A policy file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PolicyError {
    /// The file or its directory cannot be read.
    #[error("cannot read {file}")]
    Read {
        /// The file's name.
        file: String,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The file is no TOML, lacks a key, or has one that is not known.
    #[error("{file}: {message}")]
    Parse {
        /// The file's name.
        file: &'static str,
        /// What is wrong, with the line.
        message: String,
    },
    /// A value is out of its range.
    #[error("{file}: `{key}` {requirement}")]
    Range {
        /// The file's name.
        file: &'static str,
        /// The key, with its tables.
        key: &'static str,
        /// What it must be.
        requirement: &'static str,
    },
    /// The directory holds a `.toml` file that is no policy.
    #[error("{file} is no policy file; there are {known}")]
    Unknown {
        /// The file's name.
        file: String,
        /// The names that there are.
        known: String,
    },
}

impl Policy {
    /// The shipped bundle.
    pub fn shipped() -> Result<Self, PolicyError> {
        Self::from_texts(|(_, text)| Ok(text.to_owned()))
    }

    /// The bundle of a directory; files that it lacks are the shipped ones.
    pub fn load(directory: &Path) -> Result<Self, PolicyError> {
        refuse_unknown_files(directory)?;
        Self::from_texts(|(name, text)| match fs::read_to_string(directory.join(name)) {
            Ok(own) => Ok(own),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(text.to_owned()),
            Err(source) => Err(PolicyError::Read { file: name.to_owned(), source }),
        })
    }

    fn from_texts(text_of: impl Fn(Shipped) -> Result<String, PolicyError>) -> Result<Self, PolicyError> {
        let mut hash = Sha256::new();
        let mut texts = Vec::with_capacity(files::ALL.len());
        for file in files::ALL {
            let text = text_of(file)?;
            hash.update(file.0.as_bytes());
            hash.update([0]);
            hash.update(text.as_bytes());
            hash.update([0]);
            texts.push((file.0, text));
        }
        Ok(Self {
            lanes: read(&texts, files::LANES, Lanes::check)?,
            probe: read(&texts, files::PROBE, Ranking::check)?,
            gate: read(&texts, files::GATE, Gate::check)?,
            recovery: read(&texts, files::RECOVERY, Recovery::check)?,
            budgets: read(&texts, files::BUDGETS, Budgets::check)?,
            sandbox: read(&texts, files::SANDBOX, Sandbox::check)?,
            models: read(&texts, files::MODELS, Models::check)?,
            upstreams: read(&texts, files::UPSTREAMS, Upstreams::check)?,
            store: read(&texts, files::STORE, Store::check)?,
            server: read(&texts, files::SERVER, Server::check)?,
            hash: hex::encode(hash.finalize()),
        })
    }
}

fn read<T: DeserializeOwned>(
    texts: &[(&'static str, String)],
    (file, shipped): Shipped,
    check: impl Fn(&T) -> Result<(), OutOfRange>,
) -> Result<T, PolicyError> {
    let text = texts.iter().find(|(name, _)| *name == file).map_or(shipped, |(_, text)| text.as_str());
    let value = toml::from_str(text)
        .map_err(|error| PolicyError::Parse { file, message: error.to_string().trim_end().to_owned() })?;
    check(&value).map_err(|(key, requirement)| PolicyError::Range { file, key, requirement })?;
    Ok(value)
}

fn refuse_unknown_files(directory: &Path) -> Result<(), PolicyError> {
    let fault = |source| PolicyError::Read { file: directory.display().to_string(), source };
    for entry in fs::read_dir(directory).map_err(fault)? {
        let file = entry.map_err(fault)?.file_name().to_string_lossy().into_owned();
        let is_policy = files::ALL.iter().any(|(name, _)| *name == file);
        if Path::new(&file).extension().is_some_and(|extension| extension == "toml") && !is_policy {
            return Err(PolicyError::Unknown { file, known: files::ALL.map(|(name, _)| name).join(", ") });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_bundle_is_sound() {
        let policy = Policy::shipped().unwrap();
        assert_eq!(policy.hash.len(), 64);
        assert_eq!(policy.hash, Policy::shipped().unwrap().hash);
    }

    fn with(file: &'static str, text: &str) -> Result<Policy, PolicyError> {
        Policy::from_texts(|(name, shipped)| Ok(if name == file { text } else { shipped }.to_owned()))
    }

    #[test]
    fn an_unknown_key_is_named() {
        let text = format!("{}\nfan_in_max = 3\n", files::RECOVERY.1);
        let message = with("recovery.toml", &text).unwrap_err().to_string();
        assert!(message.starts_with("recovery.toml: ") && message.contains("fan_in_max"), "{message}");
    }

    #[test]
    fn a_missing_key_is_named() {
        let message =
            with("recovery.toml", "plans_max = 1\nalternative_share_min = 0.7\n").unwrap_err().to_string();
        assert!(message.contains("fan_out_max"), "{message}");
    }

    #[test]
    fn a_value_out_of_range_is_named() {
        let message = with("recovery.toml", "plans_max = 0\nfan_out_max = 2\nalternative_share_min = 0.7\n")
            .unwrap_err()
            .to_string();
        assert_eq!(message, "recovery.toml: `plans_max` must be at least 1");
    }

    #[test]
    fn the_hash_tells_bundles_apart() {
        let other =
            with("recovery.toml", "plans_max = 1\nfan_out_max = 2\nalternative_share_min = 0.7\n").unwrap();
        assert_ne!(other.hash, Policy::shipped().unwrap().hash);
    }
}

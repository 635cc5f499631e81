//! The bundle: every policy file read, checked and hashed together.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::evidence::EvidenceRules;
use crate::files::{self, Shipped};
use crate::gate::Gate;
use crate::guardrails::Guardrails;
use crate::judge::Learned;
use crate::library::Library;
use crate::limits::{Budgets, Sandbox, Server, Store, Upstreams};
use crate::models::{ModelStage, Models};
use crate::prompts::{self, Prompts};
use crate::ranking::Ranking;
use crate::recording::Recording;
use crate::recovery::Recovery;
use crate::rollout::Lanes;

/// The policies of one process.
#[derive(Clone, Debug)]
pub struct Policy {
    /// Which lane a query takes.
    pub lanes: Lanes,
    /// How methods are ranked and selected.
    pub probe: Ranking,
    /// What was learned of when a method serves, and of what to do with a question.
    pub learned: Learned,
    /// How the gate rules.
    pub gate: Gate,
    /// What happens when results do not answer the question.
    pub recovery: Recovery,
    /// How evidence is packed, and how a written answer is held against it.
    pub evidence: EvidenceRules,
    /// What one request may spend.
    pub budgets: Budgets,
    /// What one program may use.
    pub sandbox: Sandbox,
    /// Which model answers which stage.
    pub models: Models,
    /// What the stages tell their models.
    pub prompts: Prompts,
    /// How MCP servers are reached.
    pub upstreams: Upstreams,
    /// How durable state is kept.
    pub store: Store,
    /// The HTTP surface's limits.
    pub server: Server,
    /// Documents, and the answers from them.
    pub library: Library,
    /// The chat surface's limits.
    pub guardrails: Guardrails,
    /// What is recorded of requests.
    pub recording: Recording,
    /// Every file's bytes, by its path below the policies.
    pub files: Arc<BTreeMap<String, String>>,
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
        key: Cow<'static, str>,
        /// What it must be.
        requirement: &'static str,
    },
    /// A prompt has a slot that there is no value for, lacks one, or is nothing that could be sent.
    #[error("{file}: {message}")]
    Prompt {
        /// The file's path below the policies.
        file: String,
        /// What is wrong.
        message: String,
    },
    /// The directory holds a file that is no policy and no prompt.
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
        Self::from_texts(|_, text| Ok(text.to_owned()))
    }

    /// The bundle of a directory; files that it lacks are the shipped ones.
    pub fn load(directory: &Path) -> Result<Self, PolicyError> {
        refuse_unknown_files(directory)?;
        Self::from_texts(|name, text| match fs::read_to_string(directory.join(name)) {
            Ok(own) => Ok(own),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(text.to_owned()),
            Err(source) => Err(PolicyError::Read { file: name.to_owned(), source }),
        })
    }

    /// The bundle of these files, by their paths below the policies; those that are missing are the shipped ones.
    pub fn of_files(files: &BTreeMap<String, String>) -> Result<Self, PolicyError> {
        Self::from_texts(|name, text| Ok(files.get(name).map_or(text, String::as_str).to_owned()))
    }

    /// How the gate rules before the configured planner: rules give an argument nothing that is neither said nor found, where a model
    /// may know it, so that before them the caller is asked for each that stays open.
    #[must_use]
    pub fn ruling(&self) -> Cow<'_, Gate> {
        if self.models.chain(ModelStage::Plan, None).is_empty() {
            Cow::Owned(Gate { open_argument_min: 0.0, ..self.gate.clone() })
        } else {
            Cow::Borrowed(&self.gate)
        }
    }

    fn from_texts(
        text_of: impl Fn(&'static str, &'static str) -> Result<String, PolicyError>,
    ) -> Result<Self, PolicyError> {
        let mut hash = Sha256::new();
        let mut texts = BTreeMap::new();
        let prompts = prompts::ALL.iter().map(|file| (file.path, file.shipped));
        for (name, shipped) in files::ALL.into_iter().chain(prompts) {
            let text = text_of(name, shipped)?;
            hash.update(name.as_bytes());
            hash.update([0]);
            hash.update(text.as_bytes());
            hash.update([0]);
            texts.insert(name, text);
        }
        Ok(Self {
            lanes: read(&texts, files::LANES, Lanes::check)?,
            probe: read(&texts, files::PROBE, Ranking::check)?,
            learned: read(&texts, files::LEARNED, Learned::check)?,
            gate: read(&texts, files::GATE, Gate::check)?,
            recovery: read(&texts, files::RECOVERY, Recovery::check)?,
            evidence: read(&texts, files::EVIDENCE, EvidenceRules::check)?,
            budgets: read(&texts, files::BUDGETS, Budgets::check)?,
            sandbox: read(&texts, files::SANDBOX, Sandbox::check)?,
            models: read(&texts, files::MODELS, Models::check)?,
            upstreams: read(&texts, files::UPSTREAMS, Upstreams::check)?,
            store: read(&texts, files::STORE, Store::check)?,
            server: read(&texts, files::SERVER, Server::check)?,
            library: read(&texts, files::LIBRARY, Library::check)?,
            recording: read(&texts, files::RECORDING, Recording::check)?,
            guardrails: read(&texts, files::GUARDRAILS, Guardrails::check)?,
            prompts: Prompts::read(&texts)
                .map_err(|(file, message)| PolicyError::Prompt { file, message })?,
            hash: hex::encode(hash.finalize()),
            files: Arc::new(texts.into_iter().map(|(name, text)| (name.to_owned(), text)).collect()),
        })
    }

    /// The shipped bundle with another text in place of one file's.
    #[cfg(test)]
    pub(crate) fn with_file(file: &str, text: &str) -> Result<Self, PolicyError> {
        Self::from_texts(|name, shipped| Ok(if name == file { text } else { shipped }.to_owned()))
    }
}

type Texts = BTreeMap<&'static str, String>;

fn read<T: DeserializeOwned, K: Into<Cow<'static, str>>>(
    texts: &Texts,
    (file, shipped): Shipped,
    check: impl Fn(&T) -> Result<(), (K, &'static str)>,
) -> Result<T, PolicyError> {
    let text = texts.get(file).map_or(shipped, String::as_str);
    let value = toml::from_str(text)
        .map_err(|error| PolicyError::Parse { file, message: error.to_string().trim_end().to_owned() })?;
    check(&value).map_err(|(key, requirement)| PolicyError::Range { file, key: key.into(), requirement })?;
    Ok(value)
}

/// A misspelt file would be a policy that never comes to bear.
fn refuse_unknown_files(directory: &Path) -> Result<(), PolicyError> {
    for file in names(directory)? {
        let is_policy = files::ALL.iter().any(|(name, _)| *name == file);
        if Path::new(&file).extension().is_some_and(|extension| extension == "toml") && !is_policy {
            return Err(PolicyError::Unknown { file, known: files::ALL.map(|(name, _)| name).join(", ") });
        }
    }
    let prompts = directory.join("prompts");
    if !prompts.is_dir() {
        return Ok(());
    }
    for stage in names(&prompts)? {
        let folder = prompts.join(&stage);
        let files = if folder.is_dir() { names(&folder)? } else { vec![String::new()] };
        for file in files {
            let path = format!("prompts/{stage}/{file}");
            if !prompts::ALL.iter().any(|prompt| prompt.path == path) {
                let known = prompts::ALL.map(|prompt| prompt.path).join(", ");
                return Err(PolicyError::Unknown { file: path, known });
            }
        }
    }
    Ok(())
}

/// The names of a directory's entries, in their order; hidden ones left out.
fn names(directory: &Path) -> Result<Vec<String>, PolicyError> {
    let fault = |source| PolicyError::Read { file: directory.display().to_string(), source };
    let mut names = Vec::new();
    for entry in fs::read_dir(directory).map_err(fault)? {
        names.push(entry.map_err(fault)?.file_name().to_string_lossy().into_owned());
    }
    names.retain(|name| !name.starts_with('.'));
    names.sort();
    Ok(names)
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

    fn with(file: &str, text: &str) -> Result<Policy, PolicyError> {
        Policy::with_file(file, text)
    }

    #[test]
    fn an_unknown_key_is_named() {
        let text = format!("{}\nfan_in_max = 3\n", files::RECOVERY.1);
        let message = with("recovery.toml", &text).unwrap_err().to_string();
        assert!(message.starts_with("recovery.toml: ") && message.contains("fan_in_max"), "{message}");
    }

    /// The shipped `recovery.toml` with another line in place of one of its own.
    fn recovery(line: &str, other: &str) -> String {
        let shipped = files::RECOVERY.1;
        assert!(shipped.contains(line), "{line}");
        shipped.replace(line, other)
    }

    #[test]
    fn a_missing_key_is_named() {
        let message = with("recovery.toml", &recovery("fan_out_max = 16\n", "")).unwrap_err().to_string();
        assert!(message.contains("fan_out_max"), "{message}");
    }

    #[test]
    fn a_value_out_of_range_is_named() {
        for (line, other, requirement) in [
            ("plans_max = 3", "plans_max = 0", "`plans_max` must be at least 1"),
            ("replans_max = 2", "replans_max = 6", "`replans_max` must be at most 5"),
            ("pages_max = 5", "pages_max = 0", "`pages.pages_max` must be at least 1"),
            (
                "model_time_share_max = 0.5",
                "model_time_share_max = 1.5",
                "`model_time_share_max` must be from 0 to 1",
            ),
        ] {
            let message = with("recovery.toml", &recovery(line, other)).unwrap_err().to_string();
            assert_eq!(message, format!("recovery.toml: {requirement}"));
        }
    }

    #[test]
    fn what_makes_a_lane_cannot_be_switched() {
        let switched = |lane: &str, flag: &str, is: bool| {
            let (head, tail) = files::LANES.1.split_once(&format!("[{lane}]")).unwrap();
            let other = tail.replacen(&format!("{flag} = {is}"), &format!("{flag} = {}", !is), 1);
            assert_ne!(other, tail);
            with("lanes.toml", &format!("{head}[{lane}]{other}")).map_err(|error| error.to_string())
        };
        for (lane, flag, is) in [
            ("deep", "method_reasoning_enabled", true),
            ("deep", "external_probe_enabled", false),
            ("deep", "preserve_fast_one_shot", false),
            ("fast", "method_reasoning_enabled", false),
            ("fast", "ambiguity_judge_enabled", false),
            ("fast", "external_probe_enabled", false),
            ("fast", "preserve_fast_one_shot", true),
        ] {
            let message = switched(lane, flag, is).unwrap_err();
            assert_eq!(message, format!("lanes.toml: `{lane}.{flag}` must be {is}"));
        }
        assert!(
            !switched("deep", "ambiguity_judge_enabled", true).unwrap().lanes.deep.ambiguity_judge_enabled
        );
    }

    #[test]
    fn the_hash_tells_bundles_apart() {
        let other = with("recovery.toml", &recovery("fan_out_max = 16", "fan_out_max = 2")).unwrap();
        assert_ne!(other.hash, Policy::shipped().unwrap().hash);
    }
}

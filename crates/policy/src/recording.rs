//! `recording.toml`: what is recorded of requests, and how long it is kept.

use serde::Deserialize;

use crate::range::{OutOfRange, at_least_one, within};

/// `recording.toml`: what is recorded of requests, and how long it is kept.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recording {
    /// The share of requests that is recorded, from 0 to 1.
    pub sample_share: f64,
    /// Bytes of one recording.
    pub run_bytes_max: usize,
    /// Recordings that wait to be written.
    pub queue_runs_max: usize,
    /// Recordings that are kept.
    pub runs_kept_max: usize,
    /// Bytes of all recordings that are kept.
    pub bytes_kept_max: u64,
    /// How long a recording is kept, in hours.
    pub hours_kept: u32,
    /// Fields whose text is never written.
    pub redacted_fields: Vec<String>,
    /// What secrets begin with.
    pub redacted_prefixes: Vec<String>,
    /// Whether the question stands in spans.
    pub query_text_in_spans: bool,
    /// Characters of a secret that is known by how it begins.
    pub redacted_chars_min: usize,
}

impl Recording {
    pub(crate) fn check(&self) -> Result<(), OutOfRange> {
        within("sample_share", (0.0..=1.0).contains(&self.sample_share), "must be from 0 to 1")?;
        at_least_one("run_bytes_max", self.run_bytes_max)?;
        at_least_one("queue_runs_max", self.queue_runs_max)?;
        at_least_one("runs_kept_max", self.runs_kept_max)?;
        at_least_one("bytes_kept_max", self.bytes_kept_max)?;
        at_least_one("hours_kept", self.hours_kept)?;
        at_least_one("redacted_chars_min", self.redacted_chars_min)?;
        let is_empty = self.redacted_prefixes.iter().any(String::is_empty);
        within("redacted_prefixes", !is_empty, "must have no empty text")
    }
}

//! What was looked for: in documents, and in the catalog.

use super::SelectedListing;

/// A look into documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookReport {
    /// The tool's name.
    pub tool: &'static str,
    /// What was looked for, in words.
    pub told: String,
    /// Passages.
    pub found: usize,
    /// Those that were not there before.
    pub fresh: usize,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
}

/// A search of the catalog for what is missing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RediscoveryReport {
    /// Whether the catalog was searched.
    pub executed: bool,
    /// The word of the reason why it was not.
    pub skip_reason: Option<&'static str>,
    /// What was missing.
    pub missing_capability: String,
    /// What was searched for.
    pub query: String,
    /// The listings whose methods were found beyond those at hand.
    pub found: Vec<SelectedListing>,
}

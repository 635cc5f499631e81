//! What can go wrong in an evaluation.

use std::path::PathBuf;

/// Why an evaluation cannot be run. Each says itself on one line, cause included.
#[derive(Debug, thiserror::Error)]
pub enum EvalFault {
    /// A file or directory could not be opened or read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file or directory.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A line of a corpus is not what the format says.
    #[error("{}:{line}: {source}", path.display())]
    BadLine {
        /// The file.
        path: PathBuf,
        /// The line, from one.
        line: usize,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// A file of cases or gates is not what the format says.
    #[error("{}:{line}: {message}", path.display())]
    BadFile {
        /// The file.
        path: PathBuf,
        /// The line, from one.
        line: usize,
        /// What is wrong, the key included.
        message: String,
    },
    /// A case says something that cannot hold.
    #[error("{}: case `{id}`: {message}", path.display())]
    BadCase {
        /// The file.
        path: PathBuf,
        /// The case.
        id: String,
        /// What cannot hold.
        message: String,
    },
    /// There are no cases where some should be.
    #[error("{}: no cases of a suite; there are {there_are}", path.display())]
    NoCases {
        /// Where they should be.
        path: PathBuf,
        /// The suites that there are, or `none`.
        there_are: String,
    },
}

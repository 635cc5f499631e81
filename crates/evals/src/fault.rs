//! What can go wrong in an evaluation.

use std::path::PathBuf;

/// Why a corpus could not be read.
#[derive(Debug, thiserror::Error)]
pub enum EvalFault {
    /// The file could not be opened or read.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// A line is not what the format says.
    #[error("{}:{line}: not of the format", path.display())]
    BadLine {
        /// The file.
        path: PathBuf,
        /// The line, from one.
        line: usize,
        /// What is wrong with it.
        #[source]
        source: serde_json::Error,
    },
}

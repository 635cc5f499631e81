//! How a program's process can be lost.

use std::io;

use program::Garbled;

/// Why there is no knowing where a program stands: what ran it is gone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Lost {
    /// No process could be started.
    #[error("no worker process could be started: {0}")]
    NotStarted(io::ErrorKind),
    /// It took longer than it may, and was killed.
    #[error(
        "its worker process was killed: it did not end in time (`wall_ms_max` and `workers.kill_after_ms`)"
    )]
    Killed,
    /// It ended, or stopped making sense, before it had reported.
    #[error("its worker process was lost: {0}")]
    Ended(String),
    /// It reported what cannot be.
    #[error("its worker process was killed for its report: {0}")]
    Garbled(#[from] Garbled),
    /// It was lost when it was recorded, as these words say.
    #[error("{0}")]
    Recorded(String),
    /// The process that it runs in is about to stop.
    #[error("the server is stopping")]
    Stopping,
}

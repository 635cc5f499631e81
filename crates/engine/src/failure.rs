//! How a request can fail.

/// An ending that nobody wanted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// A pinned listing is not in the catalog.
    #[error("no tool with the id {0}")]
    UnknownTool(domain::ListingId),
    /// The request's time is over before there was anything to tell.
    #[error("the request's time limit (`deadline_ms_max`) passed before there was an answer")]
    DeadlinePassed,
    /// The caller left or the server stops.
    #[error("the request was cancelled")]
    Cancelled,
    /// What ran the program is gone, and nothing is known of it.
    #[error("the program was lost: {0}")]
    ProgramLost(worker::Lost),
}

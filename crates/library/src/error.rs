//! What can go wrong with the library. The words may be shown to callers: paths and statements are in the sources only.

/// What can go wrong with the library.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// What was given cannot be read.
    #[error("the document cannot be taken in: {0}")]
    Unreadable(&'static str),
    /// What was given is more than a policy allows.
    #[error("that is more than `{what}` allows ({most})")]
    TooLarge {
        /// The policy's key.
        what: &'static str,
        /// The most that it allows.
        most: usize,
    },
    /// There is no such collection of the caller's.
    #[error("there is no such collection")]
    UnknownCollection,
    /// The caller has no such session, or not any more.
    #[error("there is no such session")]
    UnknownSession,
    /// The search index failed.
    #[error("the search index failed")]
    Index(#[source] tantivy::TantivyError),
    /// The search index's directory cannot be used.
    #[error("the search index cannot be opened")]
    Directory(#[source] std::io::Error),
    /// The work was cut off.
    #[error("the work was cut off")]
    Cut(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl From<tantivy::TantivyError> for Error {
    fn from(source: tantivy::TantivyError) -> Self {
        Self::Index(source)
    }
}

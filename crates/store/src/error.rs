//! What can go wrong with the store. The words may be shown to callers: paths and statements are in the sources only.

use std::path::PathBuf;

/// What can go wrong with the store.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file cannot be opened.
    #[error("the store cannot be opened")]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// Another process has the file.
    #[error("the store is in use by another process")]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The file is of a later version, or no store.
    #[error("the store cannot be brought up to date")]
    Migrate(#[source] sqlx::migrate::MigrateError),
    /// Everyone waited as long as the settings allow.
    #[error("the store is busy")]
    Busy(#[source] sqlx::Error),
    /// A stored value is none that this version writes.
    #[error("the store holds a value that cannot be read: {0}")]
    Unreadable(&'static str),
    /// The bytes are more than the settings allow.
    #[error("{bytes} bytes are more than the {bytes_max} that may be stored")]
    TooLarge {
        /// The bytes.
        bytes: usize,
        /// The most that the settings allow.
        bytes_max: usize,
    },
    /// There already is an entry with these identifiers.
    #[error("the entry exists already")]
    Exists(#[source] sqlx::Error),
    /// The database failed.
    #[error("the store failed")]
    Database(#[source] sqlx::Error),
}

/// SQLite's code for a lock that someone else holds; the higher bits refine it.
const SQLITE_BUSY: i32 = 5;

impl From<sqlx::Error> for Error {
    fn from(source: sqlx::Error) -> Self {
        if matches!(source, sqlx::Error::PoolTimedOut) {
            return Self::Busy(source);
        }
        let Some(database) = source.as_database_error() else { return Self::Database(source) };
        let code = database.code().and_then(|code| code.parse::<i32>().ok());
        if code.is_some_and(|code| code & 0xff == SQLITE_BUSY) {
            return Self::Busy(source);
        }
        if database.is_unique_violation() { Self::Exists(source) } else { Self::Database(source) }
    }
}

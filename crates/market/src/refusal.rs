//! Why a method gives no result.

/// Why a method gives no result: the text of its `isError` answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    /// The arguments do not fit the method's types.
    #[error("{}{inner}; accepted: {accepted}", named(.path))]
    Arguments {
        /// Where in them, `.` for the whole.
        path: String,
        /// What every argument may be.
        accepted: String,
        /// What is wrong there.
        #[source]
        inner: serde_json::Error,
    },
    /// One argument fits its type and yet means nothing here.
    #[error("argument `{argument}`: {reason}")]
    Argument {
        /// Which.
        argument: &'static str,
        /// Why, and what would be accepted.
        reason: String,
    },
    /// The result cannot be written as JSON.
    #[error("the result is no JSON")]
    Unwritable(#[from] serde_json::Error),
}

impl Refusal {
    /// An argument that means nothing here, and what would be accepted.
    pub(crate) fn argument(argument: &'static str, reason: impl Into<String>) -> Self {
        Self::Argument { argument, reason: reason.into() }
    }
}

fn named(path: &str) -> String {
    if path == "." { String::new() } else { format!("argument `{path}`: ") }
}

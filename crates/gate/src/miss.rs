//! A capability miss: an honest "this cannot be answered here".

/// Why a question cannot be answered with the methods at hand.
#[derive(Debug)]
pub struct Miss {
    message: String,
    missing: Vec<String>,
    original: String,
}

impl Miss {
    /// The miss of the question `original`: `message` for people, `missing` a sentence for each capability.
    #[must_use]
    pub fn new(message: impl Into<String>, missing: Vec<String>, original: impl Into<String>) -> Self {
        Self { message: message.into(), missing, original: original.into() }
    }

    /// What to tell the caller.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What is missing, a sentence each.
    #[must_use]
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// The question that was asked.
    #[must_use]
    pub fn original(&self) -> &str {
        &self.original
    }

    /// How the question could be put so that it can be answered.
    #[must_use]
    pub fn rewrites(&self) -> [String; 3] {
        [
            "Name the exact entity, scope and time window that you mean.".to_owned(),
            "Pin the tools that should answer, by their ids.".to_owned(),
            "Narrow the question to one thing at a time.".to_owned(),
        ]
    }
}

//! A capability miss: an honest "this cannot be answered here".

mod rewrites;

use crate::brief::{Brief, Unavailable};
use crate::card::plain;

/// Why a question cannot be answered with the methods at hand.
#[derive(Debug)]
pub struct Miss {
    message: String,
    missing: Vec<String>,
    original: String,
    rewrites: [String; 3],
}

impl Miss {
    /// The miss of the question `original`: `message` for people, `missing` a sentence for each capability.
    #[must_use]
    pub fn new(message: impl Into<String>, missing: Vec<String>, original: impl Into<String>) -> Self {
        Self { message: message.into(), missing, original: original.into(), rewrites: rewrites::general() }
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
        self.rewrites.clone()
    }
}

/// The miss of a brief.
pub(crate) fn of(brief: &Brief) -> Miss {
    Miss {
        message: message(brief),
        missing: sentences(brief),
        original: brief.original.clone(),
        rewrites: rewrites::of(brief),
    }
}

fn message(brief: &Brief) -> String {
    match &brief.unavailable {
        Some(Unavailable::Venue(name)) => {
            format!("None of the tools at hand serves {}.", plain(name, NAME_CHARS_MAX))
        }
        Some(Unavailable::Time(said)) => {
            format!("None of the tools at hand tells of \"{}\".", plain(said, NAME_CHARS_MAX))
        }
        Some(Unavailable::LeftOut { method, why }) => format!(
            "The method that would do this, {}, may not be called to answer a question: {why}.",
            plain(method.method.as_str(), NAME_CHARS_MAX)
        ),
        Some(Unavailable::Value { named, argument, listed }) => format!(
            "The tools at hand do not cover {}. What they take as {} is one of: {}.",
            plain(named, NAME_CHARS_MAX),
            plain(argument, NAME_CHARS_MAX),
            plain(&listed.join(", "), VALUES_CHARS_MAX)
        ),
        None => "No tool at hand can answer this question.".to_owned(),
    }
}

/// What is missing, a sentence each, the plainest last.
pub(crate) fn sentences(brief: &Brief) -> Vec<String> {
    let mut sentences = vec!["No grounded capability path was established.".to_owned()];
    match &brief.unavailable {
        Some(Unavailable::Venue(name)) => {
            let name = plain(name, NAME_CHARS_MAX);
            sentences.push(format!("No grounded method supports the requested venue: {name}."));
        }
        Some(Unavailable::Value { named, argument, .. }) => {
            let (named, argument) = (plain(named, NAME_CHARS_MAX), plain(argument, NAME_CHARS_MAX));
            sentences.push(format!("No grounded method supports the requested {argument}: {named}."));
        }
        Some(Unavailable::Time(said)) => {
            let said = plain(said, NAME_CHARS_MAX);
            sentences.push(format!("No grounded method supports the requested time: {said}."));
        }
        Some(Unavailable::LeftOut { .. }) | None => {}
    }
    sentences
}

const NAME_CHARS_MAX: usize = 60;
const VALUES_CHARS_MAX: usize = 200;

#[cfg(test)]
mod tests;

//! A judge's opinion: a view on what a question means, weighed by the ruling and never obeyed.

use std::fmt;

use domain::MethodRef;
use serde::Deserialize;

/// What a judge thinks of a brief.
#[derive(Debug, PartialEq)]
pub struct Opinion {
    /// What it thinks should be done.
    pub verdict: Verdict,
    /// The options that it finds viable, best first.
    pub options: Vec<OptionId>,
    /// The option that it would take.
    pub recommended: Option<OptionId>,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
    /// Why, in its own words.
    pub reason: String,
}

/// What should be done with a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Go on.
    Answer,
    /// Ask.
    #[serde(rename = "clarification_required")]
    Clarify,
    /// Say that nothing fits.
    #[serde(rename = "capability_miss")]
    Miss,
}

impl Verdict {
    /// The word of the wire.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Clarify => "clarification_required",
            Self::Miss => "capability_miss",
        }
    }
}

/// An option's name: `<tool id>:<method name>`, and what tells two readings of one method apart behind a `#`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OptionId(pub String);

impl OptionId {
    /// The option of a method that has one reading.
    #[must_use]
    pub fn of(method: &MethodRef) -> Self {
        Self(method.to_string())
    }

    /// The reading of the same method that gives what the question names to the argument `slot`.
    #[must_use]
    pub fn with_slot(&self, slot: &str) -> Self {
        Self(format!("{}#{slot}", self.0))
    }
}

impl fmt::Display for OptionId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Why there is no opinion.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JudgeFault {
    /// No judge was asked.
    #[error("no judge was asked")]
    NotAsked,
    /// It did not answer in time.
    #[error("the judge did not answer in time")]
    Late,
    /// It said nothing.
    #[error("the judge gave an empty reply")]
    Empty,
    /// What it said is no opinion.
    #[error("the judge's reply is malformed: {0}")]
    Malformed(String),
    /// It could not be reached, or failed.
    #[error("the judge failed: {0}")]
    Failed(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reply {
    verdict: Verdict,
    #[serde(default)]
    options: Vec<String>,
    #[serde(default)]
    recommended: Option<String>,
    confidence: f64,
    #[serde(default)]
    reason: String,
}

impl Opinion {
    /// Reads a judge's reply: one JSON object, as the judge's reply schema has it.
    pub fn read(reply: &str) -> Result<Self, JudgeFault> {
        if reply.trim().is_empty() {
            return Err(JudgeFault::Empty);
        }
        let reply: Reply =
            serde_json::from_str(reply).map_err(|error| JudgeFault::Malformed(error.to_string()))?;
        if !(0.0..=1.0).contains(&reply.confidence) {
            return Err(JudgeFault::Malformed("`confidence` is not from 0 to 1".to_owned()));
        }
        Ok(Self {
            verdict: reply.verdict,
            options: reply.options.into_iter().map(OptionId).collect(),
            recommended: reply.recommended.map(OptionId),
            confidence: reply.confidence,
            reason: reply.reason,
        })
    }
}

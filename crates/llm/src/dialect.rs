//! What endpoints speak: a request as each of them wants it, and what its reply says. Values in, values out.

use policy::{Dialect, HostedModel, OutputLimit, StructuredOutput};
use serde_json::Value;

use crate::exchange::Stop;
use crate::report::FallbackReason;

mod anthropic;
mod openai;

/// What is asked of a model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask<'a> {
    /// The task and its rules.
    pub(crate) system: &'a str,
    /// The conversation so far; the last turn is the user's.
    pub(crate) turns: &'a [Turn],
    /// The schema of the reply, where it has one.
    pub(crate) schema: Option<&'a Value>,
    /// Tokens that the reply may have.
    pub(crate) output_tokens_max: u32,
    /// Whether the reply comes piece by piece.
    pub(crate) is_streamed: bool,
}

impl Ask<'_> {
    /// Characters of everything that the model is told.
    pub(crate) fn chars(&self) -> usize {
        let turns = self.turns.iter().map(|turn| match turn {
            Turn::User(text) | Turn::Model(text) => text.chars().count(),
        });
        self.system.chars().count() + turns.sum::<usize>()
    }
}

/// One turn of the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// What it is told.
    User(String),
    /// What it said.
    Model(String),
}

/// How an endpoint wants to be asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    pub(crate) dialect: Dialect,
    pub(crate) structured: StructuredOutput,
    pub(crate) limit: OutputLimit,
}

/// What a model said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    /// The text; of a tool that it called, the arguments as JSON.
    pub(crate) text: String,
    /// What the endpoint calls the model.
    pub(crate) model: Option<String>,
    /// Tokens of the prompt and of the reply, where they were counted.
    pub(crate) input_tokens: Option<u64>,
    pub(crate) output_tokens: Option<u64>,
    /// Why it stopped; none while it has not.
    pub(crate) stop: Option<Stop>,
}

/// Stands for the status of an error that came inside of a stream and names none.
const STATUS_UNKNOWN: u16 = 500;

/// The name of the schema, and of the tool that carries it.
const REPLY: &str = "reply";

/// The path below the endpoint's address where conversations go.
pub(crate) fn path(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::OpenAi => "chat/completions",
        Dialect::Anthropic => "messages",
    }
}

impl Manner {
    /// The body of a request.
    pub(crate) fn request(self, model: &HostedModel, ask: &Ask<'_>) -> Value {
        match self.dialect {
            Dialect::OpenAi => openai::request(self, model, ask),
            Dialect::Anthropic => anthropic::request(self, model, ask),
        }
    }

    /// What a whole reply says.
    pub(crate) fn read(self, body: &Value) -> Result<Said, FallbackReason> {
        let said = match self.dialect {
            Dialect::OpenAi => openai::read(body),
            Dialect::Anthropic => anthropic::read(body),
        }?;
        said.whole()
    }

    /// Adds what one event of a stream says; gives the new text.
    pub(crate) fn hear(self, said: &mut Said, event: &Value) -> Result<String, FallbackReason> {
        match self.dialect {
            Dialect::OpenAi => openai::hear(said, event),
            Dialect::Anthropic => anthropic::hear(said, event),
        }
    }
}

impl Said {
    /// It, where the model said all that it wanted to.
    pub(crate) fn whole(self) -> Result<Self, FallbackReason> {
        match self.stop {
            None => Err(FallbackReason::Truncated),
            Some(Stop::Length) => Err(FallbackReason::TooLong),
            Some(Stop::Declined) => Err(FallbackReason::Declined),
            Some(Stop::Done) if self.text.trim().is_empty() => Err(FallbackReason::Empty),
            Some(Stop::Done) => Ok(self),
        }
    }
}

fn garbled(what: &str) -> FallbackReason {
    FallbackReason::Garbled(what.to_owned())
}

#[cfg(test)]
mod tests;

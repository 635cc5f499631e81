//! The port that exchanges with hosted models go through, so that they can be recorded and replayed.

use std::time::Duration;

use futures::future::BoxFuture;
use policy::ModelStage;
use serde_json::Value;

use crate::report::FallbackReason;

/// Makes the exchanges of one request with hosted models: by doing what it is given, and recording it; or, when a trace
/// is replayed, from what was recorded.
pub trait Exchanges: Send + Sync {
    /// One exchange. `live` asks the endpoint; what is not polled is never sent. `hear` is told the text as it comes.
    ///
    /// # Cancel safety
    /// Dropping the future gives the exchange up.
    fn exchange<'a>(
        &'a self,
        request: ModelRequest<'a>,
        live: BoxFuture<'a, ModelReply>,
        hear: &'a HearText<'a>,
    ) -> BoxFuture<'a, ModelReply>;

    /// Headers that every request carries: the trace that it belongs to.
    fn carried(&self) -> Vec<(String, String)> {
        Vec::new()
    }
}

/// Hears a piece of a reply; what it gives back as an error ends the exchange.
pub type HearText<'a> = dyn Fn(&str) -> Result<(), FallbackReason> + Send + Sync + 'a;

/// One request to a hosted model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelRequest<'a> {
    /// The stage that asks.
    pub stage: ModelStage,
    /// The model, by its name in the policies.
    pub model: &'a str,
    /// The body that is sent; no key stands in it.
    pub body: Value,
}

/// What came of one request to a hosted model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelReply {
    /// The text that came, as far as it came; of a tool that the model called, the arguments as JSON.
    pub text: String,
    /// The same in the pieces in which it was heard; empty where it came as a whole.
    pub pieces: Vec<String>,
    /// What the endpoint calls the model.
    pub model: Option<String>,
    /// Tokens of the prompt, where they were counted.
    pub input_tokens: Option<u64>,
    /// Tokens of the reply, where they were counted.
    pub output_tokens: Option<u64>,
    /// Why it stopped; none while it has not.
    pub stop: Option<Stop>,
    /// Why it is no whole reply.
    pub fault: Option<FallbackReason>,
    /// What the endpoint asks to wait.
    pub retry_after: Option<Duration>,
    /// How long it took.
    pub elapsed: Duration,
}

/// Why a model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It was done.
    Done,
    /// It came to the bound on its tokens.
    Length,
    /// It declined, or a filter did.
    Declined,
}

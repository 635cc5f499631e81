//! Models: where they are reached, what they cost, and which of them answers which stage.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use domain::Usd;
use rust_decimal::Decimal;
use serde::Deserialize;

mod check;
mod embeddings;

pub use embeddings::Embeddings;

/// The name of the deterministic portfolio, which ends every chain.
pub const EMBEDDED: &str = "embedded";

/// `models.toml`: which model answers which stage.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Models {
    /// Where models are reached, by name.
    pub endpoints: BTreeMap<String, Endpoint>,
    /// The hosted models, by name.
    pub models: BTreeMap<String, HostedModel>,
    stages: Stages,
    /// Waiting between two tries.
    pub retries: Retries,
    /// Limits of one exchange.
    pub http: ModelHttp,
    /// Limits of one prompt.
    pub prompt: PromptLimits,
    /// The models that callers may name.
    pub answer: AnswerModels,
    /// What a tool's own words may not do.
    pub lint: DescriptionLint,
    /// What turns documents into vectors; nothing does where none is given.
    #[serde(default)]
    pub embeddings: Option<Embeddings>,
}

/// The stages that a model may fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ModelStage {
    /// Judges what a question means.
    Judge,
    /// Writes programs.
    Plan,
    /// Says whether what was found answers the question.
    Complete,
    /// Shortens what is too long for the answer's prompt.
    Summarize,
    /// Puts the beginning of a conversation in short.
    Recap,
    /// Looks around in documents.
    Explore,
    /// Writes answers from documents.
    Reason,
    /// Writes answers.
    Synthesize,
}

/// An endpoint.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Endpoint {
    /// What it speaks.
    pub dialect: Dialect,
    /// Its address, up to and with the version: `https://models.example.com/v1`.
    pub base_url: String,
    /// Where its key is; none where it wants none.
    #[serde(default)]
    pub api_key: Option<ApiKey>,
    /// How it is told what a reply has to look like.
    #[serde(default)]
    pub structured_output: StructuredOutput,
    /// What it calls the bound on a reply's tokens.
    #[serde(default)]
    pub output_limit: OutputLimit,
    /// When it is left alone.
    pub breaker: BreakerLimits,
}

/// What an endpoint speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// Chat completions, as hosted endpoints and most local servers have them.
    OpenAi,
    /// Messages.
    Anthropic,
}

/// Where a key is; never the key itself.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ApiKey {
    /// The environment variable of this name.
    Env(String),
    /// The file at this path, without the white space around its text.
    File(PathBuf),
}

/// How an endpoint is told what a reply has to look like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StructuredOutput {
    /// By the schema of the output.
    #[default]
    Schema,
    /// By the schema of a tool that has to be called.
    Tool,
    /// By the prompt alone.
    None,
}

/// What chat completions call the bound on a reply's tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputLimit {
    /// As most servers do.
    #[default]
    MaxTokens,
    /// As newer ones do.
    MaxCompletionTokens,
}

impl OutputLimit {
    /// The key of the request.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::MaxTokens => "max_tokens",
            Self::MaxCompletionTokens => "max_completion_tokens",
        }
    }
}

/// When an endpoint is left alone.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BreakerLimits {
    /// Failures in a row that open the circuit.
    pub failures_max: u32,
    /// How long it stays open, in milliseconds.
    pub open_ms: u64,
}

/// A hosted model.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostedModel {
    /// The name of its endpoint.
    pub endpoint: String,
    /// What the endpoint calls it.
    pub name: String,
    input_usd_per_million: Decimal,
    output_usd_per_million: Decimal,
    /// Tokens that a reply may have.
    pub output_tokens_max: u32,
    /// How far it strays from its likeliest words; the endpoint's own choice where none is given.
    #[serde(default)]
    pub temperature: Option<f64>,
}

impl HostedModel {
    /// What so many tokens cost.
    #[must_use]
    pub fn cost(&self, input_tokens: u64, output_tokens: u64) -> Usd {
        let of = |tokens: u64, price: Decimal| {
            Decimal::from(tokens).saturating_mul(price).checked_div(MILLION).unwrap_or(Decimal::MAX)
        };
        Usd::from(
            of(input_tokens, self.input_usd_per_million)
                .saturating_add(of(output_tokens, self.output_usd_per_million)),
        )
    }
}

const MILLION: Decimal = Decimal::from_parts(1_000_000, 0, 0, false, 0);

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stages {
    judge: StageModels,
    plan: StageModels,
    complete: StageModels,
    summarize: StageModels,
    recap: StageModels,
    explore: StageModels,
    reason: StageModels,
    synthesize: StageModels,
}

/// How a stage asks its models.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageModels {
    /// The models in the order in which they are asked; the last is [`EMBEDDED`].
    pub models: Vec<String>,
    /// For all of it, in milliseconds.
    pub timeout_ms: u64,
    /// For one request, in milliseconds.
    pub attempt_timeout_ms: u64,
    /// Repeats of a request that was refused for load or failed on the other side.
    pub retries_max: usize,
    /// Requests for another reply in place of one that breaks its schema.
    pub reasks_max: usize,
    /// Tokens that a reply may have; the model's own bound holds as well.
    pub output_tokens_max: u32,
    /// Characters that a reply's text may have.
    pub output_chars_max: usize,
    /// After so many milliseconds the next model is asked as well; never where none is given.
    #[serde(default)]
    pub hedge_ms: Option<u64>,
}

/// Waiting between two tries.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retries {
    /// Before the first repeat, in milliseconds.
    pub first_ms: u64,
    /// At most, in milliseconds.
    pub last_ms: u64,
}

/// Limits of one exchange with an endpoint.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelHttp {
    /// One connect, in milliseconds.
    pub connect_timeout_ms: u64,
    /// Bytes of one reply, with all that is around its text.
    pub reply_bytes_max: usize,
}

/// Limits of one prompt.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PromptLimits {
    /// Characters of one item: a method, a source, a program.
    pub item_chars_max: usize,
    /// Characters of all items of one slot.
    pub data_chars_max: usize,
}

/// The answer models that callers may name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswerModels {
    /// Serves where the caller names none, or one that is not here.
    pub default: String,
    /// The names that there are.
    pub models: Vec<String>,
}

/// What a tool's own words may not do.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DescriptionLint {
    /// Phrases that address a model, in lower case.
    pub instruction_phrases: Vec<String>,
    /// Words that stand before the name of a tool, in lower case.
    pub tool_verbs: Vec<String>,
}

impl AnswerModels {
    /// The model that answers a caller who names this one, or none.
    #[must_use]
    pub fn serving(&self, named: Option<&str>) -> &str {
        let known = named.and_then(|named| self.models.iter().find(|model| *model == named));
        known.unwrap_or(&self.default)
    }
}

impl Models {
    /// How a stage asks its models.
    #[must_use]
    pub fn stage(&self, stage: ModelStage) -> &StageModels {
        match stage {
            ModelStage::Judge => &self.stages.judge,
            ModelStage::Plan => &self.stages.plan,
            ModelStage::Complete => &self.stages.complete,
            ModelStage::Summarize => &self.stages.summarize,
            ModelStage::Recap => &self.stages.recap,
            ModelStage::Explore => &self.stages.explore,
            ModelStage::Reason => &self.stages.reason,
            ModelStage::Synthesize => &self.stages.synthesize,
        }
    }

    /// The names of the hosted models that a stage asks, in order; after them comes the embedded portfolio. The answer
    /// that a caller may choose the model of is written by that model first; no other stage has a choice.
    #[must_use]
    pub fn chain(&self, stage: ModelStage, named: Option<&str>) -> Vec<&str> {
        let own = self.stage(stage).models.iter().map(String::as_str);
        let first = (stage == ModelStage::Synthesize).then(|| self.answer.serving(named));
        let mut chain = Vec::new();
        for model in first.into_iter().chain(own).take_while(|model| *model != EMBEDDED) {
            if !chain.contains(&model) {
                chain.push(model);
            }
        }
        chain
    }
}

impl ModelStage {
    /// Every stage.
    pub const ALL: [Self; 8] = [
        Self::Judge,
        Self::Plan,
        Self::Complete,
        Self::Summarize,
        Self::Recap,
        Self::Explore,
        Self::Reason,
        Self::Synthesize,
    ];

    /// Its name in the policies.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Judge => "judge",
            Self::Plan => "plan",
            Self::Complete => "complete",
            Self::Summarize => "summarize",
            Self::Recap => "recap",
            Self::Explore => "explore",
            Self::Reason => "reason",
            Self::Synthesize => "synthesize",
        }
    }
}

impl fmt::Display for ModelStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

#[cfg(test)]
mod tests;

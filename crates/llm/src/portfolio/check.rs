//! Trying each configured endpoint with one small request of a model's.

use std::time::Duration;

use policy::ModelStage;
use tokio::time::{Instant, timeout};

use super::Portfolio;
use super::recording::usage;
use crate::dialect::{Ask, Said, Turn};
use crate::report::{FallbackReason, Usage};

/// How one model of the policy is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointCheck {
    /// The model, by its name in the policies; `embeddings` for the one that documents are found by.
    pub model: String,
    /// Its endpoint, by its name in the policies.
    pub endpoint: String,
    /// What the endpoint says that the model is.
    pub effective_model: Option<String>,
    /// How long it took.
    pub elapsed: Duration,
    /// What it spent.
    pub usage: Usage,
    /// Why it cannot serve; none where it can.
    pub fault: Option<FallbackReason>,
}

impl Portfolio {
    /// Asks every model of the policy to shorten a line, one after the other: the smallest request that shows whether its
    /// address, its key, its name and its structured output work.
    pub async fn check(&self) -> Vec<EndpointCheck> {
        let mut checks = Vec::new();
        for name in self.models.models.keys() {
            checks.extend(self.check_model(name).await);
        }
        if let Some(embedder) = &self.embedder {
            checks.push(embedder.check().await);
        }
        checks
    }

    async fn check_model(&self, name: &str) -> Option<EndpointCheck> {
        let model = self.models.models.get(name)?;
        let endpoint = self.endpoints.get(&model.endpoint)?;
        let settings = self.models.stage(ModelStage::Summarize);
        let prompt = self.prompts.of(ModelStage::Summarize);
        let brief = crate::SummaryBrief { question: TRIED, text: TRIED };
        let values = crate::prompt::summarize(&brief, settings.output_chars_max, &self.models.prompt);
        let filled = crate::prompt::filled(prompt, &values);
        let turns = [Turn::User(filled.user)];
        let ask = Ask {
            system: &filled.system,
            turns: &turns,
            schema: prompt.reply_schema.as_ref(),
            output_tokens_max: settings.output_tokens_max,
            is_streamed: false,
        };
        let body = endpoint.request(model, &ask);
        let began = Instant::now();
        let mut said = Said::default();
        let exchange = endpoint.exchange((&body, false, &[]), &mut said, &|_| Ok(()), &*self.clock);
        let ended = timeout(Duration::from_millis(settings.attempt_timeout_ms), exchange).await;
        let fault = match ended {
            Err(_) => Some(FallbackReason::TimedOut),
            Ok(Err(refused)) => Some(refused.reason),
            Ok(Ok(())) => {
                let schema = self.schemas.get(&ModelStage::Summarize)?;
                schema.read(&said.text).err()
            }
        };
        let is_charged = fault.as_ref().is_none_or(FallbackReason::is_charged);
        let spent = if is_charged { usage(model, ask.chars(), &said) } else { Usage::default() };
        Some(EndpointCheck {
            model: name.to_owned(),
            endpoint: model.endpoint.clone(),
            effective_model: said.model,
            elapsed: began.elapsed(),
            usage: spent,
            fault,
        })
    }
}

/// What is shortened.
const TRIED: &str = "-";

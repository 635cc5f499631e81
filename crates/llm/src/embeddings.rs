//! Texts to vectors, through an endpoint's `/embeddings`.
//!
//! A reply is taken whole or not at all: one vector for each text, each of the policy's number of dimensions. Vectors come out
//! with length 1, so that their product is their likeness.

use std::sync::Arc;
use std::time::Duration;

use domain::Clock;
use policy::{Embeddings, Models};
use reqwest::Client;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout};

use crate::endpoint::Endpoint;
use crate::portfolio::{EndpointCheck, PortfolioFault};
use crate::report::{FallbackReason, Usage};

/// The embedding model of a policy.
pub struct Embedder {
    endpoint: Endpoint,
    settings: Embeddings,
    clock: Arc<dyn Clock>,
}

impl Embedder {
    /// The model that the policy names; none where it names none. Nothing is sent.
    pub(crate) fn open(
        models: &Models,
        client: &Client,
        environment: &dyn Fn(&str) -> Option<String>,
        clock: Arc<dyn Clock>,
    ) -> Result<Option<Self>, PortfolioFault> {
        let Some(settings) = &models.embeddings else { return Ok(None) };
        let Some(policy) = models.endpoints.get(&settings.endpoint) else { return Ok(None) };
        let place = (settings.endpoint.as_str(), "embeddings");
        let endpoint = Endpoint::open(place, policy, (client, &models.http), environment)?;
        Ok(Some(Self { endpoint, settings: settings.clone(), clock }))
    }

    /// What it is and how it is told.
    #[must_use]
    pub fn settings(&self) -> &Embeddings {
        &self.settings
    }

    /// A question's vector.
    ///
    /// # Errors
    /// Why there is none, after the policy's `question_timeout_ms` at the latest.
    ///
    /// # Cancel safety
    /// The request is dropped.
    pub async fn question(&self, text: &str) -> Result<Vec<f32>, FallbackReason> {
        let text = self.cut(&self.settings.question_prefix, text);
        let vectors = self.within(&[text], self.settings.question_timeout_ms).await?;
        vectors.into_iter().next().ok_or(FallbackReason::Empty)
    }

    /// The vectors of parts of documents, in their order.
    ///
    /// # Errors
    /// Why there are none, after the policy's `request_timeout_ms` at the latest.
    ///
    /// # Cancel safety
    /// The request is dropped.
    pub async fn documents(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, FallbackReason> {
        let texts: Vec<String> =
            texts.iter().map(|text| self.cut(&self.settings.document_prefix, text)).collect();
        self.within(&texts, self.settings.request_timeout_ms).await
    }

    /// Embeds a word, to see whether address, key, name and dimensions are right.
    pub(crate) async fn check(&self) -> EndpointCheck {
        let began = Instant::now();
        let fault = self.within(&["-".to_owned()], self.settings.request_timeout_ms).await.err();
        EndpointCheck {
            model: "embeddings".to_owned(),
            endpoint: self.settings.endpoint.clone(),
            effective_model: Some(self.settings.name.clone()),
            elapsed: began.elapsed(),
            usage: Usage::default(),
            fault,
        }
    }

    fn cut(&self, prefix: &str, text: &str) -> String {
        prefix.chars().chain(text.chars().take(self.settings.text_chars_max)).collect()
    }

    async fn within(&self, texts: &[String], timeout_ms: u64) -> Result<Vec<Vec<f32>>, FallbackReason> {
        if !self.endpoint.allows(Instant::now()) {
            return Err(FallbackReason::CircuitOpen);
        }
        let body = json!({ "model": self.settings.name, "input": texts });
        let asked = timeout(Duration::from_millis(timeout_ms), self.endpoint.ask(&body, &*self.clock)).await;
        let outcome = match asked {
            Err(_) => Err(FallbackReason::TimedOut),
            Ok(Err(refused)) => Err(refused.reason),
            Ok(Ok(reply)) => read(&reply, texts.len(), self.settings.dimensions),
        };
        self.endpoint.note(outcome.as_ref().err(), Instant::now());
        outcome
    }
}

/// The vectors of a reply, by their indices.
fn read(reply: &Value, texts: usize, dimensions: usize) -> Result<Vec<Vec<f32>>, FallbackReason> {
    let unusable = |problem: String| FallbackReason::Unusable(problem);
    let items = reply["data"]
        .as_array()
        .ok_or_else(|| FallbackReason::Garbled("there is no `data` in it".to_owned()))?;
    if items.len() != texts {
        return Err(unusable(format!("{} vectors for {texts} texts", items.len())));
    }
    let mut vectors = vec![Vec::new(); texts];
    for (place, item) in items.iter().enumerate() {
        let index = item["index"].as_u64().map_or(Some(place), |index| usize::try_from(index).ok());
        let free = index.and_then(|index| vectors.get_mut(index)).filter(|vector| vector.is_empty());
        let free = free.ok_or_else(|| unusable("an index is out of place".to_owned()))?;
        *free = vector(&item["embedding"], dimensions)?;
    }
    Ok(vectors)
}

/// One vector, of length 1.
#[expect(clippy::cast_possible_truncation, reason = "vectors are kept in single precision")]
fn vector(embedding: &Value, dimensions: usize) -> Result<Vec<f32>, FallbackReason> {
    let numbers = embedding.as_array().map(Vec::as_slice).unwrap_or_default();
    if numbers.len() != dimensions {
        let problem = format!("a vector of {} dimensions, where {dimensions} are due", numbers.len());
        return Err(FallbackReason::Unusable(problem));
    }
    let numbers: Vec<f64> = numbers.iter().filter_map(Value::as_f64).collect();
    let length = numbers.iter().map(|number| number * number).sum::<f64>().sqrt();
    if numbers.len() != dimensions || !length.is_finite() || length <= f64::MIN_POSITIVE {
        return Err(FallbackReason::Unusable("a vector that points nowhere".to_owned()));
    }
    Ok(numbers.into_iter().map(|number| (number / length) as f32).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_come_in_their_order_with_length_one() {
        let reply = json!({"data": [{"index": 1, "embedding": [0, 2.0]}, {"index": 0, "embedding": [3, 4]}]});
        assert_eq!(read(&reply, 2, 2).unwrap(), [[0.6, 0.8], [0.0, 1.0]]);
    }

    #[test]
    fn what_cannot_be_is_not_taken() {
        let embedding = |value: Value| json!({"data": [{"index": 0, "embedding": value}]});
        for (reply, texts) in [
            (json!({"data": []}), 1),
            (json!({"error": "no"}), 1),
            (embedding(json!([1])), 1),
            (embedding(json!([1, 2, 3])), 1),
            (embedding(json!([0, 0])), 1),
            (embedding(json!(["1", "2"])), 1),
            (embedding(json!([1e300, 1e300])), 1),
            (embedding(json!("AACAPw==")), 1),
            (json!({"data": [{"index": 1, "embedding": [1, 2]}]}), 1),
            (json!({"data": [{"index": 0, "embedding": [1, 2]}, {"index": 0, "embedding": [1, 2]}]}), 2),
        ] {
            assert!(read(&reply, texts, 2).is_err(), "{reply}");
        }
    }
}

//! The managed portfolio: hosted models by policy, inside the same envelope as the embedded one.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use domain::Clock;
use fit::Knowledge;
use policy::{ModelStage, Models, Policy, Prompts};

use crate::Embedded;
use crate::dialect;
use crate::embeddings::Embedder;
use crate::endpoint::{self, Endpoint};
use crate::exchange::Exchanges;
use crate::schema::Schema;

mod aloud;
mod ask;
mod check;
mod member;
mod purse;
mod recording;
mod reply;
mod session;

pub use check::EndpointCheck;
pub use session::Session;

/// The models of one process: their endpoints with keys, connections and breakers, their prompts and reply schemas.
pub struct Portfolio {
    models: Models,
    prompts: Prompts,
    endpoints: BTreeMap<String, Endpoint>,
    schemas: BTreeMap<ModelStage, Schema>,
    embedder: Option<Arc<Embedder>>,
    embedded: Embedded,
    knowledge: Arc<Knowledge>,
    clock: Arc<dyn Clock>,
}

/// A portfolio that cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("models.toml: `{key}`: {problem}")]
pub struct PortfolioFault {
    /// The key, with its tables.
    pub key: String,
    /// What is wrong.
    pub problem: String,
}

impl Portfolio {
    /// The portfolio of a policy. Keys are read from `environment` and from files, and nothing is sent. Without an endpoint
    /// in the policy it is the embedded one.
    ///
    /// # Errors
    /// A key that is not there, an address that is none, a reply schema that is none.
    pub fn open(
        policy: &Policy,
        knowledge: Arc<Knowledge>,
        environment: &dyn Fn(&str) -> Option<String>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, PortfolioFault> {
        let mut endpoints = BTreeMap::new();
        let mut embedder = None;
        if !policy.models.endpoints.is_empty() {
            // Whoever installs one first has chosen for the process.
            let _ = rustls::crypto::ring::default_provider().install_default();
            let http = &policy.models.http;
            let client = endpoint::client(http)?;
            for (name, settings) in &policy.models.endpoints {
                let place = (name.as_str(), dialect::path(settings.dialect));
                let open = Endpoint::open(place, settings, (&client, http), environment)?;
                endpoints.insert(name.clone(), open);
            }
            embedder =
                Embedder::open(&policy.models, &client, environment, Arc::clone(&clock))?.map(Arc::new);
        }
        let mut schemas = BTreeMap::new();
        for stage in ModelStage::ALL {
            if let Some(schema) = &policy.prompts.of(stage).reply_schema {
                let schema = Schema::compile(schema).ok_or_else(|| PortfolioFault {
                    key: format!("prompts/{stage}/reply.schema.json"),
                    problem: "is no JSON Schema".to_owned(),
                })?;
                schemas.insert(stage, schema);
            }
        }
        Ok(Self {
            models: policy.models.clone(),
            prompts: policy.prompts.clone(),
            endpoints,
            schemas,
            embedder,
            embedded: Embedded::over(Arc::clone(&knowledge)),
            knowledge,
            clock,
        })
    }

    /// What turns texts into vectors; none where the policy names nothing.
    #[must_use]
    pub fn embedder(&self) -> Option<Arc<Embedder>> {
        self.embedder.clone()
    }

    /// The models for one request. `answer_model` is the one that the caller named, which the answer alone is written by.
    #[must_use]
    pub fn session(&self, answer_model: Option<&str>) -> Session<'_> {
        Session::new(self, answer_model, None)
    }

    /// The same, with `exchanges` between the request and the endpoints.
    #[must_use]
    pub fn session_over<'a>(
        &'a self,
        answer_model: Option<&str>,
        exchanges: &'a dyn Exchanges,
    ) -> Session<'a> {
        Session::new(self, answer_model, Some(exchanges))
    }

    /// The portfolio of a policy for replaying: no key is read, and nothing can be sent but through [`Exchanges`] that
    /// send nothing.
    ///
    /// # Errors
    /// As [`open`](Self::open), but for keys.
    pub fn without_keys(
        policy: &Policy,
        knowledge: Arc<Knowledge>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, PortfolioFault> {
        let mut policy = policy.clone();
        policy.models.embeddings = None;
        for endpoint in policy.models.endpoints.values_mut() {
            endpoint.api_key = None;
        }
        Self::open(&policy, knowledge, &|_| None, clock)
    }
}

impl fmt::Debug for Portfolio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Portfolio").field("endpoints", &self.endpoints.keys()).finish_non_exhaustive()
    }
}

//! W3C trace context, in from callers and out to MCP servers and models.

use axum::http::HeaderMap;
use domain::{Call, Reply};
use futures::future::BoxFuture;
use llm::{Exchanges, HearText, ModelReply, ModelRequest};
use mcp::Tools;
use opentelemetry::Context;
use opentelemetry::propagation::Extractor;
use telemetry::Watch;

use crate::desk::Shelved;

/// The trace that a caller's headers name.
pub(crate) fn parent_of(headers: &HeaderMap) -> Context {
    telemetry::parent_of(&Headers(headers))
}

struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).and_then(|value| value.to_str().ok())
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(axum::http::HeaderName::as_str).collect()
    }
}

/// The live methods, each call carrying the context of its span.
pub(crate) struct CarryingTools<'a> {
    pub(crate) live: &'a Shelved<'a>,
    pub(crate) watch: Option<&'a Watch>,
}

impl Tools for CarryingTools<'_> {
    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Reply> {
        let carried = self.watch.map(|watch| watch.of_call(call)).unwrap_or_default();
        self.live.call_carrying(call, carried)
    }
}

/// Exchanges with models that carry the context of their stage.
pub(crate) struct CarriedExchanges<'a> {
    /// What stands between the request and the endpoints; none where they are asked directly.
    pub(crate) inner: Option<&'a dyn Exchanges>,
    pub(crate) watch: Option<&'a Watch>,
}

impl Exchanges for CarriedExchanges<'_> {
    fn exchange<'a>(
        &'a self,
        request: ModelRequest<'a>,
        live: BoxFuture<'a, ModelReply>,
        hear: &'a HearText<'a>,
    ) -> BoxFuture<'a, ModelReply> {
        match self.inner {
            Some(inner) => inner.exchange(request, live, hear),
            None => live,
        }
    }

    fn carried(&self) -> Vec<(String, String)> {
        self.watch.map(Watch::of_stage).unwrap_or_default()
    }
}

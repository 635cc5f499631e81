//! W3C trace context, in from callers and out to MCP servers and models.

use axum::http::HeaderMap;
use domain::{Call, Reply};
use futures::future::BoxFuture;
use llm::{Exchanges, HearText, ModelReply, ModelRequest};
use mcp::Tools;
use opentelemetry::Context;
use opentelemetry::propagation::{Extractor, Injector, TextMapPropagator};
use opentelemetry_sdk::propagation::TraceContextPropagator;

use super::Watch;
use crate::desk::Shelved;

/// The trace that a caller's headers name.
pub(crate) fn parent_of(headers: &HeaderMap) -> Context {
    TraceContextPropagator::new().extract(&Headers(headers))
}

/// A context as pairs of names and values.
pub(super) fn carried(context: &Context) -> Vec<(String, String)> {
    let mut pairs = Pairs(Vec::new());
    TraceContextPropagator::new().inject_context(context, &mut pairs);
    pairs.0.retain(|(_, value)| !value.is_empty());
    pairs.0
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

struct Pairs(Vec<(String, String)>);

impl Injector for Pairs {
    fn set(&mut self, key: &str, value: String) {
        self.0.push((key.to_owned(), value));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_in_goes_out() {
        let name = "traceparent";
        let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        let headers = HeaderMap::from_iter([(name.parse().unwrap(), trace.parse().unwrap())]);
        let out = carried(&parent_of(&headers));
        assert_eq!(out, [(name.to_owned(), trace.to_owned())]);
        assert!(carried(&parent_of(&HeaderMap::new())).is_empty());
    }
}

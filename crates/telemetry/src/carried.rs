//! W3C trace context, as names and values.

use opentelemetry::Context;
use opentelemetry::propagation::{Extractor, Injector, TextMapPropagator};
use opentelemetry_sdk::propagation::TraceContextPropagator;

/// The trace that a caller names.
#[must_use]
pub fn parent_of(headers: &dyn Extractor) -> Context {
    TraceContextPropagator::new().extract(headers)
}

/// A context as pairs of names and values.
pub(crate) fn carried(context: &Context) -> Vec<(String, String)> {
    let mut pairs = Pairs(Vec::new());
    TraceContextPropagator::new().inject_context(context, &mut pairs);
    pairs.0.retain(|(_, value)| !value.is_empty());
    pairs.0
}

struct Pairs(Vec<(String, String)>);

impl Injector for Pairs {
    fn set(&mut self, key: &str, value: String) {
        self.0.push((key.to_owned(), value));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn what_comes_in_goes_out() {
        let (name, trace) = ("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
        let headers = HashMap::from([(name.to_owned(), trace.to_owned())]);
        assert_eq!(carried(&parent_of(&headers)), [(name.to_owned(), trace.to_owned())]);
        assert!(carried(&parent_of(&HashMap::<String, String>::new())).is_empty());
    }
}

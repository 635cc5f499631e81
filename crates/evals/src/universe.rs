//! A catalog made of a case's tools, with no server behind it.

use std::sync::Arc;

use domain::{Annotations, LatencyClass, Listing, Method, MethodMeta, MethodName, Snapshot, Surface};
use serde_json::{Map, Value};

use crate::corpus::Tool;

const NAME: &str = "Tools";

/// The listings that offer `tools`, in their order. Tools that name none are offered by one that has nothing to say for
/// itself.
#[must_use]
pub fn universe(tools: &[Tool]) -> Snapshot {
    let mut listings: Vec<Listing> = Vec::new();
    for tool in tools {
        let (name, description) =
            tool.listing.as_ref().map_or((NAME, ""), |it| (it.name.as_str(), it.description.as_str()));
        let method = Arc::new(method(tool));
        match listings.iter_mut().find(|listing| listing.name == name) {
            Some(listing) => listing.methods.push(method),
            None => listings.push(listing(name, description, method)),
        }
    }
    Snapshot { revision: 1, listings: listings.into_iter().map(Arc::new).collect() }
}

fn listing(name: &str, description: &str, method: Arc<Method>) -> Listing {
    Listing { description: description.to_owned(), ..Listing::new(name, vec![method]) }
}

fn method(tool: &Tool) -> Method {
    Method {
        name: MethodName::new(&tool.name),
        title: tool.title.clone(),
        description: tool.description.clone(),
        input_schema: Value::Object(tool.input_schema.clone()),
        output_schema: tool.output_schema.clone(),
        annotations: Annotations {
            read_only: tool.annotations.read_only,
            destructive: tool.annotations.destructive,
            idempotent: tool.annotations.idempotent,
            open_world: tool.annotations.open_world,
        },
        meta: meta(&tool.meta),
    }
}

/// The hints that decide whether a query may call it; how it wants to be paced does not matter without a server.
fn meta(raw: &Map<String, Value>) -> MethodMeta {
    let word = |key| raw.get(key).and_then(Value::as_str);
    MethodMeta {
        surface: match word("surface") {
            Some("answer") => Surface::Answer,
            Some("execute") => Surface::Execute,
            _ => Surface::Both,
        },
        query_eligible: raw.get("queryEligible").and_then(Value::as_bool).unwrap_or(true),
        latency: match word("latencyClass") {
            Some("instant") => LatencyClass::Instant,
            Some("fast") => LatencyClass::Fast,
            Some("streaming") => LatencyClass::Streaming,
            _ => LatencyClass::Slow,
        },
        raw: Value::Object(raw.clone()),
        ..MethodMeta::default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tools_keep_their_order_and_their_hints() {
        let tools: Vec<Tool> = serde_json::from_value(json!([
            {"name": "b", "description": "B.", "inputSchema": {"type": "object"},
             "_meta": {"surface": "execute", "queryEligible": false, "latencyClass": "streaming"}},
            {"name": "a", "annotations": {"destructiveHint": true}},
        ]))
        .unwrap();
        let snapshot = universe(&tools);
        let methods = &snapshot.listings[0].methods;
        assert_eq!(methods.iter().map(|method| method.name.as_str()).collect::<Vec<_>>(), ["b", "a"]);
        assert_eq!(methods[0].meta.surface, Surface::Execute);
        assert!(!methods[0].meta.query_eligible && methods[0].meta.latency == LatencyClass::Streaming);
        assert_eq!(methods[1].annotations.destructive, Some(true));
        assert_eq!(methods[1].meta, MethodMeta::default());
    }
}

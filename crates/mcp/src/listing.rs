//! A server's `tools/list` as methods that can be called: names, hints, compiled schemas, pacing.

mod meta;

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::{Annotations, ListingId, Method, MethodName, Usd};
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::Value;

use crate::pace::Pace;
use crate::schema::Schema;

pub(crate) use meta::price;

/// Something about a listing that was left out or looks wrong, in words for its operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The listing.
    pub listing: ListingId,
    /// What is the matter.
    pub text: String,
}

/// The methods of one listing that can be called, in the server's order.
#[derive(Default)]
pub(crate) struct Methods {
    by_name: BTreeMap<MethodName, Arc<Callable>>,
    in_order: Vec<Arc<Method>>,
    notes: Vec<String>,
}

/// A method with what a call needs.
pub(crate) struct Callable {
    pub(crate) method: Arc<Method>,
    pub(crate) input: Arc<Schema>,
    pub(crate) output: Option<Arc<Schema>>,
    pub(crate) pace: Arc<Pace>,
}

impl Methods {
    /// Reads `tools`. What did not change since `previous` keeps its compiled schemas and its pacing.
    pub(crate) fn read(tools: Vec<Tool>, execute_price: Option<Usd>, previous: &Self) -> Self {
        let mut methods = Self::default();
        for tool in tools {
            let name = MethodName::new(tool.name.as_ref());
            if methods.by_name.contains_key(&name) {
                methods.notes.push(format!("`{name}` is listed twice; the first one holds"));
                continue;
            }
            match Callable::read(tool, execute_price, previous.get(&name)) {
                Ok(callable) => {
                    methods.in_order.push(Arc::clone(&callable.method));
                    methods.by_name.insert(name, Arc::new(callable));
                }
                Err(schema) => {
                    methods.notes.push(format!("`{name}` is left out: its {schema} cannot be compiled"));
                }
            }
        }
        methods
    }

    pub(crate) fn get(&self, name: &MethodName) -> Option<&Arc<Callable>> {
        self.by_name.get(name)
    }

    pub(crate) fn in_order(&self) -> &[Arc<Method>] {
        &self.in_order
    }

    pub(crate) fn notes(&self) -> &[String] {
        &self.notes
    }
}

impl Callable {
    fn read(
        tool: Tool,
        execute_price: Option<Usd>,
        previous: Option<&Arc<Self>>,
    ) -> Result<Self, &'static str> {
        let hints = tool.annotations.as_ref();
        let title = tool.title.or_else(|| hints.and_then(|hints| hints.title.clone()));
        let annotations = hints.map(annotations).unwrap_or_default();
        let mut meta = meta::read(tool.meta.as_ref().map(|meta| &meta.0), &tool.input_schema);
        meta.execute_price = meta.execute_price.or(execute_price);
        let method = Method {
            name: MethodName::new(tool.name),
            title,
            description: tool.description.unwrap_or_default().into_owned(),
            input_schema: Value::Object(Arc::unwrap_or_clone(tool.input_schema)),
            output_schema: tool.output_schema.map(|schema| Value::Object(Arc::unwrap_or_clone(schema))),
            annotations,
            meta,
        };
        if let Some(previous) = previous.filter(|previous| *previous.method == method) {
            return Ok(previous.same());
        }
        let input = Schema::compile(&method.input_schema).ok_or("input schema")?;
        let output = match &method.output_schema {
            Some(schema) => Some(Schema::compile(schema).ok_or("output schema")?),
            None => None,
        };
        let pace = match previous {
            Some(previous) if previous.method.meta.rate_limit == method.meta.rate_limit => {
                Arc::clone(&previous.pace)
            }
            _ => Arc::new(Pace::new(&method.meta.rate_limit)),
        };
        Ok(Self { method: Arc::new(method), input: Arc::new(input), output: output.map(Arc::new), pace })
    }

    fn same(&self) -> Self {
        Self {
            method: Arc::clone(&self.method),
            input: Arc::clone(&self.input),
            output: self.output.clone(),
            pace: Arc::clone(&self.pace),
        }
    }
}

fn annotations(hints: &ToolAnnotations) -> Annotations {
    Annotations {
        read_only: hints.read_only_hint,
        destructive: hints.destructive_hint,
        idempotent: hints.idempotent_hint,
        open_world: hints.open_world_hint,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(value: Value) -> Tool {
        serde_json::from_value(value).unwrap()
    }

    fn methods(tools: Vec<Value>, previous: &Methods) -> Methods {
        Methods::read(tools.into_iter().map(tool).collect(), Usd::parse("0.002"), previous)
    }

    #[test]
    fn a_tool_becomes_a_method() {
        let listed = methods(
            vec![json!({
                "name": "prices", "description": "Prices", "inputSchema": {"type": "object"},
                "outputSchema": {"type": "object"}, "annotations": {"title": "Price list", "readOnlyHint": true},
                "_meta": {"latencyClass": "fast"}
            })],
            &Methods::default(),
        );
        let method = &listed.in_order()[0];
        assert_eq!(method.title.as_deref(), Some("Price list"));
        assert_eq!(method.annotations, Annotations { read_only: Some(true), ..Annotations::default() });
        assert_eq!(method.meta.latency, domain::LatencyClass::Fast);
        assert_eq!(method.meta.execute_price, Usd::parse("0.002"));
        assert_eq!(method.output_schema, Some(json!({"type": "object"})));
    }

    #[test]
    fn what_cannot_be_called_is_left_out_with_a_note() {
        let listed = methods(
            vec![
                json!({"name": "far", "inputSchema": {"$ref": "https://example.com/schema"}}),
                json!({"name": "file", "inputSchema": {"type": "object"}, "outputSchema": {"$ref": "file:///etc/passwd"}}),
                json!({"name": "odd", "inputSchema": {"type": "no such type"}}),
                json!({"name": "backtracks", "inputSchema": {"properties": {"a": {"pattern": "(?=a)b"}}}}),
                json!({"name": "good", "inputSchema": {"type": "object"}}),
                json!({"name": "good", "inputSchema": {"type": "object"}}),
            ],
            &Methods::default(),
        );
        assert_eq!(listed.in_order().len(), 1);
        assert_eq!(
            listed.notes(),
            [
                "`far` is left out: its input schema cannot be compiled",
                "`file` is left out: its output schema cannot be compiled",
                "`odd` is left out: its input schema cannot be compiled",
                "`backtracks` is left out: its input schema cannot be compiled",
                "`good` is listed twice; the first one holds"
            ]
        );
    }

    #[test]
    fn what_did_not_change_is_kept() {
        let one = json!({"name": "one", "inputSchema": {"type": "object"}, "_meta": {"rateLimit": {"cooldownMs": 5}}});
        let mut other = one.clone();
        other["description"] = json!("now described");
        let first = methods(vec![one.clone()], &Methods::default());
        let name = MethodName::new("one");
        let same = methods(vec![one], &first);
        assert!(Arc::ptr_eq(&same.get(&name).unwrap().input, &first.get(&name).unwrap().input));
        let changed = methods(vec![other], &same);
        assert!(!Arc::ptr_eq(&changed.get(&name).unwrap().method, &first.get(&name).unwrap().method));
        assert!(Arc::ptr_eq(&changed.get(&name).unwrap().pace, &first.get(&name).unwrap().pace));
    }
}

//! A server's `tools/list` as methods that can be called: names, hints, compiled schemas, pacing.

mod meta;

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::{Annotations, ListingId, Method, MethodName, is_service_key};
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value};

use crate::Upstream;
use crate::pace::Pace;
use crate::preset::Argument;
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
    /// The arguments that its operator sets, which `method` does not show.
    pub(crate) preset: Vec<Argument>,
}

impl Methods {
    /// Reads `tools`. What did not change since `previous` keeps its compiled schemas and its pacing.
    pub(crate) fn read(tools: Vec<Tool>, upstream: &Upstream, previous: &Self) -> Self {
        let mut methods = Self::default();
        for tool in tools {
            let name = MethodName::new(tool.name.as_ref());
            if methods.by_name.contains_key(&name) {
                methods.notes.push(format!("`{name}` is listed twice; the first one holds"));
                continue;
            }
            match Callable::read(tool, upstream, previous.get(&name)) {
                Ok(callable) => {
                    if let Some(key) = wanted_key(&callable.method) {
                        methods.notes.push(format!(
                            "`{name}` enters no query: it wants the service's key as `{key}`, which \
                             `sluice.arguments` of the server's entry can say"
                        ));
                    }
                    methods.in_order.push(Arc::clone(&callable.method));
                    methods.by_name.insert(name, Arc::new(callable));
                }
                Err(schema) => {
                    methods.notes.push(format!("`{name}` is left out: its {schema} cannot be compiled"));
                }
            }
        }
        let takes = |name: &String| {
            let mut preset = methods.by_name.values().flat_map(|callable| &callable.preset);
            preset.any(|argument| argument.name == *name)
        };
        let untaken = upstream.arguments.keys().filter(|name| !takes(name));
        let notes: Vec<String> =
            untaken.map(|name| format!("no method takes `{name}` of `sluice.arguments`")).collect();
        methods.notes.extend(notes);
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
    fn read(tool: Tool, upstream: &Upstream, previous: Option<&Arc<Self>>) -> Result<Self, &'static str> {
        let hints = tool.annotations.as_ref();
        let title = tool.title.or_else(|| hints.and_then(|hints| hints.title.clone()));
        let annotations = hints.map(annotations).unwrap_or_default();
        let mut meta = meta::read(tool.meta.as_ref().map(|meta| &meta.0), &tool.input_schema);
        meta.execute_price = meta.execute_price.or(upstream.execute_price);
        let mut input_schema = Arc::unwrap_or_clone(tool.input_schema);
        let preset = take_preset(&mut input_schema, upstream);
        let mut method = Method {
            name: MethodName::new(tool.name),
            title,
            description: tool.description.unwrap_or_default().into_owned(),
            input_schema: Value::Object(input_schema),
            output_schema: tool.output_schema.map(|schema| Value::Object(Arc::unwrap_or_clone(schema))),
            annotations,
            meta,
        };
        method.meta.query_eligible &= wanted_key(&method).is_none();
        let is_same = |previous: &&Arc<Self>| *previous.method == method && previous.preset == preset;
        if let Some(previous) = previous.filter(is_same) {
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
        let (method, input, output) = (Arc::new(method), Arc::new(input), output.map(Arc::new));
        Ok(Self { method, input, output, pace, preset })
    }

    fn same(&self) -> Self {
        Self {
            method: Arc::clone(&self.method),
            input: Arc::clone(&self.input),
            output: self.output.clone(),
            pace: Arc::clone(&self.pace),
            preset: self.preset.clone(),
        }
    }
}

/// Takes what the operator sets out of a schema.
fn take_preset(schema: &mut Map<String, Value>, upstream: &Upstream) -> Vec<Argument> {
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else {
        return Vec::new();
    };
    let mut take = |name: &String| Some(Argument::new(name, &properties.remove(name)?));
    let taken: Vec<Argument> = upstream.arguments.keys().filter_map(&mut take).collect();
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|name| !taken.iter().any(|taken| *name == taken.name));
    }
    taken
}

/// The service's key that a call must have and nobody set: the caller of a query has none.
fn wanted_key(method: &Method) -> Option<&str> {
    let required = method.input_schema["required"].as_array()?;
    let is_key = |name: &&str| {
        let description = &method.input_schema["properties"][*name]["description"];
        is_service_key(name, description.as_str().unwrap_or_default())
    };
    required.iter().filter_map(Value::as_str).find(is_key)
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
    use domain::Usd;
    use serde_json::json;

    use super::*;
    use crate::Transport;

    fn tool(value: Value) -> Tool {
        serde_json::from_value(value).unwrap()
    }

    fn methods(tools: Vec<Value>, previous: &Methods) -> Methods {
        read(tools, &[], previous)
    }

    fn read(tools: Vec<Value>, arguments: &[(&str, &str)], previous: &Methods) -> Methods {
        let arguments = arguments.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())).collect();
        let upstream = Upstream {
            execute_price: Usd::parse("0.002"),
            arguments,
            ..Upstream::new("Service", Transport::Embedded(Arc::new(|_| Box::pin(async {}))))
        };
        Methods::read(tools.into_iter().map(tool).collect(), &upstream, previous)
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
    #[test]
    fn what_the_operator_sets_is_shown_to_nobody_and_a_key_that_nobody_set_keeps_a_method_out_of_queries() {
        let weather = || {
            vec![json!({"name": "weather", "inputSchema": {"type": "object", "required": ["api_key", "city"],
                "properties": {"api_key": {"type": "string"}, "city": {"type": "string"}}}})]
        };
        let name = MethodName::new("weather");
        let keyless = methods(weather(), &Methods::default());
        assert!(!keyless.in_order()[0].meta.query_eligible);
        assert_eq!(
            keyless.notes(),
            [
                "`weather` enters no query: it wants the service's key as `api_key`, which `sluice.arguments` of the server's \
              entry can say"
            ]
        );
        let keyed = read(weather(), &[("api_key", "sesame"), ("elsewhere", "x")], &keyless);
        let callable = keyed.get(&name).unwrap();
        assert!(callable.method.meta.query_eligible);
        assert_eq!(keyed.notes(), ["no method takes `elsewhere` of `sluice.arguments`"]);
        assert_eq!(callable.preset, [Argument::new("api_key", &Value::Null)]);
        assert_eq!(
            callable.method.input_schema,
            json!({"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}}})
        );
    }
}

//! An MCP client of the samples, and the arguments that a method's own schema suggests.

use std::sync::Arc;

use jiff::Timestamp;
use market::{Now, Sample};
use rmcp::RoleClient;
use rmcp::ServiceExt;
use rmcp::model::{CallToolRequestParams, CallToolResult, JsonObject, Tool};
use rmcp::service::{RunningService, ServiceError};
use serde_json::Value;

/// The seed of every test.
pub(crate) const SEED: u64 = 20_261_121;
/// The clock of every test that needs but one.
pub(crate) const NOON: &str = "2026-11-21T12:34:56Z";

/// A connected client.
pub(crate) struct Client(RunningService<RoleClient, ()>);

impl Client {
    /// What the server says about itself.
    pub(crate) fn session(&self) -> &RunningService<RoleClient, ()> {
        &self.0
    }

    /// Every tool.
    pub(crate) async fn tools(&self) -> Vec<Tool> {
        self.0.list_all_tools().await.unwrap()
    }

    /// The result of a call, an error or not.
    pub(crate) async fn call(&self, name: &str, arguments: Value) -> Result<CallToolResult, ServiceError> {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        self.0.call_tool(CallToolRequestParams::new(name.to_owned()).with_arguments(arguments)).await
    }

    /// The structured result of a call that goes well.
    pub(crate) async fn ask(&self, name: &str, arguments: Value) -> Value {
        let result = self.call(name, arguments.clone()).await.unwrap();
        assert_ne!(result.is_error, Some(true), "{name}({arguments}): {:?}", result.content);
        result.structured_content.unwrap()
    }

    /// The text of a call that is refused.
    pub(crate) async fn refusal(&self, name: &str, arguments: Value) -> String {
        let result = self.call(name, arguments.clone()).await.unwrap();
        assert_eq!(result.is_error, Some(true), "{name}({arguments}) was not refused");
        assert_eq!(result.structured_content, None);
        text(&result)
    }
}

/// The text of a result.
pub(crate) fn text(result: &CallToolResult) -> String {
    result.content.iter().filter_map(|block| block.as_text()).map(|block| block.text.clone()).collect()
}

/// A clock that stands still.
pub(crate) fn clock(at: &str) -> Now {
    let at: Timestamp = at.parse().unwrap();
    Arc::new(move || at)
}

/// Every sample, with the clock at this time.
pub(crate) fn samples(at: &str) -> Vec<Sample> {
    market::listings(clock(at), SEED)
}

/// The sample with this name.
pub(crate) fn sample(name: &str, at: &str) -> Sample {
    samples(at).into_iter().find(|sample| sample.name() == name).unwrap()
}

/// Connects a client to `sample`, lets it talk, and has both ends finish.
pub(crate) async fn with_client<T>(sample: &Sample, talk: impl AsyncFnOnce(&Client) -> T) -> T {
    let (near, far) = tokio::io::duplex(64 * 1024);
    let talk = async {
        let client = Client(().serve(near).await.unwrap());
        let said = talk(&client).await;
        client.0.cancel().await.unwrap();
        said
    };
    let ((), said) = tokio::join!(sample.serve(far), talk);
    said
}

/// The arguments that a tool's own examples and defaults give: all that have one.
pub(crate) fn suggested(tool: &Tool) -> JsonObject {
    let suggestion = |property: &Value| {
        let example = property.pointer("/examples/0").or_else(|| property.get("default"));
        example.or_else(|| property.pointer("/enum/0")).cloned()
    };
    properties(&tool.input_schema)
        .into_iter()
        .filter_map(|(name, property)| Some((name, suggestion(&property)?)))
        .collect()
}

/// The suggested arguments that the tool requires.
pub(crate) fn required(tool: &Tool) -> JsonObject {
    let names = tool.input_schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    suggested(tool).into_iter().filter(|(name, _)| names.iter().any(|required| required == name)).collect()
}

/// The properties of an object schema.
pub(crate) fn properties(schema: &JsonObject) -> JsonObject {
    schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default()
}

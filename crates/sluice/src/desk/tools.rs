//! The five MCP tools over the library: the seed system's names, arguments, text and structured content.

use std::sync::Arc;

use contract::error::BodyFault;
use contract::library::{Data, ExpandRequest, FindRequest, ReasonRequest, SearchRequest, chunk_id};
use jiff::Timestamp;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde::Serialize;
use serde_json::{Map, Value};
use tokio::sync::Mutex;

use crate::http::{Kind, Rates};

use super::{Desk, DeskFault, Reader, text};

/// The tools as files have them: what they do and what they take.
const TOOLS: &str = include_str!("tools.json");

/// Says who calls; none for somebody who is not let in.
pub(crate) type CallerOf = Arc<dyn Fn(&RequestContext<RoleServer>) -> Option<String> + Send + Sync>;

/// The MCP server over a desk.
#[derive(Clone)]
pub(crate) struct Tools {
    desk: Desk,
    caller_of: CallerOf,
    rates: Option<Arc<Rates>>,
    offered: Arc<[Tool]>,
    /// The session of searches that name none, with the time at which it ends.
    session: Arc<Mutex<Option<(String, Timestamp)>>>,
}

/// What a tool gives: the same as text and as data.
pub(crate) struct Told {
    pub(crate) text: String,
    pub(crate) data: Value,
}

impl Tools {
    /// The server, for the callers that `caller_of` tells of.
    /// `rates` says how often they may call; none for a caller who is alone.
    pub(crate) fn over(desk: Desk, caller_of: CallerOf, rates: Option<Arc<Rates>>) -> Self {
        Self { desk, caller_of, rates, offered: listed().into(), session: Arc::default() }
    }

    /// A search that names no session is given one, the same as long as it lasts and the connection is the same; none where
    /// none can be had.
    async fn with_session(
        &self,
        reader: &Reader<'_>,
        mut arguments: Map<String, Value>,
    ) -> Map<String, Value> {
        if arguments.get("sessionId").is_none_or(Value::is_null) {
            let now = self.desk.clock.now();
            let mut session = self.session.lock().await;
            if session.as_ref().is_none_or(|(_, ends_at)| *ends_at <= now) {
                *session = reader.session().await.ok().and_then(|opened| {
                    Some((opened.session_id, Timestamp::from_millisecond(opened.expires_at).ok()?))
                });
            }
            if let Some((id, _)) = &*session {
                arguments.insert("sessionId".to_owned(), id.clone().into());
            }
        }
        arguments
    }
}

/// The tools, each of which only reads.
pub(crate) fn listed() -> Vec<Tool> {
    let tools: Vec<Tool> = serde_json::from_str(TOOLS).unwrap_or_default();
    tools
        .into_iter()
        .map(|tool| {
            let annotations = ToolAnnotations::new().read_only(true).idempotent(true).open_world(false);
            tool.with_annotations(annotations)
        })
        .collect()
}

impl Reader<'_> {
    /// Calls a tool; none where there is no such tool.
    pub(crate) async fn call(
        &self,
        name: &str,
        arguments: &Map<String, Value>,
    ) -> Option<Result<Told, DeskFault>> {
        Some(match name {
            "find_items" => self.call_find(arguments).await,
            "deep_search" => self.call_search(arguments).await,
            "deep_read" => self.call_read(arguments).await,
            "deep_expand" => self.call_expand(arguments).await,
            "reason" => self.call_reason(arguments).await,
            _ => return None,
        })
    }

    async fn call_find(&self, arguments: &Map<String, Value>) -> Result<Told, DeskFault> {
        let found = self.find(&FindRequest::read(arguments)?).await?;
        told(text::found(&found), &found)
    }

    async fn call_search(&self, arguments: &Map<String, Value>) -> Result<Told, DeskFault> {
        let data = self.search(&SearchRequest::read(arguments)?).await?;
        told(text::searched(&data), &Data { data })
    }

    async fn call_read(&self, arguments: &Map<String, Value>) -> Result<Told, DeskFault> {
        let data = self.read(&chunk_id(arguments)?).await?;
        told(text::chunk(&data), &Data { data })
    }

    async fn call_expand(&self, arguments: &Map<String, Value>) -> Result<Told, DeskFault> {
        let request = ExpandRequest::read(arguments)?;
        let data = self.expand(&request).await?;
        told(text::expanded(request.direction, &data), &Data { data })
    }

    async fn call_reason(&self, arguments: &Map<String, Value>) -> Result<Told, DeskFault> {
        let data = self.reason(&ReasonRequest::read(arguments)?).await?;
        told(text::reasoned(&data), &Data { data })
    }
}

fn told(text: String, data: &impl Serialize) -> Result<Told, DeskFault> {
    let unwritable = |error: serde_json::Error| {
        BodyFault::new(contract::error::ErrorCode::Internal, "", error.to_string())
    };
    Ok(Told { text, data: serde_json::to_value(data).map_err(unwritable)? })
}

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        let server = Implementation::new("sluice", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build()).with_server_info(server)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.offered.to_vec()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(caller) = (self.caller_of)(&context) else {
            return Err(ErrorData::invalid_request("an API key is required", None));
        };
        let now = self.desk.clock.now();
        let taken = self.rates.as_ref().map_or(Ok(()), |rates| rates.take(&caller, Kind::Readonly, now));
        if let Err(seconds) = taken {
            let text = format!("Error: too many requests; try again in {seconds} s");
            return Ok(CallToolResult::error(vec![ContentBlock::text(text)]).into());
        }
        let reader = self.desk.of(&caller);
        let mut arguments = request.arguments.unwrap_or_default();
        if request.name == "deep_search" {
            arguments = self.with_session(&reader, arguments).await;
        }
        let outcome = reader.call(&request.name, &arguments).await;
        let unknown = || ErrorData::invalid_params(format!("unknown tool: {}", request.name), None);
        let result = match outcome.ok_or_else(unknown)? {
            Ok(told) => {
                let mut result = CallToolResult::structured(told.data);
                result.content = vec![ContentBlock::text(told.text)];
                result
            }
            Err(fault) => {
                CallToolResult::error(vec![ContentBlock::text(format!("Error: {}", words(&fault)))])
            }
        };
        Ok(result.into())
    }
}

/// What may be told of a fault. What is ours alone stays in the log.
fn words(fault: &DeskFault) -> String {
    match fault {
        DeskFault::Library(library::Error::Store(_) | library::Error::Index(_) | library::Error::Cut(_)) => {
            tracing::error!(%fault, "a tool of the library failed");
            "the library failed".to_owned()
        }
        DeskFault::Request(_)
        | DeskFault::NoDocument
        | DeskFault::NoCollection
        | DeskFault::NotEmpty
        | DeskFault::NoChunk
        | DeskFault::GivenUp
        | DeskFault::NotRecorded(_)
        | DeskFault::Unwritten { .. }
        | DeskFault::Library(_) => fault.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_five_tools_have_their_arguments() {
        let tools = listed();
        let told: Vec<(&str, Vec<&str>)> = tools
            .iter()
            .map(|tool| {
                let properties = tool.input_schema["properties"].as_object().unwrap();
                (tool.name.as_ref(), properties.keys().map(String::as_str).collect())
            })
            .collect();
        let expected = [
            ("find_items", vec!["query", "type", "semantic", "tags"]),
            ("deep_search", vec!["query", "limit", "sessionId", "collectionId", "documentId"]),
            ("deep_read", vec!["chunkId"]),
            ("deep_expand", vec!["chunkId", "direction", "count"]),
            ("reason", vec!["query", "limit", "documentId", "collectionId"]),
        ];
        assert_eq!(told, expected);
    }
}

//! The MCP server of one listing.

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};

use crate::Now;
use crate::listing::Listing;
use crate::moment::Moment;
use crate::source::Source;

/// Answers `tools/list` and `tools/call` of one listing. Clones share the listing.
#[derive(Clone)]
pub(crate) struct Server {
    listing: Arc<Listing>,
    now: Now,
    source: Source,
}

impl Server {
    /// The server of `listing`, whose data is seeded by `source` and as fresh as `now`.
    pub(crate) fn new(listing: Arc<Listing>, now: Now, source: Source) -> Self {
        Self { listing, now, source }
    }

    /// What it serves.
    pub(crate) fn listing(&self) -> &Listing {
        &self.listing
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let server = Implementation::new(self.listing.name, env!("CARGO_PKG_VERSION"));
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(server)
            .with_instructions(self.listing.description)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.listing.methods.iter().map(|method| method.tool().clone()).collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let method = self
            .listing
            .method(&request.name)
            .ok_or_else(|| ErrorData::invalid_params(format!("unknown tool: {}", request.name), None))?;
        if let Some(delay) = method.delay() {
            tokio::time::sleep(delay).await;
        }
        let moment = Moment::new((self.now)(), self.source);
        let result = match method.answer(&moment, request.arguments.unwrap_or_default()) {
            Ok(value) => CallToolResult::structured(value),
            Err(refusal) => CallToolResult::error(vec![ContentBlock::text(refusal.to_string())]),
        };
        Ok(result.into())
    }
}

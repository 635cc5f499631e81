//! `/mcp`: the tools over the library, over streamable HTTP.

use std::sync::Arc;

use axum::Router;
use axum::http::request::Parts;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use crate::desk::tools::{CallerOf, Tools};
use crate::http::Api;
use crate::http::auth::Caller;

/// The route, without what stands around it.
pub(crate) fn routes(api: &Arc<Api>) -> Router<Arc<Api>> {
    // Every request says anew who asks, whatever session it comes in.
    let caller_of: CallerOf = Arc::new(|context| {
        let parts = context.extensions.get::<Parts>()?;
        parts.extensions.get::<Caller>().map(|caller| caller.name().to_owned())
    });
    let config = StreamableHttpServerConfig::default()
        // Who may call is settled before: by key, or without keys by the name that this machine is called by.
        .disable_allowed_hosts()
        .with_max_request_body_bytes(api.policy().body_bytes_max)
        .with_cancellation_token(api.leaving.child_token());
    let (desk, rates) = (api.assembly.desk.clone(), Arc::clone(&api.rates));
    let service = StreamableHttpService::new(
        move || Ok(Tools::over(desk.clone(), Arc::clone(&caller_of), Some(Arc::clone(&rates)))),
        Arc::new(LocalSessionManager::default()),
        config,
    );
    Router::new().route_service("/mcp", service)
}

//! `GET /api/v1/tools/search` and `GET /api/v1/tools/{id}`: the listings.

use std::sync::Arc;

use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::{Extension, Json};
use contract::error::{BodyFault, ErrorCode};
use contract::tools as wire;
use contract::tools::{DiscoveryMode, SearchParams, SearchReply, Tool};
use domain::{LatencyClass, Listing, ListingId, Method, Snapshot, Surface};
use mcp::Catalog;

use crate::http::Api;
use crate::http::auth::Caller;
use crate::http::fault::Fault;
use crate::http::openapi::Refusals;
use crate::to_wire;

/// Searches the listings, best first, their methods best first too. Without words all of them are listed.
#[utoipa::path(
    get,
    path = "/api/v1/tools/search",
    operation_id = "search_tools",
    tag = "tools",
    params(
        ("q" = Option<String>, Query, description = "Words; none lists what is featured."),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 50, description = "The most listings; 10 unless said."),
        ("mode" = Option<DiscoveryMode>, Query, description = "The use that they are for."),
        ("surface" = Option<wire::Surface>, Query, description = "Only methods that may be called so."),
        ("queryEligible" = Option<bool>, Query, description = "Only methods that may, or may not, enter a query."),
        ("requireExecutePricing" = Option<bool>, Query, description = "Only methods with a price of their own."),
        ("excludeLatency" = Option<String>, Query, description = "No methods of these latency classes, comma-separated."),
        ("excludeSlow" = Option<bool>, Query, description = "No slow methods."),
        ("favorites_only" = Option<bool>, Query, description = "Only the account's favourites; there are none here.")
    ),
    responses((status = 200, description = "The listings that fit.", body = SearchReply), Refusals),
    security(("api_key" = []))
)]
pub(crate) async fn search(
    State(api): State<Arc<Api>>,
    Extension(caller): Extension<Caller>,
    pairs: Result<Query<Vec<(String, String)>>, QueryRejection>,
) -> Result<Json<SearchReply>, Fault> {
    let unreadable = |_| BodyFault::new(ErrorCode::InvalidValue, "", "the query string cannot be read");
    let Query(pairs) = pairs.map_err(unreadable)?;
    let (params, limit) = asked(pairs, api.policy())?;
    let tools: Vec<Tool> = found(&api, &params, &api.assembly.catalog(caller.name()).await.snapshot())
        .into_iter()
        .take(limit)
        .collect();
    Ok(Json(SearchReply {
        count: to_wire::count(tools.len()),
        tools,
        query: params.query,
        mode: params.mode,
    }))
}

/// Gives one listing.
#[utoipa::path(
    get,
    path = "/api/v1/tools/{id}",
    operation_id = "get_tool",
    tag = "tools",
    params(("id" = String, Path, description = "The listing's id, a UUID.")),
    responses((status = 200, description = "The listing.", body = Tool), Refusals),
    security(("api_key" = []))
)]
pub(crate) async fn get(
    State(api): State<Arc<Api>>,
    Extension(caller): Extension<Caller>,
    id: Result<Path<String>, PathRejection>,
) -> Result<Json<Tool>, Fault> {
    let no_id = || BodyFault::new(ErrorCode::InvalidValue, "id", "must be a tool id: a UUID");
    let Path(id) = id.map_err(|_| no_id())?;
    let id: ListingId = id.parse().map_err(|_| no_id())?;
    let snapshot = api.assembly.catalog(caller.name()).await.snapshot();
    let listing = snapshot.listing(id).ok_or(Fault::ToolNotFound)?;
    Ok(Json(to_wire::tools::record(listing)))
}

fn asked(pairs: Vec<(String, String)>, policy: &policy::Server) -> Result<(SearchParams, usize), BodyFault> {
    let limit_max = policy.search_results_max;
    let out_of_range = || {
        BodyFault::new(
            ErrorCode::InvalidValue,
            "limit",
            format!("must be a whole number from 1 to {limit_max}"),
        )
    };
    let params = SearchParams::parse(pairs)
        .map_err(|fault| if fault.field == "limit" { out_of_range() } else { fault })?;
    match params.limit.unwrap_or(policy.search_results_default) {
        limit if limit <= limit_max => Ok((params, limit)),
        _ => Err(out_of_range()),
    }
}

/// The listings that fit, with those of their methods that do. Nobody has favourites here, so none fit those.
fn found(api: &Api, params: &SearchParams, snapshot: &Snapshot) -> Vec<Tool> {
    if params.favorites_only {
        return Vec::new();
    }
    if params.query.trim().is_empty() {
        let featured = snapshot.listings.iter().map(|listing| (listing, listing.methods.iter().collect()));
        return featured.filter_map(|(listing, methods)| fitting(listing, methods, params)).collect();
    }
    let ranked = api.assembly.search(snapshot, &params.query);
    let mut listings: Vec<(usize, Vec<&Arc<Method>>)> = Vec::new();
    for place in &ranked {
        let method = &snapshot.listings[place.listing].methods[place.method];
        match listings.iter_mut().find(|(listing, _)| *listing == place.listing) {
            Some((_, methods)) => methods.push(method),
            None => listings.push((place.listing, vec![method])),
        }
    }
    let in_full = listings.into_iter().map(|(place, mut methods)| {
        let listing = &snapshot.listings[place];
        let others =
            listing.methods.iter().filter(|method| !methods.iter().any(|best| Arc::ptr_eq(best, method)));
        let others: Vec<_> = others.collect();
        methods.extend(others);
        (listing, methods)
    });
    in_full.filter_map(|(listing, methods)| fitting(listing, methods, params)).collect()
}

fn fitting(listing: &Listing, methods: Vec<&Arc<Method>>, params: &SearchParams) -> Option<Tool> {
    let fitting: Vec<_> = methods.into_iter().filter(|method| fits(method, params)).collect();
    (!fitting.is_empty()).then(|| wire::Tool {
        mcp_tools: fitting.into_iter().map(|method| to_wire::tools::method(method)).collect(),
        ..to_wire::tools::record(listing)
    })
}

fn fits(method: &Method, params: &SearchParams) -> bool {
    let meta = &method.meta;
    let for_mode = match params.mode {
        None => true,
        Some(DiscoveryMode::Query) => meta.surface != Surface::Execute,
        Some(DiscoveryMode::Execute) => meta.surface != Surface::Answer && meta.execute_price.is_some(),
    };
    let on_surface = match params.surface {
        None => true,
        Some(wire::Surface::Answer) => meta.surface != Surface::Execute,
        Some(wire::Surface::Execute) => meta.surface != Surface::Answer,
        Some(wire::Surface::Both) => meta.surface == Surface::Both,
    };
    let eligible = params.query_eligible.is_none_or(|wanted| probe::query_safe(method).is_ok() == wanted);
    let priced = !params.require_execute_pricing || meta.execute_price.is_some();
    let in_time = !params.exclude_latency.iter().any(|class| latency(*class) == meta.latency);
    for_mode && on_surface && eligible && priced && in_time
}

fn latency(class: wire::LatencyClass) -> LatencyClass {
    match class {
        wire::LatencyClass::Instant => LatencyClass::Instant,
        wire::LatencyClass::Fast => LatencyClass::Fast,
        wire::LatencyClass::Slow => LatencyClass::Slow,
        wire::LatencyClass::Streaming => LatencyClass::Streaming,
    }
}

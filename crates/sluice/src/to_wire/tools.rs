//! Listings and their methods.

use contract::tools as wire;
use domain::{LatencyClass, Listing, Method, RateLimit, Surface};
use serde_json::Value;

/// A listing as clients see it, its methods in its own order.
pub(crate) fn record(listing: &Listing) -> wire::Tool {
    wire::Tool {
        id: listing.id.to_string(),
        name: listing.name.clone(),
        description: listing.description.clone(),
        price: listing.price.to_string(),
        category: listing.category.clone(),
        is_verified: None,
        kind: Some(wire::ToolKind::Mcp),
        mcp_tools: listing.methods.iter().map(|method| self::method(method)).collect(),
        total_queries: None,
        success_rate: None,
        uptime_percent: None,
        total_staked: None,
        is_proven: None,
        suggested_prompts: Vec::new(),
    }
}

/// A method as clients see it.
pub(crate) fn method(method: &Method) -> wire::McpTool {
    let price = method.meta.execute_price.map(|price| price.to_string());
    let eligible = price.is_some() && method.meta.surface != Surface::Answer;
    wire::McpTool {
        name: method.name.to_string(),
        description: method.description.clone(),
        input_schema: method.input_schema.as_object().cloned(),
        output_schema: method.output_schema.as_ref().and_then(Value::as_object).cloned(),
        meta: Some(meta(method)),
        execute_eligible: Some(eligible),
        execute_price_usd: price,
        has_structured_guidance: None,
        structured_guidance: None,
    }
}

fn meta(method: &Method) -> wire::ToolMeta {
    let meta = &method.meta;
    let price = meta.execute_price.map(|price| price.to_string());
    let published = wire::ToolMeta {
        surface: Some(match meta.surface {
            Surface::Answer => wire::Surface::Answer,
            Surface::Execute => wire::Surface::Execute,
            Surface::Both => wire::Surface::Both,
        }),
        query_eligible: Some(meta.query_eligible),
        latency_class: Some(latency(meta.latency)),
        pricing: price
            .clone()
            .map(|execute_usd| wire::Pricing { execute_usd: Some(execute_usd), query_usd: None }),
        execute_eligible: Some(price.is_some() && meta.surface != Surface::Answer),
        execute_price_usd: price,
        context_requirements: meta.context_requirements.clone(),
        rate_limit: rate_limit(&meta.rate_limit),
        ..wire::ToolMeta::default()
    };
    match meta.raw.as_object() {
        Some(raw) => published.keeping(raw),
        None => published,
    }
}

/// How fast a method says it is, as the wire has it.
pub(crate) fn latency(latency: LatencyClass) -> wire::LatencyClass {
    match latency {
        LatencyClass::Instant => wire::LatencyClass::Instant,
        LatencyClass::Fast => wire::LatencyClass::Fast,
        LatencyClass::Slow => wire::LatencyClass::Slow,
        LatencyClass::Streaming => wire::LatencyClass::Streaming,
    }
}

fn rate_limit(limit: &RateLimit) -> Option<wire::RateLimit> {
    (*limit != RateLimit::default()).then(|| wire::RateLimit {
        max_requests_per_minute: limit.requests_per_minute_max.map(u64::from),
        max_concurrency: limit.concurrency_max.map(u64::from),
        cooldown_ms: limit.cooldown_ms,
        supports_bulk: limit.supports_bulk,
        recommended_batch_tools: limit.recommended_batch_methods.clone(),
        notes: None,
    })
}

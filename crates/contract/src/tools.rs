//! Listings as clients see them: `GET /api/v1/tools/search` and `GET /api/v1/tools/{id}`.

mod search;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

pub use search::{DiscoveryMode, SearchParams};

/// The reply of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SearchReply {
    /// The listings, best first.
    pub tools: Vec<Tool>,
    /// What was searched for; may be empty.
    pub query: String,
    /// As many as `tools`.
    pub count: u64,
    /// The use that they were searched for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<DiscoveryMode>,
}

/// A listing. Rates and amounts are strings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    /// Its id, a UUID.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it offers.
    pub description: String,
    /// The price of a query, in US dollars, as a decimal string.
    pub price: String,
    /// The marketplace category.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Whether the marketplace vouches for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_verified: Option<bool>,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<ToolKind>,
    /// Its methods.
    pub mcp_tools: Vec<McpTool>,
    /// Queries that it served.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_queries: Option<u64>,
    /// How many of those went well, in percent, as a decimal string.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub success_rate: Option<String>,
    /// How much of the time it is up, in percent, as a decimal string.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uptime_percent: Option<String>,
    /// What its contributor has put at stake, as a decimal string.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_staked: Option<String>,
    /// Whether its record is good.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_proven: Option<bool>,
    /// Questions to begin with; clients from 0.14.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub suggested_prompts: Vec<SuggestedPrompt>,
}

/// What a listing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolKind {
    /// An MCP server.
    Mcp,
}

/// A question to begin with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuggestedPrompt {
    /// The question.
    pub text: String,
    /// Who suggests it.
    pub source: PromptSource,
    /// What it may cost, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_hint: Option<String>,
}

/// Who suggests a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PromptSource {
    /// The listing's contributor.
    Contributor,
    /// The marketplace.
    Platform,
    /// The client.
    Sdk,
}

/// One method of a listing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct McpTool {
    /// Its name.
    pub name: String,
    /// What it does; never null, may be empty.
    pub description: String,
    /// The JSON Schema of its arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub input_schema: Option<Map<String, Value>>,
    /// The JSON Schema of its result.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub output_schema: Option<Map<String, Value>>,
    /// The marketplace's hints.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<ToolMeta>,
    /// Whether it can be called directly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execute_eligible: Option<bool>,
    /// What a call costs, in US dollars, as a decimal string.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execute_price_usd: Option<String>,
    /// Whether `structuredGuidance` is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_structured_guidance: Option<bool>,
    /// How to use it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structured_guidance: Option<StructuredGuidance>,
}

/// How to use a method.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StructuredGuidance {
    /// What to call before it.
    pub call_order_hints: Vec<String>,
    /// What to know of its arguments.
    pub parameter_caveats: Vec<String>,
    /// What else to know.
    pub edge_case_notes: Vec<String>,
}

/// The marketplace's hints for a method. Clients check these keys and keep all others.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolMeta {
    /// Who may call it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surface: Option<Surface>,
    /// Whether it may enter a query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query_eligible: Option<bool>,
    /// How fast it says it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_class: Option<LatencyClass>,
    /// What it costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pricing: Option<Pricing>,
    /// Whether it can be called directly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execute_eligible: Option<bool>,
    /// What a call costs, in US dollars, as a decimal string.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execute_price_usd: Option<String>,
    /// User data that it needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub context_requirements: Vec<String>,
    /// How it wants to be paced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_limit: Option<RateLimit>,
    /// Everything else, as published.
    #[serde(flatten)]
    #[schema(value_type = Object)]
    pub other: Map<String, Value>,
}

impl ToolMeta {
    /// The keys that clients check.
    const CHECKED: [&'static str; 9] = [
        "surface",
        "queryEligible",
        "latencyClass",
        "pricing",
        "executeEligible",
        "executePriceUsd",
        "contextRequirements",
        "rateLimit",
        "rateLimitHints",
    ];

    /// Takes over what a server published in `_meta`, but for the keys that clients check: a server may have written
    /// anything there, and one wrong type breaks a client's whole search.
    #[must_use]
    pub fn keeping(mut self, published: &Map<String, Value>) -> Self {
        let free = published.iter().filter(|(key, _)| !Self::CHECKED.contains(&key.as_str()));
        self.other = free.map(|(key, value)| (key.clone(), value.clone())).collect();
        self
    }
}

/// Who may call a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Surface {
    /// Queries.
    Answer,
    /// Callers directly.
    Execute,
    /// Both.
    Both,
}

/// How fast a method says it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LatencyClass {
    /// At once.
    Instant,
    /// Soon.
    Fast,
    /// It takes a while.
    Slow,
    /// It never ends.
    Streaming,
}

/// What a method costs: US dollars as decimal strings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pricing {
    /// One direct call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execute_usd: Option<String>,
    /// Reserved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query_usd: Option<String>,
}

/// How a method wants to be paced.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RateLimit {
    /// Calls a minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_requests_per_minute: Option<u64>,
    /// Calls at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_concurrency: Option<u64>,
    /// Milliseconds between two calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cooldown_ms: Option<u64>,
    /// Whether one call can serve many items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supports_bulk: Option<bool>,
    /// The methods that do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub recommended_batch_tools: Vec<String>,
    /// In words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_server_cannot_break_a_search_by_its_hints() {
        let published = json!({
            "surface": "everything", "latencyClass": 3, "rateLimit": {"maxConcurrency": "two"}, "rateLimitHints": 1,
            "pricing": "free", "homepage": "https://example.com",
        });
        let meta = ToolMeta {
            surface: Some(Surface::Both),
            latency_class: Some(LatencyClass::Slow),
            query_eligible: Some(true),
            ..ToolMeta::default()
        };
        let meta = meta.keeping(published.as_object().unwrap());
        assert_eq!(
            serde_json::to_value(&meta).unwrap(),
            json!({"surface": "both", "queryEligible": true, "latencyClass": "slow", "homepage": "https://example.com"})
        );
        assert_eq!(serde_json::from_value::<ToolMeta>(serde_json::to_value(&meta).unwrap()).unwrap(), meta);
    }
}

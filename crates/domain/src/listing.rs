//! Listings: MCP servers as the catalog knows them.

use std::sync::Arc;

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::{ListingId, MethodName, Usd};

/// Every listing of the catalog at one moment.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Grows with every change, so that what was derived from a snapshot can be kept until it changes.
    pub revision: u64,
    /// The listings, by name.
    pub listings: Vec<Arc<Listing>>,
}

impl Snapshot {
    /// The listing with this identifier.
    #[must_use]
    pub fn listing(&self, id: ListingId) -> Option<&Arc<Listing>> {
        self.listings.iter().find(|listing| listing.id == id)
    }
}

/// One MCP server: its methods from the last good `tools/list`, and how it is doing.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The identifier, from the configured name.
    pub id: ListingId,
    /// The name that it is configured under.
    pub name: String,
    /// The name that programs call it by: see [`alias_of`]. No two listings of a snapshot share one.
    pub alias: String,
    /// What it offers, from its configuration or its own instructions; may be empty.
    pub description: String,
    /// The marketplace category.
    pub category: Option<String>,
    /// The price of one query over it.
    pub price: Usd,
    /// Its methods, in its own order.
    pub methods: Vec<Arc<Method>>,
    /// How it is doing now.
    pub health: Health,
    /// When `methods` was last read; none before the first success.
    pub listed_at: Option<Timestamp>,
}

impl Listing {
    /// A healthy listing of which nothing but its name and its methods is known, and that is free.
    #[must_use]
    pub fn new(name: impl Into<String>, methods: Vec<Arc<Method>>) -> Self {
        let name = name.into();
        Self {
            id: ListingId::of_name(&name),
            alias: alias_of(&name),
            name,
            description: String::new(),
            category: None,
            price: Usd::ZERO,
            methods,
            health: Health::Healthy,
            listed_at: None,
        }
    }

    /// Whether it has a method with this name.
    #[must_use]
    pub fn has_method(&self, name: &str) -> bool {
        self.methods.iter().any(|method| method.name.as_str() == name)
    }

    /// The method with this name.
    #[must_use]
    pub fn method(&self, name: &MethodName) -> Option<&Arc<Method>> {
        self.methods.iter().find(|method| method.name == *name)
    }
}

/// How a listing is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Health {
    /// Not tried yet.
    Connecting,
    /// Its last exchange went well.
    Healthy,
    /// It cannot be used now; its methods are those of the last good snapshot.
    Unhealthy {
        /// Why, in words that may be shown to a caller.
        reason: String,
        /// Since when.
        since: Timestamp,
    },
}

/// One method of a listing.
#[derive(Clone, Debug, PartialEq)]
pub struct Method {
    /// The name, as published.
    pub name: MethodName,
    /// The title for people.
    pub title: Option<String>,
    /// What it does, as published: data, never an instruction.
    pub description: String,
    /// The JSON Schema of its arguments; an object schema.
    pub input_schema: Value,
    /// The JSON Schema of its structured result, where it publishes one.
    pub output_schema: Option<Value>,
    /// The hints of the MCP standard.
    pub annotations: Annotations,
    /// The hints of the marketplace.
    pub meta: MethodMeta,
}

impl Method {
    /// A method of which nothing but its schemas is published.
    #[must_use]
    pub fn new(name: impl Into<String>, input_schema: Value, output_schema: Option<Value>) -> Self {
        Self {
            name: MethodName::new(name),
            title: None,
            description: String::new(),
            input_schema,
            output_schema,
            annotations: Annotations::default(),
            meta: MethodMeta::default(),
        }
    }
}

/// Whether an argument, by its name and description, takes the key to the interface itself: `api_key`, `access-key`,
/// `appid` of an API. Whoever runs a server has it, and no question says it.
#[must_use]
pub fn is_service_key(argument: &str, description: &str) -> bool {
    let name = folded(argument);
    let is_key = ["apikey", "accesskey", "appkey", "subscriptionkey"].iter().any(|key| name.ends_with(key));
    // An app has an identifier that a question may well say.
    is_key || name.ends_with("appid") && description.contains("API")
}

/// Whether an argument, by its name and description, takes what nobody else may see: the key to the interface itself, a
/// password, a token that opens a session. A token that is traded is none.
#[must_use]
pub fn is_secret(argument: &str, description: &str) -> bool {
    const NAMES: [&str; 5] = ["password", "passphrase", "secret", "privatekey", "credential"];
    const OPENS: [&str; 6] = ["access", "api", "auth", "bearer", "refresh", "session"];
    let name = folded(argument);
    let opens = |text: &str| OPENS.iter().any(|word| text.contains(word));
    is_service_key(argument, description)
        || NAMES.iter().any(|secret| name.contains(secret))
        || name.ends_with("token") && (opens(&name) || opens(&description.to_ascii_lowercase()))
}

/// A name without its case and without the marks between its words.
fn folded(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|sign| sign.to_ascii_lowercase()).collect()
}

/// The hints of the MCP standard; absent ones stay absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// What it changes may be lost.
    pub destructive: Option<bool>,
    /// Calling it twice is calling it once.
    pub idempotent: Option<bool>,
    /// It reaches outside its server.
    pub open_world: Option<bool>,
}

/// The marketplace's hints, from a method's `_meta`. Absent ones have the values that the wire contract names.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodMeta {
    /// Who may call it.
    pub surface: Surface,
    /// Whether it may enter a query at all.
    pub query_eligible: bool,
    /// How fast it says it is.
    pub latency: LatencyClass,
    /// What one call costs; none where it has no price of its own.
    pub execute_price: Option<Usd>,
    /// How it wants to be paced.
    pub rate_limit: RateLimit,
    /// User data that it needs injected, by name.
    pub context_requirements: Vec<String>,
    /// `_meta` as published, for the wire; an object.
    pub raw: Value,
}

impl Default for MethodMeta {
    /// The values that stand where a method publishes none: the contract's, which make it look fit for queries.
    fn default() -> Self {
        Self {
            surface: Surface::Both,
            query_eligible: true,
            latency: LatencyClass::Slow,
            execute_price: None,
            rate_limit: RateLimit::default(),
            context_requirements: Vec::new(),
            raw: Value::Object(Map::new()),
        }
    }
}

/// Who may call a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// Queries only.
    Answer,
    /// Direct execution only.
    Execute,
    /// Both.
    Both,
}

/// How fast a method says it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LatencyClass {
    /// At once.
    Instant,
    /// Soon.
    Fast,
    /// It takes a while.
    Slow,
    /// It never ends; not for queries.
    Streaming,
}

impl LatencyClass {
    /// The word of the wire.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Instant => "instant",
            Self::Fast => "fast",
            Self::Slow => "slow",
            Self::Streaming => "streaming",
        }
    }
}

/// How a method wants to be paced; absent limits stay absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RateLimit {
    /// Calls a minute.
    pub requests_per_minute_max: Option<u32>,
    /// Calls at once.
    pub concurrency_max: Option<u32>,
    /// Milliseconds between two calls.
    pub cooldown_ms: Option<u64>,
    /// Whether one call can serve many items.
    pub supports_bulk: Option<bool>,
    /// The methods that do.
    pub recommended_batch_methods: Vec<String>,
}

/// The name that programs call a listing by: lower case, every run of other characters than `a-z0-9` one `_`, never
/// empty, and never starting with a digit.
#[must_use]
pub fn alias_of(name: &str) -> String {
    let mut alias = String::with_capacity(name.len());
    for character in name.chars().flat_map(char::to_lowercase) {
        if character.is_ascii_alphanumeric() {
            alias.push(character);
        } else if !alias.ends_with('_') && !alias.is_empty() {
            alias.push('_');
        }
    }
    let alias = alias.trim_end_matches('_');
    match alias.chars().next() {
        None => "listing".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("l_{alias}"),
        Some(_) => alias.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_are_words() {
        assert_eq!(alias_of("Exchange Flows (sample)"), "exchange_flows_sample");
        assert_eq!(alias_of("@scope/server-time"), "scope_server_time");
        assert_eq!(alias_of("0x"), "l_0x");
        assert_eq!(alias_of("東京"), "listing");
    }

    #[test]
    fn the_key_to_the_interface_is_known_by_its_name() {
        for name in
            ["api_key", "apiKey", "x-apikey", "access_key", "geminiApiKey", "Ocp-Apim-Subscription-Key"]
        {
            assert!(is_service_key(name, ""), "{name}");
        }
        assert!(is_service_key("appid", "Your API AppID."));
        assert!(!is_service_key("appId", "The app's identifier in the store."));
        for name in ["key", "access_token", "password", "primary_key"] {
            assert!(!is_service_key(name, "For the API."), "{name}");
        }
    }

    #[test]
    fn a_secret_is_what_opens_something_and_no_coin() {
        for name in ["api_key", "clientSecret", "Pass-Phrase", "private_key", "authToken", "session_token"] {
            assert!(is_secret(name, ""), "{name}");
        }
        assert!(is_secret("token", "Your access token."));
        for (name, description) in
            [("token", "The token to price."), ("appId", "The app's identifier."), ("repo_path", "")]
        {
            assert!(!is_secret(name, description), "{name}");
        }
    }
}

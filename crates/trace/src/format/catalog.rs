//! The catalog, as it is recorded: every listing with its methods.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::{
    Annotations, Health, LatencyClass, Listing, Method, MethodMeta, MethodName, RateLimit, Snapshot, Surface,
    Usd,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The listings of one moment.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RecordedCatalog {
    revision: u64,
    listings: Vec<RecordedListing>,
}

#[derive(Debug, Serialize, Deserialize)]
struct RecordedListing {
    id: String,
    name: String,
    alias: String,
    description: String,
    category: Option<String>,
    price: String,
    unhealthy: Option<(String, Timestamp)>,
    is_connecting: bool,
    listed_at: Option<Timestamp>,
    methods: Vec<RecordedMethod>,
}

#[derive(Debug, Serialize, Deserialize)]
struct RecordedMethod {
    name: String,
    title: Option<String>,
    description: String,
    input_schema: Value,
    output_schema: Option<Value>,
    read_only: Option<bool>,
    destructive: Option<bool>,
    idempotent: Option<bool>,
    open_world: Option<bool>,
    surface: String,
    query_eligible: bool,
    latency: String,
    execute_price: Option<String>,
    requests_per_minute_max: Option<u32>,
    concurrency_max: Option<u32>,
    cooldown_ms: Option<u64>,
    supports_bulk: Option<bool>,
    recommended_batch_methods: Vec<String>,
    context_requirements: Vec<String>,
    raw_meta: Value,
}

const SURFACES: [(Surface, &str); 3] =
    [(Surface::Answer, "answer"), (Surface::Execute, "execute"), (Surface::Both, "both")];
const LATENCIES: [LatencyClass; 4] =
    [LatencyClass::Instant, LatencyClass::Fast, LatencyClass::Slow, LatencyClass::Streaming];

impl RecordedCatalog {
    pub(crate) fn of(snapshot: &Snapshot) -> Self {
        Self {
            revision: snapshot.revision,
            listings: snapshot.listings.iter().map(|it| listing(it)).collect(),
        }
    }

    /// The snapshot; none where something in it is not known.
    pub(crate) fn read(&self) -> Option<Snapshot> {
        let listings = self.listings.iter().map(|it| read_listing(it).map(Arc::new));
        Some(Snapshot { revision: self.revision, listings: listings.collect::<Option<_>>()? })
    }
}

/// The listings' names, each with the hash of its methods' names and schemas.
pub(crate) fn schema_hashes(snapshot: &Snapshot) -> BTreeMap<String, String> {
    let hash = |listing: &Arc<Listing>| {
        let mut hash = Sha256::new();
        for method in &listing.methods {
            hash.update(method.name.as_str().as_bytes());
            hash.update(method.input_schema.to_string().as_bytes());
            hash.update(method.output_schema.as_ref().map(Value::to_string).unwrap_or_default().as_bytes());
        }
        (listing.name.clone(), hex::encode(hash.finalize()))
    };
    snapshot.listings.iter().map(hash).collect()
}

fn listing(listing: &Listing) -> RecordedListing {
    RecordedListing {
        id: listing.id.to_string(),
        name: listing.name.clone(),
        alias: listing.alias.clone(),
        description: listing.description.clone(),
        category: listing.category.clone(),
        price: exactly(listing.price),
        unhealthy: match &listing.health {
            Health::Unhealthy { reason, since } => Some((reason.clone(), *since)),
            Health::Connecting | Health::Healthy => None,
        },
        is_connecting: listing.health == Health::Connecting,
        listed_at: listing.listed_at,
        methods: listing.methods.iter().map(|it| method(it)).collect(),
    }
}

fn read_listing(listing: &RecordedListing) -> Option<Listing> {
    Some(Listing {
        id: listing.id.parse().ok()?,
        name: listing.name.clone(),
        alias: listing.alias.clone(),
        description: listing.description.clone(),
        category: listing.category.clone(),
        price: Usd::parse(&listing.price)?,
        methods: listing.methods.iter().map(|it| read_method(it).map(Arc::new)).collect::<Option<_>>()?,
        health: match &listing.unhealthy {
            Some((reason, since)) => Health::Unhealthy { reason: reason.clone(), since: *since },
            None if listing.is_connecting => Health::Connecting,
            None => Health::Healthy,
        },
        listed_at: listing.listed_at,
    })
}

fn method(method: &Method) -> RecordedMethod {
    let (hints, meta, rate) = (&method.annotations, &method.meta, &method.meta.rate_limit);
    RecordedMethod {
        name: method.name.to_string(),
        title: method.title.clone(),
        description: method.description.clone(),
        input_schema: method.input_schema.clone(),
        output_schema: method.output_schema.clone(),
        read_only: hints.read_only,
        destructive: hints.destructive,
        idempotent: hints.idempotent,
        open_world: hints.open_world,
        surface: SURFACES.iter().find(|(it, _)| *it == meta.surface).map_or("", |(_, word)| word).to_owned(),
        query_eligible: meta.query_eligible,
        latency: meta.latency.word().to_owned(),
        execute_price: meta.execute_price.map(exactly),
        requests_per_minute_max: rate.requests_per_minute_max,
        concurrency_max: rate.concurrency_max,
        cooldown_ms: rate.cooldown_ms,
        supports_bulk: rate.supports_bulk,
        recommended_batch_methods: rate.recommended_batch_methods.clone(),
        context_requirements: meta.context_requirements.clone(),
        raw_meta: meta.raw.clone(),
    }
}

fn read_method(method: &RecordedMethod) -> Option<Method> {
    Some(Method {
        name: MethodName::new(&method.name),
        title: method.title.clone(),
        description: method.description.clone(),
        input_schema: method.input_schema.clone(),
        output_schema: method.output_schema.clone(),
        annotations: Annotations {
            read_only: method.read_only,
            destructive: method.destructive,
            idempotent: method.idempotent,
            open_world: method.open_world,
        },
        meta: MethodMeta {
            surface: SURFACES.iter().find(|(_, word)| *word == method.surface)?.0,
            query_eligible: method.query_eligible,
            latency: LATENCIES.into_iter().find(|it| it.word() == method.latency)?,
            execute_price: match &method.execute_price {
                Some(price) => Some(Usd::parse(price)?),
                None => None,
            },
            rate_limit: RateLimit {
                requests_per_minute_max: method.requests_per_minute_max,
                concurrency_max: method.concurrency_max,
                cooldown_ms: method.cooldown_ms,
                supports_bulk: method.supports_bulk,
                recommended_batch_methods: method.recommended_batch_methods.clone(),
            },
            context_requirements: method.context_requirements.clone(),
            raw: method.raw_meta.clone(),
        },
    })
}

/// All of an amount's decimals: its text form has six.
fn exactly(amount: Usd) -> String {
    amount.amount().to_string()
}

//! Sources: one for each call that delivered, and how old they are.

use domain::{Freshness, SourceRef};
use jiff::Timestamp;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::execute::CallRecord;

/// The sources of the calls that delivered, in the calls' order.
pub(crate) fn of(calls: &[CallRecord]) -> Vec<SourceRef> {
    calls.iter().enumerate().filter_map(|(place, call)| source(place, call)).collect()
}

/// The identifier of the source of the call at `place`.
pub(crate) fn id(place: usize) -> String {
    format!("source-{}", place + 1)
}

fn source(place: usize, record: &CallRecord) -> Option<SourceRef> {
    let delivered = record.reply().as_ref().ok()?;
    let value = &delivered.value;
    Some(SourceRef {
        id: id(place),
        provider: record.listing_name.clone(),
        dataset: record.call().method.method.to_string(),
        observed_at: observed(value).unwrap_or(delivered.arrived_at),
        published_at: stamp(value, &PUBLISHED),
        artifact: serde_json::to_vec(value).ok().map(digest),
        url: text(value, &["url", "link", "sourceUrl", "source_url"]),
        note: Some(note(record, value)),
    })
}

/// When a result says that it was observed.
pub(crate) fn observed(value: &Value) -> Option<Timestamp> {
    stamp(value, &OBSERVED)
}

fn digest(bytes: Vec<u8>) -> String {
    format!("sha256:{}", hex::encode(Sha256::digest(bytes)))
}

const OBSERVED: [&str; 10] = [
    "observedAt",
    "observed_at",
    "asOf",
    "as_of",
    "updatedAt",
    "updated_at",
    "fetchedAt",
    "fetched_at",
    "timestamp",
    "generatedAt",
];

const PUBLISHED: [&str; 4] = ["publishedAt", "published_at", "datePublished", "date_published"];

fn stamp(value: &Value, keys: &[&str]) -> Option<Timestamp> {
    keys.iter().find_map(|key| match value.get(key)? {
        Value::String(text) => text.parse().ok(),
        Value::Number(number) => {
            let count = number.as_i64()?;
            // Milliseconds since 1970 passed 10^11 in 1973; seconds will in the year 5138.
            if count.abs() >= 100_000_000_000 {
                Timestamp::from_millisecond(count)
            } else {
                Timestamp::from_second(count)
            }
            .ok()
        }
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    })
}

fn text(value: &Value, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| value.get(key).and_then(Value::as_str)).map(str::to_owned)
}

fn note(record: &CallRecord, value: &Value) -> String {
    let is_sample = value.get("sampleData").and_then(Value::as_bool) == Some(true);
    format!("{}Called with {}.", if is_sample { "Sample data. " } else { "" }, record.told())
}

/// The observations of the sources, newest first.
pub(crate) fn freshness(sources: &[SourceRef]) -> Freshness {
    let mut observed: Vec<Timestamp> = sources.iter().map(|source| source.observed_at).collect();
    observed.sort_unstable_by(|one, other| other.cmp(one));
    observed.dedup();
    Freshness { as_of: observed.first().copied(), observed }
}

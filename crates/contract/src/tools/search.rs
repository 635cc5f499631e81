//! The parameters of a search for listings.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{LatencyClass, Surface};
use crate::error::{BodyFault, ErrorCode};

/// What to search for. Unknown parameters are ignored, empty ones are absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchParams {
    /// `q`: words; empty lists what is featured.
    pub query: String,
    /// `limit`: the most listings.
    pub limit: Option<usize>,
    /// `mode`: the use that they are for.
    pub mode: Option<DiscoveryMode>,
    /// `surface`: only methods that may be called so.
    pub surface: Option<Surface>,
    /// `queryEligible`: only methods that may, or may not, enter a query.
    pub query_eligible: Option<bool>,
    /// `requireExecutePricing`: only methods with a price.
    pub require_execute_pricing: bool,
    /// `excludeLatency`: no methods of these classes. `excludeSlow` adds `slow`.
    pub exclude_latency: Vec<LatencyClass>,
    /// `favorites_only`: only the account's favourites.
    pub favorites_only: bool,
}

/// The use that listings are searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiscoveryMode {
    /// Answering queries.
    Query,
    /// Being called directly.
    Execute,
}

impl SearchParams {
    /// Reads decoded pairs of a query string. The last of several wins.
    pub fn parse<K: AsRef<str>, V: AsRef<str>>(
        pairs: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Self, BodyFault> {
        let mut params = Self::default();
        let mut exclude_slow = false;
        for (key, value) in pairs {
            let (key, value) = (key.as_ref(), value.as_ref());
            if value.is_empty() {
                continue;
            }
            match key {
                "q" => value.clone_into(&mut params.query),
                "limit" => params.limit = Some(count(key, value)?),
                "mode" => params.mode = Some(word(key, value, MODES)?),
                "surface" => params.surface = Some(word(key, value, SURFACES)?),
                "queryEligible" => params.query_eligible = Some(word(key, value, FLAGS)?),
                "requireExecutePricing" => params.require_execute_pricing = word(key, value, FLAGS)?,
                "excludeLatency" => params.exclude_latency = latencies(key, value)?,
                "excludeSlow" => exclude_slow = word(key, value, FLAGS)?,
                "favorites_only" => params.favorites_only = word(key, value, FLAGS)?,
                _ => {}
            }
        }
        if exclude_slow && !params.exclude_latency.contains(&LatencyClass::Slow) {
            params.exclude_latency.push(LatencyClass::Slow);
        }
        Ok(params)
    }
}

const MODES: &[(&str, DiscoveryMode)] =
    &[("query", DiscoveryMode::Query), ("execute", DiscoveryMode::Execute)];

const SURFACES: &[(&str, Surface)] =
    &[("answer", Surface::Answer), ("execute", Surface::Execute), ("both", Surface::Both)];

const FLAGS: &[(&str, bool)] = &[("true", true), ("false", false)];

const LATENCIES: &[(&str, LatencyClass)] = &[
    ("instant", LatencyClass::Instant),
    ("fast", LatencyClass::Fast),
    ("slow", LatencyClass::Slow),
    ("streaming", LatencyClass::Streaming),
];

fn count(key: &str, value: &str) -> Result<usize, BodyFault> {
    let positive = value.parse().ok().filter(|count| *count > 0);
    positive.ok_or_else(|| BodyFault::new(ErrorCode::InvalidValue, key, "must be a whole number from 1"))
}

fn latencies(key: &str, value: &str) -> Result<Vec<LatencyClass>, BodyFault> {
    let words = value.split(',').map(str::trim).filter(|part| !part.is_empty());
    words.map(|part| word(key, part, LATENCIES)).collect()
}

fn word<T: Copy>(key: &str, value: &str, words: &[(&str, T)]) -> Result<T, BodyFault> {
    if let Some((_, meaning)) = words.iter().find(|(word, _)| *word == value) {
        return Ok(*meaning);
    }
    let allowed: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    Err(BodyFault::new(ErrorCode::InvalidValue, key, format!("must be one of {}", allowed.join(", "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_is_read() {
        let pairs = [
            ("q", "btc flows"),
            ("limit", "5"),
            ("mode", "execute"),
            ("surface", "both"),
            ("queryEligible", "true"),
            ("requireExecutePricing", "true"),
            ("excludeLatency", "streaming, instant"),
            ("excludeSlow", "true"),
            ("favorites_only", "false"),
            ("utm", "x"),
        ];
        let expected = SearchParams {
            query: "btc flows".to_owned(),
            limit: Some(5),
            mode: Some(DiscoveryMode::Execute),
            surface: Some(Surface::Both),
            query_eligible: Some(true),
            require_execute_pricing: true,
            exclude_latency: vec![LatencyClass::Streaming, LatencyClass::Instant, LatencyClass::Slow],
            favorites_only: false,
        };
        assert_eq!(SearchParams::parse(pairs), Ok(expected));
        assert_eq!(SearchParams::parse([("q", ""), ("limit", "")]), Ok(SearchParams::default()));
    }

    #[test]
    fn wrong_values_name_their_parameter() {
        let cases = [
            ("limit", "0"),
            ("limit", "ten"),
            ("limit", "-1"),
            ("mode", "chat"),
            ("surface", "Answer"),
            ("queryEligible", "yes"),
            ("excludeLatency", "slow,medium"),
        ];
        for (key, value) in cases {
            let fault = SearchParams::parse([(key, value)]).unwrap_err();
            assert_eq!((fault.field.as_str(), fault.code), (key, ErrorCode::InvalidValue));
        }
        insta::assert_snapshot!(
            SearchParams::parse([("mode", "chat")]).unwrap_err(),
            @"`mode` must be one of query, execute"
        );
    }
}

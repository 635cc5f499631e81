//! The marketplace's hints in a method's `_meta`. Absent and wrongly typed values have their defaults.

use domain::{LatencyClass, MethodMeta, RateLimit, Surface, Usd};
use serde_json::{Map, Value};

type Object = Map<String, Value>;

/// Reads `_meta`, and `x-context-requirements` of the input schema, where early servers put them.
pub(super) fn read(meta: Option<&Object>, input_schema: &Object) -> MethodMeta {
    let empty = Object::new();
    let meta = meta.unwrap_or(&empty);
    MethodMeta {
        surface: surface(meta),
        query_eligible: meta.get("queryEligible").and_then(Value::as_bool).unwrap_or(true),
        latency: latency(meta),
        execute_price: meta.get("pricing").and_then(|pricing| price(pricing.get("executeUsd")?)),
        rate_limit: rate_limit(meta),
        context_requirements: context_requirements(meta, input_schema),
        raw: Value::Object(meta.clone()),
    }
}

/// An amount of dollars, said as a number or as a decimal text.
pub(crate) fn price(value: &Value) -> Option<Usd> {
    match value {
        Value::String(text) => Usd::parse(text),
        // Small numbers print with an exponent, which is no decimal text.
        Value::Number(number) => {
            Usd::parse(&number.to_string()).or_else(|| Usd::parse(&format!("{:.12}", number.as_f64()?)))
        }
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

fn surface(meta: &Object) -> Surface {
    match meta.get("surface").and_then(Value::as_str) {
        Some("answer") => Surface::Answer,
        Some("execute") => Surface::Execute,
        _ => Surface::Both,
    }
}

fn latency(meta: &Object) -> LatencyClass {
    match meta.get("latencyClass").and_then(Value::as_str) {
        Some("instant") => LatencyClass::Instant,
        Some("fast") => LatencyClass::Fast,
        Some("streaming") => LatencyClass::Streaming,
        _ => LatencyClass::Slow,
    }
}

/// `rateLimit`, else `rateLimitHints`, else the same keys flat in `_meta`; key by key.
fn rate_limit(meta: &Object) -> RateLimit {
    let nested = |key| meta.get(key).and_then(Value::as_object);
    let sources = [nested("rateLimit"), nested("rateLimitHints"), Some(meta)];
    let find = |key: &str| sources.iter().flatten().find_map(|source| source.get(key));
    RateLimit {
        requests_per_minute_max: find("maxRequestsPerMinute").and_then(count),
        concurrency_max: find("maxConcurrency").and_then(count),
        cooldown_ms: find("cooldownMs").and_then(whole).filter(|cooldown| *cooldown > 0),
        supports_bulk: find("supportsBulk").and_then(Value::as_bool),
        recommended_batch_methods: find("recommendedBatchTools").map(texts).unwrap_or_default(),
    }
}

fn context_requirements(meta: &Object, input_schema: &Object) -> Vec<String> {
    let found = meta.get("contextRequirements").or_else(|| input_schema.get("x-context-requirements"));
    found.map(texts).unwrap_or_default()
}

fn texts(value: &Value) -> Vec<String> {
    let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
    items.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// At least one: a limit of none would be a method that can never be called.
fn count(value: &Value) -> Option<u32> {
    whole(value).and_then(|count| u32::try_from(count).ok()).filter(|count| *count > 0)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "checked to be a whole number in range"
)]
fn whole(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| {
        let number = value.as_f64()?;
        (number.fract() == 0.0 && (0.0..u64::MAX as f64).contains(&number)).then_some(number as u64)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert, proptest};
    use serde_json::json;

    use super::*;

    fn read_value(meta: &Value) -> MethodMeta {
        read(meta.as_object(), &Object::new())
    }

    #[test]
    fn absent_hints_have_their_defaults() {
        let meta = read(None, &Object::new());
        assert_eq!(meta.surface, Surface::Both);
        assert!(meta.query_eligible);
        assert_eq!(meta.latency, LatencyClass::Slow);
        assert_eq!((meta.execute_price, meta.rate_limit), (None, RateLimit::default()));
        assert_eq!(meta.raw, json!({}));
    }

    #[test]
    fn present_hints_are_read() {
        let meta = read_value(&json!({
            "surface": "execute", "queryEligible": false, "latencyClass": "streaming",
            "pricing": {"executeUsd": "0.0015"}, "contextRequirements": ["wallet", 3],
            "rateLimit": {"maxRequestsPerMinute": 30, "maxConcurrency": 2.0, "cooldownMs": 250, "supportsBulk": true,
                          "recommendedBatchTools": ["many"]}
        }));
        assert_eq!(
            (meta.surface, meta.query_eligible, meta.latency),
            (Surface::Execute, false, LatencyClass::Streaming)
        );
        assert_eq!(meta.execute_price, Usd::parse("0.0015"));
        assert_eq!(meta.context_requirements, ["wallet"]);
        assert_eq!(
            meta.rate_limit,
            RateLimit {
                requests_per_minute_max: Some(30),
                concurrency_max: Some(2),
                cooldown_ms: Some(250),
                supports_bulk: Some(true),
                recommended_batch_methods: vec!["many".to_owned()],
            }
        );
    }

    #[test]
    fn rate_limits_have_aliases() {
        let hints = read_value(&json!({"rateLimitHints": {"maxConcurrency": 3}, "cooldownMs": 7}));
        assert_eq!((hints.rate_limit.concurrency_max, hints.rate_limit.cooldown_ms), (Some(3), Some(7)));
        let both = read_value(&json!({"rateLimit": {"maxConcurrency": 1}, "maxConcurrency": 9}));
        assert_eq!(both.rate_limit.concurrency_max, Some(1));
    }

    #[test]
    fn early_servers_name_their_context_in_the_schema() {
        let schema = json!({"x-context-requirements": ["polymarket"]});
        assert_eq!(read(None, schema.as_object().unwrap()).context_requirements, ["polymarket"]);
    }

    #[test]
    fn prices_are_texts_or_numbers() {
        for (value, expected) in
            [(json!(0.001), "0.001"), (json!("2"), "2"), (json!(3), "3"), (json!(1e-7), "0.0000001")]
        {
            assert_eq!(price(&value), Usd::parse(expected), "{value}");
        }
        for value in [json!(-1), json!("free"), json!(null), json!([1])] {
            assert_eq!(price(&value), None, "{value}");
        }
    }

    proptest! {
        #[test]
        fn wrong_types_fall_back(number in any::<f64>(), text in ".{0,12}") {
            let wrong = [json!(number), json!(text), json!(null), json!([text]), json!({"a": number}), json!(-3), json!(0)];
            for value in wrong {
                let meta = read_value(&json!({
                    "surface": value, "latencyClass": value, "pricing": value, "rateLimit": value,
                    "contextRequirements": value, "maxConcurrency": value, "queryEligible": value
                }));
                prop_assert!(meta.query_eligible);
                prop_assert!(meta.rate_limit.concurrency_max != Some(0));
            }
        }
    }
}

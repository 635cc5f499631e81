//! `models.toml`: what is read, what is refused, and which models a stage asks.

use super::*;
use crate::{Policy, PolicyError};

const SHIPPED: &str = include_str!("../../../../policies/models.toml");

const HOSTED: &str = r#"
[endpoints.near]
dialect = "openai"
base_url = "http://127.0.0.1:1/v1"
api_key = { env = "NEAR_KEY" }
breaker = { failures_max = 3, open_ms = 1000 }

[models.large]
endpoint = "near"
name = "large-1"
input_usd_per_million = "2.50"
output_usd_per_million = "10"
output_tokens_max = 4096

[models.small]
endpoint = "near"
name = "small-1"
input_usd_per_million = "0.1"
output_usd_per_million = "0.4"
output_tokens_max = 4096
temperature = 0.0
"#;

/// The shipped file with two models, changed.
fn with(changes: &[(&str, &str)]) -> String {
    let mut text = SHIPPED.replace("\n[endpoints]\n", HOSTED).replace("\n[models]\n", "\n");
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    text
}

fn read(text: &str) -> Result<Models, PolicyError> {
    Policy::with_file("models.toml", text).map(|policy| policy.models)
}

#[test]
fn the_shipped_file_needs_no_key() {
    let models = read(SHIPPED).unwrap();
    assert!(models.endpoints.is_empty() && models.models.is_empty());
    assert!(ModelStage::ALL.iter().all(|stage| models.chain(*stage, None).is_empty()));
    assert!(ModelStage::ALL.iter().all(|stage| models.stage(*stage).hedge_ms.is_none()));
}

#[test]
fn what_is_wrong_is_named() {
    let cases = [
        (("endpoint = \"near\"", "endpoint = \"far\""), "`models.large.endpoint` must name an endpoint"),
        (("models = [\"embedded\"]", "models = [\"large\"]"), "`stages.judge.models` must name models"),
        (
            ("models = [\"embedded\"]", "models = [\"large\", \"large\", \"embedded\"]"),
            "`stages.judge.models` must name models",
        ),
        (("attempt_timeout_ms = 5_000", "attempt_timeout_ms = 9_000"), "`stages.judge.attempt_timeout_ms`"),
        (("http://127", "ftp://127"), "`endpoints.near.base_url` must be"),
        (
            ("failures_max = 3", "failures_max = 0"),
            "`endpoints.near.breaker.failures_max` must be at least 1",
        ),
        (("[models.small]", "[models.embedded]"), "`models.embedded` must not be called"),
        (("\"2.50\"", "\"-1\""), "`models.large.input_usd_per_million` must not be negative"),
        (("temperature = 0.0", "temperature = 3.0"), "`models.small.temperature` must be from 0 to 2"),
        (("default = \"embedded\"", "default = \"large\""), "`answer.default` must be one of"),
        (("api_key = { env = \"NEAR_KEY\" }", "api_key = \"sesame\""), "api_key"),
        (("api_key = { env = \"NEAR_KEY\" }", "api_keys = 1"), "api_keys"),
        (("last_ms = 8_000", "last_ms = 8"), "`retries.last_ms` must be at least"),
    ];
    for (change, expected) in cases {
        let message = read(&with(&[change])).unwrap_err().to_string();
        assert!(message.starts_with("models.toml: ") && message.contains(expected), "{expected}: {message}");
    }
}

#[test]
fn only_the_answer_takes_the_callers_choice() {
    let models = read(&with(&[
        ("models = [\"embedded\"]", "models = [\"small\", \"embedded\"]"),
        (
            "default = \"embedded\"\nmodels = [\"embedded\"]",
            "default = \"small\"\nmodels = [\"small\", \"large\"]",
        ),
    ]))
    .unwrap();
    assert_eq!(models.chain(ModelStage::Judge, Some("large")), ["small"]);
    assert_eq!(models.chain(ModelStage::Synthesize, Some("large")), ["large"]);
    assert_eq!(models.chain(ModelStage::Synthesize, None), ["small"]);
    assert_eq!(models.chain(ModelStage::Synthesize, Some("unheard of")), ["small"]);
}

#[test]
fn a_caller_may_ask_for_the_rules() {
    let models = read(&with(&[(
        "default = \"embedded\"\nmodels = [\"embedded\"]",
        "default = \"large\"\nmodels = [\"large\", \"embedded\"]",
    )]))
    .unwrap();
    assert!(models.chain(ModelStage::Synthesize, Some("embedded")).is_empty());
}

#[test]
fn tokens_have_a_price() {
    let models = read(&with(&[])).unwrap();
    assert_eq!(models.models["large"].cost(1_000, 200).to_string(), "0.004500");
    assert!(models.models["large"].cost(u64::MAX, u64::MAX) > models.models["large"].cost(u64::MAX, 0));
}

#[test]
fn only_a_model_is_trusted_to_know_what_nothing_says() {
    let policy = |text: &str| Policy::with_file("models.toml", text).unwrap();
    assert!(policy(SHIPPED).ruling().open_argument_min <= 0.0);
    let planned = "[stages.plan]\nmodels = [\"large\", \"embedded\"]";
    let hosted = policy(&with(&[("[stages.plan]\nmodels = [\"embedded\"]", planned)]));
    assert!(hosted.ruling().open_argument_min > 0.0);
}

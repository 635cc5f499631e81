//! What the tests of several modules share: a policy with two hosted models.

use policy::Policy;

const HOSTED: &str = r#"
[endpoints.near]
dialect = "openai"
base_url = "http://127.0.0.1:1/v1"
api_key = { env = "NEAR_KEY" }
breaker = { failures_max = 3, open_ms = 1000 }

[models.small]
endpoint = "near"
name = "small-1"
input_usd_per_million = "1"
output_usd_per_million = "2"
output_tokens_max = 4096
"#;

/// The shipped policy with a hosted model, and changes to `models.toml`.
pub(crate) fn policy(changes: &[(&str, &str)]) -> Policy {
    let directory = tempfile::tempdir().unwrap();
    let shipped = include_str!("../../../policies/models.toml");
    let mut text = shipped.replace("\n[endpoints]\n", HOSTED).replace("\n[models]\n", "\n");
    for (from, to) in changes {
        text = text.replacen(from, to, 1);
    }
    std::fs::write(directory.path().join("models.toml"), text).unwrap();
    Policy::load(directory.path()).unwrap()
}

//! Arguments that a server's operator sets: sent with every call that takes them, and secret ones hidden in what comes back.

use domain::{CallFault, is_service_key};
use secrecy::ExposeSecret;
use serde_json::Value;

use crate::Upstream;
use crate::listing::Callable;

/// The preset arguments of one method.
pub(crate) struct Preset<'a>(Vec<(&'a str, &'a str)>);

/// What stands for a secret in what a server says.
const HIDDEN: &str = "[hidden]";

/// Shorter values stand in texts by chance.
const SECRET_BYTES_MIN: usize = 6;

impl<'a> Preset<'a> {
    pub(crate) fn of(callable: &'a Callable, upstream: &'a Upstream) -> Self {
        let value = |name: &String| upstream.arguments.get(name).map(ExposeSecret::expose_secret);
        Self(callable.preset.iter().filter_map(|name| Some((name.as_str(), value(name)?))).collect())
    }

    /// The arguments as they are sent.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = (String, Value)> {
        self.0.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value)))
    }

    /// A fault that tells no secret: servers repeat what they refuse.
    pub(crate) fn hidden(&self, mut fault: CallFault) -> CallFault {
        self.hide_in_text(&mut fault.message);
        fault
    }

    /// Hides the secrets in a result.
    pub(crate) fn hide(&self, value: &mut Value) {
        match value {
            Value::String(text) => self.hide_in_text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.hide(item)),
            Value::Object(members) => members.values_mut().for_each(|member| self.hide(member)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn hide_in_text(&self, text: &mut String) {
        for (_, secret) in self.0.iter().filter(|(name, value)| is_secret(name, value)) {
            if text.contains(secret) {
                *text = text.replace(secret, HIDDEN);
            }
        }
    }
}

/// Whether a value is one that nobody may see: that of a path or a zone is none.
fn is_secret(name: &str, value: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let names_one = ["token", "secret", "password", "credential"].iter().any(|word| name.contains(word));
    (names_one || is_service_key(&name, "API")) && value.len() >= SECRET_BYTES_MIN
}

#[cfg(test)]
mod tests {
    use domain::FaultKind;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_server_repeats_of_a_secret_is_hidden() {
        let preset = Preset(vec![("api_key", "sesame-17"), ("repo_path", "/srv/orchard")]);
        let fault = CallFault { kind: FaultKind::MethodError, message: "bad key sesame-17".to_owned() };
        assert_eq!(preset.hidden(fault).message, "bad key [hidden]");
        let mut result = json!({"request": ["key=sesame-17"], "path": "/srv/orchard", "rows": 2});
        preset.hide(&mut result);
        assert_eq!(result, json!({"request": ["key=[hidden]"], "path": "/srv/orchard", "rows": 2}));
    }
}

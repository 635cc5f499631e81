//! Arguments that a server's operator sets: sent with every call that takes them, and secret ones hidden in what comes back.

use domain::{CallFault, is_secret};
use secrecy::ExposeSecret;
use serde_json::Value;

use crate::Upstream;
use crate::listing::Callable;

/// An argument of a method that its operator sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Argument {
    pub(crate) name: String,
    /// Whether nobody may see its value: that of a path or a zone is no secret.
    is_secret: bool,
}

impl Argument {
    /// The argument of this name, by what its method's schema says of it.
    pub(crate) fn new(name: &str, schema: &Value) -> Self {
        let description = schema["description"].as_str().unwrap_or_default();
        Self { name: name.to_owned(), is_secret: is_secret(name, description) }
    }
}

/// The preset arguments of one method, with their values.
pub(crate) struct Preset<'a>(Vec<(&'a Argument, &'a str)>);

/// What stands for a secret in what a server says.
const HIDDEN: &str = "[hidden]";

/// Shorter values stand in texts by chance.
const SECRET_BYTES_MIN: usize = 6;

impl<'a> Preset<'a> {
    pub(crate) fn of(callable: &'a Callable, upstream: &'a Upstream) -> Self {
        let value =
            |argument: &Argument| upstream.arguments.get(&argument.name).map(ExposeSecret::expose_secret);
        Self(callable.preset.iter().filter_map(|argument| Some((argument, value(argument)?))).collect())
    }

    /// The arguments as they are sent.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = (String, Value)> {
        self.0.iter().map(|(argument, value)| (argument.name.clone(), Value::from(*value)))
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
        let is_hidden =
            |argument: &Argument, value: &str| argument.is_secret && value.len() >= SECRET_BYTES_MIN;
        for (_, secret) in self.0.iter().filter(|(argument, value)| is_hidden(argument, value)) {
            if text.contains(secret) {
                *text = text.replace(secret, HIDDEN);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::FaultKind;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_server_repeats_of_a_secret_is_hidden() {
        let key = Argument::new("api_key", &Value::Null);
        let path = Argument::new("repo_path", &json!({"description": "Where the repository is."}));
        let preset = Preset(vec![(&key, "sesame-17"), (&path, "/srv/orchard")]);
        let fault = CallFault { kind: FaultKind::MethodError, message: "bad key sesame-17".to_owned() };
        assert_eq!(preset.hidden(fault).message, "bad key [hidden]");
        let mut result = json!({"request": ["key=sesame-17"], "path": "/srv/orchard", "rows": 2});
        preset.hide(&mut result);
        assert_eq!(result, json!({"request": ["key=[hidden]"], "path": "/srv/orchard", "rows": 2}));
    }
}

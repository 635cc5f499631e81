//! One entry of `mcpServers`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use domain::Usd;
use reqwest::Url;
use reqwest::header::{HeaderName, HeaderValue};
use secrecy::SecretString;
use serde_json::{Map, Value};

use super::expand::expand;
use super::{ConfigError, Environment};
use crate::{Transport, Upstream};

/// What a child process gets of the environment, as with the clients of the MCP project.
const INHERITED: [&str; 6] = ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"];

const KNOWN: [&str; 9] = ["command", "args", "env", "cwd", "url", "headers", "type", "transport", "disabled"];

const KNOWN_OF_SLUICE: [&str; 7] =
    ["description", "category", "priceUsd", "executePriceUsd", "timeoutMs", "concurrency", "arguments"];

/// Headers that the protocol itself sets.
const RESERVED_HEADERS: [&str; 4] = ["accept", "mcp-session-id", "mcp-protocol-version", "last-event-id"];

/// The server of one entry; none where it is disabled. Adds to `notes` what is ignored.
pub(super) fn read(
    server: &str,
    value: &Value,
    environment: Environment<'_>,
    notes: &mut Vec<String>,
) -> Result<Option<Upstream>, ConfigError> {
    let entry = Entry { server, environment };
    if server.trim().is_empty() {
        return Err(entry.fault("", "must have a name"));
    }
    let keys = value.as_object().ok_or_else(|| entry.fault("", "must be an object"))?;
    let none = Map::new();
    let own = match keys.get("sluice") {
        None => &none,
        Some(own) => own.as_object().ok_or_else(|| entry.fault("sluice", "must be an object"))?,
    };
    let unknown = keys.keys().filter(|key| *key != "sluice" && !KNOWN.contains(&key.as_str()));
    let unknown_own = own.keys().filter(|key| !KNOWN_OF_SLUICE.contains(&key.as_str()));
    notes.extend(unknown.map(|key| format!("server `{server}`: `{key}` is not known and ignored")));
    notes
        .extend(unknown_own.map(|key| format!("server `{server}`: `sluice.{key}` is not known and ignored")));
    if entry.flag(keys, "disabled")? {
        notes.push(format!("server `{server}` is disabled"));
        return Ok(None);
    }
    let transport = entry.transport(keys)?;
    entry.upstream(own, transport).map(Some)
}

struct Entry<'a> {
    server: &'a str,
    environment: Environment<'a>,
}

impl Entry<'_> {
    fn upstream(&self, own: &Map<String, Value>, transport: Transport) -> Result<Upstream, ConfigError> {
        Ok(Upstream {
            name: self.server.to_owned(),
            description: self.own_text(own, "description")?,
            category: self.own_text(own, "category")?,
            price: self.price(own, "priceUsd")?.unwrap_or(Usd::ZERO),
            execute_price: self.price(own, "executePriceUsd")?,
            call_timeout: self.count(own, "timeoutMs")?.map(Duration::from_millis),
            concurrency_max: self
                .count(own, "concurrency")?
                .map(|count| usize::try_from(count).unwrap_or(usize::MAX)),
            arguments: self.secrets(own.get("arguments"), "sluice.arguments")?,
            transport,
        })
    }

    fn transport(&self, keys: &Map<String, Value>) -> Result<Transport, ConfigError> {
        let command = self.text(keys, "command")?;
        let url = self.text(keys, "url")?;
        let kind_key = if keys.contains_key("type") { "type" } else { "transport" };
        let kind = self.text(keys, kind_key)?;
        match kind.as_deref() {
            None => {}
            Some("stdio") if command.is_some() => {}
            Some("http" | "streamable-http" | "streamableHttp" | "streamable_http") if url.is_some() => {}
            Some("sse") => {
                return Err(self.fault(kind_key, "must not be `sse`: only streamable HTTP is spoken"));
            }
            Some("stdio") => return Err(self.fault(kind_key, "is `stdio`, so there must be a `command`")),
            Some("http" | "streamable-http" | "streamableHttp" | "streamable_http") => {
                return Err(self.fault(kind_key, "is HTTP, so there must be a `url`"));
            }
            Some(_) => return Err(self.fault(kind_key, "must be `stdio` or `http`")),
        }
        match (command, url) {
            (Some(_), Some(_)) => Err(self.fault("command", "must not stand beside `url`")),
            (None, None) => Err(self.fault("command", "or `url` must be there")),
            (Some(command), None) => self.stdio(keys, command),
            (None, Some(url)) => self.http(keys, &url),
        }
    }

    fn stdio(&self, keys: &Map<String, Value>, command: String) -> Result<Transport, ConfigError> {
        if command.trim().is_empty() {
            return Err(self.fault("command", "must not be empty"));
        }
        let mut args = Vec::new();
        if let Some(value) = keys.get("args") {
            let list = value.as_array().ok_or_else(|| self.fault("args", "must be a list of strings"))?;
            for (index, item) in list.iter().enumerate() {
                let key = format!("args[{index}]");
                let text = item.as_str().ok_or_else(|| self.fault(&key, "must be a string"))?;
                args.push(self.expanded(&key, text)?);
            }
        }
        let mut env: BTreeMap<String, SecretString> = INHERITED
            .into_iter()
            .filter_map(|name| Some((name.to_owned(), (self.environment)(name)?.into())))
            .collect();
        env.extend(self.secrets(keys.get("env"), "env")?);
        let cwd = self.text(keys, "cwd")?.map(PathBuf::from);
        Ok(Transport::Stdio { command, args, env, cwd })
    }

    fn http(&self, keys: &Map<String, Value>, url: &str) -> Result<Transport, ConfigError> {
        let url = Url::parse(url).map_err(|_| self.fault("url", "must be an http or https address"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(self.fault("url", "must be an http or https address"));
        }
        let mut headers = Vec::new();
        for (name, value) in self.texts(keys.get("headers"), "headers")? {
            let key = format!("headers.{name}");
            let header =
                HeaderName::try_from(&name).map_err(|_| self.fault(&key, "must be a header name"))?;
            if RESERVED_HEADERS.contains(&header.as_str()) {
                return Err(self.fault(&key, "is set by the protocol"));
            }
            let mut value =
                HeaderValue::try_from(value).map_err(|_| self.fault(&key, "must be a header value"))?;
            value.set_sensitive(true);
            headers.push((header, value));
        }
        Ok(Transport::Http { url, headers })
    }

    fn secrets(
        &self,
        value: Option<&Value>,
        key: &str,
    ) -> Result<BTreeMap<String, SecretString>, ConfigError> {
        Ok(self.texts(value, key)?.into_iter().map(|(name, value)| (name, value.into())).collect())
    }

    fn texts(&self, value: Option<&Value>, key: &str) -> Result<Vec<(String, String)>, ConfigError> {
        let Some(value) = value else { return Ok(Vec::new()) };
        let map = value.as_object().ok_or_else(|| self.fault(key, "must be an object of strings"))?;
        let mut texts = Vec::with_capacity(map.len());
        for (name, value) in map {
            let path = format!("{key}.{name}");
            let text = value.as_str().ok_or_else(|| self.fault(&path, "must be a string"))?;
            texts.push((name.clone(), self.expanded(&path, text)?));
        }
        Ok(texts)
    }

    fn text(&self, keys: &Map<String, Value>, key: &str) -> Result<Option<String>, ConfigError> {
        match keys.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => {
                let text = value.as_str().ok_or_else(|| self.fault(key, "must be a string"))?;
                self.expanded(key, text).map(Some)
            }
        }
    }

    fn flag(&self, keys: &Map<String, Value>, key: &str) -> Result<bool, ConfigError> {
        match keys.get(key) {
            None => Ok(false),
            Some(value) => value.as_bool().ok_or_else(|| self.fault(key, "must be true or false")),
        }
    }

    fn own_text(&self, own: &Map<String, Value>, key: &str) -> Result<Option<String>, ConfigError> {
        own.get(key).map_or(Ok(None), |value| {
            let text =
                value.as_str().ok_or_else(|| self.fault(&format!("sluice.{key}"), "must be a string"))?;
            Ok(Some(text.to_owned()))
        })
    }

    fn count(&self, own: &Map<String, Value>, key: &str) -> Result<Option<u64>, ConfigError> {
        own.get(key).map_or(Ok(None), |value| {
            let count = value.as_u64().filter(|count| *count > 0);
            let requirement = "must be a whole number of at least 1";
            count.map(Some).ok_or_else(|| self.fault(&format!("sluice.{key}"), requirement))
        })
    }

    fn price(&self, own: &Map<String, Value>, key: &str) -> Result<Option<Usd>, ConfigError> {
        own.get(key).map_or(Ok(None), |value| {
            let requirement = "must be an amount of dollars, not negative";
            crate::listing::price(value)
                .map(Some)
                .ok_or_else(|| self.fault(&format!("sluice.{key}"), requirement))
        })
    }

    fn expanded(&self, key: &str, text: &str) -> Result<String, ConfigError> {
        expand(text, self.environment).map_err(|unset| ConfigError::UnsetVariable {
            server: self.server.to_owned(),
            key: key.to_owned(),
            variable: unset.0,
        })
    }

    fn fault(&self, key: &str, requirement: &'static str) -> ConfigError {
        ConfigError::Entry { server: self.server.to_owned(), key: key.to_owned(), requirement }
    }
}

//! Who may come in: API keys, known by their SHA-256.

use std::fs;
use std::io;
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, HOST};
use axum::http::uri::Authority;
use axum::middleware::Next;
use axum::response::Response;
use sha2::{Digest, Sha256};
use subtle::{Choice, ConstantTimeEq};

use crate::http::Api;
use crate::http::fault::Fault;

/// The keys that are let in.
#[derive(Debug)]
pub(crate) enum Keys {
    /// Any key that is not empty: for loopback only.
    Any,
    /// The keys with these hashes.
    Known(Vec<[u8; 32]>),
}

/// A file of keys that cannot be used. Names lines, never keys.
#[derive(Debug, thiserror::Error)]
pub(crate) enum KeysFault {
    /// It cannot be read.
    #[error("cannot read the API keys file {file}: {source}")]
    Read {
        /// The file, as named by the caller.
        file: String,
        /// Why.
        source: io::Error,
    },
    /// A line is no key and no hash of one.
    #[error("{file}: line {line}: `sha256:` must be followed by 64 hexadecimal digits")]
    Line {
        /// The file, as named by the caller.
        file: String,
        /// Counted from 1.
        line: usize,
    },
    /// It names no key.
    #[error("{file}: no API key in it")]
    Empty {
        /// The file, as named by the caller.
        file: String,
    },
}

/// A caller that was let in, by the hash of its key in hex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caller(Arc<str>);

impl Caller {
    /// The caller whose work is kept under this name.
    pub(crate) fn named(name: &str) -> Self {
        Self(name.into())
    }

    /// The name that the caller's work is kept under.
    pub(crate) fn name(&self) -> &str {
        &self.0
    }
}

impl Keys {
    /// Reads a file with a key or `sha256:<hex>` on each line; empty lines and those that begin with `#` are skipped.
    pub(crate) fn read(path: &Path) -> Result<Self, KeysFault> {
        let file = path.display().to_string();
        match fs::read_to_string(path) {
            Ok(text) => Self::parse(&text, &file),
            Err(source) => Err(KeysFault::Read { file, source }),
        }
    }

    fn parse(text: &str, file: &str) -> Result<Self, KeysFault> {
        let mut hashes = Vec::new();
        for (index, line) in text.lines().map(str::trim).enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let hash = hash_of_line(line)
                .ok_or_else(|| KeysFault::Line { file: file.to_owned(), line: index + 1 })?;
            hashes.push(hash);
        }
        if hashes.is_empty() {
            Err(KeysFault::Empty { file: file.to_owned() })
        } else {
            Ok(Self::Known(hashes))
        }
    }

    /// The caller with this key, where it is let in. Takes as long for any key.
    pub(super) fn admit(&self, key: &str) -> Option<Caller> {
        let hash: [u8; 32] = Sha256::digest(key).into();
        let is_known = match self {
            Self::Any => Choice::from(1),
            Self::Known(hashes) => {
                hashes.iter().fold(Choice::from(0), |found, known| found | known.ct_eq(&hash))
            }
        };
        (!key.is_empty() && bool::from(is_known)).then(|| Caller(hex::encode(hash).into()))
    }
}

fn hash_of_line(line: &str) -> Option<[u8; 32]> {
    match line.strip_prefix("sha256:") {
        Some(digits) => {
            let mut hash = [0; 32];
            hex::decode_to_slice(digits.trim(), &mut hash).ok()?;
            Some(hash)
        }
        None => Some(Sha256::digest(line).into()),
    }
}

/// Lets known callers in, and tells the handlers who they are.
pub(crate) async fn check(
    State(api): State<Arc<Api>>,
    mut request: Request,
    next: Next,
) -> Result<Response, Fault> {
    if matches!(api.keys, Keys::Any) && !is_called_local(request.headers()) {
        return Err(Fault::ForeignHost);
    }
    let caller = key(request.headers()).and_then(|key| api.keys.admit(key)).ok_or(Fault::Unauthorized)?;
    request.extensions_mut().insert(caller);
    Ok(next.run(request).await)
}

/// Whether the request calls this machine by a name of its own. A page that has its own name resolve to loopback is
/// kept out by this.
pub(super) fn is_called_local(headers: &HeaderMap) -> bool {
    let Some(host) = headers.get(HOST).and_then(|host| host.to_str().ok()) else { return false };
    let Ok(authority) = host.parse::<Authority>() else { return false };
    let name = authority.host();
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    name.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

/// The key of `Authorization: Bearer <key>`, or of `API-Key <key>` as the seed system has it.
pub(super) fn key(headers: &HeaderMap) -> Option<&str> {
    let (scheme, key) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    let is_known = scheme.eq_ignore_ascii_case("bearer") || scheme.eq_ignore_ascii_case("api-key");
    is_known.then(|| key.trim())
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn keys_are_read_plain_and_hashed() {
        let hash = hex::encode(Sha256::digest("two"));
        let keys = Keys::parse(&format!("# ours\n\n one \nsha256:{hash}\n"), "keys").unwrap();
        let (one, two) = (keys.admit("one").unwrap(), keys.admit("two").unwrap());
        assert_ne!(one, two);
        assert_eq!(two.name(), hash);
        for refused in ["", "three", "ONE", hash.as_str()] {
            assert_eq!(keys.admit(refused), None, "{refused}");
        }
    }

    #[test]
    fn a_file_without_keys_lets_nobody_in_by_mistake() {
        assert_eq!(Keys::parse("# none yet\n", "keys").unwrap_err().to_string(), "keys: no API key in it");
        let message = Keys::parse("one\nsha256:abc\n", "keys").unwrap_err().to_string();
        assert_eq!(message, "keys: line 2: `sha256:` must be followed by 64 hexadecimal digits");
    }

    #[test]
    fn open_doors_want_a_key_all_the_same() {
        assert_eq!(Keys::Any.admit(""), None);
        assert!(Keys::Any.admit("anything").is_some());
    }

    #[test]
    fn a_foreign_name_is_not_this_machine() {
        let is_local = |host: &'static str| {
            is_called_local(&HeaderMap::from_iter([(HOST, HeaderValue::from_static(host))]))
        };
        for host in ["localhost:3000", "127.0.0.1", "127.8.8.8:1", "[::1]:3000", "LOCALHOST"] {
            assert!(is_local(host), "{host}");
        }
        for host in ["evil.example:3000", "localhost.evil.example", "10.0.0.1", "", "a b"] {
            assert!(!is_local(host), "{host}");
        }
        assert!(!is_called_local(&HeaderMap::new()));
    }

    #[test]
    fn only_keys_are_seen() {
        let bearer_of = |value: &'static str| {
            let headers = HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_static(value))]);
            key(&headers).map(str::to_owned)
        };
        assert_eq!(bearer_of("Bearer k").as_deref(), Some("k"));
        assert_eq!(bearer_of("bearer  k ").as_deref(), Some("k"));
        assert_eq!(bearer_of("API-Key k").as_deref(), Some("k"));
        assert_eq!(bearer_of("Basic k"), None);
        assert_eq!(bearer_of("Bearer"), None);
    }
}

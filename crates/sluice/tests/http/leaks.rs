//! The leak scanner: what no response may hold, whatever it is about. Every body that the tests read goes through it.

use crate::server::KEY;

/// Pieces of secrets, of internal names and of paths.
const NEVER: [&str; 8] =
    [KEY, "session:", "sluice.db", "sluice_session", "/target/", "/crates/", "panicked at", "RUST_BACKTRACE"];

/// Fails where a body holds what it may not.
pub(crate) fn scan(body: &str) {
    let folder = std::env::temp_dir().join(".tmp").display().to_string();
    for secret in NEVER.into_iter().chain([folder.as_str()]) {
        assert!(!body.contains(secret), "a response holds `{secret}`: {body}");
    }
    // The caller's name is the hash of its key: nobody else has to know it.
    let name = hex::encode(<sha2::Sha256 as sha2::Digest>::digest(KEY));
    assert!(!body.contains(&name), "a response names its caller: {body}");
}

//! Sessions of callers without a key: a signed random name in a cookie, and nothing behind it until something is kept.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// The cookie's name.
pub(crate) const COOKIE: &str = "sluice_session";

/// Sets these signatures apart from any others under the same key.
const PURPOSE: &[u8] = b"sluice session";

/// A session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Session {
    /// What the cookie holds. Whoever has it is the session.
    pub(crate) token: String,
    /// What the session's work is kept under: no way leads from here to the token.
    pub(crate) owner: String,
}

impl Session {
    /// A session that nobody has yet.
    pub(crate) fn fresh(key: &[u8]) -> Self {
        let name = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
        Self::of(format!("{name}.{}", tag(key, PURPOSE, &name)))
    }

    /// The session of a token that was given out here.
    pub(crate) fn known(key: &[u8], token: &str) -> Option<Self> {
        let (name, signature) = token.split_once('.')?;
        holds(key, PURPOSE, name, signature).then(|| Self::of(token.to_owned()))
    }

    fn of(token: String) -> Self {
        Self { owner: format!("session:{}", hex::encode(Sha256::digest(&token))), token }
    }
}

/// The signature of a text, in hex.
pub(crate) fn tag(key: &[u8], purpose: &[u8], text: &str) -> String {
    hex::encode(signature(key, purpose, text).map(|mac| mac.finalize().into_bytes()).unwrap_or_default())
}

/// Whether a text has this signature. Takes as long for any.
pub(crate) fn holds(key: &[u8], purpose: &[u8], text: &str, said: &str) -> bool {
    let Ok(said) = hex::decode(said) else { return false };
    signature(key, purpose, text).is_some_and(|mac| mac.verify_slice(&said).is_ok())
}

fn signature(key: &[u8], purpose: &[u8], text: &str) -> Option<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    mac.update(purpose);
    mac.update(&[0]);
    mac.update(text.as_bytes());
    Some(mac)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_given_out_is_a_session() {
        let session = Session::fresh(b"key");
        assert_eq!(Session::known(b"key", &session.token), Some(session.clone()));
        assert_ne!(Session::fresh(b"key").owner, session.owner);
        let (name, signature) = session.token.split_once('.').unwrap();
        for forged in
            [name.to_owned(), format!("{name}."), format!("x{name}.{signature}"), format!("{name}.00")]
        {
            assert_eq!(Session::known(b"key", &forged), None, "{forged}");
        }
        assert_eq!(Session::known(b"other", &session.token), None);
        assert!(!session.owner.contains(name));
    }
}

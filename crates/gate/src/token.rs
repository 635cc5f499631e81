//! Clarification tokens: signed, expiring leave to take one option of a clarification.
//!
//! A token says which option was offered, for which question, over which definitions of the methods, and until when. It is
//! signed with HMAC-SHA256 (RFC 2104) under a key that the caller keeps. Nothing is trusted before the signature holds.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use jiff::Timestamp;
use probe::Probed;
use sha2::{Digest, Sha256};

use crate::opinion::OptionId;

/// What a token is bound to: the question, and the definitions of the methods that were probed for it.
#[derive(Clone, PartialEq, Eq)]
pub struct Stake {
    question: [u8; 32],
    methods: [u8; 32],
}

/// An option that a caller has picked. Made by [`verify`] alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    option: OptionId,
}

/// Why a token is not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenFault {
    /// It is no token of this version.
    #[error("the clarification token is malformed")]
    Malformed,
    /// It was not signed with this key, or was changed since.
    #[error("the clarification token has a bad signature")]
    BadSignature,
    /// Its time is over.
    #[error("the clarification token has expired")]
    Expired,
    /// It was given for another question.
    #[error("the clarification token belongs to another question")]
    OtherQuestion,
    /// It was given with another option.
    #[error("the clarification token belongs to another option")]
    OtherOption,
    /// A method that was probed has been published anew since.
    #[error("the methods have changed since the clarification")]
    SchemaDrift,
    /// What it picks is not among what the question could mean any more.
    #[error("the picked option is not at hand any more")]
    Gone,
}

const VERSION: u8 = 1;
/// Sets these signatures apart from any others under the same key.
const PURPOSE: &[u8] = b"sluice clarification token";
const HEAD: usize = 1 + 8 + 32 + 32;
const TAG: usize = 32;

impl Stake {
    /// What the tokens of a probed query's options are bound to.
    #[must_use]
    pub fn of(probed: &Probed) -> Self {
        let interpretations = probed.pool().interpretations();
        let mut methods: Vec<String> = interpretations
            .iter()
            .map(|interpretation| {
                let candidate = &interpretation.evidence.candidate;
                let method = &candidate.method;
                let output = method.output_schema.as_ref().map(ToString::to_string).unwrap_or_default();
                let parts = [
                    candidate.method_ref().to_string(),
                    method.title.clone().unwrap_or_default(),
                    method.description.clone(),
                    method.input_schema.to_string(),
                    output,
                ];
                parts.join("\u{1f}")
            })
            .collect();
        methods.sort_unstable();
        methods.dedup();
        let mut hash = Sha256::new();
        for method in &methods {
            hash.update(Sha256::digest(method.as_bytes()));
        }
        Self {
            question: Sha256::digest(probed.question().text.as_bytes()).into(),
            methods: hash.finalize().into(),
        }
    }
}

impl fmt::Debug for Stake {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Stake")
    }
}

impl Choice {
    /// The option.
    #[must_use]
    pub fn option(&self) -> &OptionId {
        &self.option
    }
}

/// The token of an option, good for `minutes` from `now`. `key` may have any length; a short one is weak.
#[must_use]
pub fn issue(key: &[u8], option: &OptionId, stake: &Stake, (now, minutes): (Timestamp, u32)) -> String {
    let expires_at = now.as_second().saturating_add(i64::from(minutes) * 60);
    let mut token = Vec::with_capacity(HEAD + option.0.len() + TAG);
    token.push(VERSION);
    token.extend(expires_at.to_be_bytes());
    token.extend(stake.question);
    token.extend(stake.methods);
    token.extend(option.0.as_bytes());
    let tag = signed(key, &token).finalize().into_bytes();
    token.extend(tag);
    URL_SAFE_NO_PAD.encode(token)
}

/// The same token under another key, for recordings; none where it does not hold under the first one.
#[must_use]
pub fn signed_anew(token: &str, key: &[u8], other: &[u8]) -> Option<String> {
    let mut bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
    let at = bytes.len().checked_sub(TAG)?;
    signed(key, &bytes[..at]).verify_slice(&bytes[at..]).ok()?;
    let tag = signed(other, &bytes[..at]).finalize().into_bytes();
    bytes.truncate(at);
    bytes.extend(tag);
    Some(URL_SAFE_NO_PAD.encode(bytes))
}

/// The option that a token picks for the query that `stake` was made of.
pub fn verify(key: &[u8], token: &str, stake: &Stake, now: Timestamp) -> Result<Choice, TokenFault> {
    let bytes = URL_SAFE_NO_PAD.decode(token).map_err(|_| TokenFault::Malformed)?;
    let at = bytes.len().checked_sub(TAG).filter(|at| *at > HEAD).ok_or(TokenFault::Malformed)?;
    let (said, tag) = bytes.split_at(at);
    signed(key, said).verify_slice(tag).map_err(|_| TokenFault::BadSignature)?;
    let (head, option) = said.split_at(HEAD);
    let (version, head) = head.split_first().ok_or(TokenFault::Malformed)?;
    let (expiry, head) = head.split_first_chunk::<8>().ok_or(TokenFault::Malformed)?;
    let (question, methods) = head.split_at(32);
    let option = std::str::from_utf8(option).map_err(|_| TokenFault::Malformed)?;
    if *version != VERSION {
        return Err(TokenFault::Malformed);
    }
    if now.as_second() >= i64::from_be_bytes(*expiry) {
        return Err(TokenFault::Expired);
    }
    if question != stake.question {
        return Err(TokenFault::OtherQuestion);
    }
    if methods != stake.methods {
        return Err(TokenFault::SchemaDrift);
    }
    Ok(Choice { option: OptionId(option.to_owned()) })
}

fn signed(key: &[u8], said: &[u8]) -> Hmac<Sha256> {
    let mut block = [0_u8; 64];
    block[..32].copy_from_slice(&Sha256::digest(key));
    let mut mac = Hmac::<Sha256>::new(&block.into());
    mac.update(PURPOSE);
    mac.update(said);
    mac
}

#[cfg(test)]
mod tests;

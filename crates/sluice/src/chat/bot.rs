//! The bot check: what a session without a key shows before it may ask. Off, work done on a challenge, or a service's word.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use contract::chat::{BotCheck as Wanted, Proof};
use jiff::{SignedDuration, Timestamp};
use policy::{BotCheckKind, BotRules};
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::chat::session;
use crate::to_wire;

/// Sets these signatures apart from any others under the same key.
const PURPOSE: &[u8] = b"sluice bot check";

/// The check of one process.
pub(crate) struct BotCheck {
    kind: Kind,
    rules: BotRules,
    key: Vec<u8>,
    /// Until when each session need not show anything.
    passed: Mutex<BTreeMap<String, Timestamp>>,
    /// Until when each used challenge would serve.
    spent: Mutex<BTreeMap<String, Timestamp>>,
}

enum Kind {
    Off,
    ProofOfWork,
    Siteverify { client: reqwest::Client, secret: SecretString },
}

/// Why a check cannot be made at all.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BotFault {
    /// The service's secret is not there.
    #[error("guardrails.toml: `bot.secret_env` names a variable that is not set")]
    NoSecret,
    /// There is no way to ask the service.
    #[error("guardrails.toml: the bot check's service cannot be asked")]
    NoClient,
}

/// Why a session may not ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotPassed {
    /// It showed nothing.
    Required,
    /// What it showed does not hold.
    Failed,
    /// Nothing can be checked for now.
    Unavailable,
}

impl BotCheck {
    /// The check that the rules name. `environment` gives variables by name.
    pub(crate) fn open(
        rules: &BotRules,
        key: Vec<u8>,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, BotFault> {
        let kind = match rules.check {
            BotCheckKind::Off => Kind::Off,
            BotCheckKind::ProofOfWork => Kind::ProofOfWork,
            BotCheckKind::Siteverify => {
                let secret =
                    environment(&rules.secret_env).filter(|it| !it.is_empty()).ok_or(BotFault::NoSecret)?;
                let patience = Duration::from_millis(rules.siteverify_ms_max);
                let client =
                    reqwest::Client::builder().timeout(patience).redirect(reqwest::redirect::Policy::none());
                let client = client.build().map_err(|_| BotFault::NoClient)?;
                Kind::Siteverify { client, secret: secret.into() }
            }
        };
        Ok(Self { kind, rules: rules.clone(), key, passed: Mutex::default(), spent: Mutex::default() })
    }

    /// What a session has to show; none where it need not.
    pub(crate) fn wanted(&self, owner: &str, now: Timestamp) -> Option<Wanted> {
        if lock(&self.passed).get(owner).is_some_and(|until| now < *until) {
            return None;
        }
        match &self.kind {
            Kind::Off => None,
            Kind::ProofOfWork => {
                let expires_at = later(now, SignedDuration::from_secs(self.rules.challenge_seconds.into()));
                let text = format!("{}-{}", Uuid::new_v4().simple(), expires_at.as_millisecond());
                let tag = session::tag(&self.key, PURPOSE, &signed(&text, owner));
                Some(Wanted::ProofOfWork {
                    challenge: format!("{text}-{tag}"),
                    bits: self.rules.proof_bits,
                    expires_at: to_wire::time(expires_at),
                })
            }
            Kind::Siteverify { .. } => Some(Wanted::Siteverify { site_key: self.rules.site_key.clone() }),
        }
    }

    /// Lets a session ask, or says why not. A proof serves once.
    pub(crate) async fn pass(
        &self,
        owner: &str,
        proof: Option<&Proof>,
        now: Timestamp,
    ) -> Result<(), NotPassed> {
        if self.wanted(owner, now).is_none() {
            return Ok(());
        }
        match (&self.kind, proof) {
            (Kind::Off, _) => return Ok(()),
            (_, None) => return Err(NotPassed::Required),
            (Kind::ProofOfWork, Some(Proof::Work { challenge, nonce })) => {
                self.worked(owner, challenge, nonce, now)?;
            }
            (Kind::Siteverify { client, secret }, Some(Proof::Token(token))) => {
                vouched(client, &self.rules.siteverify_url, secret, token).await?;
            }
            (Kind::ProofOfWork, Some(Proof::Token(_)))
            | (Kind::Siteverify { .. }, Some(Proof::Work { .. })) => {
                return Err(NotPassed::Failed);
            }
        }
        let until = later(now, SignedDuration::from_mins(self.rules.passed_minutes.into()));
        let mut passed = lock(&self.passed);
        remember(&mut passed, owner.to_owned(), (now, until), self.rules.spent_challenges_max)
    }

    fn worked(&self, owner: &str, challenge: &str, nonce: &str, now: Timestamp) -> Result<(), NotPassed> {
        let (text, tag) = challenge.rsplit_once('-').ok_or(NotPassed::Failed)?;
        let expires = text.rsplit_once('-').and_then(|(_, at)| at.parse::<i64>().ok());
        let expires = expires.and_then(|ms| Timestamp::from_millisecond(ms).ok()).ok_or(NotPassed::Failed)?;
        let is_ours = session::holds(&self.key, PURPOSE, &signed(text, owner), tag);
        let hash = Sha256::digest(format!("{challenge}.{nonce}"));
        if !is_ours || expires <= now || leading_zero_bits(&hash) < self.rules.proof_bits {
            return Err(NotPassed::Failed);
        }
        let mut spent = lock(&self.spent);
        if spent.contains_key(tag) {
            return Err(NotPassed::Failed);
        }
        remember(&mut spent, tag.to_owned(), (now, expires), self.rules.spent_challenges_max)
    }
}

fn signed(text: &str, owner: &str) -> String {
    format!("{text} {owner}")
}

/// Remembers something until its time is over; what is full takes nothing new.
fn remember(
    known: &mut BTreeMap<String, Timestamp>,
    name: String,
    (now, until): (Timestamp, Timestamp),
    max: usize,
) -> Result<(), NotPassed> {
    if known.len() >= max {
        known.retain(|_, until| now < *until);
    }
    if known.len() >= max {
        return Err(NotPassed::Unavailable);
    }
    known.insert(name, until);
    Ok(())
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn later(now: Timestamp, by: SignedDuration) -> Timestamp {
    now.checked_add(by).unwrap_or(Timestamp::MAX)
}

fn leading_zero_bits(hash: &[u8]) -> u32 {
    let zeros = hash.iter().take_while(|byte| **byte == 0).count();
    let next = hash.get(zeros).map_or(0, |byte| byte.leading_zeros());
    u32::try_from(zeros).unwrap_or(u32::MAX).saturating_mul(8).saturating_add(next)
}

/// Asks a service in the way that the usual ones are asked: a form with `secret` and `response`, `success` in the reply.
async fn vouched(
    client: &reqwest::Client,
    url: &str,
    secret: &SecretString,
    token: &str,
) -> Result<(), NotPassed> {
    let form = format!("secret={}&response={}", escaped(secret.expose_secret()), escaped(token));
    let request = client.post(url).header("content-type", "application/x-www-form-urlencoded").body(form);
    let reply = request.send().await.and_then(reqwest::Response::error_for_status);
    let reply: serde_json::Value = match reply {
        Ok(reply) => reply.json().await.map_err(|_| NotPassed::Unavailable)?,
        Err(_) => return Err(NotPassed::Unavailable),
    };
    if reply["success"] == true { Ok(()) } else { Err(NotPassed::Failed) }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            escaped.push(char::from(byte));
        } else {
            escaped.push('%');
            escaped.push_str(&hex::encode_upper([byte]));
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(change: impl FnOnce(&mut BotRules)) -> BotCheck {
        let mut rules = policy::Policy::shipped().unwrap().guardrails.bot;
        rules.check = BotCheckKind::ProofOfWork;
        rules.proof_bits = 8;
        change(&mut rules);
        BotCheck::open(&rules, b"key".to_vec(), &|_| None).unwrap()
    }

    fn now(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + seconds).unwrap()
    }

    fn solved(check: &BotCheck, owner: &str) -> Proof {
        let Some(Wanted::ProofOfWork { challenge, bits, .. }) = check.wanted(owner, now(0)) else { panic!() };
        Proof::Work { nonce: nonce_of(&challenge, |zeros| zeros >= bits), challenge }
    }

    fn nonce_of(challenge: &str, fits: impl Fn(u32) -> bool) -> String {
        let zeros = |nonce: &String| leading_zero_bits(&Sha256::digest(format!("{challenge}.{nonce}")));
        (0..u32::MAX).map(|nonce| nonce.to_string()).find(|nonce| fits(zeros(nonce))).unwrap()
    }

    #[tokio::test]
    async fn work_lets_a_session_in_for_a_while() {
        let check = check(|_| {});
        assert_eq!(check.pass("a", None, now(0)).await, Err(NotPassed::Required));
        let proof = solved(&check, "a");
        assert_eq!(check.pass("a", Some(&proof), now(1)).await, Ok(()));
        assert_eq!(check.pass("a", None, now(2)).await, Ok(()));
        assert_eq!(check.pass("a", None, now(3_700)).await, Err(NotPassed::Required));
    }

    #[tokio::test]
    async fn a_proof_serves_once_and_for_one_session() {
        let check = check(|_| {});
        let proof = solved(&check, "a");
        assert_eq!(check.pass("b", Some(&proof), now(1)).await, Err(NotPassed::Failed));
        assert_eq!(check.pass("a", Some(&proof), now(1)).await, Ok(()));
        lock(&check.passed).clear();
        assert_eq!(check.pass("a", Some(&proof), now(2)).await, Err(NotPassed::Failed));
    }

    #[tokio::test]
    async fn a_proof_that_is_late_forged_or_too_easy_fails() {
        let check = check(|_| {});
        let proof = solved(&check, "a");
        assert_eq!(check.pass("a", Some(&proof), now(301)).await, Err(NotPassed::Failed));
        let Proof::Work { challenge, nonce } = proof else { panic!() };
        for (challenge, nonce) in [
            (challenge.clone(), nonce_of(&challenge, |zeros| zeros < check.rules.proof_bits)),
            (challenge.replacen('-', "0-", 1), nonce.clone()),
            ("nonsense".to_owned(), nonce.clone()),
            (String::new(), String::new()),
        ] {
            let proof = Proof::Work { challenge, nonce };
            assert_eq!(check.pass("a", Some(&proof), now(1)).await, Err(NotPassed::Failed), "{proof:?}");
        }
        let token = Proof::Token("t".to_owned());
        assert_eq!(check.pass("a", Some(&token), now(1)).await, Err(NotPassed::Failed));
    }

    #[tokio::test]
    async fn what_cannot_be_remembered_is_not_let_in() {
        let check = check(|rules| rules.spent_challenges_max = 1);
        let (first, second) = (solved(&check, "a"), solved(&check, "b"));
        assert_eq!(check.pass("a", Some(&first), now(1)).await, Ok(()));
        assert_eq!(check.pass("b", Some(&second), now(1)).await, Err(NotPassed::Unavailable));
    }

    #[tokio::test]
    async fn nothing_is_wanted_where_it_is_off() {
        let check = check(|rules| rules.check = BotCheckKind::Off);
        assert_eq!(check.wanted("a", now(0)), None);
        assert_eq!(check.pass("a", None, now(0)).await, Ok(()));
    }

    #[test]
    fn a_service_without_its_secret_is_told_at_once() {
        let mut rules = policy::Policy::shipped().unwrap().guardrails.bot;
        rules.check = BotCheckKind::Siteverify;
        assert!(BotCheck::open(&rules, Vec::new(), &|_| None).is_err());
    }

    #[test]
    fn zeros_are_counted_by_bit() {
        assert_eq!(leading_zero_bits(&[0, 0b0001_0000, 0xff]), 11);
        assert_eq!(leading_zero_bits(&[0, 0]), 16);
    }

    #[test]
    fn a_form_is_escaped() {
        assert_eq!(escaped("a b&c=\u{e9}"), "a%20b%26c%3D%C3%A9");
    }
}

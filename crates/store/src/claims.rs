//! Idempotency: a key is claimed by the first request that brings it, and its response is kept for the others.

use jiff::Timestamp;

use crate::instant::to_ms;
use crate::{Error, Store};

/// An idempotency key and where it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimKey<'a> {
    /// Where it counts: the caller and the route.
    pub scope: &'a str,
    /// The key, as it came.
    pub key: &'a str,
}

/// What became of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The key is the claimant's, who settles or releases it.
    Fresh,
    /// Someone else has it and is not done.
    InFlight,
    /// Someone else had it, and this is what came of it.
    Done(StoredResponse),
    /// Someone else has or had it, for another body.
    Mismatch,
}

/// A response that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredResponse {
    /// The HTTP status.
    pub status: u16,
    /// The type of the body.
    pub content_type: String,
    /// The body.
    pub body: Vec<u8>,
}

impl Store {
    /// Claims a key for the request with this body. Of any number of claims at once exactly one is fresh.
    ///
    /// # Cancel safety
    /// Where the future is dropped the claim may have been made; it then holds until it is released or the store is
    /// opened again.
    pub async fn claim(
        &self,
        key: ClaimKey<'_>,
        body_hash: &[u8; 32],
        now: Timestamp,
    ) -> Result<Claim, Error> {
        let mut transaction = self.begin().await?;
        let made = sqlx::query(
            "INSERT INTO claims (scope, key, body_hash, claimed_at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
        )
        .bind(key.scope)
        .bind(key.key)
        .bind(&body_hash[..])
        .bind(to_ms(now))
        .execute(&mut *transaction)
        .await?;
        if made.rows_affected() == 1 {
            transaction.commit().await?;
            return Ok(Claim::Fresh);
        }
        let row: Row = sqlx::query_as(
            "SELECT body_hash, status, content_type, body FROM claims WHERE scope = ?1 AND key = ?2",
        )
        .bind(key.scope)
        .bind(key.key)
        .fetch_one(&mut *transaction)
        .await?;
        transaction.rollback().await?;
        standing(row, body_hash)
    }

    /// Keeps the response to a claimed key. False where the key is not claimed or settled already.
    pub async fn settle_claim(
        &self,
        key: ClaimKey<'_>,
        response: &StoredResponse,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let done = sqlx::query(
            "UPDATE claims SET settled_at = ?3, status = ?4, content_type = ?5, body = ?6
             WHERE scope = ?1 AND key = ?2 AND settled_at IS NULL",
        )
        .bind(key.scope)
        .bind(key.key)
        .bind(to_ms(now))
        .bind(response.status)
        .bind(&response.content_type)
        .bind(&response.body)
        .execute(&self.writer)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Gives a claimed key back, for a request that ended without a response worth keeping. False where the key is not
    /// claimed or settled already.
    pub async fn release_claim(&self, key: ClaimKey<'_>) -> Result<bool, Error> {
        let done = sqlx::query("DELETE FROM claims WHERE scope = ?1 AND key = ?2 AND settled_at IS NULL")
            .bind(key.scope)
            .bind(key.key)
            .execute(&self.writer)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Forgets responses that were kept before `before`; says how many. Claims in flight stay.
    pub async fn purge_claims(&self, before: Timestamp) -> Result<u64, Error> {
        let done = sqlx::query("DELETE FROM claims WHERE settled_at < ?1")
            .bind(to_ms(before))
            .execute(&self.writer)
            .await?;
        Ok(done.rows_affected())
    }
}

type Row = (Vec<u8>, Option<u16>, Option<String>, Option<Vec<u8>>);

fn standing(row: Row, body_hash: &[u8; 32]) -> Result<Claim, Error> {
    let (claimed_hash, status, content_type, body) = row;
    if claimed_hash != body_hash {
        return Ok(Claim::Mismatch);
    }
    match (status, content_type, body) {
        (None, None, None) => Ok(Claim::InFlight),
        (Some(status), Some(content_type), Some(body)) => {
            Ok(Claim::Done(StoredResponse { status, content_type, body }))
        }
        _ => Err(Error::Unreadable("the response of a claim")),
    }
}

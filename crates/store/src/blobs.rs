//! Blobs: bytes by their content, given out under addresses that cannot be guessed.

use jiff::Timestamp;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::instant::to_ms;
use crate::{Error, Store};

/// Where bytes were put.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlobAddress {
    /// The SHA-256 of the bytes, as 64 hexadecimal digits; the same for the same bytes.
    pub sha256: String,
    /// The word that gives access, as 64 hexadecimal digits of 244 random bits; another one each time.
    pub token: String,
}

/// Bytes and what they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    /// The SHA-256 of the bytes, as 64 hexadecimal digits.
    pub sha256: String,
    /// What the bytes are.
    pub media_type: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl Store {
    /// Keeps these bytes. [`Error::TooLarge`] where they are more than the settings allow.
    pub async fn put_blob(
        &self,
        bytes: &[u8],
        media_type: &str,
        now: Timestamp,
    ) -> Result<BlobAddress, Error> {
        if bytes.len() > self.blob_bytes_max {
            return Err(Error::TooLarge { bytes: bytes.len(), bytes_max: self.blob_bytes_max });
        }
        let address = BlobAddress { sha256: hex::encode(Sha256::digest(bytes)), token: token() };
        let mut transaction = self.begin().await?;
        sqlx::query("INSERT INTO blobs (sha256, bytes) VALUES (?1, ?2) ON CONFLICT DO NOTHING")
            .bind(&address.sha256)
            .bind(bytes)
            .execute(&mut *transaction)
            .await?;
        sqlx::query("INSERT INTO blob_links (token, sha256, media_type, created_at) VALUES (?1, ?2, ?3, ?4)")
            .bind(&address.token)
            .bind(&address.sha256)
            .bind(media_type)
            .bind(to_ms(now))
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(address)
    }

    /// The bytes that this token gives access to.
    pub async fn blob(&self, token: &str) -> Result<Option<Blob>, Error> {
        let row: Option<(String, String, Vec<u8>)> = sqlx::query_as(
            "SELECT sha256, media_type, bytes FROM blob_links JOIN blobs USING (sha256) WHERE token = ?1",
        )
        .bind(token)
        .fetch_optional(&self.readers)
        .await?;
        Ok(row.map(|(sha256, media_type, bytes)| Blob { sha256, media_type, bytes }))
    }

    /// Forgets addresses that were given out before `before`, and bytes that have none left; says how many addresses.
    pub async fn purge_blobs(&self, before: Timestamp) -> Result<u64, Error> {
        let mut transaction = self.begin().await?;
        let links = sqlx::query("DELETE FROM blob_links WHERE created_at < ?1")
            .bind(to_ms(before))
            .execute(&mut *transaction)
            .await?;
        sqlx::query("DELETE FROM blobs WHERE sha256 NOT IN (SELECT sha256 FROM blob_links)")
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(links.rows_affected())
    }
}

/// Two random UUIDs: their bits come from the operating system.
fn token() -> String {
    format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple())
}

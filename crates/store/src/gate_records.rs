//! What the gate decided on, kept for a while: so that a choice can be resumed and a decision made again.

use jiff::Timestamp;
use uuid::Uuid;

use crate::instant::to_ms;
use crate::{Error, Store};

impl Store {
    /// Keeps what the gate decided on in a request, as JSON, and lets go of all but the last `kept_max` records.
    pub async fn put_gate_record(
        &self,
        (caller, request_id): (&str, &str),
        body: &str,
        at: Timestamp,
        kept_max: u32,
    ) -> Result<(), Error> {
        let mut transaction = self.begin().await?;
        let made = sqlx::query(
            "INSERT INTO gate_records (caller, request_id, body, created_at) VALUES (?1, ?2, ?3, ?4)",
        )
        .bind(caller)
        .bind(request_id)
        .bind(body)
        .bind(to_ms(at))
        .execute(&mut *transaction)
        .await?;
        sqlx::query("DELETE FROM gate_records WHERE sequence <= ?1")
            .bind(made.last_insert_rowid() - i64::from(kept_max))
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// What the gate last decided on in this caller's request.
    pub async fn gate_record(&self, caller: &str, request_id: &str) -> Result<Option<String>, Error> {
        let body: Option<(String,)> = sqlx::query_as(
            "SELECT body FROM gate_records WHERE caller = ?1 AND request_id = ?2 ORDER BY sequence DESC LIMIT 1",
        )
        .bind(caller)
        .bind(request_id)
        .fetch_optional(&self.readers)
        .await?;
        Ok(body.map(|(body,)| body))
    }

    /// Everything that is kept of what the gate decided on, oldest first.
    pub async fn gate_records(&self) -> Result<Vec<String>, Error> {
        let bodies: Vec<(String,)> = sqlx::query_as("SELECT body FROM gate_records ORDER BY sequence")
            .fetch_all(&self.readers)
            .await?;
        Ok(bodies.into_iter().map(|(body,)| body).collect())
    }

    /// The secret of this name, 32 bytes: made by chance when it is first asked for, and kept from then on.
    pub async fn secret(&self, name: &str) -> Result<Vec<u8>, Error> {
        let fresh = [Uuid::new_v4().into_bytes(), Uuid::new_v4().into_bytes()].concat();
        let mut transaction = self.begin().await?;
        sqlx::query("INSERT INTO secrets (name, bytes) VALUES (?1, ?2) ON CONFLICT DO NOTHING")
            .bind(name)
            .bind(fresh)
            .execute(&mut *transaction)
            .await?;
        let (bytes,): (Vec<u8>,) = sqlx::query_as("SELECT bytes FROM secrets WHERE name = ?1")
            .bind(name)
            .fetch_one(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(bytes)
    }
}

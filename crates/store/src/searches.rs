//! Sessions of searches: who has been shown which chunks.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::instant::to_ms;
use crate::{Error, Store};

impl Store {
    /// Opens a session of searches. Those that are over are forgotten; so are the ones that end first where there are more
    /// than `open_max`.
    pub async fn open_search_session(
        &self,
        session_id: &str,
        caller: &str,
        (now, expires_at): (Timestamp, Timestamp),
        open_max: usize,
    ) -> Result<(), Error> {
        let mut transaction = self.begin().await?;
        sqlx::query("DELETE FROM search_sessions WHERE expires_at <= ?1")
            .bind(to_ms(now))
            .execute(&mut *transaction)
            .await?;
        sqlx::query("INSERT INTO search_sessions (session_id, caller, expires_at) VALUES (?1, ?2, ?3)")
            .bind(session_id)
            .bind(caller)
            .bind(to_ms(expires_at))
            .execute(&mut *transaction)
            .await?;
        sqlx::query(
            "DELETE FROM search_sessions WHERE session_id IN (SELECT session_id FROM search_sessions \
             WHERE session_id <> ?1 ORDER BY expires_at, session_id \
             LIMIT MAX(0, (SELECT COUNT(*) FROM search_sessions) - ?2))",
        )
        .bind(session_id)
        .bind(i64::try_from(open_max).unwrap_or(i64::MAX))
        .execute(&mut *transaction)
        .await?;
        Ok(transaction.commit().await?)
    }

    /// The numbers of the chunks that a caller's session has shown; none where the caller has no such session.
    pub async fn shown_chunks(
        &self,
        session_id: &str,
        caller: &str,
        now: Timestamp,
    ) -> Result<Option<BTreeSet<i64>>, Error> {
        let open: Option<i64> = sqlx::query_scalar(
            "SELECT 1 FROM search_sessions WHERE session_id = ?1 AND caller = ?2 AND expires_at > ?3",
        )
        .bind(session_id)
        .bind(caller)
        .bind(to_ms(now))
        .fetch_optional(&self.readers)
        .await?;
        if open.is_none() {
            return Ok(None);
        }
        let shown: Vec<i64> = sqlx::query_scalar(
            "SELECT chunk FROM shown_chunks JOIN chunks USING (chunk_id) WHERE session_id = ?1",
        )
        .bind(session_id)
        .fetch_all(&self.readers)
        .await?;
        Ok(Some(shown.into_iter().collect()))
    }

    /// Takes note of what a session showed, of `chunks_max` chunks at the most. Nothing where it is not there any more.
    pub async fn show_chunks(
        &self,
        session_id: &str,
        chunk_ids: &[&str],
        chunks_max: usize,
    ) -> Result<(), Error> {
        sqlx::query(
            "INSERT OR IGNORE INTO shown_chunks (session_id, chunk_id) \
             SELECT session_id, value FROM search_sessions, json_each(?2) WHERE session_id = ?1 \
             LIMIT MAX(0, ?3 - (SELECT COUNT(*) FROM shown_chunks WHERE session_id = ?1))",
        )
        .bind(session_id)
        .bind(serde_json::Value::from(chunk_ids).to_string())
        .bind(i64::try_from(chunks_max).unwrap_or(i64::MAX))
        .execute(&self.writer)
        .await?;
        Ok(())
    }
}

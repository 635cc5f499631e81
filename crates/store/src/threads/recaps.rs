//! What is kept of the beginning of a conversation, in short.

use super::ThreadKey;
use crate::{Error, Store};

/// The beginning of a thread in short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recap {
    /// The last answer that it tells of, by its message's id.
    pub through: String,
    /// It.
    pub text: String,
}

impl Store {
    /// What is kept of a thread's beginning, whether or not the answer that it goes to is still there.
    pub async fn recap(&self, key: ThreadKey<'_>) -> Result<Option<Recap>, Error> {
        let row: Option<(String, String)> =
            sqlx::query_as("SELECT through, text FROM recaps WHERE owner = ?1 AND thread_id = ?2")
                .bind(key.owner)
                .bind(key.thread)
                .fetch_optional(&self.readers)
                .await?;
        Ok(row.map(|(through, text)| Recap { through, text }))
    }

    /// Keeps it in the place of an earlier one. False where the thread is gone.
    pub async fn keep_recap(&self, key: ThreadKey<'_>, recap: &Recap) -> Result<bool, Error> {
        let done = sqlx::query(
            "INSERT INTO recaps (owner, thread_id, through, text)
             SELECT owner, thread_id, ?3, ?4 FROM threads WHERE owner = ?1 AND thread_id = ?2
             ON CONFLICT (owner, thread_id) DO UPDATE SET through = excluded.through, text = excluded.text",
        )
        .bind(key.owner)
        .bind(key.thread)
        .bind(&recap.through)
        .bind(&recap.text)
        .execute(&self.writer)
        .await?;
        Ok(done.rows_affected() == 1)
    }
}

//! Conversations: threads of messages, what each waits on, and how many messages were sent.

mod counts;
mod recaps;
mod turns;

use jiff::Timestamp;

use crate::instant::{from_ms, to_ms};
use crate::{Error, Store};

pub use counts::{Counted, MessageCount};
pub use recaps::Recap;
pub use turns::{NewTurn, NoTurn, ThreadLimits, TurnEnd};

/// A thread, by its owner and the id that the owner gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadKey<'a> {
    /// Whose it is: a name, never a key.
    pub owner: &'a str,
    /// Its id, unique within the owner.
    pub thread: &'a str,
}

/// A thread without its messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadSummary {
    /// Its id.
    pub thread_id: String,
    /// The beginning of its first question.
    pub title: String,
    /// The listings that may serve it, as it was begun: JSON.
    pub scope: String,
    /// When it was begun.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A message of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredMessage {
    /// Its id, unique within the thread.
    pub message_id: String,
    /// Whether the caller said it.
    pub is_user: bool,
    /// How it stands.
    pub state: MessageState,
    /// The run that wrote it.
    pub run_id: Option<String>,
    /// What it is: JSON.
    pub body: String,
    /// When it was begun.
    pub created_at: Timestamp,
}

/// How a message stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageState {
    /// It is whole.
    Done,
    /// A run works on it.
    Running,
    /// Its run broke.
    Failed,
    /// Its run was stopped.
    Stopped,
    /// The process that worked on it is gone.
    BrokenOff,
}

/// What was thought of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredVote {
    /// The message.
    pub message_id: String,
    /// Whether it was liked.
    pub is_up: bool,
}

/// A question back that waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clarification {
    /// Its id.
    pub clarification_id: String,
    /// What it asks, and what its options are picked with: JSON.
    pub body: String,
    /// When its options can no longer be taken.
    pub expires_at: Timestamp,
}

/// From where a list of threads goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cursor<'a> {
    /// From the newest.
    Newest,
    /// Those that are newer than this one, the nearest to it.
    NewerThan(&'a str),
    /// Those that are older than this one.
    OlderThan(&'a str),
}

/// Some of an owner's threads, newest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The threads.
    pub threads: Vec<ThreadSummary>,
    /// Whether there are more beyond them.
    pub has_more: bool,
}

type ThreadRow = (String, String, String, i64, i64);
type MessageRow = (String, String, String, Option<String>, String, i64, i64);

const THREAD_COLUMNS: &str = "thread_id, title, scope, created_at, updated_at";

impl Store {
    /// The thread with this key.
    pub async fn thread(&self, key: ThreadKey<'_>) -> Result<Option<ThreadSummary>, Error> {
        let row: Option<ThreadRow> = sqlx::query_as(
            "SELECT thread_id, title, scope, created_at, updated_at FROM threads WHERE owner = ?1 AND thread_id = ?2",
        )
        .bind(key.owner)
        .bind(key.thread)
        .fetch_optional(&self.readers)
        .await?;
        row.map(summary).transpose()
    }

    /// Some of an owner's threads. None where the cursor's thread is not there.
    pub async fn threads(&self, owner: &str, cursor: Cursor<'_>, limit: u32) -> Result<Option<Page>, Error> {
        let (from, condition, order) = match cursor {
            Cursor::Newest => (None, "", "DESC"),
            Cursor::OlderThan(id) => (Some(id), "AND (created_at, thread_id) < (?2, ?3)", "DESC"),
            Cursor::NewerThan(id) => (Some(id), "AND (created_at, thread_id) > (?2, ?3)", "ASC"),
        };
        let (at, id) = match from {
            None => (0, ""),
            Some(id) => match self.thread(ThreadKey { owner, thread: id }).await? {
                Some(found) => (to_ms(found.created_at), id),
                None => return Ok(None),
            },
        };
        let text = format!(
            "SELECT {THREAD_COLUMNS} FROM threads WHERE owner = ?1 {condition}
             ORDER BY created_at {order}, thread_id {order} LIMIT ?4"
        );
        let rows: Vec<ThreadRow> = sqlx::query_as(sqlx::AssertSqlSafe(text))
            .bind(owner)
            .bind(at)
            .bind(id)
            .bind(i64::from(limit) + 1)
            .fetch_all(&self.readers)
            .await?;
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let has_more = rows.len() > limit;
        let mut threads = rows.into_iter().take(limit).map(summary).collect::<Result<Vec<_>, _>>()?;
        if matches!(cursor, Cursor::NewerThan(_)) {
            threads.reverse();
        }
        Ok(Some(Page { threads, has_more }))
    }

    /// The messages of a thread, oldest first.
    pub async fn messages(&self, key: ThreadKey<'_>) -> Result<Vec<StoredMessage>, Error> {
        let rows: Vec<MessageRow> = sqlx::query_as(
            "SELECT message_id, role, state, run_id, body, life, created_at FROM messages
             WHERE owner = ?1 AND thread_id = ?2 ORDER BY place",
        )
        .bind(key.owner)
        .bind(key.thread)
        .fetch_all(&self.readers)
        .await?;
        let message = |(message_id, role, state, run_id, body, life, created_at): (
            String,
            String,
            String,
            _,
            _,
            i64,
            _,
        )| {
            Ok(StoredMessage {
                message_id,
                is_user: role == "user",
                state: match state.as_str() {
                    "done" => MessageState::Done,
                    "running" if life < self.life => MessageState::BrokenOff,
                    "running" => MessageState::Running,
                    "failed" => MessageState::Failed,
                    "stopped" => MessageState::Stopped,
                    _ => return Err(Error::Unreadable("the state of a message")),
                },
                run_id,
                body,
                created_at: from_ms(created_at)?,
            })
        };
        rows.into_iter().map(message).collect()
    }

    /// Forgets a thread with all that belongs to it. False where it is not there.
    pub async fn delete_thread(&self, key: ThreadKey<'_>) -> Result<bool, Error> {
        let done = sqlx::query("DELETE FROM threads WHERE owner = ?1 AND thread_id = ?2")
            .bind(key.owner)
            .bind(key.thread)
            .execute(&self.writer)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Forgets every thread of an owner; says how many.
    pub async fn delete_threads(&self, owner: &str) -> Result<u64, Error> {
        let done =
            sqlx::query("DELETE FROM threads WHERE owner = ?1").bind(owner).execute(&self.writer).await?;
        Ok(done.rows_affected())
    }

    /// Forgets threads that last changed before `before`, and counts as old; says how many threads.
    pub async fn purge_threads(&self, before: Timestamp) -> Result<u64, Error> {
        let before = to_ms(before);
        sqlx::query("DELETE FROM message_counts WHERE updated_at < ?1")
            .bind(before)
            .execute(&self.writer)
            .await?;
        let done = sqlx::query("DELETE FROM threads WHERE updated_at < ?1")
            .bind(before)
            .execute(&self.writer)
            .await?;
        Ok(done.rows_affected())
    }

    /// Keeps what is thought of an assistant's message; a later word replaces an earlier one. False where there is no such
    /// message.
    pub async fn vote(&self, key: ThreadKey<'_>, vote: &StoredVote) -> Result<bool, Error> {
        let done = sqlx::query(
            "INSERT INTO votes (owner, thread_id, message_id, is_up)
             SELECT owner, thread_id, message_id, ?4 FROM messages
             WHERE owner = ?1 AND thread_id = ?2 AND message_id = ?3 AND role = 'assistant'
             ON CONFLICT (owner, thread_id, message_id) DO UPDATE SET is_up = excluded.is_up",
        )
        .bind(key.owner)
        .bind(key.thread)
        .bind(&vote.message_id)
        .bind(vote.is_up)
        .execute(&self.writer)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// What was thought of a thread's messages.
    pub async fn votes(&self, key: ThreadKey<'_>) -> Result<Vec<StoredVote>, Error> {
        let rows: Vec<(String, bool)> = sqlx::query_as(
            "SELECT message_id, is_up FROM votes WHERE owner = ?1 AND thread_id = ?2 ORDER BY message_id",
        )
        .bind(key.owner)
        .bind(key.thread)
        .fetch_all(&self.readers)
        .await?;
        Ok(rows.into_iter().map(|(message_id, is_up)| StoredVote { message_id, is_up }).collect())
    }

    /// The question back that a thread waits on, expired or not.
    pub async fn clarification(&self, key: ThreadKey<'_>) -> Result<Option<Clarification>, Error> {
        let row: Option<(String, String, i64)> = sqlx::query_as(
            "SELECT clarification_id, body, expires_at FROM clarifications WHERE owner = ?1 AND thread_id = ?2",
        )
        .bind(key.owner)
        .bind(key.thread)
        .fetch_optional(&self.readers)
        .await?;
        let read = |(clarification_id, body, expires_at)| {
            Ok(Clarification { clarification_id, body, expires_at: from_ms(expires_at)? })
        };
        row.map(read).transpose()
    }
}

fn summary((thread_id, title, scope, created_at, updated_at): ThreadRow) -> Result<ThreadSummary, Error> {
    Ok(ThreadSummary {
        thread_id,
        title,
        scope,
        created_at: from_ms(created_at)?,
        updated_at: from_ms(updated_at)?,
    })
}

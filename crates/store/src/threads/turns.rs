//! Turns: what is said and what is answered, begun in one step and ended in one.

use jiff::Timestamp;
use sqlx::{Sqlite, Transaction};

use super::{Clarification, MessageState, ThreadKey};
use crate::instant::to_ms;
use crate::{Error, Store};

/// A turn that begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTurn<'a> {
    /// The thread, begun where it is not there.
    pub key: ThreadKey<'a>,
    /// The title of a thread that is begun.
    pub title: &'a str,
    /// The scope of a thread that is begun: JSON.
    pub scope: &'a str,
    /// What the caller says: the message's id and its JSON. Where the thread has the id, what stands from there on is
    /// replaced. Nothing where the last question is answered again.
    pub said: Option<(&'a str, &'a str)>,
    /// The answer's message id, and its JSON as far as it is known.
    pub answer: (&'a str, &'a str),
    /// The run that writes it.
    pub run_id: &'a str,
    /// When.
    pub now: Timestamp,
}

/// How much an owner may keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadLimits {
    /// Threads.
    pub threads_max: u64,
    /// Messages of one thread.
    pub messages_max: u64,
}

/// Why a turn does not begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoTurn {
    /// A run works on the thread.
    Busy,
    /// The owner has as many threads as it may.
    TooManyThreads,
    /// The thread has as many messages as it may.
    TooManyMessages,
    /// There is no question to answer again.
    NothingSaid,
}

/// How a turn ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnEnd<'a> {
    /// The thread.
    pub key: ThreadKey<'a>,
    /// The answer's message id.
    pub message_id: &'a str,
    /// How it stands.
    pub state: MessageState,
    /// What it is: JSON.
    pub body: &'a str,
    /// What the thread waits on from now on.
    pub clarification: Option<&'a Clarification>,
    /// When.
    pub now: Timestamp,
}

impl Store {
    /// Begins a turn: keeps what is said, makes room for the answer, and lets go of what the thread waited on.
    pub async fn begin_turn(
        &self,
        turn: &NewTurn<'_>,
        limits: ThreadLimits,
    ) -> Result<Result<(), NoTurn>, Error> {
        let mut work = self.begin().await?;
        let begun = match self.begin_within(&mut work, turn, limits).await? {
            Ok(()) => {
                work.commit().await?;
                Ok(())
            }
            Err(refused) => {
                work.rollback().await?;
                Err(refused)
            }
        };
        Ok(begun)
    }

    async fn begin_within(
        &self,
        work: &mut Transaction<'static, Sqlite>,
        turn: &NewTurn<'_>,
        limits: ThreadLimits,
    ) -> Result<Result<(), NoTurn>, Error> {
        let key = turn.key;
        if is_busy(work, key, self.life).await? {
            return Ok(Err(NoTurn::Busy));
        }
        if !touch(work, turn).await? {
            if turn.said.is_none() {
                return Ok(Err(NoTurn::NothingSaid));
            }
            if over(threads(work, key.owner).await?, limits.threads_max) {
                return Ok(Err(NoTurn::TooManyThreads));
            }
            insert_thread(work, turn).await?;
        }
        match turn.said {
            Some((id, body)) => {
                cut_from(work, key, id).await?;
                self.insert(work, turn, ("user", id, body)).await?;
            }
            None => {
                if !cut_after_last_question(work, key).await? {
                    return Ok(Err(NoTurn::NothingSaid));
                }
            }
        }
        let (id, body) = turn.answer;
        self.insert(work, turn, ("assistant", id, body)).await?;
        if count(work, key).await? > i64::try_from(limits.messages_max).unwrap_or(i64::MAX) {
            return Ok(Err(NoTurn::TooManyMessages));
        }
        sqlx::query("DELETE FROM clarifications WHERE owner = ?1 AND thread_id = ?2")
            .bind(key.owner)
            .bind(key.thread)
            .execute(&mut **work)
            .await?;
        Ok(Ok(()))
    }

    async fn insert(
        &self,
        work: &mut Transaction<'static, Sqlite>,
        turn: &NewTurn<'_>,
        (role, id, body): (&str, &str, &str),
    ) -> Result<(), Error> {
        let is_user = role == "user";
        sqlx::query(
            "INSERT INTO messages (owner, thread_id, place, message_id, role, state, run_id, body, life, created_at)
             SELECT ?1, ?2, COALESCE(MAX(place), 0) + 1, ?3, ?4, ?5, ?6, ?7, ?8, ?9
             FROM messages WHERE owner = ?1 AND thread_id = ?2",
        )
        .bind(turn.key.owner)
        .bind(turn.key.thread)
        .bind(id)
        .bind(role)
        .bind(if is_user { "done" } else { "running" })
        .bind((!is_user).then_some(turn.run_id))
        .bind(body)
        .bind(self.life)
        .bind(to_ms(turn.now))
        .execute(&mut **work)
        .await?;
        Ok(())
    }

    /// Ends a turn. False where it has ended already, or its thread is gone.
    pub async fn end_turn(&self, end: &TurnEnd<'_>) -> Result<bool, Error> {
        let mut work = self.begin().await?;
        let state = match end.state {
            MessageState::Done | MessageState::Running => "done",
            MessageState::Failed | MessageState::BrokenOff => "failed",
            MessageState::Stopped => "stopped",
        };
        let done = sqlx::query(
            "UPDATE messages SET state = ?4, body = ?5
             WHERE owner = ?1 AND thread_id = ?2 AND message_id = ?3 AND state = 'running'",
        )
        .bind(end.key.owner)
        .bind(end.key.thread)
        .bind(end.message_id)
        .bind(state)
        .bind(end.body)
        .execute(&mut *work)
        .await?;
        let is_ended = done.rows_affected() == 1;
        if let (true, Some(clarification)) = (is_ended, end.clarification) {
            sqlx::query(
                "INSERT OR REPLACE INTO clarifications (owner, thread_id, clarification_id, body, expires_at)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
            )
            .bind(end.key.owner)
            .bind(end.key.thread)
            .bind(&clarification.clarification_id)
            .bind(&clarification.body)
            .bind(to_ms(clarification.expires_at))
            .execute(&mut *work)
            .await?;
        }
        sqlx::query("UPDATE threads SET updated_at = ?3 WHERE owner = ?1 AND thread_id = ?2")
            .bind(end.key.owner)
            .bind(end.key.thread)
            .bind(to_ms(end.now))
            .execute(&mut *work)
            .await?;
        work.commit().await?;
        Ok(is_ended)
    }
}

async fn is_busy(
    work: &mut Transaction<'static, Sqlite>,
    key: ThreadKey<'_>,
    life: i64,
) -> Result<bool, Error> {
    let busy: Option<i64> = sqlx::query_scalar(
        "SELECT 1 FROM messages WHERE owner = ?1 AND thread_id = ?2 AND state = 'running' AND life = ?3 LIMIT 1",
    )
    .bind(key.owner)
    .bind(key.thread)
    .bind(life)
    .fetch_optional(&mut **work)
    .await?;
    Ok(busy.is_some())
}

/// Notes that a thread changed. False where it is not there.
async fn touch(work: &mut Transaction<'static, Sqlite>, turn: &NewTurn<'_>) -> Result<bool, Error> {
    let done = sqlx::query("UPDATE threads SET updated_at = ?3 WHERE owner = ?1 AND thread_id = ?2")
        .bind(turn.key.owner)
        .bind(turn.key.thread)
        .bind(to_ms(turn.now))
        .execute(&mut **work)
        .await?;
    Ok(done.rows_affected() == 1)
}

async fn threads(work: &mut Transaction<'static, Sqlite>, owner: &str) -> Result<i64, Error> {
    let count = sqlx::query_scalar("SELECT COUNT(*) FROM threads WHERE owner = ?1").bind(owner);
    Ok(count.fetch_one(&mut **work).await?)
}

fn over(count: i64, max: u64) -> bool {
    count >= i64::try_from(max).unwrap_or(i64::MAX)
}

async fn insert_thread(work: &mut Transaction<'static, Sqlite>, turn: &NewTurn<'_>) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO threads (owner, thread_id, title, scope, created_at, updated_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?5)",
    )
    .bind(turn.key.owner)
    .bind(turn.key.thread)
    .bind(turn.title)
    .bind(turn.scope)
    .bind(to_ms(turn.now))
    .execute(&mut **work)
    .await?;
    Ok(())
}

async fn cut_from(
    work: &mut Transaction<'static, Sqlite>,
    key: ThreadKey<'_>,
    message_id: &str,
) -> Result<(), Error> {
    sqlx::query(
        "DELETE FROM messages WHERE owner = ?1 AND thread_id = ?2 AND place >=
             (SELECT place FROM messages WHERE owner = ?1 AND thread_id = ?2 AND message_id = ?3)",
    )
    .bind(key.owner)
    .bind(key.thread)
    .bind(message_id)
    .execute(&mut **work)
    .await?;
    Ok(())
}

/// Forgets what stands after the last question. False where nothing was asked.
async fn cut_after_last_question(
    work: &mut Transaction<'static, Sqlite>,
    key: ThreadKey<'_>,
) -> Result<bool, Error> {
    let last: Option<i64> = sqlx::query_scalar(
        "SELECT MAX(place) FROM messages WHERE owner = ?1 AND thread_id = ?2 AND role = 'user'",
    )
    .bind(key.owner)
    .bind(key.thread)
    .fetch_one(&mut **work)
    .await?;
    let Some(last) = last else { return Ok(false) };
    sqlx::query("DELETE FROM messages WHERE owner = ?1 AND thread_id = ?2 AND place > ?3")
        .bind(key.owner)
        .bind(key.thread)
        .bind(last)
        .execute(&mut **work)
        .await?;
    Ok(true)
}

async fn count(work: &mut Transaction<'static, Sqlite>, key: ThreadKey<'_>) -> Result<i64, Error> {
    let count = sqlx::query_scalar("SELECT COUNT(*) FROM messages WHERE owner = ?1 AND thread_id = ?2");
    Ok(count.bind(key.owner).bind(key.thread).fetch_one(&mut **work).await?)
}

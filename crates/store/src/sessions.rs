//! Sessions: the attempts at a question and how they descend from each other.

use jiff::Timestamp;

use crate::instant::{from_ms, to_ms};
use crate::{Error, Store};

/// One attempt at a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Its session.
    pub session_id: String,
    /// The attempt; unique within the session.
    pub attempt_id: String,
    /// Who asked: a name for the key, never the key.
    pub caller: String,
    /// What it is to its session.
    pub mode: AttemptMode,
    /// The first attempt of its line; the attempt itself where it is the first.
    pub root_attempt_id: String,
    /// How it stands.
    pub status: AttemptStatus,
    /// The stage that it got to.
    pub stage: String,
    /// The question.
    pub query: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// What an attempt is to its session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttemptMode {
    /// Its first.
    Initial,
    /// It goes on with the attempt of this id.
    Resume(String),
    /// It starts a new line from the attempt of this id.
    Fork(String),
}

impl AttemptMode {
    fn word(&self) -> &'static str {
        match self {
            Self::Initial => "initial",
            Self::Resume(_) => "resume",
            Self::Fork(_) => "fork",
        }
    }

    /// The attempt that it comes from.
    #[must_use]
    pub fn parent(&self) -> Option<&str> {
        match self {
            Self::Initial => None,
            Self::Resume(parent) | Self::Fork(parent) => Some(parent),
        }
    }
}

/// How an attempt stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptStatus {
    /// It runs, or waits for the caller.
    Active,
    /// It has an answer.
    Completed,
    /// It broke.
    Failed,
    /// It was given up.
    Aborted,
}

impl AttemptStatus {
    fn word(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Aborted => "aborted",
        }
    }

    fn read(word: &str) -> Result<Self, Error> {
        match word {
            "active" => Ok(Self::Active),
            "completed" => Ok(Self::Completed),
            "failed" => Ok(Self::Failed),
            "aborted" => Ok(Self::Aborted),
            _ => Err(Error::Unreadable("the status of an attempt")),
        }
    }
}

impl Store {
    /// Records an attempt. [`Error::Exists`] where the session has one of its id.
    pub async fn insert_attempt(&self, attempt: &Attempt) -> Result<(), Error> {
        sqlx::query(
            "INSERT INTO attempts (session_id, attempt_id, caller, parent_attempt_id, root_attempt_id, mode, status,
                                   stage, query, created_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )
        .bind(&attempt.session_id)
        .bind(&attempt.attempt_id)
        .bind(&attempt.caller)
        .bind(attempt.mode.parent())
        .bind(&attempt.root_attempt_id)
        .bind(attempt.mode.word())
        .bind(attempt.status.word())
        .bind(&attempt.stage)
        .bind(&attempt.query)
        .bind(to_ms(attempt.created_at))
        .bind(to_ms(attempt.updated_at))
        .execute(&self.writer)
        .await?;
        Ok(())
    }

    /// Says how an attempt stands now. False where it is not there.
    pub async fn update_attempt(
        &self,
        session_id: &str,
        attempt_id: &str,
        status: AttemptStatus,
        stage: &str,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let done = sqlx::query(
            "UPDATE attempts SET status = ?3, stage = ?4, updated_at = ?5 WHERE session_id = ?1 AND attempt_id = ?2",
        )
        .bind(session_id)
        .bind(attempt_id)
        .bind(status.word())
        .bind(stage)
        .bind(to_ms(now))
        .execute(&self.writer)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// The attempt with these ids.
    pub async fn attempt(&self, session_id: &str, attempt_id: &str) -> Result<Option<Attempt>, Error> {
        let row: Option<Row> = sqlx::query_as(
            "SELECT caller, parent_attempt_id, root_attempt_id, mode, status, stage, query, created_at, updated_at
             FROM attempts WHERE session_id = ?1 AND attempt_id = ?2",
        )
        .bind(session_id)
        .bind(attempt_id)
        .fetch_optional(&self.readers)
        .await?;
        let Some((caller, parent, root_attempt_id, mode, status, stage, query, created_at, updated_at)) = row
        else {
            return Ok(None);
        };
        let mode = match (mode.as_str(), parent) {
            ("initial", None) => AttemptMode::Initial,
            ("resume", Some(parent)) => AttemptMode::Resume(parent),
            ("fork", Some(parent)) => AttemptMode::Fork(parent),
            _ => return Err(Error::Unreadable("the mode of an attempt")),
        };
        Ok(Some(Attempt {
            session_id: session_id.to_owned(),
            attempt_id: attempt_id.to_owned(),
            caller,
            mode,
            root_attempt_id,
            status: AttemptStatus::read(&status)?,
            stage,
            query,
            created_at: from_ms(created_at)?,
            updated_at: from_ms(updated_at)?,
        }))
    }

    /// Forgets attempts that last changed before `before`; says how many.
    pub async fn purge_attempts(&self, before: Timestamp) -> Result<u64, Error> {
        let done = sqlx::query("DELETE FROM attempts WHERE updated_at < ?1")
            .bind(to_ms(before))
            .execute(&self.writer)
            .await?;
        Ok(done.rows_affected())
    }
}

type Row = (String, Option<String>, String, String, String, String, String, i64, i64);

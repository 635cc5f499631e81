//! Jobs: queued, running, then completed or failed, once.

use domain::RequestId;
use jiff::Timestamp;

use crate::instant::{from_ms, to_ms};
use crate::{Error, Store};

/// A job that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewJob {
    /// Its id.
    pub job_id: String,
    /// The request that it serves.
    pub request_id: RequestId,
    /// Who asks: a name for the key, never the key.
    pub caller: String,
    /// The request's body, as it came.
    pub body: Vec<u8>,
    /// When it is asked for.
    pub created_at: Timestamp,
}

/// A job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its id.
    pub job_id: String,
    /// The request that it serves.
    pub request_id: RequestId,
    /// Who asked.
    pub caller: String,
    /// The request's body, as it came.
    pub body: Vec<u8>,
    /// How it stands.
    pub state: JobState,
    /// How far it is, in words.
    pub progress: Option<String>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it last changed; for a job that has ended, when it did.
    pub updated_at: Timestamp,
}

/// How a job stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobState {
    /// It waits for its turn.
    Queued,
    /// It runs.
    Running,
    /// It has a result: JSON text.
    Completed(String),
    /// It has none, for this reason.
    Failed(String),
}

impl Store {
    /// Queues a job. [`Error::Exists`] where its id is taken.
    pub async fn queue_job(&self, job: &NewJob) -> Result<(), Error> {
        let created_at = to_ms(job.created_at);
        sqlx::query(
            "INSERT INTO jobs (job_id, request_id, caller, body, status, created_at, updated_at, life)
             VALUES (?1, ?2, ?3, ?4, 'queued', ?5, ?5, ?6)",
        )
        .bind(&job.job_id)
        .bind(job.request_id.as_str())
        .bind(&job.caller)
        .bind(&job.body)
        .bind(created_at)
        .bind(self.life)
        .execute(&self.writer)
        .await?;
        Ok(())
    }

    /// Marks a queued job as running, by this process. False where there is no such job or it is not queued.
    pub async fn start_job(&self, job_id: &str, now: Timestamp) -> Result<bool, Error> {
        let done = sqlx::query(
            "UPDATE jobs SET status = 'running', updated_at = ?2, life = ?3 WHERE job_id = ?1 AND status = 'queued'",
        )
        .bind(job_id)
        .bind(to_ms(now))
        .bind(self.life)
        .execute(&self.writer)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Says how far a job is. False where it has ended or is not there.
    pub async fn note_progress(&self, job_id: &str, progress: &str, now: Timestamp) -> Result<bool, Error> {
        let done = sqlx::query(
            "UPDATE jobs SET progress = ?2, updated_at = ?3 WHERE job_id = ?1 AND status IN ('queued', 'running')",
        )
        .bind(job_id)
        .bind(progress)
        .bind(to_ms(now))
        .execute(&self.writer)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Ends a job with a result, JSON text. False where it has ended already or is not there.
    pub async fn complete_job(&self, job_id: &str, result: &str, now: Timestamp) -> Result<bool, Error> {
        self.end_job(job_id, "completed", result, now).await
    }

    /// Ends a job without a result. False where it has ended already or is not there.
    pub async fn fail_job(&self, job_id: &str, reason: &str, now: Timestamp) -> Result<bool, Error> {
        self.end_job(job_id, "failed", reason, now).await
    }

    async fn end_job(&self, job_id: &str, status: &str, ending: &str, now: Timestamp) -> Result<bool, Error> {
        let done = sqlx::query(
            "UPDATE jobs SET status = ?2, ending = ?3, updated_at = ?4
             WHERE job_id = ?1 AND status IN ('queued', 'running')",
        )
        .bind(job_id)
        .bind(status)
        .bind(ending)
        .bind(to_ms(now))
        .execute(&self.writer)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// The job with this id.
    pub async fn job(&self, job_id: &str) -> Result<Option<Job>, Error> {
        let row: Option<Row> = sqlx::query_as(
            "SELECT job_id, request_id, caller, body, status, progress, ending, created_at, updated_at
             FROM jobs WHERE job_id = ?1",
        )
        .bind(job_id)
        .fetch_optional(&self.readers)
        .await?;
        row.map(job).transpose()
    }

    /// The jobs that a process which is gone left queued or running, oldest first.
    pub async fn interrupted_jobs(&self) -> Result<Vec<Job>, Error> {
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT job_id, request_id, caller, body, status, progress, ending, created_at, updated_at
             FROM jobs WHERE status IN ('queued', 'running') AND life < ?1 ORDER BY created_at, job_id",
        )
        .bind(self.life)
        .fetch_all(&self.readers)
        .await?;
        rows.into_iter().map(job).collect()
    }

    /// Queues an interrupted job again, for this process. False where it is not interrupted.
    pub async fn requeue_interrupted_job(&self, job_id: &str, now: Timestamp) -> Result<bool, Error> {
        let done = sqlx::query(
            "UPDATE jobs SET status = 'queued', progress = NULL, updated_at = ?2, life = ?3
             WHERE job_id = ?1 AND status IN ('queued', 'running') AND life < ?3",
        )
        .bind(job_id)
        .bind(to_ms(now))
        .bind(self.life)
        .execute(&self.writer)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Fails every job that is still interrupted, with this reason; says how many.
    pub async fn fail_interrupted_jobs(&self, reason: &str, now: Timestamp) -> Result<u64, Error> {
        let done = sqlx::query(
            "UPDATE jobs SET status = 'failed', ending = ?1, updated_at = ?2
             WHERE status IN ('queued', 'running') AND life < ?3",
        )
        .bind(reason)
        .bind(to_ms(now))
        .bind(self.life)
        .execute(&self.writer)
        .await?;
        Ok(done.rows_affected())
    }

    /// Forgets jobs that ended before `before`; says how many.
    pub async fn purge_jobs(&self, before: Timestamp) -> Result<u64, Error> {
        let done =
            sqlx::query("DELETE FROM jobs WHERE status IN ('completed', 'failed') AND updated_at < ?1")
                .bind(to_ms(before))
                .execute(&self.writer)
                .await?;
        Ok(done.rows_affected())
    }
}

type Row = (String, String, String, Vec<u8>, String, Option<String>, Option<String>, i64, i64);

fn job(row: Row) -> Result<Job, Error> {
    let (job_id, request_id, caller, body, status, progress, ending, created_at, updated_at) = row;
    let state = match (status.as_str(), ending) {
        ("queued", None) => JobState::Queued,
        ("running", None) => JobState::Running,
        ("completed", Some(result)) => JobState::Completed(result),
        ("failed", Some(reason)) => JobState::Failed(reason),
        _ => return Err(Error::Unreadable("the status of a job")),
    };
    Ok(Job {
        job_id,
        request_id: RequestId::new(request_id),
        caller,
        body,
        state,
        progress,
        created_at: from_ms(created_at)?,
        updated_at: from_ms(updated_at)?,
    })
}

//! Jobs: queries that are asked for now and fetched later.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::result::QueryResult;
use crate::session::QuerySession;

/// The reply of `POST /api/v1/query/jobs`, with status 202.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobStarted {
    /// How it stands.
    pub status: JobStatus,
    /// Its id.
    pub job_id: String,
    /// The tool that fetches it, for callers that came over MCP.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub polling_tool: Option<String>,
    /// What to do next, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// How far it is, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<String>,
    /// Where the run stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query_session: Option<QuerySession>,
    /// When it was asked for, in ISO 8601.
    pub created_at: String,
    /// When it last changed, in ISO 8601.
    pub updated_at: String,
}

/// The reply of `GET /api/v1/query/jobs/{jobId}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobState {
    /// How it stands.
    pub status: JobStatus,
    /// Its id.
    pub job_id: String,
    /// How far it is, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<String>,
    /// Where the run stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query_session: Option<QuerySession>,
    /// The result as it was stored; there exactly where the job is completed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<QueryResult>)]
    pub result: Option<Value>,
    /// Why it failed; there exactly where the job is failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// When it was asked for, in ISO 8601.
    pub created_at: String,
    /// When it last changed, in ISO 8601.
    pub updated_at: String,
    /// When it ended, in ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<String>,
}

/// How a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum JobStatus {
    /// It waits for its turn.
    Queued,
    /// It runs.
    Running,
    /// It has a result.
    Completed,
    /// It has none.
    Failed,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_job_has_no_result() {
        let state = JobState {
            status: JobStatus::Failed,
            job_id: "j".to_owned(),
            progress: None,
            query_session: None,
            result: None,
            error: Some("the server stopped".to_owned()),
            created_at: "2026-03-29T00:00:00Z".to_owned(),
            updated_at: "2026-03-29T00:00:01Z".to_owned(),
            completed_at: Some("2026-03-29T00:00:01Z".to_owned()),
        };
        insta::assert_snapshot!(
            serde_json::to_string(&state).unwrap(),
            @r#"{"status":"failed","jobId":"j","error":"the server stopped","createdAt":"2026-03-29T00:00:00Z","updatedAt":"2026-03-29T00:00:01Z","completedAt":"2026-03-29T00:00:01Z"}"#
        );
    }
}

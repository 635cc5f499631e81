//! Recorded requests, for operators.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// The reply of `GET /api/v1/traces`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RecordedRequests {
    /// The caller's recorded requests, newest first.
    pub traces: Vec<RecordedRequest>,
}

/// A recorded request, in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordedRequest {
    /// Its recording's name.
    pub id: String,
    /// The request's identifier.
    pub request_id: String,
    /// The question.
    pub query: String,
    /// When it began, in ISO 8601.
    pub started_at: String,
    /// How it ended: `answer`, `clarification_required`, `capability_miss` or `failed`.
    pub outcome: String,
    /// The lane that it took.
    pub lane: String,
    /// Why the gate, or else the lane, decided as it did.
    pub reason_code: String,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// Calls that were made.
    pub calls: u64,
    /// Calls that gave no data.
    pub failed_calls: u64,
    /// Requests to models.
    pub model_requests: u64,
    /// Dollars for calls and models.
    pub cost_usd: String,
    /// The hash of the policies that it ran under.
    pub policy_hash: String,
    /// The hash of what was decided; the same for runs that decided the same.
    pub decisions_hash: String,
    /// Whether it can be replayed.
    pub can_be_replayed: bool,
}

/// The reply of `GET /api/v1/traces/{id}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Recording {
    /// The request, in short.
    pub request: RecordedRequest,
    /// What happened, in order.
    pub events: Vec<RecordedEvent>,
}

/// Something that happened to a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RecordedEvent {
    /// When, in ISO 8601.
    pub at: String,
    /// What, by its name.
    pub event: String,
    /// The particulars, by the event's name.
    pub told: Value,
}

//! The reply to a query: runs it, keeps what must be kept, and says it for the wire. Every surface comes through here.

use std::sync::Arc;

use contract::result::QueryResult;
use domain::{Include, Lineage, LineageKind, Query, RequestId, ResponseShape, ToolScope};
use engine::{Failure, Outcome, Settled};
use mcp::Catalog;
use policy::Policy;
use sha2::{Digest, Sha256};
use store::{Attempt, AttemptMode, AttemptStatus};
use tokio_util::sync::CancellationToken;
use trace::Listener;
use uuid::Uuid;

use crate::assembly::Assembly;
use crate::{choice, logs, to_wire};

/// What the caller asked for, kept beside the run that consumes the query.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) question: String,
    pub(crate) depth: domain::Depth,
    pub(crate) shape: ResponseShape,
    pub(crate) include: Include,
    pub(crate) is_pinned: bool,
}

/// What was kept of a run, by name.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// SHA-256 of the data, in hex, and its size in bytes.
    pub(crate) data: Option<(String, usize)>,
    /// The address of the data.
    pub(crate) data_url: Option<String>,
}

/// Where a run stands among its session's attempts.
#[derive(Debug)]
pub(crate) struct Lines {
    pub(crate) session: String,
    pub(crate) attempt: String,
    pub(crate) root: String,
    pub(crate) mode: AttemptMode,
}

/// Why there is no reply.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoReply {
    /// The attempt to continue is not known.
    #[error("no attempt of a session has these ids")]
    UnknownAttempt,
    /// The run failed.
    #[error(transparent)]
    Failed(#[from] Failure),
    /// The durable state failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

/// A request that may run.
#[derive(Debug)]
pub(crate) struct Admitted {
    /// Its identifier.
    pub(crate) request: RequestId,
    caller: String,
    query: Query,
    lines: Lines,
    policy: Arc<Policy>,
}

impl Admitted {
    /// The same under the narrower budgets of callers without a key.
    pub(crate) fn guarded(self, assembly: &Assembly) -> Self {
        Self { policy: Arc::clone(&assembly.conversations.guarded), ..self }
    }
}

/// Checks what can only be checked against what there is: the pinned listings and the attempt to continue. A query that
/// is refused here was never run. `caller` names who asks, never by a key.
pub(crate) async fn admit(
    assembly: &Assembly,
    request: RequestId,
    caller: String,
    query: Query,
) -> Result<Admitted, NoReply> {
    if let ToolScope::Pinned(ids) = &query.tools {
        let snapshot = assembly.catalog(&caller).await.snapshot();
        if let Some(unknown) = ids.iter().find(|id| snapshot.listing(**id).is_none()) {
            return Err(Failure::UnknownTool(*unknown).into());
        }
    }
    let lines = lines(assembly, &caller, query.lineage.as_ref()).await?;
    let choice = match query.choice {
        Some(said) => Some(choice::found(&assembly.store, &caller, said).await?),
        None => None,
    };
    let policy = Arc::clone(&assembly.policy);
    Ok(Admitted { request, caller, query: Query { choice, ..query }, lines, policy })
}

/// Runs a request to its reply. `cancel` stops the run, which settles all the same.
pub(crate) async fn to(
    assembly: &Assembly,
    admitted: Admitted,
    cancel: CancellationToken,
    listener: Option<Listener>,
) -> Result<QueryResult, NoReply> {
    let Admitted { request, caller, query, lines, policy } = admitted;
    let asked = Asked {
        question: query.text.clone(),
        depth: query.depth,
        shape: query.shape,
        include: query.include,
        is_pinned: matches!(query.tools, ToolScope::Pinned(_)),
    };
    let run = assembly.run((request, caller.clone()), &policy, cancel, listener);
    let settled = assembly.answer(query, &run, &policy).await;
    logs::decisions(&settled);
    choice::keep(&assembly.store, &caller, &settled, &assembly.policy).await?;
    let kept = keep(assembly, &asked, &settled).await?;
    assembly.store.insert_attempt(&attempt(&lines, &caller, &asked, &settled)).await?;
    Ok(to_wire::result::result(settled, &asked, &lines, &kept, assembly)?)
}

async fn lines(assembly: &Assembly, caller: &str, lineage: Option<&Lineage>) -> Result<Lines, NoReply> {
    let attempt = Uuid::new_v4().to_string();
    let Some(lineage) = lineage else {
        let session = Uuid::new_v4().to_string();
        return Ok(Lines { session, root: attempt.clone(), attempt, mode: AttemptMode::Initial });
    };
    let earlier = assembly.store.attempt(&lineage.session, &lineage.attempt).await?;
    let earlier = earlier.filter(|earlier| earlier.caller == caller).ok_or(NoReply::UnknownAttempt)?;
    let mode = match lineage.kind {
        LineageKind::Resume => AttemptMode::Resume(earlier.attempt_id),
        LineageKind::Fork => AttemptMode::Fork(earlier.attempt_id),
    };
    Ok(Lines { session: earlier.session_id, attempt, root: earlier.root_attempt_id, mode })
}

/// Stores the data where its address was asked for, or where it is too large to stand in the reply.
async fn keep(assembly: &Assembly, asked: &Asked, settled: &Settled) -> Result<Kept, NoReply> {
    let Ok(Outcome::Answer(answer) | Outcome::Evidence(answer)) = &settled.ending else {
        return Ok(Kept::default());
    };
    let bytes = answer.data.to_string().into_bytes();
    let is_too_large = asked.include.data && bytes.len() > assembly.policy.budgets.inline_data_bytes_max;
    let mut kept = Kept { data: Some((hex::encode(Sha256::digest(&bytes)), bytes.len())), data_url: None };
    if asked.include.data_url || is_too_large {
        let blob = assembly.store.put_blob(&bytes, "application/json", assembly.clock.now()).await?;
        kept.data_url = Some(assembly.data_url(&blob.token));
    }
    Ok(kept)
}

fn attempt(lines: &Lines, caller: &str, asked: &Asked, settled: &Settled) -> Attempt {
    Attempt {
        session_id: lines.session.clone(),
        attempt_id: lines.attempt.clone(),
        caller: caller.to_owned(),
        mode: lines.mode.clone(),
        root_attempt_id: lines.root.clone(),
        status: match &settled.ending {
            Ok(Outcome::Answer(_) | Outcome::Evidence(_)) => AttemptStatus::Completed,
            Ok(Outcome::Clarify(_)) => AttemptStatus::Active,
            Ok(Outcome::Miss(_)) => AttemptStatus::Aborted,
            Err(_) => AttemptStatus::Failed,
        },
        stage: to_wire::result::stage_reached(settled).to_owned(),
        query: asked.question.clone(),
        created_at: settled.started_at,
        updated_at: settled.started_at,
    }
}

//! The reply to a query: runs it, keeps what must be kept, and says it for the wire. Every surface comes through here.

use std::sync::Arc;

use contract::result::QueryResult;
use domain::{Include, Lineage, LineageKind, Query, RequestId, ResponseShape, ToolScope, Usd};
use engine::{Failure, Outcome, Run, Settled};
use mcp::Catalog;
use sha2::{Digest, Sha256};
use store::{Attempt, AttemptMode, AttemptStatus};
use tokio_util::sync::CancellationToken;
use trace::Listener;
use uuid::Uuid;

use crate::assembly::Assembly;
use crate::outside::Outside;
use crate::{choice, logs, to_wire};
use telemetry::Watch;

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
    /// The part of the address that gives access.
    pub(crate) data_token: Option<String>,
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
    pub(crate) caller: String,
    pub(crate) query: Query,
    pub(crate) lines: Lines,
    /// Whether it runs under the narrower budgets of callers without a key.
    pub(crate) is_guarded: bool,
    /// Dollars that were spent on models before it begins; they count as its own.
    pub(crate) spent_before: Usd,
}

impl Admitted {
    /// The same under the narrower budgets of callers without a key.
    pub(crate) fn guarded(self) -> Self {
        Self { is_guarded: true, ..self }
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
        Some(said) => Some(choice::found(&assembly.store, (&caller, &query.text), said).await?),
        None => None,
    };
    Ok(Admitted {
        request,
        caller,
        query: Query { choice, ..query },
        lines,
        is_guarded: false,
        spent_before: Usd::ZERO,
    })
}

/// Runs a request to its reply, recorded where requests are. `cancel` stops the run, which settles all the same.
pub(crate) async fn to(
    assembly: &Assembly,
    admitted: Admitted,
    cancel: CancellationToken,
    listener: Option<Listener>,
) -> Result<Arc<QueryResult>, NoReply> {
    let outside = Outside::of(assembly, &admitted, &cancel);
    over(assembly, admitted, (&outside, cancel), listener).await
}

/// Runs a request to its reply over this outside.
pub(crate) async fn over(
    assembly: &Assembly,
    admitted: Admitted,
    (outside, cancel): (&Outside, CancellationToken),
    listener: Option<Listener>,
) -> Result<Arc<QueryResult>, NoReply> {
    let Admitted { request, caller, query, lines, is_guarded, spent_before } = admitted;
    let policy = if is_guarded { &assembly.conversations.guarded } else { &assembly.policy };
    let asked = Asked {
        question: query.text.clone(),
        depth: query.depth,
        shape: query.shape,
        include: query.include,
        is_pinned: matches!(query.tools, ToolScope::Pinned(_)),
    };
    let mut ending = outside.ending(assembly, &caller, &query);
    let watch = Watch::of_request(
        assembly.telemetry(),
        &assembly.policy,
        (request.as_str(), &query.text),
        assembly.clock.now(),
    );
    let listener = heard_by(watch.clone(), listener);
    let clock = outside.clock(&assembly.clock);
    let run = Run::start(request, caller.clone(), clock, &policy.budgets, outside.gate(cancel), listener);
    run.charge(spent_before);
    let answer = assembly.answer(query, &run, policy, (outside, watch.as_deref()));
    let settled = outside.attend(Box::pin(answer)).await;
    logs::decisions(&settled);
    choice::keep(&assembly.store, &caller, &settled, &assembly.policy).await?;
    let kept = keep(assembly, &asked, &settled, outside).await?;
    assembly.store.insert_attempt(&attempt(&lines, &caller, &asked, &settled)).await?;
    if let Some(ending) = &mut ending {
        ending.note(&settled, &kept, assembly);
    }
    let reply = to_wire::result::result(settled, &asked, &lines, &kept, assembly).map(Arc::new);
    if let Some(ending) = ending {
        ending.keep(&reply, assembly);
    }
    Ok(reply?)
}

/// Who hears a request's events: what watches it, and whoever waits for it.
pub(crate) fn heard_by(watch: Option<Arc<Watch>>, listener: Option<Listener>) -> Option<Listener> {
    let Some(watch) = watch else { return listener };
    Some(Arc::new(move |stamped| {
        watch.hear(stamped);
        if let Some(listener) = &listener {
            listener(stamped);
        }
    }))
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
async fn keep(
    assembly: &Assembly,
    asked: &Asked,
    settled: &Settled,
    outside: &Outside,
) -> Result<Kept, NoReply> {
    let Ok(Outcome::Answer(answer) | Outcome::Evidence(answer)) = &settled.ending else {
        return Ok(Kept::default());
    };
    let bytes = answer.data.to_string().into_bytes();
    let is_too_large = asked.include.data && bytes.len() > assembly.policy.budgets.inline_data_bytes_max;
    let mut kept = Kept { data: Some((hex::encode(Sha256::digest(&bytes)), bytes.len())), ..Kept::default() };
    if asked.include.data_url || is_too_large {
        let blob = assembly.store.put_blob(&bytes, "application/json", assembly.clock.now()).await?;
        let token = outside.made("data_token", blob.token);
        kept.data_url = Some(assembly.data_url(&token));
        kept.data_token = Some(token);
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

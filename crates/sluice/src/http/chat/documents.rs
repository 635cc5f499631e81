//! A turn of a conversation about documents.

use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use contract::chat::Quota;
use domain::Usd;
use engine::Failure;
use store::MessageState;
use tokio::time::timeout;

use super::perform::{Telling, broken, lock};
use super::refusal::Refused;
use crate::desk::explore::{Explored, Inquiry, Purse, Seen};
use crate::desk::{DeskFault, Reader};
use crate::http::Api;
use crate::to_wire;
use crate::to_wire::chat::{self as telling, Moves, Told};

/// Refuses an inquiry about what is not there.
pub(super) async fn are_there(reader: &Reader<'_>, inquiry: &Inquiry) -> Result<(), Refused> {
    if let Some(id) = &inquiry.collection_id {
        reader.collection(id).await.map_err(Refused::desk)?;
    }
    if let Some(id) = &inquiry.document_id {
        reader.document(id).await.map_err(Refused::desk)?;
    }
    Ok(())
}

/// What is asked of an owner's documents.
pub(super) struct Asked<'a> {
    pub(super) owner: &'a str,
    pub(super) inquiry: &'a Inquiry,
    /// Whether it runs under the narrower budgets of callers without a key.
    pub(super) is_guarded: bool,
    /// Dollars that were spent on models before it began.
    pub(super) spent_before: Usd,
    /// Whether its trace is asked for.
    pub(super) wants_trace: bool,
}

/// Answers an inquiry of an owner's documents, told as it goes.
pub(super) async fn answer(
    api: &Api,
    Asked { owner, inquiry, is_guarded, spent_before, wants_trace }: Asked<'_>,
    telling: &Arc<Mutex<Telling>>,
    quota: Option<Quota>,
) -> (Told, MessageState) {
    let assembly = &api.assembly;
    let policy = if is_guarded { &assembly.conversations.guarded } else { &assembly.policy };
    let budgets = &policy.budgets;
    let purse =
        Purse { moves_max: budgets.calls_max, spend: budgets.spend_max().saturating_sub(spent_before) };
    let run = lock(telling).run();
    let moves = Mutex::new(Moves::default());
    let seen = |seen: Seen<'_>| {
        let mut moves = moves.lock().unwrap_or_else(PoisonError::into_inner);
        let mut telling = lock(telling);
        let mut chunks = moves.tell(&seen, assembly.clock.now());
        chunks.extend(telling::said(&seen, &mut telling.spoken));
        telling.tell(chunks);
    };
    let reader = assembly.desk.of(owner);
    // It may be given up by its caller, and by its deadline.
    let cancel = run.cancel.child_token();
    let mut explored = pin!(reader.explore(inquiry, purse, &seen, cancel.clone()));
    let in_time = timeout(Duration::from_millis(budgets.deadline_ms_max), &mut explored).await;
    let is_late = in_time.is_err();
    let explored = if let Ok(explored) = in_time {
        explored
    } else {
        cancel.cancel();
        explored.await
    };
    let broken_off = moves.lock().unwrap_or_else(PoisonError::into_inner).broken();
    lock(telling).tell(broken_off.into_iter().collect());
    match explored {
        Some(Ok(explored)) => {
            let explored = Explored { cost: explored.cost + spent_before, ..explored };
            let trace = wants_trace.then(|| {
                let moves = moves.lock().unwrap_or_else(PoisonError::into_inner);
                moves.trace(&inquiry.question)
            });
            let spoken = &mut lock(telling).spoken;
            let told = telling::from_documents(explored, &inquiry.question, spoken, (quota, trace));
            (told, MessageState::Done)
        }
        Some(Err(fault)) => {
            tracing::warn!(%fault, "documents could not be asked");
            broken(words(&fault))
        }
        None if is_late => broken(to_wire::failure::failure(&Failure::DeadlinePassed).1.error),
        None if api.stop.is_cancelled() => broken(api.shutting_down().to_string()),
        None => (telling::aborted(), MessageState::Stopped),
    }
}

/// What may be told of a fault. What is ours alone stays in the log.
fn words(fault: &DeskFault) -> String {
    match fault {
        DeskFault::Library(_) => "the library failed".to_owned(),
        DeskFault::Request(_)
        | DeskFault::NoDocument
        | DeskFault::NoCollection
        | DeskFault::NotEmpty
        | DeskFault::NoChunk
        | DeskFault::GivenUp
        | DeskFault::NotRecorded(_)
        | DeskFault::Unwritten { .. } => fault.to_string(),
    }
}

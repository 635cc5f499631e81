//! A turn of a conversation about documents.

use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use contract::chat::{Chunk, Quota};
use domain::Usd;
use engine::Failure;
use store::MessageState;
use tokio::time::timeout;

use super::perform::{Telling, broken, lock};
use super::refusal::Refused;
use crate::desk::Reader;
use crate::desk::explore::{AudienceWants, Inquiry, Purse};
use crate::http::Api;
use crate::to_wire;
use crate::to_wire::chat::{self as telling, Narration, Told};

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
    let leave = |chunks: Vec<Chunk>| lock(telling).tell(chunks);
    let wants =
        AudienceWants { quota, is_traced: wants_trace, spent_before_usd: spent_before.amount().to_string() };
    let kept = (api.policy().delta_chars_max, assembly.recorder().is_some());
    let narration = Narration::new(&inquiry.question, Some(wants), kept, &leave);
    let reader = assembly.desk.of(owner);
    // It may be given up by its caller, and by its deadline.
    let cancel = run.cancel.child_token();
    let mut explored = pin!(reader.explore(inquiry, purse, &narration, cancel.clone()));
    let in_time = timeout(Duration::from_millis(budgets.deadline_ms_max), &mut explored).await;
    let is_late = in_time.is_err();
    let explored = if let Ok(explored) = in_time {
        explored
    } else {
        cancel.cancel();
        explored.await
    };
    match (explored, narration.take_ending()) {
        (Some(Ok(_)), Some(told)) => (told, MessageState::Done),
        (Some(Err(fault)), Some(told)) => {
            tracing::warn!(%fault, "documents could not be asked");
            (told, MessageState::Failed)
        }
        // It was given up.
        _ if is_late => broken(to_wire::failure::failure(&Failure::DeadlinePassed).1.error),
        _ if api.stop.is_cancelled() => broken(api.shutting_down().to_string()),
        _ => (telling::aborted(), MessageState::Stopped),
    }
}

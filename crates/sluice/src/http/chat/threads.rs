//! Conversations as they are kept: shown, listed, forgotten.

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::{Extension, Json};
use contract::chat::{ChatSummary, Deleted, History, Running, Surface, Thread, UiMessage, checked_id};
use contract::error::{BodyFault, ErrorCode};
use serde::Deserialize;
use serde_json::Value;
use store::{Cursor, MessageState, StoredMessage, ThreadKey, ThreadSummary};

use crate::chat::turn::Pending;
use crate::http::Api;
use crate::http::chat::caller::Asker;
use crate::http::chat::refusal::{Documented, Refused};
use crate::http::chat::{read, vote};
use crate::to_wire::time;

/// Shows a conversation.
///
/// An answer that is under way is not among the messages: `running` names it, and `GET /api/chat/{id}/stream` tells it.
#[utoipa::path(
    get,
    path = "/api/chat/{id}",
    operation_id = "get_chat",
    tag = "chat",
    params(("id" = String, Path, description = "The conversation.")),
    responses((status = 200, description = "The conversation.", body = Thread), Documented),
    security((), ("api_key" = []))
)]
pub(super) async fn get(
    State(api): State<Arc<Api>>,
    Extension(asker): Extension<Asker>,
    Path(id): Path<String>,
) -> Result<Json<Thread>, Refused> {
    let id = checked_id("id", id).map_err(Refused::body)?;
    let key = ThreadKey { owner: &asker.owner, thread: &id };
    let store = &api.assembly.store;
    let summary = store.thread(key).await.map_err(Refused::store)?.ok_or_else(Refused::no_thread)?;
    let stored = store.messages(key).await.map_err(Refused::store)?;
    let running = stored.iter().find(|message| message.state == MessageState::Running);
    let running = running.map(|message| Running {
        run_id: message.run_id.clone().unwrap_or_default(),
        message_id: message.message_id.clone(),
    });
    let shown = stored.into_iter().filter(|message| message.state != MessageState::Running);
    let messages = shown.map(shown_message).collect::<Result<Vec<_>, _>>()?;
    let waiting = store.clarification(key).await.map_err(Refused::store)?;
    let pending = match waiting.filter(|waiting| waiting.expires_at > api.assembly.clock.now()) {
        Some(waiting) => Some(read::<Pending>(&waiting.body)?.card),
        None => None,
    };
    let votes = vote::votes(&api, key).await?;
    Ok(Json(Thread {
        summary: shown_summary(summary),
        messages,
        votes,
        pending_clarification: pending,
        running,
    }))
}

/// A message with when it was said, and how it ended where that is not in it.
#[expect(clippy::needless_pass_by_value, reason = "stands in `map`")]
fn shown_message(stored: StoredMessage) -> Result<UiMessage, Refused> {
    let mut message = read::<UiMessage>(&stored.body)?;
    let created_at = Value::from(time(stored.created_at));
    message.metadata.insert("createdAt".to_owned(), created_at);
    let ending = match stored.state {
        MessageState::Failed | MessageState::BrokenOff => Some("error"),
        MessageState::Stopped => Some("aborted"),
        MessageState::Done | MessageState::Running => None,
    };
    if let Some(outcome) = ending {
        message.metadata.insert("outcome".to_owned(), Value::from(outcome));
    }
    Ok(message)
}

fn shown_summary(summary: ThreadSummary) -> ChatSummary {
    ChatSummary {
        id: summary.thread_id,
        title: summary.title,
        created_at: time(summary.created_at),
        updated_at: time(summary.updated_at),
    }
}

/// Which conversation is meant.
#[derive(Debug, Deserialize)]
pub(super) struct Which {
    id: Option<String>,
}

/// Forgets a conversation, and stops its answer.
#[utoipa::path(
    delete,
    path = "/api/chat",
    operation_id = "delete_chat",
    tag = "chat",
    params(("id" = String, Query, description = "The conversation.")),
    responses((status = 200, description = "What was forgotten.", body = ChatSummary), Documented),
    security((), ("api_key" = []))
)]
pub(super) async fn delete(
    State(api): State<Arc<Api>>,
    Extension(asker): Extension<Asker>,
    which: Result<Query<Which>, QueryRejection>,
) -> Result<Json<ChatSummary>, Refused> {
    let id = which
        .ok()
        .and_then(|Query(which)| which.id)
        .ok_or_else(|| Refused::body(BodyFault::missing("id")))?;
    let id = checked_id("id", id).map_err(Refused::body)?;
    let key = ThreadKey { owner: &asker.owner, thread: &id };
    let store = &api.assembly.store;
    let summary = store.thread(key).await.map_err(Refused::store)?.ok_or_else(Refused::no_thread)?;
    api.assembly.conversations.runs.drop_of(&asker.owner, Some(&id));
    store.delete_thread(key).await.map_err(Refused::store)?;
    Ok(Json(shown_summary(summary)))
}

/// Which conversations are listed.
#[derive(Debug, Deserialize)]
pub(super) struct Listed {
    limit: Option<String>,
    starting_after: Option<String>,
    ending_before: Option<String>,
}

/// Lists conversations, newest first.
#[utoipa::path(
    get,
    path = "/api/history",
    operation_id = "list_chats",
    tag = "chat",
    params(
        ("limit" = Option<u32>, Query, description = "Conversations at the most."),
        ("starting_after" = Option<String>, Query, description = "Those that are newer than this one."),
        ("ending_before" = Option<String>, Query, description = "Those that are older than this one.")
    ),
    responses((status = 200, description = "The conversations.", body = History), Documented),
    security((), ("api_key" = []))
)]
pub(super) async fn list(
    State(api): State<Arc<Api>>,
    Extension(asker): Extension<Asker>,
    listed: Result<Query<Listed>, QueryRejection>,
) -> Result<Json<History>, Refused> {
    let on_history = |refused: Refused| refused.on(Surface::History);
    let wrong = |field: &str, message: String| {
        on_history(Refused::body(BodyFault::new(ErrorCode::InvalidValue, field, message)))
    };
    let Query(listed) = listed.map_err(|_| wrong("", "the query string could not be read".to_owned()))?;
    let rules = &api.assembly.policy.guardrails.threads;
    let limit = match listed.limit.as_deref().map(str::parse::<u32>) {
        None => rules.page_default,
        Some(Ok(limit)) if (1..=rules.page_max).contains(&limit) => limit,
        Some(_) => {
            return Err(wrong("limit", format!("must be from 1 to {} (`threads.page_max`)", rules.page_max)));
        }
    };
    let cursor = match (&listed.starting_after, &listed.ending_before) {
        (Some(_), Some(_)) => {
            return Err(wrong("ending_before", "cannot be combined with `starting_after`".to_owned()));
        }
        (Some(id), None) => Cursor::NewerThan(id),
        (None, Some(id)) => Cursor::OlderThan(id),
        (None, None) => Cursor::Newest,
    };
    let page = api.assembly.store.threads(&asker.owner, cursor, limit).await;
    let page = page.map_err(Refused::store).map_err(on_history)?;
    let page = page.ok_or_else(|| on_history(Refused::no_thread()))?;
    Ok(Json(History {
        chats: page.threads.into_iter().map(shown_summary).collect(),
        has_more: page.has_more,
    }))
}

/// Forgets every conversation of the caller, and stops their answers.
#[utoipa::path(
    delete,
    path = "/api/history",
    operation_id = "delete_chats",
    tag = "chat",
    responses((status = 200, description = "How many were forgotten.", body = Deleted), Documented),
    security((), ("api_key" = []))
)]
pub(super) async fn clear(
    State(api): State<Arc<Api>>,
    Extension(asker): Extension<Asker>,
) -> Result<Json<Deleted>, Refused> {
    api.assembly.conversations.runs.drop_of(&asker.owner, None);
    let deleted = api.assembly.store.delete_threads(&asker.owner).await;
    let deleted = deleted.map_err(Refused::store).map_err(|refused| refused.on(Surface::History))?;
    Ok(Json(Deleted { deleted_count: deleted }))
}

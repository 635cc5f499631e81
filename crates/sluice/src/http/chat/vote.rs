//! What callers think of answers.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::{Extension, Json};
use contract::chat::{Surface, Vote, VoteBody, VoteKind, checked_id};
use contract::error::BodyFault;
use serde::Deserialize;
use store::{StoredVote, ThreadKey};

use crate::http::chat::caller::Asker;
use crate::http::chat::refusal::{Documented, Refused};
use crate::http::{Api, body};

/// Which conversation is meant.
#[derive(Debug, Deserialize)]
pub(super) struct Which {
    #[serde(rename = "chatId")]
    chat: Option<String>,
}

/// Lists what was thought of a conversation's answers.
#[utoipa::path(
    get,
    path = "/api/vote",
    operation_id = "list_votes",
    tag = "chat",
    params(("chatId" = String, Query, description = "The conversation.")),
    responses((status = 200, description = "The votes.", body = Vec<Vote>), Documented),
    security((), ("api_key" = []))
)]
pub(super) async fn list(
    State(api): State<Arc<Api>>,
    Extension(asker): Extension<Asker>,
    which: Result<Query<Which>, QueryRejection>,
) -> Result<Json<Vec<Vote>>, Refused> {
    let on_vote = |refused: Refused| refused.on(Surface::Vote);
    let id = which.ok().and_then(|Query(which)| which.chat);
    let id = id.ok_or_else(|| on_vote(Refused::body(BodyFault::missing("chatId"))))?;
    let id = checked_id("chatId", id).map_err(Refused::body).map_err(on_vote)?;
    let key = ThreadKey { owner: &asker.owner, thread: &id };
    let thread = api.assembly.store.thread(key).await.map_err(Refused::store).map_err(on_vote)?;
    if thread.is_none() {
        return Err(on_vote(Refused::no_thread()));
    }
    votes(&api, key).await.map(Json).map_err(on_vote)
}

/// The votes on a conversation's answers.
pub(super) async fn votes(api: &Api, key: ThreadKey<'_>) -> Result<Vec<Vote>, Refused> {
    let votes = api.assembly.store.votes(key).await.map_err(Refused::store)?;
    let vote = |vote: StoredVote| Vote {
        chat_id: key.thread.to_owned(),
        message_id: vote.message_id,
        kind: if vote.is_up { VoteKind::Up } else { VoteKind::Down },
    };
    Ok(votes.into_iter().map(vote).collect())
}

/// Says what is thought of an answer; a later word replaces an earlier one.
#[utoipa::path(
    patch,
    path = "/api/vote",
    operation_id = "vote",
    tag = "chat",
    request_body(content = VoteBody, content_type = "application/json"),
    responses((status = 200, description = "It is kept.", body = String, content_type = "text/plain"), Documented),
    security((), ("api_key" = []))
)]
pub(super) async fn cast(
    State(api): State<Arc<Api>>,
    Extension(asker): Extension<Asker>,
    body: Body,
) -> Result<&'static str, Refused> {
    let on_vote = |refused: Refused| refused.on(Surface::Vote);
    let bytes = body::read(body, api.policy()).await.map_err(Refused::fault).map_err(on_vote)?;
    let vote = VoteBody::parse(&bytes).map_err(Refused::body).map_err(on_vote)?;
    let key = ThreadKey { owner: &asker.owner, thread: &vote.chat_id };
    let stored = StoredVote { message_id: vote.message_id, is_up: vote.kind == VoteKind::Up };
    let is_kept = api.assembly.store.vote(key, &stored).await.map_err(Refused::store).map_err(on_vote)?;
    if is_kept { Ok("Message voted") } else { Err(on_vote(Refused::no_message())) }
}

//! `POST /api/chat`: one turn of a conversation, told as a stream that its run outlives; and the routes around it.

mod caller;
mod documents;
mod perform;
mod recap;
mod refusal;
mod stream;
mod threads;
mod vote;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::middleware;
use axum::response::Response;
use axum::{Extension, Json};
use contract::chat::{
    ChatBody, ChatMessage, Chunk, DayUse, MessageLimits, Quota, SessionReply, StartMetadata, Surface,
    UiMessage, Use, Writer,
};
use domain::{Listing, ListingId, MethodName, RequestId, Snapshot, Usd};
use jiff::Timestamp;
use mcp::Catalog;
use reading::bind::Parameters;
use reading::words::{self, Terms};
use serde_json::Value;
use store::{Counted, MessageCount, MessageState, NewTurn, ThreadKey, ThreadLimits};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::chat::runs::{Run, UnderWay};
use crate::chat::turn::{self, Known, Pending, Scope, Turn};
use crate::http::auth::Caller;
use crate::http::chat::caller::Asker;
use crate::http::chat::perform::{Job, Work};
use crate::http::chat::refusal::{Documented, Refused};
use crate::http::chat::stream::Tail;
use crate::http::limits::Place;
use crate::http::{Api, body, query};
use crate::to_wire::{self, time};

/// The routes, with what stands around them. `is_embedded` says whether other sites may show the chat.
pub(crate) fn routes(api: &Arc<Api>, is_embedded: bool) -> OpenApiRouter<Arc<Api>> {
    OpenApiRouter::new()
        .routes(routes!(say, threads::delete))
        .routes(routes!(threads::get))
        .routes(routes!(stream::resume))
        .routes(routes!(stream::stop))
        .routes(routes!(threads::list, threads::clear))
        .routes(routes!(vote::list, vote::cast))
        .routes(routes!(session))
        .route_layer(middleware::from_fn_with_state((Arc::clone(api), is_embedded), caller::know))
}

/// Says what a page has to know before it asks, and gives a browser its session.
#[utoipa::path(
    get,
    path = "/api/session",
    operation_id = "get_session",
    tag = "chat",
    responses((status = 200, description = "What to know before asking.", body = SessionReply), Documented),
    security((), ("api_key" = []))
)]
async fn session(
    State(api): State<Arc<Api>>,
    Extension(asker): Extension<Asker>,
) -> Result<Json<SessionReply>, Refused> {
    let now = api.assembly.clock.now();
    let rules = &api.assembly.policy.guardrails;
    let quota = if asker.is_anonymous {
        let counted = api.assembly.store.counted(&asker.owner, &day(now)).await.map_err(Refused::store)?;
        Some(quota(&api, counted, now))
    } else {
        None
    };
    let bot_check =
        asker.is_anonymous.then(|| api.assembly.conversations.bot.wanted(&asker.owner, now)).flatten();
    Ok(Json(SessionReply {
        anonymous: asker.is_anonymous,
        begun: asker.is_new,
        limits: MessageLimits {
            message_chars_max: to_wire::count(rules.input.message_chars_max),
            message_bytes_max: to_wire::count(rules.input.message_bytes_max),
        },
        quota,
        models: api.assembly.policy.models.answer.models.clone(),
        documents: shelf_owner(&api, &asker).is_some(),
        bot_check,
    }))
}

/// Says something in a conversation.
///
/// Speaks the UI message stream of AI SDK 5 to 7. The history is the server's own: of `messages` only the last one is
/// read. The run goes on when its connection does not; `GET /api/chat/{id}/stream` comes back to it.
#[utoipa::path(
    post,
    path = "/api/chat",
    operation_id = "say",
    tag = "chat",
    request_body(content = ChatBody, content_type = "application/json", example = json!({
        "id": "0d9ae3f2-4bb0-4a53-8f0e-0e5b8a3e6a10",
        "message": {"id": "m1", "role": "user", "parts": [{"type": "text", "text": "Which exchanges saw the largest BTC inflows in the last 24 hours?"}]}
    })),
    responses(
        (status = 200, description = "The answer as it comes.", content((Chunk = "text/event-stream"))),
        Documented
    ),
    security((), ("api_key" = []))
)]
async fn say(
    State(api): State<Arc<Api>>,
    Extension(asker): Extension<Asker>,
    Extension(place): Extension<Place>,
    body: Body,
) -> Result<Response, Refused> {
    let rules = &api.assembly.policy.guardrails;
    let bytes = body::read(body, api.policy()).await.map_err(Refused::fault)?;
    let said = ChatBody::parse(&bytes, rules.input.message_parts_max).map_err(Refused::body)?;
    let turn = Turn::at_the_door(said, asker.is_anonymous);
    let turn = turn::through(turn, &turn::AT_THE_DOOR, rules).map_err(Refused::turn)?;
    let now = api.assembly.clock.now();
    if asker.is_anonymous {
        caller::guard(&api, &asker, turn.body.proof.as_ref(), now).await?;
    }
    let known = known(&api, &asker, &turn.body.id, now).await?;
    let turn = turn.in_thread(known).map_err(Refused::turn)?;
    let turn = turn::through(turn, &turn::IN_THE_THREAD, rules).map_err(Refused::turn)?;
    let job = begin(&api, &asker, &turn, now).await?;
    let tail = Tail::of(&job.under_way.run, 0, place, &api);
    job.launch(&api);
    Ok(tail.into_response())
}

/// What is known of a thread, for the steps of its turn.
async fn known(api: &Api, asker: &Asker, thread: &str, now: Timestamp) -> Result<Known, Refused> {
    let key = ThreadKey { owner: &asker.owner, thread };
    let store = &api.assembly.store;
    let has_documents = shelf_owner(api, asker).is_some();
    let mut known = Known { now, has_documents, open_listings: open_listings(api), ..Known::default() };
    let Some(summary) = store.thread(key).await.map_err(Refused::store)? else { return Ok(known) };
    known.scope = Some(read::<Scope>(&summary.scope)?);
    for message in store.messages(key).await.map_err(Refused::store)? {
        if matches!(message.state, MessageState::Done) {
            known.messages.push(read::<UiMessage>(&message.body)?);
        }
    }
    let snapshot = api.assembly.upstreams.snapshot();
    let last = last_called(&snapshot, &known.messages);
    known.listed = listed(&last);
    known.methods = method_names(last.iter().map(|(listing, _)| listing));
    known.is_found = matches!(&last[..], [(_, parameters)] if parameters.requires_search());
    if known.is_found {
        let is_other = |listing: &&Arc<Listing>| last.iter().all(|(called, _)| called.id != listing.id);
        known.elsewhere = method_names(snapshot.listings.iter().filter(is_other));
    }
    known.recap = store.recap(key).await.map_err(Refused::store)?;
    if let Some(waiting) = store.clarification(key).await.map_err(Refused::store)? {
        known.pending = Some(read::<Pending>(&waiting.body)?);
    }
    Ok(known)
}

/// The methods that gave a thread's last answer: their listings, and what they take.
fn last_called(snapshot: &Snapshot, messages: &[UiMessage]) -> Vec<(Arc<Listing>, Parameters)> {
    fn calls(message: &UiMessage) -> BTreeSet<(&str, &str)> {
        message.parts.iter().filter_map(turn::called).collect()
    }
    let last = messages.iter().rev().map(calls).find(|calls| !calls.is_empty()).unwrap_or_default();
    let known = |(listing, method): (&str, &str)| {
        let listing = snapshot.listings.iter().find(|it| it.name == listing)?;
        let parameters = Parameters::of(listing.method(&MethodName::new(method))?);
        Some((Arc::clone(listing), parameters))
    };
    last.into_iter().filter_map(known).collect()
}

/// For each argument of the methods of a thread's last answer that lists its values those values.
fn listed(last: &[(Arc<Listing>, Parameters)]) -> Vec<Vec<String>> {
    let choices = last.iter().flat_map(|(_, parameters)| parameters.all_choices());
    choices.map(|values| values.iter().filter_map(Value::as_str).map(str::to_owned).collect()).collect()
}

/// The words that each method of some listings is named by.
fn method_names<'a>(listings: impl Iterator<Item = &'a Arc<Listing>>) -> Vec<Terms> {
    let methods = listings.flat_map(|listing| &listing.methods);
    methods.map(|method| Terms::of(words::identifier_terms(method.name.as_str()))).collect()
}

fn read<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Refused> {
    serde_json::from_str(text).map_err(|error| Refused::internal(&error, "reading a conversation"))
}

/// The listings that may serve a caller without a key; none for all. A name that no listing has opens nothing.
fn open_listings(api: &Api) -> Option<Vec<ListingId>> {
    let names = &api.assembly.policy.guardrails.scope.listings;
    if names.is_empty() {
        return None;
    }
    let snapshot = api.assembly.upstreams.snapshot();
    let listings = snapshot.listings.iter().filter(|listing| names.contains(&listing.name));
    Some(listings.map(|listing| listing.id).collect())
}

/// Whose documents serve a caller: its own, or for one without a key those that the policy opens.
fn shelf_owner<'a>(api: &'a Api, asker: &'a Asker) -> Option<&'a str> {
    let opened = api.assembly.policy.guardrails.scope.documents_of.as_str();
    let owner = if asker.is_anonymous { opened } else { &asker.owner };
    (!owner.is_empty()).then_some(owner)
}

/// Begins the run of a turn: its place among the runs, its place in the quota, its place in the thread.
async fn begin(api: &Arc<Api>, asker: &Asker, turn: &Turn, now: Timestamp) -> Result<Job, Refused> {
    let assembly = &api.assembly;
    let rules = &assembly.policy.guardrails;
    let (run_id, message_id) =
        (format!("run_{}", Uuid::new_v4().simple()), format!("msg_{}", Uuid::new_v4().simple()));
    let run = Run::new((run_id.clone(), message_id.clone()), api.stop.child_token(), &rules.runs);
    let under_way = assembly.conversations.runs.begin((&asker.owner, &turn.body.id), &run, now);
    let under_way =
        under_way.map_err(|refused| Refused::no_run(refused, api.policy().retry_after_seconds))?;
    let work = work(api, asker, turn, &run_id).await?;
    let patience = u64::from(rules.runs.left_alone_seconds);
    let patience = (asker.is_anonymous && patience > 0).then_some(Duration::from_secs(patience));
    let counted = count(api, asker, now).await?;
    let quota = counted.map(|counted| quota(api, counted, now));
    let metadata = StartMetadata { run_id, thread_id: turn.body.id.clone() };
    let (writer, first) = Writer::begin(message_id, metadata);
    let mut message = UiMessage::empty(String::new());
    for chunk in &first {
        message.take(chunk);
    }
    keep(api, (asker, turn), &under_way, &message, now).await?;
    run.tell(first);
    Ok(Job {
        under_way,
        owner: asker.owner.to_string(),
        thread: turn.body.id.clone(),
        question: turn.asked.text.clone(),
        beginning: turn.asked.beginning.clone(),
        work,
        patience,
        quota,
        writer,
        message,
    })
}

/// What a turn is to do, once all that can be refused of it has been.
async fn work(api: &Api, asker: &Asker, turn: &Turn, run_id: &str) -> Result<Work, Refused> {
    if let Some(aside) = &turn.asked.aside {
        return Ok(Work::Aside(aside.clone().told_from(&sources(api, &turn.asked.scope))));
    }
    if let (Some(inquiry), Some(owner)) = (turn.inquiry(), shelf_owner(api, asker)) {
        documents::are_there(&api.assembly.desk.of(owner), &inquiry).await?;
        let (owner, is_guarded) = (owner.to_owned(), asker.is_anonymous);
        let wants_trace = turn.body.include_developer_trace;
        return Ok(Work::Documents { owner, inquiry, is_guarded, spent_before: Usd::ZERO, wants_trace });
    }
    let policy = &api.assembly.policy;
    let query = turn.query(policy.lanes.depth_default()).map_err(Refused::turn)?;
    caller::few_tools(&query.tools, policy.budgets.pinned_tools_max)?;
    let request = RequestId::new(run_id.to_owned());
    let wanted = query::Asked { request, caller: Caller::named(&asker.owner), query };
    let admitted = query::admit(api, wanted).await.map_err(Refused::fault)?;
    Ok(Work::Query(Box::new(if asker.is_anonymous { admitted.guarded() } else { admitted })))
}

/// What serves a thread, as a reply tells it.
fn sources(api: &Api, scope: &Scope) -> String {
    if scope.documents.is_some() {
        return "the documents that are kept here".to_owned();
    }
    let snapshot = api.assembly.upstreams.snapshot();
    let serves =
        |listing: &&Arc<Listing>| scope.tools.is_empty() || scope.tools.contains(&listing.id.to_string());
    let names: Vec<&str> = snapshot.listings.iter().filter(serves).map(|it| it.name.as_str()).collect();
    let named_max = api.assembly.policy.guardrails.scope.tools_named_max;
    let told = names.iter().take(named_max).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(named_max) {
        0 if told.is_empty() => "tools, of which none is here now".to_owned(),
        0 => format!("these tools: {told}"),
        more => format!("these tools: {told}, and {more} more"),
    }
}

/// Keeps what is said, and the place of the answer.
async fn keep(
    api: &Api,
    (asker, turn): (&Asker, &Turn),
    under_way: &UnderWay,
    message: &UiMessage,
    now: Timestamp,
) -> Result<(), Refused> {
    let rules = &api.assembly.policy.guardrails.threads;
    let written = |error: &serde_json::Error| Refused::internal(error, "writing a conversation");
    let scope = serde_json::to_string(&turn.asked.scope).map_err(|error| written(&error))?;
    let answer = serde_json::to_string(message).map_err(|error| written(&error))?;
    let said = turn.body.message.as_ref();
    let said_text = said.map(|said| serde_json::to_string(&as_kept(said, turn)));
    let said_text = said_text.transpose().map_err(|error| written(&error))?;
    let said = said.zip(said_text.as_deref()).map(|(said, text)| (said.id.as_str(), text));
    let first = turn.body.message.as_ref().map_or("", |said| said.text.as_str());
    let title: String = first.split_whitespace().collect::<Vec<_>>().join(" ");
    let title: String = title.chars().take(rules.title_chars_max).collect();
    let new = NewTurn {
        key: ThreadKey { owner: &asker.owner, thread: &turn.body.id },
        title: &title,
        scope: &scope,
        said,
        answer: (&under_way.run.message_id, &answer),
        run_id: &under_way.run.id,
        now,
    };
    let limits = ThreadLimits {
        threads_max: rules.threads_per_owner_max,
        messages_max: rules.messages_per_thread_max,
    };
    let begun = api.assembly.store.begin_turn(&new, limits).await.map_err(Refused::store)?;
    begun.map_err(|refused| Refused::no_turn(refused, api.policy().retry_after_seconds))
}

/// What was said, with the clarification that it answers.
fn as_kept(said: &ChatMessage, turn: &Turn) -> UiMessage {
    let message = UiMessage::said(said.id.clone(), &said.text);
    match &turn.asked.answers {
        Some((clarification, option)) => message.answering(clarification, option.as_deref()),
        None => message,
    }
}

/// Counts a message of a session; none are counted with a key.
async fn count(api: &Api, asker: &Asker, now: Timestamp) -> Result<Option<Counted>, Refused> {
    if !asker.is_anonymous {
        return Ok(None);
    }
    let quotas = &api.assembly.policy.guardrails.quota;
    let day = day(now);
    let count = MessageCount {
        owner: &asker.owner,
        day: &day,
        total_max: quotas.messages_per_session_max,
        day_max: quotas.messages_per_day_max,
    };
    match api.assembly.store.count_message(count, now).await.map_err(Refused::store)? {
        Ok(counted) => Ok(Some(counted)),
        Err(counted) => Err(Refused::used_up(counted, quotas, now)),
    }
}

fn day(now: Timestamp) -> String {
    time(now).chars().take("YYYY-MM-DD".len()).collect()
}

fn quota(api: &Api, counted: Counted, now: Timestamp) -> Quota {
    let quotas = &api.assembly.policy.guardrails.quota;
    Quota {
        session: Use { used: counted.total, max: quotas.messages_per_session_max },
        day: DayUse {
            used: counted.day,
            max: quotas.messages_per_day_max,
            resets_at: time(refusal::tomorrow(now)),
        },
    }
}

const SURFACE: Surface = Surface::Chat;

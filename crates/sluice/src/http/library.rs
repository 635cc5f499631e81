//! `/v1`: documents, their search, and the answers from them, as the seed system has them.

mod documents;
mod refusal;

use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use contract::error::{BodyFault, ErrorCode};
use contract::library::{
    ChunkBody, Data, ErrorEnvelope, ExpandRequest, Expanded, FindRequest, FoundReply, ReasonRequest,
    Reasoned, SearchRequest, Searched, SessionBody, from_body, from_pairs,
};
use serde_json::{Map, Value};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::auth::Caller;
use crate::http::{Api, body};
pub(crate) use refusal::enveloped;
use refusal::{LibraryRefusals, Refusal};

type Reply<T> = Result<Json<T>, Refusal>;
type Pairs = Result<Query<Vec<(String, String)>>, QueryRejection>;

/// The routes, without what stands around them.
pub(crate) fn routes() -> OpenApiRouter<Arc<Api>> {
    OpenApiRouter::new()
        .routes(routes!(find))
        .routes(routes!(open_session))
        .routes(routes!(search))
        .routes(routes!(read))
        .routes(routes!(expand))
        .routes(routes!(reason))
        .routes(routes!(documents::add, documents::list))
        .routes(routes!(documents::get, documents::remove))
        .routes(routes!(documents::quote))
        .routes(routes!(documents::make_collection, documents::list_collections))
        .routes(routes!(documents::get_collection, documents::remove_collection))
}

/// Finds documents and collections.
#[utoipa::path(
    get,
    path = "/v1/search",
    operation_id = "find_items",
    tag = "library",
    params(
        ("q" = String, Query, description = "The words."),
        ("type" = Option<String>, Query, description = "`prompts`, `documents`, `collections` or `all`, which is the default."),
        ("semantic" = Option<bool>, Query, description = "Rank by what items say, the default; or find the words as they stand."),
        ("tags" = Option<String>, Query, description = "Tags that an item must have, all of them.")
    ),
    responses((status = 200, description = "What was found.", body = FoundReply), LibraryRefusals),
    security(("api_key" = []))
)]
async fn find(
    State(api): State<Arc<Api>>,
    Extension(caller): Extension<Caller>,
    pairs: Pairs,
) -> Reply<FoundReply> {
    let request = FindRequest::read(&members(pairs)?)?;
    Ok(Json(api.assembly.desk.of(caller.name()).find(&request).await?))
}

/// Opens a session, whose searches leave out what was shown.
#[utoipa::path(
    post,
    path = "/v1/pd/session",
    operation_id = "open_search_session",
    tag = "library",
    request_body = Option<Object>,
    responses((status = 200, description = "The session.", body = Data<SessionBody>), LibraryRefusals),
    security(("api_key" = []))
)]
async fn open_session(
    State(api): State<Arc<Api>>,
    Extension(caller): Extension<Caller>,
) -> Reply<Data<SessionBody>> {
    Ok(Json(Data { data: api.assembly.desk.of(caller.name()).session().await? }))
}

/// Finds chunks.
#[utoipa::path(
    post,
    path = "/v1/pd/search",
    operation_id = "deep_search",
    tag = "library",
    request_body(content = Object, description = "`query`, `limit`, `sessionId`, `collectionId`, `documentId`."),
    responses((status = 200, description = "The chunks, best first.", body = Data<Searched>), LibraryRefusals),
    security(("api_key" = []))
)]
async fn search(
    State(api): State<Arc<Api>>,
    Extension(caller): Extension<Caller>,
    body: Body,
) -> Reply<Data<Searched>> {
    let request = SearchRequest::read(&sent(body, &api).await?)?;
    Ok(Json(Data { data: api.assembly.desk.of(caller.name()).search(&request).await? }))
}

/// Reads a chunk.
#[utoipa::path(
    get,
    path = "/v1/pd/read/{chunkId}",
    operation_id = "deep_read",
    tag = "library",
    params(("chunkId" = String, Path, description = "The chunk's id.")),
    responses((status = 200, description = "The chunk.", body = Data<ChunkBody>), LibraryRefusals),
    security(("api_key" = []))
)]
async fn read(
    State(api): State<Arc<Api>>,
    Extension(caller): Extension<Caller>,
    id: Result<Path<String>, PathRejection>,
) -> Reply<Data<ChunkBody>> {
    Ok(Json(Data { data: api.assembly.desk.of(caller.name()).read(&named(id, "chunkId")?).await? }))
}

/// Shows the chunks around a chunk.
#[utoipa::path(
    post,
    path = "/v1/pd/expand",
    operation_id = "deep_expand",
    tag = "library",
    request_body(content = Object, description = "`chunkId`, `direction` (up, down, next, previous, surrounding), `count`."),
    responses((status = 200, description = "The chunks, in order.", body = Data<Expanded>), LibraryRefusals),
    security(("api_key" = []))
)]
async fn expand(
    State(api): State<Arc<Api>>,
    Extension(caller): Extension<Caller>,
    body: Body,
) -> Reply<Data<Expanded>> {
    let request = ExpandRequest::read(&sent(body, &api).await?)?;
    Ok(Json(Data { data: api.assembly.desk.of(caller.name()).expand(&request).await? }))
}

/// Answers a question from the documents.
#[utoipa::path(
    post,
    path = "/v1/reason",
    operation_id = "reason",
    tag = "library",
    request_body(
        content = Object,
        description = "`query`, `limit`, `documentId`, `collectionId`, `maxTokens`; our own: `previousQuery`, `markers` (numbers, ids)."
    ),
    responses(
        (status = 200, description = "The answer.", body = Data<Reasoned>),
        (status = 502, description = "No model could write it; `details.evidence` is what was gathered.", body = ErrorEnvelope),
        LibraryRefusals
    ),
    security(("api_key" = []))
)]
async fn reason(
    State(api): State<Arc<Api>>,
    Extension(caller): Extension<Caller>,
    body: Body,
) -> Reply<Data<Reasoned>> {
    let request = ReasonRequest::read(&sent(body, &api).await?)?;
    Ok(Json(Data { data: api.assembly.desk.of(caller.name()).reason(&request).await? }))
}

async fn sent(body: Body, api: &Api) -> Result<Map<String, Value>, Refusal> {
    Ok(from_body(&body::read(body, api.policy()).await?)?)
}

fn members(pairs: Pairs) -> Result<Map<String, Value>, Refusal> {
    let unreadable = |_| BodyFault::new(ErrorCode::InvalidValue, "", "the query string cannot be read");
    let Query(pairs) = pairs.map_err(unreadable)?;
    Ok(from_pairs(pairs))
}

fn named(id: Result<Path<String>, PathRejection>, field: &str) -> Result<String, Refusal> {
    let Path(id) = id.map_err(|_| BodyFault::new(ErrorCode::InvalidValue, field, "cannot be read"))?;
    Ok(id)
}

const DELETED: StatusCode = StatusCode::NO_CONTENT;

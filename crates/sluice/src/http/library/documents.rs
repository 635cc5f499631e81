//! `/v1/documents` and `/v1/collections`.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::{Extension, Json};
use contract::library::{
    CollectionBody, Data, DocumentBody, ErrorEnvelope, Listed, NewCollectionRequest, NewDocumentRequest,
    PageRequest, QuoteRequest, QuoteStateBody, from_body,
};
use library::Quote;

use super::{DELETED, LibraryRefusals, Pairs, Refusal, Reply, members, named, sent};
use crate::desk::GivenDocument;
use crate::http::auth::Caller;
use crate::http::{Api, body};

/// Takes in a document: JSON with its text, or the document itself, declared as what it is, with `title`, `source`, `url`,
/// `collectionId` or `collection`, and `tags` in the query string. Given again from the same source, it takes the place of what was.
#[utoipa::path(
    post,
    path = "/v1/documents",
    operation_id = "add_document",
    tag = "library",
    request_body(
        content = Object,
        description = "`title`, `content` or `contentBase64`, `mediaType`, `source`, `url`, `collectionId` or `collection` (by name), `tags`."
    ),
    responses(
        (status = 200, description = "It was there already, or was replaced.", body = Data<DocumentBody>),
        (status = 201, description = "It was taken in.", body = Data<DocumentBody>),
        (status = 413, description = "It is over a limit.", body = ErrorEnvelope),
        (status = 422, description = "It cannot be read.", body = ErrorEnvelope),
        LibraryRefusals
    ),
    security(("api_key" = []))
)]
pub(super) async fn add(
    State(api): State<Arc<Api>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    pairs: Pairs,
    body: Body,
) -> Result<(StatusCode, Json<Data<DocumentBody>>), Refusal> {
    let reader = api.assembly.desk.of(caller.name());
    let bytes_max = api.assembly.policy.library.documents.bytes_max;
    let bytes = body::read_up_to(body, api.policy().body_ms_max, json_bytes_max(bytes_max)).await?;
    let declared = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let data = match declared.filter(|declared| library::Format::of_media_type(declared).is_some()) {
        None => reader.take_in(&NewDocumentRequest::read(&from_body(&bytes)?)?).await?,
        Some(media_type) => {
            let said = NewDocumentRequest::of_query(&members(pairs)?)?;
            let given = GivenDocument {
                title: said.title.as_deref(),
                source: said.source.as_deref(),
                url: said.url.as_deref(),
                media_type: Some(media_type),
                collection_id: said.collection_id.as_deref(),
                collection: said.collection.as_deref(),
                tags: &said.tags,
                bytes: &bytes,
            };
            reader.add(&given).await?
        }
    };
    let is_new = data.current_version == 1 && data.unchanged == Some(false);
    Ok((if is_new { StatusCode::CREATED } else { StatusCode::OK }, Json(Data { data })))
}

/// Base64 in JSON is a third longer than what it stands for.
fn json_bytes_max(bytes_max: usize) -> usize {
    bytes_max.saturating_add(bytes_max / 2)
}

/// Lists the documents, by title.
#[utoipa::path(
    get,
    path = "/v1/documents",
    operation_id = "list_documents",
    tag = "library",
    params(
        ("collectionId" = Option<String>, Query, description = "Only of this collection."),
        ("limit" = Option<u32>, Query, minimum = 1, description = "Documents of one page."),
        ("cursor" = Option<String>, Query, description = "Where the page before ended.")
    ),
    responses((status = 200, description = "One page.", body = Listed<DocumentBody>), LibraryRefusals),
    security(("api_key" = []))
)]
pub(super) async fn list(
    State(api): State<Arc<Api>>,
    Extension(caller): Extension<Caller>,
    pairs: Pairs,
) -> Reply<Listed<DocumentBody>> {
    let page = PageRequest::read(&members(pairs)?)?;
    let reader = api.assembly.desk.of(caller.name());
    let listed = reader.documents(page.collection_id.as_deref(), page.limit, page.cursor.as_deref());
    Ok(Json(listed.await?))
}

/// Gives a document with its text.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}",
    operation_id = "get_document_of_library",
    tag = "library",
    params(("id" = String, Path, description = "The document's id.")),
    responses((status = 200, description = "The document.", body = Data<DocumentBody>), LibraryRefusals),
    security(("api_key" = []))
)]
pub(super) async fn get(
    State(api): State<Arc<Api>>,
    Extension(caller): Extension<Caller>,
    id: Result<Path<String>, PathRejection>,
) -> Reply<Data<DocumentBody>> {
    Ok(Json(Data { data: api.assembly.desk.of(caller.name()).document(&named(id, "id")?).await? }))
}

/// Deletes a document.
#[utoipa::path(
    delete,
    path = "/v1/documents/{id}",
    operation_id = "delete_document",
    tag = "library",
    params(("id" = String, Path, description = "The document's id.")),
    responses((status = 204, description = "It is deleted."), LibraryRefusals),
    security(("api_key" = []))
)]
pub(super) async fn remove(
    State(api): State<Arc<Api>>,
    Extension(caller): Extension<Caller>,
    id: Result<Path<String>, PathRejection>,
) -> Result<StatusCode, Refusal> {
    api.assembly.desk.of(caller.name()).remove(&named(id, "id")?).await?;
    Ok(DELETED)
}

/// Says whether what an answer quoted still stands in its document: where a citation's `checkUrl` leads.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/quote",
    operation_id = "check_quote",
    tag = "library",
    params(
        ("id" = String, Path, description = "The document's id."),
        ("start" = u64, Query, description = "Where the quote began, in bytes."),
        ("end" = u64, Query, description = "Where it ended."),
        ("sha256" = String, Query, description = "Its SHA-256, in hex."),
        ("text" = Option<String>, Query, description = "Its words, by which it is found where it has moved.")
    ),
    responses((status = 200, description = "What became of it.", body = Data<QuoteStateBody>), LibraryRefusals),
    security(("api_key" = []))
)]
pub(super) async fn quote(
    State(api): State<Arc<Api>>,
    Extension(caller): Extension<Caller>,
    id: Result<Path<String>, PathRejection>,
    pairs: Pairs,
) -> Reply<Data<QuoteStateBody>> {
    let said = QuoteRequest::read(&members(pairs)?)?;
    let quote = Quote {
        document_id: named(id, "id")?,
        document_version: 0,
        range: said.start..said.end,
        text: said.text.unwrap_or_default(),
        sha256: said.sha256,
    };
    Ok(Json(Data { data: api.assembly.desk.of(caller.name()).quote_state(&quote).await? }))
}

/// Makes a collection, or gives the one of that name.
#[utoipa::path(
    post,
    path = "/v1/collections",
    operation_id = "make_collection",
    tag = "library",
    request_body(content = Object, description = "`name`."),
    responses((status = 200, description = "The collection.", body = Data<CollectionBody>), LibraryRefusals),
    security(("api_key" = []))
)]
pub(super) async fn make_collection(
    State(api): State<Arc<Api>>,
    Extension(caller): Extension<Caller>,
    body: Body,
) -> Reply<Data<CollectionBody>> {
    let request = NewCollectionRequest::read(&sent(body, &api).await?)?;
    Ok(Json(Data { data: api.assembly.desk.of(caller.name()).make_collection(&request.name).await? }))
}

/// Lists the collections, by name.
#[utoipa::path(
    get,
    path = "/v1/collections",
    operation_id = "list_collections",
    tag = "library",
    responses((status = 200, description = "All of them.", body = Listed<CollectionBody>), LibraryRefusals),
    security(("api_key" = []))
)]
pub(super) async fn list_collections(
    State(api): State<Arc<Api>>,
    Extension(caller): Extension<Caller>,
) -> Reply<Listed<CollectionBody>> {
    Ok(Json(api.assembly.desk.of(caller.name()).collections().await?))
}

/// Gives a collection.
#[utoipa::path(
    get,
    path = "/v1/collections/{id}",
    operation_id = "get_collection",
    tag = "library",
    params(("id" = String, Path, description = "The collection's id.")),
    responses((status = 200, description = "The collection.", body = Data<CollectionBody>), LibraryRefusals),
    security(("api_key" = []))
)]
pub(super) async fn get_collection(
    State(api): State<Arc<Api>>,
    Extension(caller): Extension<Caller>,
    id: Result<Path<String>, PathRejection>,
) -> Reply<Data<CollectionBody>> {
    Ok(Json(Data { data: api.assembly.desk.of(caller.name()).collection(&named(id, "id")?).await? }))
}

/// Deletes a collection that has no documents.
#[utoipa::path(
    delete,
    path = "/v1/collections/{id}",
    operation_id = "delete_collection",
    tag = "library",
    params(("id" = String, Path, description = "The collection's id.")),
    responses(
        (status = 204, description = "It is deleted."),
        (status = 409, description = "It has documents.", body = ErrorEnvelope),
        LibraryRefusals
    ),
    security(("api_key" = []))
)]
pub(super) async fn remove_collection(
    State(api): State<Arc<Api>>,
    Extension(caller): Extension<Caller>,
    id: Result<Path<String>, PathRejection>,
) -> Result<StatusCode, Refusal> {
    api.assembly.desk.of(caller.name()).remove_collection(&named(id, "id")?).await?;
    Ok(DELETED)
}

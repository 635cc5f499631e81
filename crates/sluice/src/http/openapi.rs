//! The OpenAPI document and the page to browse it.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::Path;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use axum::response::{IntoResponse, Redirect, Response};
use contract::chat::ChatFault;
use contract::error::{ErrorBody, ErrorCode};
use contract::library::ErrorEnvelope;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{Content, Ref, RefOr, Response as DocumentedResponse, ResponseBuilder};
use utoipa::{IntoResponses, Modify, OpenApi};
use utoipa_swagger_ui::Config;

use crate::http::fault::Fault;

/// Where the document is.
const DOCUMENT: &str = "/openapi.json";

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Sluice",
        description = "A question in; an answer with its evidence, a clarification, or an honest capability miss out."
    ),
    components(schemas(ErrorBody, ChatFault, ErrorEnvelope)),
    modifiers(&ApiKey),
    tags(
        (name = "query", description = "Questions, answered at once."),
        (name = "chat", description = "Conversations, as AI SDK clients hold them."),
        (name = "jobs", description = "Questions, answered later."),
        (name = "tools", description = "The listings: MCP servers and their methods."),
        (name = "library", description = "Documents, their search, and the answers from them."),
        (name = "data", description = "The data that answers rest on."),
        (name = "health", description = "How the server is doing."),
        (name = "documents", description = "This document.")
    )
)]
struct Frame;

struct ApiKey;

impl Modify for ApiKey {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("An API key. On loopback without configured keys any key is let in."));
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("api_key", SecurityScheme::Http(scheme.build()));
    }
}

/// The document without its routes.
pub(crate) fn frame() -> utoipa::openapi::OpenApi {
    Frame::openapi()
}

/// The refusals that are common to the routes that want a key.
pub(crate) enum Refusals {}

/// The refusals that a body or an idempotency key may bring.
pub(crate) enum BodyRefusals {}

/// A refusal: its status, what it says of the request, and an example of its code and words.
type Refusal = (&'static str, &'static str, ErrorCode, &'static str);

const REFUSALS: &[Refusal] = &[
    (
        "400",
        "A part of the request is wrong; `field` names it.",
        ErrorCode::MissingField,
        "`query` is required",
    ),
    ("401", "No key, or one that is not known.", ErrorCode::Unauthorized, "a known API key is required"),
    ("404", "There is no such thing.", ErrorCode::ToolNotFound, "no tool with this id"),
    ("500", "The server is at fault.", ErrorCode::Internal, "an internal error"),
    ("503", "The server has too much to do, or is stopping.", ErrorCode::Overloaded, "try again later"),
];

const BODY_REFUSALS: &[Refusal] = &[
    (
        "408",
        "The body did not arrive in time.",
        ErrorCode::InvalidBody,
        "the body did not arrive within 30000 ms",
    ),
    (
        "409",
        "The idempotency key was used with another body.",
        ErrorCode::IdempotencyKeyReused,
        "this `Idempotency-Key` was used with another body",
    ),
    (
        "413",
        "The body is over the limit.",
        ErrorCode::BodyTooLarge,
        "the body is over 2097152 bytes (`body_bytes_max`)",
    ),
];

impl IntoResponses for Refusals {
    fn responses() -> BTreeMap<String, RefOr<DocumentedResponse>> {
        documented(REFUSALS)
    }
}

impl IntoResponses for BodyRefusals {
    fn responses() -> BTreeMap<String, RefOr<DocumentedResponse>> {
        documented(BODY_REFUSALS)
    }
}

fn documented(refusals: &[Refusal]) -> BTreeMap<String, RefOr<DocumentedResponse>> {
    let documented = refusals.iter().map(|(status, description, code, error)| {
        let mut content = Content::new(Some(Ref::from_schema_name("ErrorBody")));
        let field = (*code == ErrorCode::MissingField).then(|| "query".to_owned());
        content.example = serde_json::to_value(ErrorBody { field, ..ErrorBody::new(*code, *error) }).ok();
        let response = ResponseBuilder::new().description(*description).content("application/json", content);
        ((*status).to_owned(), RefOr::T(response.build()))
    });
    documented.collect()
}

/// The document as it is served.
#[derive(Clone)]
pub(crate) struct Document {
    json: Bytes,
    page: Arc<Config<'static>>,
}

impl Document {
    /// The document as JSON, and the page that shows it.
    pub(crate) fn of(document: &utoipa::openapi::OpenApi) -> Self {
        let json = serde_json::to_vec(document).unwrap_or_default();
        // Without this the page sends the document's address to a validator on the net.
        let page = Config::from(DOCUMENT).validator_url("none");
        Self { json: json.into(), page: Arc::new(page) }
    }
}

/// Gives this document.
#[utoipa::path(
    get,
    path = "/openapi.json",
    operation_id = "get_document",
    tag = "documents",
    responses((status = 200, description = "The document.", body = serde_json::Value)),
    security(())
)]
pub(crate) async fn document(Extension(document): Extension<Document>) -> Response {
    ([(CONTENT_TYPE, "application/json")], document.json).into_response()
}

/// Gives the page that shows this document.
#[utoipa::path(
    get,
    path = "/docs/",
    operation_id = "browse_document",
    tag = "documents",
    responses((status = 200, description = "The page.", body = String, content_type = "text/html")),
    security(())
)]
pub(crate) async fn front_page(Extension(document): Extension<Document>) -> Result<Response, Fault> {
    file("", &document)
}

/// Gives a file of the page.
pub(crate) async fn page(
    Extension(document): Extension<Document>,
    Path(name): Path<String>,
) -> Result<Response, Fault> {
    file(&name, &document)
}

/// The page's links are relative, so its address ends with a slash.
pub(crate) async fn to_front_page() -> Redirect {
    Redirect::permanent("/docs/")
}

fn file(name: &str, document: &Document) -> Result<Response, Fault> {
    let served = utoipa_swagger_ui::serve(name, Arc::clone(&document.page));
    let file = served
        .map_err(|error| Fault::internal(&error, "writing the documents' page"))?
        .ok_or(Fault::NotFound)?;
    let mut response = ([(CONTENT_TYPE, file.content_type)], file.bytes.into_owned()).into_response();
    if file.gzpipped {
        response.headers_mut().insert(CONTENT_ENCODING, axum::http::HeaderValue::from_static("gzip"));
    }
    Ok(response)
}

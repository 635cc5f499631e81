//! `GET /data/{token}`: data that an answer rests on, for whoever has its address.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::HeaderName;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, X_CONTENT_TYPE_OPTIONS};
use axum::response::{IntoResponse, Response};
use contract::error::ErrorBody;

use crate::http::Api;
use crate::http::fault::Fault;

/// The bytes under an address never change.
const FOR_EVER: &str = "private, max-age=31536000, immutable";

/// Gives stored data. The address is the secret: whoever has it may read.
#[utoipa::path(
    get,
    path = "/data/{token}",
    operation_id = "get_data",
    tag = "data",
    params(("token" = String, Path, description = "The last part of a `dataUrl`.")),
    responses(
        (status = 200, description = "The data.", body = serde_json::Value, content_type = "application/json"),
        (status = 404, description = "There is no data at this address.", body = ErrorBody)
    ),
    security(())
)]
pub(crate) async fn get(
    State(api): State<Arc<Api>>,
    token: Result<Path<String>, PathRejection>,
) -> Result<Response, Fault> {
    let Path(token) = token.map_err(|_| Fault::DataNotFound)?;
    let blob =
        api.assembly.store.blob(&token).await.map_err(|error| Fault::internal(&error, "reading data"))?;
    let blob = blob.ok_or(Fault::DataNotFound)?;
    let headers: [(HeaderName, String); 4] = [
        (CONTENT_TYPE, blob.media_type),
        (CACHE_CONTROL, FOR_EVER.to_owned()),
        (ETAG, format!("\"{}\"", blob.sha256)),
        (X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
    ];
    Ok((headers, blob.bytes).into_response())
}

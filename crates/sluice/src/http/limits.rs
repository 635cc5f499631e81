//! How many requests are served at once.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use tokio::sync::OwnedSemaphorePermit;

use crate::http::Api;
use crate::http::fault::Fault;

/// A place among the requests that are served at once. Given back when its last holder lets go: a stream and a run hold
/// theirs beyond the handler's end.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    _permit: Arc<OwnedSemaphorePermit>,
}

/// Takes a request in where there is a place for it, and new work only while the server stays.
pub(crate) async fn admit(
    State(api): State<Arc<Api>>,
    mut request: Request,
    next: Next,
) -> Result<Response, Fault> {
    let place = place(&api, request.method())?;
    request.extensions_mut().insert(place);
    Ok(next.run(request).await)
}

/// A place for a request, where there is one.
pub(crate) fn place(api: &Api, method: &Method) -> Result<Place, Fault> {
    if api.leaving.is_cancelled() && method != Method::GET {
        return Err(api.shutting_down());
    }
    let permit = Arc::clone(&api.requests).try_acquire_owned().map_err(|_| Fault::Overloaded {
        limit: "requests_in_flight_max",
        retry_after_seconds: api.policy().retry_after_seconds,
    })?;
    Ok(Place { _permit: Arc::new(permit) })
}

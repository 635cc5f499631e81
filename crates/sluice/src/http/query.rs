//! `POST /api/v1/query`: one question, answered as JSON or as a stream.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use contract::events::Event;
use contract::query::QueryBody;
use contract::result::QueryResult;
use domain::{Query, RequestId, ResponseShape};
use engine::Failure;
use tokio_util::sync::CancellationToken;
use trace::Listener;
use tracing::{Instrument, Span};

use crate::http::auth::Caller;
use crate::http::fault::Fault;
use crate::http::flights::{Flight, Lead};
use crate::http::idempotency::{self, Ticket};
use crate::http::limits::Place;
use crate::http::openapi::{BodyRefusals, Refusals};
use crate::http::progress::Progress;
use crate::http::{Api, body, stream};
use crate::reply::{self, Admitted, NoReply};
use crate::{from_wire, to_wire};

/// Answers a question.
///
/// With `stream`, the reply is a stream of server-sent events: progress, the answer's text, the result, `[DONE]`.
/// Without an `Idempotency-Key` the run ends when its caller leaves; with one it goes on, and the key fetches its reply.
#[utoipa::path(
    post,
    path = "/api/v1/query",
    operation_id = "ask",
    tag = "query",
    params(("Idempotency-Key" = Option<String>, Header, description = "Makes one run of any number of requests.")),
    request_body(content = QueryBody, content_type = "application/json", example = json!({
        "query": "Which exchanges saw the largest BTC inflows in the last 24 hours?", "includeData": true
    })),
    responses(
        (status = 200, description = "An answer, a clarification or a capability miss.", content(
            (QueryResult = "application/json"), (Event = "text/event-stream")
        )),
        Refusals,
        BodyRefusals
    ),
    security(("api_key" = []))
)]
pub(crate) async fn ask(
    State(api): State<Arc<Api>>,
    Extension(caller): Extension<Caller>,
    Extension(place): Extension<Place>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Fault> {
    let policy = api.policy();
    let bytes = body::read(body, policy).await?;
    let parsed = QueryBody::parse(&bytes)?;
    let streams = parsed.stream;
    let ticket = Ticket::of(&headers, &bytes, &caller, "query", policy)?;
    let query = from_wire::query(parsed, &api.assembly.policy)?;
    let tells_text = query.shape != ResponseShape::EvidenceOnly;

    let cancel = api.stop.child_token();
    // Without a key nobody can come back for the reply, so the run ends when this connection does.
    let leaver = ticket.is_none().then(|| cancel.clone().drop_guard());
    let (listener, progress) = Progress::channel(policy.events_buffered_max);
    let (mut flight, lead) = api.queries.join(ticket.as_ref())?;
    if let Some(lead) = lead {
        let asked = Asked { request: idempotency::request_id(ticket.as_ref()), caller, query };
        let listener = streams.then_some(listener);
        let departure = Departure { lead, asked, cancel, listener, place: place.clone() };
        launch(&api, departure);
    }
    if streams {
        flight.started().await?;
        let stream = stream::Stream { progress, flight, tells_text, held: (leaver, place) };
        return Ok(stream.into_response(policy));
    }
    landed(&mut flight).await
}

async fn landed(flight: &mut Flight<QueryResult>) -> Result<Response, Fault> {
    Ok(Json(flight.landed().await?).into_response())
}

/// A query, whose it is, and the name of the request.
pub(crate) struct Asked {
    pub(crate) request: RequestId,
    pub(crate) caller: Caller,
    pub(crate) query: Query,
}

struct Departure {
    lead: Lead<QueryResult>,
    asked: Asked,
    cancel: CancellationToken,
    listener: Option<Listener>,
    place: Place,
}

/// Runs on the tracker: a connection that goes away cannot take a half-settled run with it.
fn launch(api: &Arc<Api>, departure: Departure) {
    let own = Arc::clone(api);
    let Departure { lead, asked, cancel, listener, place } = departure;
    let flight = async move {
        let work = async |lead: &Lead<QueryResult>| {
            let admitted = admit(&own, asked).await?;
            lead.take_off();
            run(&own, admitted, cancel, listener).await
        };
        Box::pin(own.queries.lead(lead, &own.assembly, work)).await;
        drop(place);
    };
    api.runs.spawn(flight.instrument(Span::current()));
}

/// Sees whether a query may run.
pub(crate) async fn admit(api: &Api, asked: Asked) -> Result<Admitted, Fault> {
    let Asked { request, caller, query } = asked;
    let admitted = reply::admit(&api.assembly, request, caller.name().to_owned(), query).await;
    admitted.map_err(|error| refusal(api, error))
}

/// Runs a query to its result.
pub(crate) async fn run(
    api: &Api,
    admitted: Admitted,
    cancel: CancellationToken,
    listener: Option<Listener>,
) -> Result<Arc<QueryResult>, Fault> {
    reply::to(&api.assembly, admitted, cancel, listener).await.map_err(|error| refusal(api, error))
}

fn refusal(api: &Api, error: NoReply) -> Fault {
    match error {
        NoReply::Failed(Failure::Cancelled) if api.stop.is_cancelled() => api.shutting_down(),
        NoReply::Failed(failure) => {
            tracing::warn!(%failure, "a run failed");
            let (status, body) = to_wire::failure::failure(&failure);
            Fault::Run(status, body)
        }
        NoReply::UnknownAttempt => Fault::SessionNotFound,
        NoReply::Store(error) => Fault::internal(&error, "keeping a run"),
    }
}

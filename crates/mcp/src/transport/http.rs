//! Streamable HTTP, with what the SDK leaves open.
//!
//! The SDK gives an answer to a call by its identifier, and drops answers that carry none: servers of the TypeScript SDK
//! send such a one when they do not know the session after a restart, and the call would wait for its whole timeout.
//! Every answer to a POST is therefore made to carry the identifier of its request, or to say that the session expired.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures::stream::{BoxStream, StreamExt};
use reqwest::header::{HeaderName, HeaderValue};
use reqwest::{Client, Url, redirect};
use rmcp::model::{ClientJsonRpcMessage, ErrorCode, RequestId, ServerJsonRpcMessage};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::common::client_side_sse::ExponentialBackoff;
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpClientTransportConfig, StreamableHttpError,
    StreamableHttpPostResponse,
};
use serde::de::IgnoredAny;
use sse_stream::Sse;
use tokio::sync::Notify;

use super::lines::refusal;
use crate::words::{GARBLED, TOO_LARGE};

type Answer = Result<StreamableHttpPostResponse, StreamableHttpError<reqwest::Error>>;
type Headers = HashMap<HeaderName, HeaderValue>;

/// A transport to the server at `url`. `changed` is signalled when its session may have been lost.
pub(crate) fn connect(
    url: &Url,
    headers: &[(HeaderName, HeaderValue)],
    policy: &policy::Upstreams,
    changed: Arc<Notify>,
) -> Result<StreamableHttpClientTransport<Correlated>, reqwest::Error> {
    let client = Client::builder()
        .connect_timeout(Duration::from_millis(policy.connect_timeout_ms))
        .redirect(same_origin(policy.redirects_max))
        // A kept connection to a server that restarted breaks the next call, which may not be sent twice.
        .pool_max_idle_per_host(0)
        .build()?;
    let mut retries = ExponentialBackoff::default();
    retries.base_duration = Duration::from_millis(policy.reconnect_first_ms);
    retries.max_delay = Some(Duration::from_millis(policy.reconnect_last_ms));
    let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str())
        .custom_headers(headers.iter().cloned().collect())
        .max_concurrent_requests(policy.listing_concurrency_max);
    config.max_sse_event_size = policy.event_bytes_max;
    config.retry_config = Arc::new(retries);
    Ok(StreamableHttpClientTransport::with_client(Correlated { client, changed }, config))
}

/// Headers of the configuration may be secrets, so that a redirect may not carry them elsewhere.
fn same_origin(redirects_max: usize) -> redirect::Policy {
    redirect::Policy::custom(move |attempt| {
        let first = attempt.previous().first().map(Url::origin);
        if first == Some(attempt.url().origin()) && attempt.previous().len() <= redirects_max {
            attempt.follow()
        } else {
            attempt.stop()
        }
    })
}

/// An HTTP client whose every answer to a request carries that request's identifier.
#[derive(Clone)]
pub(crate) struct Correlated {
    client: Client,
    changed: Arc<Notify>,
}

impl Correlated {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the SDK's enum may grow")]
    fn correlated(&self, answer: Answer, request: Option<RequestId>, in_session: bool) -> Answer {
        if matches!(answer, Err(StreamableHttpError::SessionExpired)) {
            self.changed.notify_one();
        }
        let Some(id) = request else { return answer };
        match answer? {
            StreamableHttpPostResponse::Json(message, session) => self
                .of_message(message, id, in_session)
                .map(|message| StreamableHttpPostResponse::Json(message, session)),
            StreamableHttpPostResponse::Sse(events, session) => {
                Ok(StreamableHttpPostResponse::Sse(salvaged(events, id), session))
            }
            other => Ok(other),
        }
    }

    fn of_message(
        &self,
        message: ServerJsonRpcMessage,
        id: RequestId,
        in_session: bool,
    ) -> Result<ServerJsonRpcMessage, StreamableHttpError<reqwest::Error>> {
        let carried = match &message {
            ServerJsonRpcMessage::Response(response) => Some(&response.id),
            ServerJsonRpcMessage::Error(error) => error.id.as_ref(),
            ServerJsonRpcMessage::Request(_) | ServerJsonRpcMessage::Notification(_) => None,
        };
        if carried.is_some_and(|carried| *carried == id || carried.to_string() == id.to_string()) {
            return Ok(message);
        }
        match message {
            ServerJsonRpcMessage::Error(_) if in_session => {
                self.changed.notify_one();
                Err(StreamableHttpError::SessionExpired)
            }
            ServerJsonRpcMessage::Error(error) => Ok(ServerJsonRpcMessage::error(error.error, Some(id))),
            ServerJsonRpcMessage::Response(_)
            | ServerJsonRpcMessage::Request(_)
            | ServerJsonRpcMessage::Notification(_) => {
                Ok(refusal(id, GARBLED, "the server's answer is to another request".to_owned()))
            }
        }
    }
}

/// The events of an answer, with those that are too large or no JSON turned into error answers.
fn salvaged(
    events: BoxStream<'static, Result<Sse, SseError>>,
    id: RequestId,
) -> BoxStream<'static, Result<Sse, SseError>> {
    let turn = move |event: Result<Sse, SseError>| match event {
        Err(error) if is_too_large(&error) => {
            Ok(refusing(id.clone(), TOO_LARGE, "the answer has too many bytes for one event"))
        }
        Ok(event) if event.data.as_deref().is_some_and(is_garbled) => {
            Ok(refusing(id.clone(), GARBLED, "the server's answer is no JSON-RPC"))
        }
        other => other,
    };
    events.map(turn).boxed()
}

/// The SDK keeps the type of this error to itself.
fn is_too_large(error: &SseError) -> bool {
    matches!(error, SseError::Body(error) if error.to_string().contains("exceeded the maximum size"))
}

fn is_garbled(data: &str) -> bool {
    !data.trim().is_empty() && serde_json::from_str::<IgnoredAny>(data).is_err()
}

fn refusing(id: RequestId, code: ErrorCode, message: &str) -> Sse {
    let data = serde_json::to_string(&refusal(id, code, message.to_owned())).ok();
    Sse { data, ..Sse::default() }
}

impl StreamableHttpClient for Correlated {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Answer {
        let (request, in_session) = (request_of(&message), session_id.is_some());
        let answer = self.client.post_message(uri, message, session_id, auth_header, custom_headers).await;
        self.correlated(answer, request, in_session)
    }

    async fn post_message_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        custom_headers: Headers,
        bytes_max: usize,
    ) -> Answer {
        let (request, in_session) = (request_of(&message), session_id.is_some());
        let client = &self.client;
        let answer = client
            .post_message_with_max_sse_event_size(
                uri,
                message,
                session_id,
                auth_header,
                custom_headers,
                bytes_max,
            )
            .await;
        self.correlated(answer, request, in_session)
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<(), StreamableHttpError<Self::Error>> {
        self.client.delete_session(uri, session_id, auth_header, custom_headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, StreamableHttpError<Self::Error>> {
        self.client.get_stream(uri, session_id, last_event_id, auth_header, custom_headers).await
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        custom_headers: Headers,
        bytes_max: usize,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, StreamableHttpError<Self::Error>> {
        let client = &self.client;
        let stream = client
            .get_stream_with_max_sse_event_size(
                uri,
                session_id,
                last_event_id,
                auth_header,
                custom_headers,
                bytes_max,
            )
            .await;
        // A stream that cannot be had again is the first sign of a server that restarted.
        if !matches!(stream, Ok(_) | Err(StreamableHttpError::ServerDoesNotSupportSse)) {
            self.changed.notify_one();
        }
        stream
    }
}

fn request_of(message: &ClientJsonRpcMessage) -> Option<RequestId> {
    match message {
        ClientJsonRpcMessage::Request(request) => Some(request.id.clone()),
        ClientJsonRpcMessage::Response(_)
        | ClientJsonRpcMessage::Error(_)
        | ClientJsonRpcMessage::Notification(_) => None,
    }
}

//! One endpoint: its key, its connection, its breaker, and one exchange with it.

use std::error::Error;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use domain::Clock;
use futures::StreamExt;
use policy::{ApiKey, Dialect, HostedModel, ModelHttp};
use reqwest::header::{HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Response, StatusCode, Url, redirect};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use sse_stream::SseStream;
use tokio::time::Instant;

use crate::breaker::Breaker;
use crate::dialect::{Ask, Manner, Said};
use crate::exchange::HearText;
use crate::portfolio::PortfolioFault;
use crate::report::FallbackReason;

mod retry_after;

/// The connections to all endpoints.
pub(crate) fn client(http: &ModelHttp) -> Result<Client, PortfolioFault> {
    Client::builder()
        .connect_timeout(Duration::from_millis(http.connect_timeout_ms))
        // A key may not be carried to another address.
        .redirect(redirect::Policy::none())
        .build()
        .map_err(|error| PortfolioFault { key: "http".to_owned(), problem: error.to_string() })
}

/// A reply that was not had.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) reason: FallbackReason,
    /// What the endpoint asks to wait.
    pub(crate) retry_after: Option<Duration>,
}

/// An endpoint, ready to be asked.
pub(crate) struct Endpoint {
    manner: Manner,
    url: Url,
    key: Option<SecretString>,
    client: Client,
    reply_bytes_max: usize,
    breaker: Mutex<Breaker>,
}

impl Endpoint {
    /// Reads the key. Requests go to `path` below the endpoint's address; nothing is sent.
    pub(crate) fn open(
        (name, path): (&str, &str),
        policy: &policy::Endpoint,
        (client, http): (&Client, &ModelHttp),
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, PortfolioFault> {
        let fault =
            |key: &str, problem: String| PortfolioFault { key: format!("endpoints.{name}.{key}"), problem };
        let manner = Manner {
            dialect: policy.dialect,
            structured: policy.structured_output,
            limit: policy.output_limit,
        };
        let url = Url::parse(&format!("{}/{}", policy.base_url.trim_end_matches('/'), path))
            .map_err(|error| fault("base_url", error.to_string()))?;
        let key = policy.api_key.as_ref().map(|place| read_key(place, environment)).transpose();
        Ok(Self {
            manner,
            url,
            key: key.map_err(|problem| fault("api_key", problem))?,
            client: client.clone(),
            reply_bytes_max: http.reply_bytes_max,
            breaker: Mutex::new(Breaker::new(&policy.breaker)),
        })
    }

    /// Whether a request may be sent now.
    pub(crate) fn allows(&self, now: Instant) -> bool {
        self.breaker.lock().unwrap_or_else(PoisonError::into_inner).allows(now)
    }

    /// Takes note of how a request went.
    pub(crate) fn note(&self, fault: Option<&FallbackReason>, now: Instant) {
        let mut breaker = self.breaker.lock().unwrap_or_else(PoisonError::into_inner);
        match fault {
            Some(fault) if fault.is_the_endpoints() => breaker.failed(now),
            Some(_) | None => breaker.succeeded(),
        }
    }

    /// The body of a request.
    pub(crate) fn request(&self, model: &HostedModel, ask: &Ask<'_>) -> Value {
        self.manner.request(model, ask)
    }

    /// One request and its reply, added to `said` as it comes.
    ///
    /// # Cancel safety
    /// The request is dropped; `said` keeps what was heard.
    pub(crate) async fn exchange(
        &self,
        (body, is_streamed, carried): (&Value, bool, &[(String, String)]),
        said: &mut Said,
        hear: &HearText<'_>,
        clock: &dyn Clock,
    ) -> Result<(), Refused> {
        let response = self.send(body, carried, clock).await?;
        if is_streamed { self.hear(response, said, hear).await } else { self.read(response, said).await }
            .map_err(Refused::of)
    }

    /// One request and its whole reply, whatever it says.
    ///
    /// # Cancel safety
    /// The request is dropped.
    pub(crate) async fn ask(&self, body: &Value, clock: &dyn Clock) -> Result<Value, Refused> {
        let response = self.send(body, &[], clock).await?;
        self.whole(response).await.map_err(Refused::of)
    }

    async fn send(
        &self,
        body: &Value,
        carried: &[(String, String)],
        clock: &dyn Clock,
    ) -> Result<Response, Refused> {
        let mut request = self.client.post(self.url.clone()).json(body);
        for (name, value) in carried {
            request = request.header(name, value);
        }
        for (name, value) in self.headers()? {
            request = request.header(name, value);
        }
        let response = request.send().await.map_err(|error| Refused::of(unreachable(&error)))?;
        let status = response.status();
        if !status.is_success() {
            let asked = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
            let retry_after = asked.and_then(|text| retry_after::read(text, clock.now()));
            return Err(Refused { reason: reason_of(status), retry_after });
        }
        Ok(response)
    }

    fn headers(&self) -> Result<Vec<(HeaderName, HeaderValue)>, Refused> {
        let mut headers = Vec::new();
        if self.manner.dialect == Dialect::Anthropic {
            let version = HeaderName::from_static("anthropic-version");
            headers.push((version, HeaderValue::from_static("2023-06-01")));
        }
        if let Some(key) = &self.key {
            let (name, text) = match self.manner.dialect {
                Dialect::OpenAi => ("authorization", format!("Bearer {}", key.expose_secret())),
                Dialect::Anthropic => ("x-api-key", key.expose_secret().to_owned()),
            };
            let mut value = HeaderValue::from_str(&text)
                .map_err(|_| Refused::of(FallbackReason::Rejected(StatusCode::UNAUTHORIZED.as_u16())))?;
            value.set_sensitive(true);
            headers.push((HeaderName::from_static(name), value));
        }
        Ok(headers)
    }

    async fn read(&self, response: Response, said: &mut Said) -> Result<(), FallbackReason> {
        *said = self.manner.read(&self.whole(response).await?)?;
        Ok(())
    }

    async fn whole(&self, mut response: Response) -> Result<Value, FallbackReason> {
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|_| FallbackReason::Truncated)? {
            if bytes.len() + chunk.len() > self.reply_bytes_max {
                return Err(FallbackReason::TooLong);
            }
            bytes.extend_from_slice(&chunk);
        }
        serde_json::from_slice(&bytes)
            .map_err(|error| FallbackReason::Garbled(format!("no JSON at line {}", error.line())))
    }

    async fn hear(
        &self,
        response: Response,
        said: &mut Said,
        hear: &HearText<'_>,
    ) -> Result<(), FallbackReason> {
        let mut left = self.reply_bytes_max;
        let bytes = response.bytes_stream().map(move |chunk| {
            let chunk = chunk.map_err(|_| Broken::Connection)?;
            left = left.checked_sub(chunk.len()).ok_or(Broken::Length)?;
            Ok::<_, Broken>(chunk)
        });
        let mut events = SseStream::from_bytes_stream(bytes);
        while let Some(event) = events.next().await {
            let event = event.map_err(|error| broken(&error))?;
            let Some(data) = event.data.as_deref().map(str::trim).filter(|data| !data.is_empty()) else {
                continue;
            };
            if data == END {
                break;
            }
            let value: Value = serde_json::from_str(data)
                .map_err(|_| FallbackReason::Garbled("an event is no JSON".to_owned()))?;
            let text = self.manner.hear(said, &value)?;
            if !text.is_empty() {
                hear(&text)?;
            }
        }
        Ok(())
    }
}

/// Ends a stream of chat completions.
const END: &str = "[DONE]";

impl Refused {
    pub(crate) fn of(reason: FallbackReason) -> Self {
        Self { reason, retry_after: None }
    }
}

fn read_key(place: &ApiKey, environment: &dyn Fn(&str) -> Option<String>) -> Result<SecretString, String> {
    let text = match place {
        ApiKey::Env(name) => {
            environment(name).ok_or_else(|| format!("the environment variable `{name}` is not set"))
        }
        ApiKey::File(path) => {
            std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
        }
    }?;
    let text = text.trim();
    if text.is_empty() {
        return Err("the key is empty".to_owned());
    }
    Ok(SecretString::from(text))
}

fn reason_of(status: StatusCode) -> FallbackReason {
    match status.as_u16() {
        429 => FallbackReason::RateLimited,
        status @ (408 | 500..) => FallbackReason::ServerError(status),
        status => FallbackReason::Rejected(status),
    }
}

/// The innermost cause, which names no address and no key.
fn unreachable(error: &reqwest::Error) -> FallbackReason {
    let mut cause: &dyn Error = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    let is_outermost = error.source().is_none();
    FallbackReason::Unreachable(if is_outermost { String::new() } else { cause.to_string() })
}

/// Why a stream of bytes ended.
#[derive(Clone, Copy, Debug, thiserror::Error)]
enum Broken {
    #[error("the connection broke")]
    Connection,
    #[error("the reply is too long")]
    Length,
}

fn broken(error: &sse_stream::Error) -> FallbackReason {
    match error {
        sse_stream::Error::Body(body) => match body.downcast_ref::<Broken>() {
            Some(Broken::Length) => FallbackReason::TooLong,
            Some(Broken::Connection) | None => FallbackReason::Truncated,
        },
        sse_stream::Error::InvalidLine
        | sse_stream::Error::DuplicatedEventLine
        | sse_stream::Error::DuplicatedIdLine
        | sse_stream::Error::DuplicatedRetry
        | sse_stream::Error::Utf8Parse(_)
        | sse_stream::Error::IntParse(_) => FallbackReason::Garbled("an event is malformed".to_owned()),
    }
}

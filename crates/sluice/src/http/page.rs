//! `GET /`, `/tools` and `/traces/{id}`: the pages for people, with what they load, and the element for other sites.
//!
//! Everything is part of the binary. What a page loads lies under a folder that is named by the hash of it all, so that
//! modules find each other by relative addresses and may be kept for ever.

mod files;
mod lean;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE,
    ETAG, ORIGIN, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::http::fault::Fault;
use crate::http::page::files::{Asset, Bundle, Encoding, Kind};

/// Nothing but our own files runs or is loaded, and no text becomes markup.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' data:; base-uri 'none'; form-action 'none'; \
                      require-trusted-types-for 'script'; trusted-types 'none'; frame-ancestors ";

const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const ASK_EACH_TIME: HeaderValue = HeaderValue::from_static("no-cache");
const NO_SNIFF: HeaderValue = HeaderValue::from_static("nosniff");
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// How the pages are set up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Setup {
    /// The other origins that may show the chat in a frame, as `https://example.com`.
    pub(crate) embed_origins: Vec<HeaderValue>,
    /// Whether the embedded samples are there, which the example questions are about.
    pub(crate) has_samples: bool,
}

struct Pages {
    bundle: Bundle,
    embed_origins: Vec<HeaderValue>,
    policy: HeaderValue,
}

/// The routes of the pages.
pub(crate) fn router<S: Clone + Send + Sync + 'static>(setup: Setup) -> Router<S> {
    let policy = policy(&setup.embed_origins);
    let bundle = Bundle::new(setup.has_samples);
    let pages = Pages { bundle, embed_origins: setup.embed_origins, policy };
    Router::new()
        .route(
            "/",
            get(async |State(pages): Pageful, headers: HeaderMap| pages.document("index.html", &headers)),
        )
        .route(
            "/tools",
            get(async |State(pages): Pageful, headers: HeaderMap| pages.document("tools.html", &headers)),
        )
        .route(
            "/traces/{id}",
            get(async |State(pages): Pageful, headers: HeaderMap| pages.document("trace.html", &headers)),
        )
        .route("/embed.mjs", get(async |State(pages): Pageful, headers: HeaderMap| pages.element(&headers)))
        .route("/assets/{hash}/{*name}", get(asset))
        .with_state(Arc::new(pages))
}

type Pageful = State<Arc<Pages>>;

async fn asset(
    State(pages): Pageful,
    Path((hash, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let found = pages.bundle.asset(&name).filter(|it| it.kind != Kind::Document);
    let asset = found.filter(|_| hash == pages.bundle.hash()).ok_or(Fault::NotFound)?;
    let mut response = file(asset, &headers);
    response.headers_mut().insert(CACHE_CONTROL, FOR_EVER);
    response.headers_mut().insert(RESOURCE_POLICY, HeaderValue::from_static("same-origin"));
    Ok(response)
}

impl Pages {
    fn document(&self, name: &str, asked: &HeaderMap) -> Result<Response, Fault> {
        let mut response = file(self.bundle.asset(name).ok_or(Fault::NotFound)?, asked);
        let headers = response.headers_mut();
        headers.insert(CACHE_CONTROL, ASK_EACH_TIME);
        headers.insert(CONTENT_SECURITY_POLICY, self.policy.clone());
        headers.insert(OPENER_POLICY, HeaderValue::from_static("same-origin"));
        headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
        if self.embed_origins.is_empty() {
            headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
        }
        Ok(response)
    }

    /// The script that other sites load; a browser runs it for the origins that may embed the chat.
    fn element(&self, asked: &HeaderMap) -> Result<Response, Fault> {
        let mut response = file(self.bundle.asset("embed.mjs").ok_or(Fault::NotFound)?, asked);
        let headers = response.headers_mut();
        headers.insert(CACHE_CONTROL, ASK_EACH_TIME);
        headers.insert(VARY, HeaderValue::from_static("accept-encoding, origin"));
        if let Some(origin) = asked.get(ORIGIN).filter(|origin| self.embed_origins.contains(origin)) {
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
            headers.insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
        }
        Ok(response)
    }
}

/// The file as the caller takes it: not at all where it has the same, compressed where it can be read so.
fn file(asset: &Asset, asked: &HeaderMap) -> Response {
    let is_known = asked.get_all("if-none-match").iter().any(|tags| holds(tags, asset.etag()));
    let mut response = if is_known {
        StatusCode::NOT_MODIFIED.into_response()
    } else if let Some(encoding) = [Encoding::Brotli, Encoding::Gzip].into_iter().find(|it| takes(asked, *it))
    {
        ([(CONTENT_ENCODING, encoding.name())], asset.compressed(encoding)).into_response()
    } else {
        asset.bytes().into_response()
    };
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(asset.kind.media_type()));
    headers.insert(X_CONTENT_TYPE_OPTIONS, NO_SNIFF);
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    headers.insert(ETAG, asset.etag().clone());
    response
}

fn holds(tags: &HeaderValue, etag: &HeaderValue) -> bool {
    let (Ok(tags), Ok(etag)) = (tags.to_str(), etag.to_str()) else { return false };
    tags.split(',').map(str::trim).any(|tag| tag == "*" || tag == etag)
}

fn takes(asked: &HeaderMap, wanted: Encoding) -> bool {
    let encodings = asked.get_all("accept-encoding").iter().filter_map(|value| value.to_str().ok());
    encodings.flat_map(|value| value.split(',')).any(|encoding| {
        let (name, weight) = encoding.split_once(';').unwrap_or((encoding, ""));
        let is_refused = weight.trim().strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0_f32));
        name.trim().eq_ignore_ascii_case(wanted.name()) && !is_refused
    })
}

fn policy(embed_origins: &[HeaderValue]) -> HeaderValue {
    let ancestors: Vec<_> = embed_origins.iter().filter_map(|origin| origin.to_str().ok()).collect();
    let ancestors = if ancestors.is_empty() { "'none'".to_owned() } else { ancestors.join(" ") };
    HeaderValue::try_from(format!("{POLICY}{ancestors}"))
        .unwrap_or(HeaderValue::from_static("default-src 'none'"))
}

/// Reads an origin that may embed the chat: a scheme and a host, and nothing else.
pub(crate) fn embed_origin(text: &str) -> Result<HeaderValue, String> {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_plain = |rest: &str| {
        !rest.is_empty()
            && rest.chars().all(|letter| letter.is_ascii_alphanumeric() || ".-:[]".contains(letter))
    };
    match (rest.is_some_and(is_plain), HeaderValue::try_from(text)) {
        (true, Ok(origin)) => Ok(origin),
        _ => Err("must be an origin, as https://example.com".to_owned()),
    }
}

#[cfg(test)]
mod tests;

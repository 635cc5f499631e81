//! Who speaks: a caller with a key, or a session, by where it comes from; and what a session has to get past.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{COOKIE, HOST, ORIGIN, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use contract::chat::Proof;
use domain::ToolScope;
use jiff::Timestamp;
use policy::{Addresses, Anonymous};

use crate::chat::session::{self, Session};
use crate::chat::turn::Refusal;
use crate::http::Api;
use crate::http::auth::{Keys, is_called_local, key};
use crate::http::chat::refusal::Refused;
use crate::http::limits;

/// Who speaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asker {
    /// What the work is kept under.
    pub(crate) owner: Arc<str>,
    /// Whether there is no key.
    pub(crate) is_anonymous: bool,
    /// Whether its session begins with this request.
    pub(crate) is_new: bool,
    /// Where it comes from, as far as that tells callers apart.
    pub(crate) address: IpAddr,
}

/// Finds out who speaks, gives a browser its session, and takes a place. `is_embedded` says whether other sites may show the
/// chat in a frame.
pub(crate) async fn know(
    State((api, is_embedded)): State<(Arc<Api>, bool)>,
    mut request: Request,
    next: Next,
) -> Result<Response, Refused> {
    if matches!(api.keys, Keys::Any) && !is_called_local(request.headers()) {
        return Err(Refused::foreign_host());
    }
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0.ip());
    let policy = &api.assembly.policy.guardrails;
    let address = address(request.headers(), peer, &policy.address);
    let (asker, fresh) = if let Some(key) = key(request.headers()) {
        let caller = api.keys.admit(key).ok_or_else(Refused::unknown_key)?;
        (Asker { owner: caller.name().into(), is_anonymous: false, is_new: false, address }, None)
    } else {
        let (session, is_new) = anonymous(&api, request.headers(), request.method())?;
        let asker = Asker { owner: session.owner.as_str().into(), is_anonymous: true, is_new, address };
        (asker, is_new.then_some(session))
    };
    let place = limits::place(&api, request.method()).map_err(Refused::fault)?;
    request.extensions_mut().insert(asker);
    request.extensions_mut().insert(place);
    let mut response = next.run(request).await;
    if let Some(cookie) = fresh.and_then(|session| cookie(&session, policy.session, is_embedded)) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    Ok(response)
}

fn anonymous(api: &Api, headers: &HeaderMap, method: &Method) -> Result<(Session, bool), Refused> {
    let is_open = match api.assembly.policy.guardrails.anonymous {
        Anonymous::Never => false,
        Anonymous::Loopback => matches!(api.keys, Keys::Any),
        Anonymous::Always => true,
    };
    if !is_open {
        return Err(Refused::unknown_key());
    }
    // Another site's page may not speak with this site's cookie.
    let site = headers.get("sec-fetch-site").and_then(|site| site.to_str().ok());
    let is_foreign = match site {
        Some(site) => matches!(site, "cross-site" | "same-site"),
        None => is_of_another_origin(headers),
    };
    if method != Method::GET && is_foreign {
        return Err(Refused::other_site());
    }
    let key = &api.assembly.conversations.session_key;
    let known = cookies(headers).find_map(|token| Session::known(key, token));
    Ok(known.map_or_else(|| (Session::fresh(key), true), |session| (session, false)))
}

/// Whether a browser that does not say from which site it asks names another origin than the one it asks.
fn is_of_another_origin(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let Some(origin) = text(ORIGIN) else { return false };
    let host = origin.split_once("://").map(|(_, host)| host);
    host.is_none() || host != text(HOST)
}

/// What a session has to get past: the bot check, then the rates.
pub(super) async fn guard(
    api: &Api,
    asker: &Asker,
    proof: Option<&Proof>,
    now: Timestamp,
) -> Result<(), Refused> {
    let shared = &api.assembly.conversations;
    if let Err(refused) = shared.bot.pass(&asker.owner, proof, now).await {
        let wanted = shared.bot.wanted(&asker.owner, now);
        return Err(Refused::bot(refused, wanted, api.policy().retry_after_seconds));
    }
    shared.windows.take(asker.address, &asker.owner, now).map_err(Refused::full)
}

/// Holds the named listings to their number.
pub(super) fn few_tools(tools: &ToolScope, max: usize) -> Result<(), Refused> {
    match tools {
        ToolScope::Pinned(ids) if ids.len() > max => Err(Refused::turn(Refusal::TooLong {
            field: "tools",
            limit: "pinned_tools_max",
            max,
            given: (ids.len(), "ids"),
        })),
        ToolScope::Pinned(_) | ToolScope::Discover => Ok(()),
    }
}

/// Where a request comes from: its peer, or whom a trusted proxy forwards for. Read from the nearest end of the header, and
/// no further than the trusted proxies reach: what is left of that is the caller's own word.
fn address(headers: &HeaderMap, peer: Option<IpAddr>, rules: &Addresses) -> IpAddr {
    let mut address = peer.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)).to_canonical();
    let said = headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok());
    let said: Vec<&str> = said.flat_map(|value| value.split(',')).map(str::trim).collect();
    for hop in said.into_iter().rev() {
        if !rules.trusts(address) {
            break;
        }
        let Ok(before) = hop.parse::<IpAddr>() else { break };
        address = before.to_canonical();
    }
    rules.prefix(address)
}

fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = cookies.flat_map(|cookie| cookie.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(|(name, _)| *name == session::COOKIE).map(|(_, token)| token)
}

/// In a frame on another site a browser sends a cookie only where it is for every site, for HTTPS, and kept apart for that
/// site: the session that a reader has there is no other site's, and not that of the chat's own page.
fn cookie(session: &Session, rules: policy::SessionCookie, is_embedded: bool) -> Option<HeaderValue> {
    let seconds = u64::from(rules.cookie_days) * 86_400;
    let reach = match (rules.secure_cookie, is_embedded) {
        (true, true) => "SameSite=None; Secure; Partitioned",
        (true, false) => "SameSite=Lax; Secure",
        (false, _) => "SameSite=Lax",
    };
    let text = format!("{}={}; Path=/; Max-Age={seconds}; HttpOnly; {reach}", session::COOKIE, session.token);
    let mut value = HeaderValue::from_str(&text).ok()?;
    value.set_sensitive(true);
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(trusted: &str) -> Addresses {
        let shipped = include_str!("../../../../../policies/guardrails.toml");
        let folder = tempfile::tempdir().unwrap();
        let text = shipped.replace("trusted_proxies = []", &format!("trusted_proxies = [{trusted}]"));
        std::fs::write(folder.path().join("guardrails.toml"), text).unwrap();
        policy::Policy::load(folder.path()).unwrap().guardrails.address
    }

    fn seen(trusted: &str, peer: &str, forwarded: &str) -> String {
        let mut headers = HeaderMap::new();
        if !forwarded.is_empty() {
            headers.insert("x-forwarded-for", HeaderValue::from_str(forwarded).unwrap());
        }
        address(&headers, Some(peer.parse().unwrap()), &rules(trusted)).to_string()
    }

    #[test]
    fn a_forwarding_header_is_believed_of_named_proxies_alone() {
        assert_eq!(seen("", "192.0.2.1", "198.51.100.7"), "192.0.2.1");
        assert_eq!(seen("\"10.0.0.0/8\"", "192.0.2.1", "198.51.100.7"), "192.0.2.1");
        assert_eq!(seen("\"10.0.0.0/8\"", "10.0.0.1", "198.51.100.7"), "198.51.100.7");
        // What a caller wrote itself stands to the left of what the proxy added.
        assert_eq!(seen("\"10.0.0.0/8\"", "10.0.0.1", "203.0.113.9, 198.51.100.7"), "198.51.100.7");
        assert_eq!(seen("\"10.0.0.0/8\"", "10.0.0.1", "203.0.113.9, 198.51.100.7, 10.0.0.2"), "198.51.100.7");
        assert_eq!(seen("\"10.0.0.0/8\"", "10.0.0.1", "nonsense"), "10.0.0.1");
        assert_eq!(seen("", "2001:db8::1:2:3:4", ""), "2001:db8::");
    }

    #[test]
    fn an_origin_is_held_against_the_host() {
        let foreign = |origin: &'static str, host: &'static str| {
            let mut headers = HeaderMap::new();
            if !origin.is_empty() {
                headers.insert(ORIGIN, HeaderValue::from_static(origin));
            }
            headers.insert(HOST, HeaderValue::from_static(host));
            is_of_another_origin(&headers)
        };
        assert!(!foreign("", "chat.example") && !foreign("https://chat.example:8443", "chat.example:8443"));
        assert!(foreign("https://evil.example", "chat.example") && foreign("null", "chat.example"));
    }

    #[test]
    fn a_session_is_found_among_other_cookies() {
        let session = Session::fresh(b"key");
        let mut headers = HeaderMap::new();
        let text = format!("theme=dark; {}={}; x", session::COOKIE, session.token);
        headers.insert(COOKIE, HeaderValue::from_str(&text).unwrap());
        assert_eq!(cookies(&headers).collect::<Vec<_>>(), [session.token.as_str()]);
        let rules = policy::Policy::shipped().unwrap().guardrails.session;
        let reach = |is_secure, is_embedded| {
            let rules = policy::SessionCookie { secure_cookie: is_secure, ..rules };
            let value = cookie(&session, rules, is_embedded).unwrap().to_str().unwrap().to_owned();
            let (_, reach) = value.split_once("; Path=/; Max-Age=2592000; HttpOnly; ").unwrap();
            reach.to_owned()
        };
        assert_eq!(reach(false, false), "SameSite=Lax");
        assert_eq!(reach(true, false), "SameSite=Lax; Secure");
        // Without HTTPS a browser takes no cookie for every site, so there is none to be had in a frame.
        assert_eq!(reach(false, true), "SameSite=Lax");
        assert_eq!(reach(true, true), "SameSite=None; Secure; Partitioned");
    }
}

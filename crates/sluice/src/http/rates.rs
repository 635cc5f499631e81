//! How often a caller may ask of the library, over a window that slides.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use axum::Extension;
use axum::extract::{Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use jiff::{SignedDuration, Timestamp};
use policy::RequestRates;

use crate::http::Api;
use crate::http::auth::Caller;
use crate::http::fault::Fault;

/// What a request counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// It only reads.
    Readonly,
    /// Any other.
    Api,
}

/// When each caller asked.
#[derive(Debug)]
pub(crate) struct Rates {
    limits: RequestRates,
    asked: Mutex<BTreeMap<(String, Kind), VecDeque<Timestamp>>>,
}

impl Rates {
    pub(crate) fn new(limits: RequestRates) -> Self {
        Self { limits, asked: Mutex::default() }
    }

    /// Counts a request; the seconds after which there is room again where there is none now.
    pub(crate) fn take(&self, caller: &str, kind: Kind, now: Timestamp) -> Result<(), u32> {
        let window = SignedDuration::from_secs(self.limits.window_seconds.into());
        let most = match kind {
            Kind::Readonly => self.limits.readonly_max,
            Kind::Api => self.limits.api_max,
        };
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let own = asked.entry((caller.to_owned(), kind)).or_default();
        while own.front().is_some_and(|first| now.duration_since(*first) >= window) {
            own.pop_front();
        }
        if let Some(first) = own.front().filter(|_| own.len() >= most) {
            let left = window - now.duration_since(*first);
            return Err(u32::try_from((left.as_millis() + 999) / 1_000).unwrap_or(u32::MAX));
        }
        own.push_back(now);
        if asked.len() > self.limits.callers_max {
            let oldest = asked.iter().min_by_key(|(_, times)| times.back().copied());
            let oldest = oldest.map(|(key, _)| key.clone());
            oldest.and_then(|key| asked.remove(&key));
        }
        Ok(())
    }
}

/// Counts a request, and refuses it where its caller has asked too often.
pub(crate) async fn check(
    State(api): State<Arc<Api>>,
    Extension(caller): Extension<Caller>,
    request: Request,
    next: Next,
) -> Result<Response, Fault> {
    let kind = if request.method() == Method::GET { Kind::Readonly } else { Kind::Api };
    let now = api.assembly.clock.now();
    match api.rates.take(caller.name(), kind, now) {
        Ok(()) => Ok(next.run(request).await),
        Err(retry_after_seconds) => Err(Fault::RateLimited { retry_after_seconds }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_slides() {
        let limits = RequestRates { window_seconds: 60, readonly_max: 3, api_max: 2, callers_max: 9 };
        let rates = Rates::new(limits);
        let at = |seconds: i64| Timestamp::from_second(seconds).unwrap();
        assert_eq!(rates.take("a", Kind::Api, at(0)), Ok(()));
        assert_eq!(rates.take("a", Kind::Api, at(30)), Ok(()));
        assert_eq!(rates.take("a", Kind::Api, at(59)), Err(1));
        assert_eq!(rates.take("a", Kind::Readonly, at(59)), Ok(()), "reading is counted apart");
        assert_eq!(rates.take("b", Kind::Api, at(59)), Ok(()), "and so is every caller");
        assert_eq!(rates.take("a", Kind::Api, at(60)), Ok(()));
        assert_eq!(rates.take("a", Kind::Api, at(61)), Err(29));
    }
}

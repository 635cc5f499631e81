//! What calls need of one server: its methods, its live session, its bounds.

use std::sync::Arc;
use std::time::Duration;

use arc_swap::{ArcSwap, ArcSwapOption};
use domain::ListingId;
use rmcp::RoleClient;
use rmcp::service::Peer;
use tokio::sync::{Notify, Semaphore, watch};
use tokio_util::sync::CancellationToken;

use crate::Upstream;
use crate::listing::Methods;

/// One server's place, shared by its supervisor and the calls to it.
pub(crate) struct Slot {
    pub(crate) id: ListingId,
    pub(crate) upstream: Upstream,
    /// The methods of the last good `tools/list`.
    pub(crate) methods: ArcSwap<Methods>,
    live: ArcSwapOption<Live>,
    /// Bounds the calls under way.
    pub(crate) at_once: Semaphore,
    pub(crate) call_timeout: Duration,
    /// Signalled by a call that found no session.
    pub(crate) wanted: Notify,
    tries: watch::Sender<Tries>,
}

/// The tries to connect so far.
#[derive(Clone, Copy, Debug, Default)]
struct Tries {
    begun: u64,
    ended: u64,
    has_session: bool,
}

impl Slot {
    pub(crate) fn new(upstream: Upstream, policy: &policy::Upstreams) -> Self {
        let at_once = upstream.concurrency_max.unwrap_or(policy.listing_concurrency_max);
        Self {
            id: ListingId::of_name(&upstream.name),
            methods: ArcSwap::default(),
            live: ArcSwapOption::empty(),
            at_once: Semaphore::new(at_once.min(Semaphore::MAX_PERMITS)),
            call_timeout: upstream.call_timeout.unwrap_or(Duration::from_millis(policy.call_timeout_ms)),
            wanted: Notify::new(),
            tries: watch::Sender::default(),
            upstream,
        }
    }

    /// The session that calls go to; none while there is none.
    pub(crate) fn session(&self) -> Option<Arc<Live>> {
        self.live.load_full()
    }

    pub(crate) fn begin_try(&self) {
        self.tries.send_modify(|tries| tries.begun += 1);
    }

    pub(crate) fn end_try(&self, live: Option<Arc<Live>>) {
        let has_session = live.is_some();
        self.live.store(live);
        self.tries.send_modify(|tries| *tries = Tries { ended: tries.begun, has_session, ..*tries });
    }

    pub(crate) fn lose_session(&self) {
        self.live.store(None);
        self.tries.send_modify(|tries| tries.has_session = false);
    }

    /// Waits until the server was tried once.
    pub(crate) async fn tried(&self) {
        // The sender lives as long as the slot does.
        let _ = self.tries.subscribe().wait_for(|tries| tries.ended > 0).await;
    }

    /// Brings a new try about and waits for a session, or until a try that began after this has failed.
    pub(crate) async fn revived(&self) {
        let mut tries = self.tries.subscribe();
        let next = tries.borrow_and_update().begun + 1;
        self.wanted.notify_one();
        let _ = tries.wait_for(|tries| tries.has_session || tries.ended >= next).await;
    }
}

/// A session as calls see it.
pub(crate) struct Live {
    pub(crate) peer: Peer<RoleClient>,
    /// Cancelled when the session ends.
    pub(crate) gone: CancellationToken,
    /// Signalled when the list may have changed or the session may be lost.
    pub(crate) changed: Arc<Notify>,
}

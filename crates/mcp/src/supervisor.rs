//! Keeps one server's session: connects, lists, refreshes, reconnects. One task per server.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use domain::{Clock, Health};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::board::Board;
use crate::listing::Methods;
use crate::pace::Starts;
use crate::session::{self, Event, Handshake, Opening, Session};
use crate::slot::Slot;
use crate::words::shortened;

/// What every supervisor of a process shares.
pub(crate) struct Shared {
    pub(crate) board: Board,
    pub(crate) policy: Arc<policy::Upstreams>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) tracker: TaskTracker,
    pub(crate) cancel: CancellationToken,
}

/// Keeps the session of one slot until the process stops.
pub(crate) struct Supervisor {
    slot: Arc<Slot>,
    shared: Arc<Shared>,
    handshake: Handshake,
    refreshes: Starts,
}

impl Supervisor {
    pub(crate) fn new(slot: Arc<Slot>, shared: Arc<Shared>) -> Self {
        let refreshes = Starts::new(Some(shared.policy.refreshes_per_minute_max), Duration::ZERO);
        Self { slot, shared, handshake: Handshake::Discover, refreshes }
    }

    pub(crate) async fn run(mut self) {
        let mut delays = self.delays();
        while !self.shared.cancel.is_cancelled() {
            let begun = Instant::now();
            self.slot.begin_try();
            match self.connect().await {
                Ok(session) => {
                    self.slot.end_try(Some(Arc::clone(session.live())));
                    self.keep(session).await;
                }
                Err(reason) => {
                    self.publish_unhealthy(&reason);
                    self.slot.end_try(None);
                }
            }
            if begun.elapsed() > Duration::from_millis(self.shared.policy.reconnect_last_ms) {
                delays = self.delays();
            }
            self.pause(delays.next()).await;
        }
    }

    /// Opens a session, reads its list and publishes both; else says why not.
    async fn connect(&mut self) -> Result<Session, String> {
        let (slot, shared) = (Arc::clone(&self.slot), Arc::clone(&self.shared));
        let opening = Opening {
            upstream: &slot.upstream,
            policy: &shared.policy,
            tracker: &shared.tracker,
            cancel: &shared.cancel,
            deadline: self.deadline(),
        };
        let session = match (opening.open(self.handshake).await, self.handshake) {
            (Err(refusal), Handshake::Discover) if refusal.by_handshake => {
                opening.open(Handshake::Initialize).await
            }
            (Err(refusal), _) => {
                self.handshake = Handshake::Discover;
                Err(refusal)
            }
            (opened, _) => opened,
        };
        let session = session.map_err(|refusal| refusal.reason)?;
        // Asking anew costs old servers a refused request, or ten seconds, at every reconnect.
        self.handshake = if session.is_initialized() { Handshake::Initialize } else { Handshake::Discover };
        match session::list(session.live(), &shared.policy, opening.deadline).await {
            Ok(tools) => {
                self.publish(&session, tools);
                Ok(session)
            }
            Err(reason) => {
                opening.close(session).await;
                Err(reason)
            }
        }
    }

    /// Keeps a session until it is lost, and says why it was before it is cleared away.
    async fn keep(&mut self, mut session: Session) {
        let reason = loop {
            session.subscribe(self.deadline()).await;
            if let Event::Lost(reason) = session.event().await {
                break reason.to_owned();
            }
            // Whatever comes while the next refresh waits for its turn is folded into it.
            tokio::select! {
                () = self.refreshes.next() => {}
                reason = lost(&mut session) => break reason.to_owned(),
            }
            let live = Arc::clone(session.live());
            match session::list(&live, &self.shared.policy, self.deadline()).await {
                Ok(tools) => self.publish(&session, tools),
                Err(reason) => break reason,
            }
        };
        self.slot.lose_session();
        self.publish_unhealthy(&reason);
        let opening = Opening {
            upstream: &self.slot.upstream,
            policy: &self.shared.policy,
            tracker: &self.shared.tracker,
            cancel: &self.shared.cancel,
            deadline: self.deadline(),
        };
        opening.close(session).await;
    }

    fn publish(&self, session: &Session, tools: Vec<rmcp::model::Tool>) {
        let upstream = &self.slot.upstream;
        let methods = Arc::new(Methods::read(tools, upstream, &self.slot.methods.load()));
        for note in methods.notes() {
            tracing::warn!(listing = upstream.name, note, "a listing cannot be used as it stands");
        }
        self.slot.methods.store(Arc::clone(&methods));
        let chars_max = self.shared.policy.instructions_chars_max;
        let own_words = || session.own_words().map(|words| shortened(&words, chars_max));
        let description = upstream.description.clone().or_else(own_words).unwrap_or_default();
        let now = self.shared.clock.now();
        self.shared.board.update(self.slot.id, |listing| {
            listing.methods = methods.in_order().to_vec();
            listing.description.clone_from(&description);
            listing.health = Health::Healthy;
            listing.listed_at = Some(now);
        });
        tracing::info!(listing = upstream.name, methods = methods.in_order().len(), "a listing was read");
    }

    /// The methods of the last good list stay.
    fn publish_unhealthy(&self, reason: &str) {
        let now = self.shared.clock.now();
        self.shared.board.update(self.slot.id, |listing| {
            let since = match &listing.health {
                Health::Unhealthy { since, .. } => *since,
                Health::Connecting | Health::Healthy => now,
            };
            listing.health = Health::Unhealthy { reason: reason.to_owned(), since };
        });
        if !self.shared.cancel.is_cancelled() {
            tracing::warn!(listing = self.slot.upstream.name, reason, "a listing is unhealthy");
        }
    }

    /// Waits for the next try: the whole delay, or the shortest one and a call that wants the server.
    async fn pause(&self, delay: Option<Duration>) {
        let shortest = Duration::from_millis(self.shared.policy.reconnect_first_ms);
        let whole = async {
            match delay {
                Some(delay) => sleep(delay).await,
                None => pending().await,
            }
        };
        let wanted = async {
            sleep(shortest).await;
            self.slot.wanted.notified().await;
        };
        tokio::select! {
            () = whole => {}
            () = wanted => {}
            () = self.shared.cancel.cancelled() => {}
        }
    }

    fn delays(&self) -> ExponentialBackoff {
        ExponentialBuilder::new()
            .with_min_delay(Duration::from_millis(self.shared.policy.reconnect_first_ms))
            .with_max_delay(Duration::from_millis(self.shared.policy.reconnect_last_ms))
            .with_jitter()
            .without_max_times()
            .build()
    }

    fn deadline(&self) -> Instant {
        Instant::now() + Duration::from_millis(self.shared.policy.connect_timeout_ms)
    }
}

async fn lost(session: &mut Session) -> &'static str {
    loop {
        if let Event::Lost(reason) = session.event().await {
            return reason;
        }
    }
}

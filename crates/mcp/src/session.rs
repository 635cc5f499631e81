//! One session with a server, from the handshake to the reaping of its child.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, Shared};
use rmcp::model::{
    ClientCapabilities, ClientConfig, ClientRequest, Implementation, ListToolsRequest,
    PaginatedRequestParams, ProtocolVersion, ServerResult, SubscriptionFilter, Tool,
};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, Peer, PeerRequestOptions, RunningService, Subscription,
    serve_client_with_lifecycle_and_ct,
};
use rmcp::transport::Transport as Link;
use rmcp::{ClientHandler, RoleClient};
use tokio::io::{duplex, split};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::result::json_bytes;
use crate::slot::Live;
use crate::transport::{Child, Launch, Lines, Sifted, http};
use crate::{Transport, Upstream, words};

/// How a session begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Handshake {
    /// By discovery, and by `initialize` where a server says that it does not know it.
    Discover,
    /// By `initialize`, for servers that stumble over discovery.
    Initialize,
}

/// What a session is opened with.
pub(crate) struct Opening<'a> {
    pub(crate) upstream: &'a Upstream,
    pub(crate) policy: &'a policy::Upstreams,
    pub(crate) tracker: &'a TaskTracker,
    /// Stops the opening and the session.
    pub(crate) cancel: &'a CancellationToken,
    pub(crate) deadline: Instant,
}

/// An open session.
pub(crate) struct Session {
    live: Arc<Live>,
    ended: Shared<BoxFuture<'static, ()>>,
    child: Option<Child>,
    subscription: Option<Subscription>,
}

/// Why there is no session.
pub(crate) struct Refusal {
    /// In words that may be shown to a caller.
    pub(crate) reason: String,
    /// Whether another handshake may fare better.
    pub(crate) by_handshake: bool,
}

impl Refusal {
    fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), by_handshake: false }
    }
}

impl Opening<'_> {
    /// Opens a session. A child that was started is reaped where this fails.
    pub(crate) async fn open(&self, handshake: Handshake) -> Result<Session, Refusal> {
        let changed = Arc::new(Notify::new());
        let gone = self.cancel.child_token();
        let (running, child) = match &self.upstream.transport {
            Transport::Embedded(serve) => {
                let (near, far) = duplex(self.policy.embedded_buffer_bytes);
                let (serving, stopped) = (serve(far), gone.clone());
                self.tracker.spawn(async move { stopped.run_until_cancelled(serving).await });
                let (reader, writer) = split(near);
                let lines = Lines::new(reader, writer, self.policy.event_bytes_max);
                (self.shake(Sifted::new(lines, Arc::clone(&changed)), handshake, &gone).await, None)
            }
            Transport::Stdio { command, args, env, cwd } => {
                let launch = Launch { command, args, env, cwd: cwd.as_deref() };
                let (name, bytes_max) = (&self.upstream.name, self.policy.stderr_bytes_max);
                let (child, stdin, stdout) =
                    Child::start(&launch, name, bytes_max, self.tracker).map_err(|error| {
                        Refusal::new(format!("its program cannot be started: {}", error.kind()))
                    })?;
                let lines = Lines::new(stdout, stdin, self.policy.event_bytes_max);
                (self.shake(Sifted::new(lines, Arc::clone(&changed)), handshake, &gone).await, Some(child))
            }
            Transport::Http { url, headers } => {
                let link = http(url, headers, self.policy, Arc::clone(&changed))
                    .map_err(|_| Refusal::new("no HTTP client can be made"))?;
                (self.shake(Sifted::new(link, Arc::clone(&changed)), handshake, &gone).await, None)
            }
        };
        match running {
            Ok(running) => {
                let peer = running.peer().clone();
                let live = Arc::new(Live { peer, gone, changed });
                let ended = running.waiting().map(drop).boxed().shared();
                Ok(Session { live, ended, child, subscription: None })
            }
            Err(refusal) => {
                gone.cancel();
                if let Some(child) = child {
                    child.end(self.patience()).await;
                }
                Err(refusal)
            }
        }
    }

    async fn shake<T>(
        &self,
        link: T,
        handshake: Handshake,
        gone: &CancellationToken,
    ) -> Result<RunningService<RoleClient, Client>, Refusal>
    where
        T: Link<RoleClient> + 'static,
    {
        let lifecycle = match handshake {
            Handshake::Initialize => ClientLifecycleMode::Initialize,
            Handshake::Discover => ClientLifecycleMode::Auto {
                preferred_versions: vec![ProtocolVersion::V_2026_07_28],
                legacy_version: Some(ProtocolVersion::LATEST_WITH_INITIALIZE),
            },
        };
        let serving = serve_client_with_lifecycle_and_ct(Client, link, lifecycle, gone.clone());
        match timeout_at(self.deadline, serving).await {
            Ok(Ok(running)) => Ok(running),
            Ok(Err(error)) => Err(Refusal {
                reason: words::of_opening(&error, self.policy.error_chars_max),
                by_handshake: !matches!(error, ClientInitializeError::Cancelled),
            }),
            Err(_) => Err(Refusal::new("no answer to the handshake in time")),
        }
    }

    /// Ends a session that was opened with this.
    pub(crate) async fn close(&self, session: Session) {
        session.close(self.patience()).await;
    }

    fn patience(&self) -> Duration {
        Duration::from_millis(self.policy.child_exit_ms)
    }
}

impl Session {
    pub(crate) fn live(&self) -> &Arc<Live> {
        &self.live
    }

    /// Whether the server wants `initialize`.
    pub(crate) fn is_initialized(&self) -> bool {
        self.live.peer.peer_info().is_none_or(|info| info.protocol_version.has_initialize())
    }

    /// The server's own words about itself.
    pub(crate) fn own_words(&self) -> Option<String> {
        let info = self.live.peer.peer_info()?;
        let about = || info.server_info.as_ref().and_then(|server| server.description.clone());
        info.instructions.clone().or_else(about)
    }

    /// Waits until the session is lost or its list may have changed; says which.
    ///
    /// # Cancel safety
    ///
    /// May be dropped and begun anew.
    pub(crate) async fn event(&mut self) -> Event {
        let left = async {
            match &mut self.child {
                Some(child) => child.left().await,
                None => std::future::pending().await,
            }
        };
        let unsubscribed = async {
            match &mut self.subscription {
                Some(subscription) => while let Ok(Some(_)) = subscription.next().await {},
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = self.live.gone.cancelled() => Event::Lost("stopped"),
            () = self.ended.clone() => Event::Lost("the server closed the connection"),
            () = left => Event::Lost("the server's process ended"),
            () = self.live.changed.notified() => Event::Changed,
            () = unsubscribed => {
                self.subscription = None;
                Event::Changed
            }
        }
    }

    /// Asks for `tools/list_changed` where the protocol's version wants them asked for. A refusal costs freshness only.
    pub(crate) async fn subscribe(&mut self, deadline: Instant) {
        let offered = self.live.peer.peer_info().is_some_and(|info| {
            let tools = info.capabilities.tools.as_ref();
            !info.protocol_version.has_initialize()
                && tools.is_some_and(|tools| tools.list_changed == Some(true))
        });
        if !offered || self.subscription.is_some() {
            return;
        }
        let filter = SubscriptionFilter::builder().tools_list_changed().build();
        if let Ok(Ok(subscription)) = timeout_at(deadline, self.live.peer.listen(filter)).await {
            self.subscription = Some(subscription);
            // What changed before the subscription held was not told.
            self.live.changed.notify_one();
        }
    }

    /// Ends the session and reaps its child.
    async fn close(self, patience: Duration) {
        let Self { live, ended, child, subscription } = self;
        live.gone.cancel();
        drop(subscription);
        let _ = timeout(patience, ended).await;
        if let Some(child) = child {
            child.end(patience).await;
        }
    }
}

/// Every tool of a live session, page by page, within the policy's bounds.
pub(crate) async fn list(
    live: &Live,
    policy: &policy::Upstreams,
    deadline: Instant,
) -> Result<Vec<Tool>, String> {
    match timeout_at(deadline, live.gone.run_until_cancelled(pages(&live.peer, policy))).await {
        Ok(Some(tools)) => tools,
        Ok(None) => Err("stopped".to_owned()),
        Err(_) => Err("no answer to `tools/list` in time".to_owned()),
    }
}

/// Something that a session's keeper has to act on.
pub(crate) enum Event {
    /// The session is over, for this reason.
    Lost(&'static str),
    /// The list may have changed, or the session may be lost: read the list again.
    Changed,
}

/// Past the SDK's cache of lists, which would answer for the server.
async fn pages(peer: &Peer<RoleClient>, policy: &policy::Upstreams) -> Result<Vec<Tool>, String> {
    let (mut tools, mut bytes, mut cursor) = (Vec::new(), 0_usize, None);
    for _ in 0..policy.pages_max {
        let params = PaginatedRequestParams::default().with_cursor(cursor.take());
        let request = ClientRequest::ListToolsRequest(ListToolsRequest::with_param(params));
        let refused = |error| words::of_request(&error, policy.error_chars_max).message;
        let handle = peer
            .send_cancellable_request(request, PeerRequestOptions::no_options())
            .await
            .map_err(refused)?;
        let ServerResult::ListToolsResult(page) = handle.await_response().await.map_err(refused)? else {
            return Err("the server's `tools/list` is no list of tools".to_owned());
        };
        bytes = page.tools.iter().map(json_bytes).fold(bytes, usize::saturating_add);
        tools.extend(page.tools);
        if bytes > policy.listing_bytes_max {
            return Err(format!("its list has more than {} bytes", policy.listing_bytes_max));
        }
        if tools.len() > policy.methods_max {
            return Err(format!("it lists more than {} methods", policy.methods_max));
        }
        match page.next_cursor {
            Some(next) => cursor = Some(next),
            None => return Ok(tools),
        }
    }
    Err(format!("its list has more than {} pages", policy.pages_max))
}

/// This client: it offers nothing, so that what a server asks of it (sampling, elicitation) is declined.
pub(crate) struct Client;

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(
            ClientCapabilities::default(),
            Implementation::new("sluice", env!("CARGO_PKG_VERSION")),
        )
        .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }
}

//! Every configured server, live.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::{Call, Clock, Health, Listing, ListingId, Reply, Snapshot, alias_of};
use futures::FutureExt;
use futures::future::{BoxFuture, join_all};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::board::Board;
use crate::slot::Slot;
use crate::supervisor::{Shared, Supervisor};
use crate::{Catalog, ConfigError, Note, Tools, Upstream, call};

/// The live catalog and the live methods: one supervised session per server.
pub struct Upstreams {
    slots: BTreeMap<ListingId, Arc<Slot>>,
    shared: Arc<Shared>,
    supervisors: Mutex<Vec<JoinHandle<()>>>,
}

impl Upstreams {
    /// Begins to connect to every server at once, and returns without waiting.
    ///
    /// Supervisors live on `tracker` until `cancel` is cancelled or [`close`](Self::close) is called.
    ///
    /// # Errors
    ///
    /// Two servers of one name.
    pub fn start(
        config: Vec<Upstream>,
        policy: Arc<policy::Upstreams>,
        clock: Arc<dyn Clock>,
        tracker: TaskTracker,
        cancel: &CancellationToken,
    ) -> Result<Arc<Self>, ConfigError> {
        // Only the first install counts; whoever came first chose the same.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let board = Board::new(unread(&config)?);
        let slots: Vec<_> =
            config.into_iter().map(|upstream| Arc::new(Slot::new(upstream, &policy))).collect();
        let shared = Arc::new(Shared { board, policy, clock, tracker, cancel: cancel.child_token() });
        let supervise = |slot: &Arc<Slot>| {
            let supervisor = Supervisor::new(Arc::clone(slot), Arc::clone(&shared));
            shared.tracker.spawn(supervisor.run())
        };
        let supervisors = Mutex::new(slots.iter().map(supervise).collect());
        let slots = slots.into_iter().map(|slot| (slot.id, slot)).collect();
        Ok(Arc::new(Self { slots, shared, supervisors }))
    }

    /// Waits until every server was tried once, or for as long as the policy says.
    pub async fn settled(&self) {
        let tried = join_all(self.slots.values().map(|slot| slot.tried()));
        let patience = Duration::from_millis(self.shared.policy.settle_timeout_ms);
        if timeout(patience, tried).await.is_err() {
            tracing::warn!("some listings have not answered yet");
        }
    }

    /// Waits for a snapshot that is newer than `revision`.
    pub async fn newer_than(&self, revision: u64) -> Arc<Snapshot> {
        self.shared.board.newer_than(revision).await
    }

    /// What was left out of listings or looks wrong in them.
    #[must_use]
    pub fn notes(&self) -> Vec<Note> {
        let of_slot = |slot: &Arc<Slot>| {
            let methods = slot.methods.load_full();
            let note = |text: &String| Note { listing: slot.id, text: text.clone() };
            methods.notes().iter().map(note).collect::<Vec<_>>()
        };
        self.slots.values().flat_map(of_slot).collect()
    }

    /// Makes one call as [`Tools::call`] does, with these names and values in its `_meta`: the trace that it belongs to.
    pub fn call_carrying<'a>(
        &'a self,
        call: &'a Call,
        carried: Vec<(String, String)>,
    ) -> BoxFuture<'a, Reply> {
        call::make(self.slots.get(&call.method.listing), &self.shared, (call, carried)).boxed()
    }

    /// Ends every session and waits until every child is reaped.
    pub async fn close(&self) {
        self.shared.cancel.cancel();
        let supervisors =
            std::mem::take(&mut *self.supervisors.lock().unwrap_or_else(PoisonError::into_inner));
        for ended in join_all(supervisors).await {
            if let Err(error) = ended {
                tracing::error!(%error, "a supervisor of a listing broke");
            }
        }
    }
}

impl Catalog for Upstreams {
    fn snapshot(&self) -> Arc<Snapshot> {
        self.shared.board.snapshot()
    }
}

impl Tools for Upstreams {
    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Reply> {
        self.call_carrying(call, Vec::new())
    }
}

/// The listings before any server was reached, with aliases that no two share.
fn unread(config: &[Upstream]) -> Result<Vec<Listing>, ConfigError> {
    let mut in_order: Vec<&Upstream> = config.iter().collect();
    in_order.sort_by(|one, other| one.name.cmp(&other.name));
    if let Some(twice) = in_order.windows(2).find(|pair| pair[0].name == pair[1].name) {
        return Err(ConfigError::DuplicateServer { server: twice[0].name.clone() });
    }
    let mut aliases = BTreeSet::new();
    let mut listings = Vec::with_capacity(config.len());
    for upstream in in_order {
        let alias = free_alias(&alias_of(&upstream.name), &aliases);
        aliases.insert(alias.clone());
        listings.push(Listing {
            id: ListingId::of_name(&upstream.name),
            name: upstream.name.clone(),
            alias,
            description: upstream.description.clone().unwrap_or_default(),
            category: upstream.category.clone(),
            price: upstream.price,
            methods: Vec::new(),
            health: Health::Connecting,
            listed_at: None,
        });
    }
    Ok(listings)
}

/// `wanted`, or with the first number behind it that makes it free.
fn free_alias(wanted: &str, taken: &BTreeSet<String>) -> String {
    let numbered = (2..).map(|number: u64| format!("{wanted}_{number}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
    names.find(|name| !taken.contains(name)).unwrap_or_else(|| wanted.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Transport;

    fn upstream(name: &str) -> Upstream {
        Upstream::new(name, Transport::Embedded(Arc::new(|_| Box::pin(async {}))))
    }

    #[test]
    fn no_two_listings_share_an_alias() {
        let names = ["b a", "a-b", "a b", "a_b", "A B"];
        let config: Vec<_> = names.into_iter().map(upstream).collect();
        let aliases: Vec<_> =
            unread(&config).unwrap().into_iter().map(|listing| (listing.name, listing.alias)).collect();
        let expected = [("A B", "a_b"), ("a b", "a_b_2"), ("a-b", "a_b_3"), ("a_b", "a_b_4"), ("b a", "b_a")];
        assert_eq!(aliases, expected.map(|(name, alias)| (name.to_owned(), alias.to_owned())));
    }

    #[test]
    fn two_servers_of_one_name_are_refused() {
        let refused = unread(&[upstream("a"), upstream("b"), upstream("a")]).unwrap_err();
        assert_eq!(refused, ConfigError::DuplicateServer { server: "a".to_owned() });
    }
}

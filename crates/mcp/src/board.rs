//! The published snapshot: replaced as a whole, read without waiting.

use std::sync::Arc;

use arc_swap::ArcSwap;
use domain::{Listing, ListingId, Snapshot};
use tokio::sync::watch;

/// Where every supervisor publishes its listing.
pub(crate) struct Board {
    snapshot: ArcSwap<Snapshot>,
    revision: watch::Sender<u64>,
}

impl Board {
    /// A board of these listings, in order of their names.
    pub(crate) fn new(mut listings: Vec<Listing>) -> Self {
        listings.sort_by(|one, other| one.name.cmp(&other.name));
        let listings = listings.into_iter().map(Arc::new).collect();
        Self {
            snapshot: ArcSwap::from_pointee(Snapshot { revision: 0, listings }),
            revision: watch::Sender::new(0),
        }
    }

    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        self.snapshot.load_full()
    }

    /// Waits for a snapshot that is newer than `revision`.
    pub(crate) async fn newer_than(&self, revision: u64) -> Arc<Snapshot> {
        // The sender lives as long as the board does.
        let _ = self.revision.subscribe().wait_for(|published| *published > revision).await;
        self.snapshot()
    }

    /// Changes one listing. `change` may be run again where another listing changes at the same time.
    pub(crate) fn update(&self, id: ListingId, change: impl Fn(&mut Listing)) {
        self.snapshot.rcu(|snapshot| {
            let mut next = Snapshot::clone(snapshot);
            if let Some(listing) = next.listings.iter_mut().find(|listing| listing.id == id) {
                let mut changed = Listing::clone(listing);
                change(&mut changed);
                next.revision += u64::from(differ(listing, &changed));
                *listing = Arc::new(changed);
            }
            next
        });
        let published = self.snapshot.load().revision;
        self.revision.send_if_modified(|revision| {
            let newer = published > *revision;
            *revision = published.max(*revision);
            newer
        });
    }
}

/// Whether anything but the time of the last reading changed.
fn differ(before: &Listing, after: &Listing) -> bool {
    before.health != after.health
        || before.description != after.description
        || before.methods != after.methods
}

#[cfg(test)]
mod tests {
    use domain::Health;
    use jiff::Timestamp;

    use super::*;

    fn listing(name: &str) -> Listing {
        Listing { health: Health::Connecting, ..Listing::new(name, Vec::new()) }
    }

    #[test]
    fn a_change_makes_a_revision_and_leaves_the_others_alone() {
        let board = Board::new(vec![listing("news"), listing("flows")]);
        let first = board.snapshot();
        assert_eq!(
            first.listings.iter().map(|listing| listing.name.as_str()).collect::<Vec<_>>(),
            ["flows", "news"]
        );
        board.update(ListingId::of_name("news"), |listing| listing.health = Health::Healthy);
        let second = board.snapshot();
        assert_eq!(second.revision, first.revision + 1);
        assert!(Arc::ptr_eq(&first.listings[0], &second.listings[0]));
        assert_eq!(first.listings[1].health, Health::Connecting);
    }

    #[tokio::test]
    async fn a_newer_snapshot_can_be_waited_for() {
        let board = Board::new(vec![listing("news")]);
        let change =
            async { board.update(ListingId::of_name("news"), |listing| listing.health = Health::Healthy) };
        let (snapshot, ()) = tokio::join!(board.newer_than(0), change);
        assert_eq!(snapshot.listings[0].health, Health::Healthy);
    }

    #[test]
    fn reading_the_same_again_is_no_revision() {
        let board = Board::new(vec![listing("news")]);
        board.update(ListingId::of_name("news"), |listing| listing.listed_at = Some(Timestamp::UNIX_EPOCH));
        let snapshot = board.snapshot();
        assert_eq!((snapshot.revision, snapshot.listings[0].listed_at), (0, Some(Timestamp::UNIX_EPOCH)));
    }
}

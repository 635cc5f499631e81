//! What simulations have in common: the marketplace, on a runtime of its own, and a few places with some of its listings
//! and policies of their own.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use domain::{Call, Clock, Health, Listing, MethodRef, Reply, Snapshot, Usd};
use engine::Shelf;
use jiff::{SignedDuration, Timestamp};
use llm::Portfolio;
use mcp::{Catalog, Tools};
use policy::Policy;
use tokio::runtime::Runtime;
use tokio::time::Instant;

use super::Simulated;
use super::dice::Dice;
use crate::{FixedClock, House};

/// The listings of each place, by their place in the marketplace, and how far its policies are its own.
const PLACES: [(&str, &[usize], Bounds); 7] = [
    ("square", &[0, 1, 2, 3, 4, 5, 6, 7], Bounds::Shipped),
    ("harbour", &[0, 1, 2], Bounds::Shipped),
    ("market", &[1, 3, 4], Bounds::Shipped),
    ("mill", &[2, 4, 5], Bounds::Tight),
    ("bridge", &[0, 2, 3, 5], Bounds::Shipped),
    ("lighthouse", &[1, 5], Bounds::Tight),
    ("desert", &[], Bounds::Shipped),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bounds {
    Shipped,
    Tight,
}

/// What simulations have in common.
pub struct World {
    noon: Timestamp,
    runtime: Runtime,
    house: Arc<House>,
    replies: Mutex<BTreeMap<String, Reply>>,
    places: Vec<Place>,
}

/// Some listings and the policies over them.
pub(super) struct Place {
    pub(super) name: &'static str,
    pub(super) policy: Arc<Policy>,
    pub(super) shelf: Shelf,
    pub(super) portfolio: Portfolio,
    snapshot: Arc<Snapshot>,
}

impl World {
    /// The world at noon of some day.
    ///
    /// # Panics
    ///
    /// Where its parts do not fit together.
    #[must_use]
    #[expect(clippy::expect_used, reason = "a test without its world is broken")]
    pub fn build() -> Self {
        let noon: Timestamp = "2026-06-01T12:00:00Z".parse().expect("a time");
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let house = runtime.block_on(House::build(noon, Vec::new()));
        let whole = house.upstreams.snapshot();
        let places = PLACES.iter().map(|place| self::place(place, &whole)).collect();
        Self { noon, runtime, house: Arc::new(house), replies: Mutex::default(), places }
    }

    pub(super) fn place(&self, dice: &mut Dice) -> &Place {
        let place = usize::try_from(dice.below(PLACES.len() as u64)).unwrap_or(0);
        &self.places[place]
    }

    pub(super) fn first_place(&self) -> &Place {
        &self.places[0]
    }

    /// A clock that says noon now, and moves with virtual time.
    pub(super) fn clock_from_now(&self) -> Arc<dyn Clock> {
        Arc::new(VirtualClock { began: Instant::now(), noon: self.noon })
    }

    /// What the marketplace answers to a call, always the same.
    pub(super) async fn answer(&self, call: &Call) -> Reply {
        let key = format!("{} {:?}", call.method, call.arguments);
        let known = self.replies.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        if let Some(reply) = known {
            return reply;
        }
        let (house, own) = (Arc::clone(&self.house), call.clone());
        let asked = self.runtime.spawn(async move { house.upstreams.call(&own).await });
        let reply = asked.await.unwrap_or_else(|error| {
            let message = error.to_string();
            Err(domain::CallFault { kind: domain::FaultKind::Protocol, message })
        });
        self.replies.lock().unwrap_or_else(PoisonError::into_inner).insert(key, reply.clone());
        reply
    }

    /// Ends the marketplace's runtime without waiting for it.
    pub fn end(self) {
        self.runtime.shutdown_background();
    }
}

#[expect(clippy::expect_used, reason = "a test without its world is broken")]
fn place(&(name, listings, bounds): &(&'static str, &[usize], Bounds), whole: &Snapshot) -> Place {
    let policy = policy(bounds);
    let shelf = Shelf::of(&policy.probe);
    let clock = Arc::new(FixedClock::at("2026-06-01T12:00:00Z"));
    let portfolio = Portfolio::without_keys(&policy, Arc::clone(shelf.knowledge()), clock)
        .expect("models that need no key");
    let listing = |place: &usize| {
        let listing = Listing::clone(whole.listings.get(*place)?);
        Some(Arc::new(Listing { health: Health::Healthy, ..listing }))
    };
    let listings = listings.iter().filter_map(listing).collect();
    Place {
        name,
        policy: Arc::new(policy),
        shelf,
        portfolio,
        snapshot: Arc::new(Snapshot { revision: 1, listings }),
    }
}

/// The shipped policies, with a model that says odd things asked first, and budgets that are soon spent where they are tight.
#[expect(clippy::expect_used, reason = "a test without its policies is broken")]
fn policy(bounds: Bounds) -> Policy {
    let shipped = Policy::shipped().expect("the shipped policies are sound");
    let mut files = BTreeMap::clone(&shipped.files);
    let endpoint = "[endpoints.odd]\ndialect = \"openai\"\nbase_url = \"http://127.0.0.1:9/v1\"\n\n\
                    [endpoints.odd.breaker]\nfailures_max = 1000000\nopen_ms = 1000\n";
    let model = "[models.odd]\nendpoint = \"odd\"\nname = \"odd\"\ninput_usd_per_million = \"1\"\n\
                 output_usd_per_million = \"2\"\noutput_tokens_max = 8192\n";
    let change = |files: &mut BTreeMap<String, String>, name: &str, changes: &[(&str, &str)]| {
        let text = files.get_mut(name).expect("a shipped file");
        for (from, to) in changes {
            assert!(text.contains(from), "{name}: {from}");
            *text = text.replace(from, to);
        }
    };
    change(
        &mut files,
        "models.toml",
        &[
            ("\n[endpoints]\n", &format!("\n{endpoint}")),
            ("\n[models]\n", &format!("\n{model}")),
            ("models = [\"embedded\"]\ntimeout_ms", "models = [\"odd\", \"embedded\"]\ntimeout_ms"),
            ("\nretries_max = 2", "\nretries_max = 0"),
            ("\nretries_max = 1", "\nretries_max = 0"),
        ],
    );
    if bounds == Bounds::Tight {
        change(
            &mut files,
            "budgets.toml",
            &[
                ("\ncalls_max = 100", "\ncalls_max = 5"),
                ("\ncalls_in_flight_max = 16", "\ncalls_in_flight_max = 3"),
                ("\nspend_usd_max = \"1.00\"", "\nspend_usd_max = \"0.004\""),
                ("\nresult_bytes_max = 33_554_432", "\nresult_bytes_max = 700"),
                ("\ndeadline_ms_max = 120_000", "\ndeadline_ms_max = 30_000"),
            ],
        );
    }
    Policy::of_files(&files).expect("policies that are sound")
}

impl Place {
    /// What one call of a method costs here.
    pub(super) fn price(&self, method: &MethodRef) -> Usd {
        let listing = self.snapshot.listing(method.listing);
        let price = listing.and_then(|it| it.method(&method.method)).and_then(|it| it.meta.execute_price);
        price.unwrap_or(Usd::ZERO)
    }
}

impl Simulated {
    /// The budgets that the run had.
    #[must_use]
    pub fn budgets<'a>(&self, world: &'a World) -> &'a policy::Budgets {
        let mut dice = Dice::of(self.seed);
        let _ = super::Plan::of(&mut dice);
        &world.place(&mut dice).policy.budgets
    }
}

impl Catalog for Place {
    fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.snapshot)
    }
}

struct VirtualClock {
    began: Instant,
    noon: Timestamp,
}

impl Clock for VirtualClock {
    fn now(&self) -> Timestamp {
        let passed = SignedDuration::try_from(self.began.elapsed()).unwrap_or(SignedDuration::ZERO);
        self.noon.checked_add(passed).unwrap_or(self.noon)
    }
}

//! One run for every key: whoever asks the same while it is under way waits for the same reply.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::FutureExt;
use serde::Serialize;
use serde::de::DeserializeOwned;
use store::Claim;
use tokio::sync::watch;

use crate::assembly::Assembly;
use crate::http::fault::Fault;
use crate::http::idempotency::{self, Ticket};

/// How a flight stands.
enum Standing<T> {
    /// Its key is claimed, and it is seen whether it may be.
    Boarding,
    /// It is under way.
    Flying,
    /// It has ended.
    Landed(Result<Arc<T>, Fault>),
}

/// The flights with a key that are under way in this process.
pub(crate) struct Flights<T> {
    open: Mutex<BTreeMap<(String, String), Open<T>>>,
}

struct Open<T> {
    body_hash: [u8; 32],
    standing: watch::Receiver<Standing<T>>,
}

impl<T> Default for Flights<T> {
    fn default() -> Self {
        Self { open: Mutex::default() }
    }
}

/// What a caller holds of a flight.
pub(crate) struct Flight<T>(watch::Receiver<Standing<T>>);

/// What the one who has to do the work holds of a flight.
pub(crate) struct Lead<T> {
    ticket: Option<Ticket>,
    standing: watch::Sender<Standing<T>>,
}

impl<T> Flights<T> {
    /// Joins the flight of a ticket. The lead is given to the first alone, and to everyone without a ticket.
    pub(crate) fn join(&self, ticket: Option<&Ticket>) -> Result<(Flight<T>, Option<Lead<T>>), Fault> {
        let (standing, flight) = watch::channel(Standing::Boarding);
        if let Some(ticket) = ticket {
            let mut open = self.open();
            // A flight whose lead broke is over, whatever it says.
            let under_way = open.get(&ticket.name()).filter(|other| other.standing.has_changed().is_ok());
            if let Some(other) = under_way {
                let is_same = other.body_hash == ticket.body_hash;
                return if is_same {
                    Ok((Flight(other.standing.clone()), None))
                } else {
                    Err(Fault::KeyReused)
                };
            }
            open.insert(ticket.name(), Open { body_hash: ticket.body_hash, standing: flight.clone() });
        }
        Ok((Flight(flight), Some(Lead { ticket: ticket.cloned(), standing })))
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<(String, String), Open<T>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Serialize + DeserializeOwned> Flights<T> {
    /// Does the work of a lead, or finds what came of it before, and tells everyone who waits. The work says when it is
    /// under way.
    pub(crate) async fn lead(
        &self,
        lead: Lead<T>,
        assembly: &Assembly,
        work: impl AsyncFnOnce(&Lead<T>) -> Result<Arc<T>, Fault>,
    ) {
        let reply = match &lead.ticket {
            None => lead.fly(work).await,
            Some(ticket) => claimed(&lead, ticket, assembly, work).await,
        };
        lead.standing.send_replace(Standing::Landed(reply));
        if let Some(ticket) = &lead.ticket {
            self.open().remove(&ticket.name());
        }
    }
}

async fn claimed<T: Serialize + DeserializeOwned>(
    lead: &Lead<T>,
    ticket: &Ticket,
    assembly: &Assembly,
    work: impl AsyncFnOnce(&Lead<T>) -> Result<Arc<T>, Fault>,
) -> Result<Arc<T>, Fault> {
    let store = &assembly.store;
    let failed = |error: store::Error| Fault::internal(&error, "keeping a response");
    match store.claim(ticket.claim_key(), &ticket.body_hash, assembly.clock.now()).await.map_err(failed)? {
        Claim::Mismatch => Err(Fault::KeyReused),
        Claim::InFlight => Err(Fault::KeyInUse),
        Claim::Done(response) => idempotency::recalled(&response).map(Arc::new),
        Claim::Fresh => {
            let reply = lead.fly(work).await;
            match idempotency::kept(&reply.as_deref()) {
                Some(response) => {
                    store
                        .settle_claim(ticket.claim_key(), &response, assembly.clock.now())
                        .await
                        .map_err(failed)?;
                }
                None => {
                    store.release_claim(ticket.claim_key()).await.map_err(failed)?;
                }
            }
            reply
        }
    }
}

impl<T> Lead<T> {
    /// From now on the work is under way: what it comes to is no refusal.
    pub(crate) fn take_off(&self) {
        self.standing.send_replace(Standing::Flying);
    }

    async fn fly(&self, work: impl AsyncFnOnce(&Self) -> Result<Arc<T>, Fault>) -> Result<Arc<T>, Fault> {
        let reply = AssertUnwindSafe(work(self)).catch_unwind().await;
        reply.unwrap_or_else(|_| Err(Fault::internal("a panic", "a run")))
    }
}

impl<T> Flight<T> {
    /// Waits until the flight is under way, or refused.
    ///
    /// # Cancel safety
    /// May be dropped and called again.
    pub(crate) async fn started(&mut self) -> Result<(), Fault> {
        let standing = self.0.wait_for(|standing| !matches!(standing, Standing::Boarding)).await;
        match standing.as_deref() {
            Ok(Standing::Boarding | Standing::Flying | Standing::Landed(Ok(_))) => Ok(()),
            Ok(Standing::Landed(Err(fault))) => Err(fault.clone()),
            Err(_) => Err(Fault::Internal),
        }
    }

    /// Waits for the reply.
    ///
    /// # Cancel safety
    /// May be dropped and called again.
    pub(crate) async fn landed(&mut self) -> Result<Arc<T>, Fault> {
        let standing = self.0.wait_for(|standing| matches!(standing, Standing::Landed(_))).await;
        match standing.as_deref() {
            Ok(Standing::Landed(reply)) => reply.clone(),
            Ok(Standing::Boarding | Standing::Flying) | Err(_) => Err(Fault::Internal),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use axum::http::HeaderMap;
    use futures::future::join_all;

    use super::*;
    use crate::arguments::Shared;
    use crate::http::auth::Caller;

    async fn assembly() -> Assembly {
        Assembly::passing(&Shared { policies: None, mcp_config: None, no_samples: true }).await.unwrap()
    }

    fn ticket(body: &str) -> Ticket {
        let headers = HeaderMap::from_iter([("idempotency-key".parse().unwrap(), "k".parse().unwrap())]);
        let policy = policy::Policy::shipped().unwrap().server;
        Ticket::of(&headers, body.as_bytes(), &Caller::named("me"), "test", &policy).unwrap().unwrap()
    }

    #[tokio::test]
    async fn everyone_with_the_same_ticket_gets_the_work_of_one() {
        let (assembly, flights, ticket) = (assembly().await, Flights::<usize>::default(), ticket("body"));
        let work_done = AtomicUsize::new(0);
        let asked = (0..20).map(|_| async {
            let (mut flight, lead) = flights.join(Some(&ticket)).unwrap();
            if let Some(lead) = lead {
                let work = async |_: &Lead<usize>| Ok(Arc::new(work_done.fetch_add(1, Ordering::Relaxed)));
                flights.lead(lead, &assembly, work).await;
            }
            flight.landed().await
        });
        for reply in join_all(asked).await {
            assert_eq!(reply, Ok(Arc::new(0)));
        }
        assert_eq!(work_done.load(Ordering::Relaxed), 1);
    }

    #[tokio::test]
    async fn another_body_is_refused_while_the_work_is_under_way() {
        let flights = Flights::<usize>::default();
        let _under_way = flights.join(Some(&ticket("body"))).unwrap();
        assert_eq!(flights.join(Some(&ticket("other"))).err(), Some(Fault::KeyReused));
    }

    #[tokio::test]
    async fn a_flight_whose_lead_is_gone_is_begun_anew() {
        let flights = Flights::<usize>::default();
        let (mut flight, lead) = flights.join(Some(&ticket("body"))).unwrap();
        drop(lead);
        assert_eq!(flight.landed().await, Err(Fault::Internal));
        assert!(flights.join(Some(&ticket("body"))).unwrap().1.is_some());
    }

    #[tokio::test]
    async fn after_a_panic_the_key_is_free_again() {
        let (assembly, flights, ticket) = (assembly().await, Flights::<usize>::default(), ticket("body"));
        let (mut flight, lead) = flights.join(Some(&ticket)).unwrap();
        flights.lead(lead.unwrap(), &assembly, async |_: &Lead<usize>| panic!("broken")).await;
        assert_eq!(flight.landed().await, Err(Fault::Internal));
        let (mut flight, lead) = flights.join(Some(&ticket)).unwrap();
        flights.lead(lead.unwrap(), &assembly, async |_: &Lead<usize>| Ok(Arc::new(7))).await;
        assert_eq!(flight.landed().await, Ok(Arc::new(7)));
    }

    #[tokio::test]
    async fn a_refusal_is_told_before_the_work_is_under_way() {
        let (assembly, flights) = (assembly().await, Flights::<usize>::default());
        let (mut flight, lead) = flights.join(None).unwrap();
        let refusing = async |_: &Lead<usize>| Err(Fault::SessionNotFound);
        flights.lead(lead.unwrap(), &assembly, refusing).await;
        assert_eq!(flight.started().await, Err(Fault::SessionNotFound));
    }
}

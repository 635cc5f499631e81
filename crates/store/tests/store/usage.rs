//! What requests cost.

use domain::{ListingId, MethodName, MethodRef, Usd};
use store::{Charge, Settlement};
use tokio::task::JoinSet;

use crate::{Home, at, request};

pub(crate) fn settlement(caller: &str, request_id: &str) -> Settlement {
    let charge = |method: &str, price: &str| Charge {
        method: MethodRef { listing: ListingId::of_name("flows"), method: MethodName::new(method) },
        price: Usd::parse(price).unwrap(),
        outcome: "delivered".to_owned(),
    };
    Settlement {
        caller: caller.to_owned(),
        request_id: request(request_id),
        outcome: "answer".to_owned(),
        lane: "fast".to_owned(),
        duration_ms: 21_034,
        model_cost: Usd::parse("0.0123").unwrap(),
        charges: vec![charge("net_flow", "0.0010005"), charge("net_flow", "0"), charge("venues", "0.2")],
        created_at: at(0),
    }
}

#[tokio::test]
async fn a_settlement_is_read_as_it_was_written() {
    let home = Home::new();
    let store = home.open().await;
    let written = settlement("c", "r");
    assert!(store.record_settlement(&written).await.unwrap());
    store.close().await;
    let store = home.open().await;
    let read = store.settlement("c", &request("r")).await.unwrap().unwrap();
    assert_eq!(read, written);
    assert_eq!(read.total_cost(), Usd::parse("0.2133005").unwrap());
    assert_eq!(store.settlement("c", &request("other")).await.unwrap(), None);
}

#[tokio::test]
async fn the_first_record_stands() {
    let home = Home::new();
    let store = home.open().await;
    assert!(store.record_settlement(&settlement("c", "r")).await.unwrap());
    let again = Settlement { outcome: "failed".to_owned(), charges: Vec::new(), ..settlement("c", "r") };
    assert!(!store.record_settlement(&again).await.unwrap());
    assert_eq!(store.settlement("c", &request("r")).await.unwrap(), Some(settlement("c", "r")));
    assert!(store.record_settlement(&settlement("another caller", "r")).await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_records_at_once_one_is_made() {
    let home = Home::new();
    let store = home.open().await;
    let mut tasks = JoinSet::new();
    for _ in 0..50 {
        let store = store.clone();
        tasks.spawn(async move { store.record_settlement(&settlement("c", "r")).await.unwrap() });
    }
    assert_eq!(tasks.join_all().await.into_iter().filter(|made| *made).count(), 1);
    let read = store.settlement("c", &request("r")).await.unwrap().unwrap();
    assert_eq!(read.charges.len(), 3);
}

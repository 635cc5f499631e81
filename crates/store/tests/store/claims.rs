//! Idempotency: against a model, at once, and over restarts.

use std::collections::BTreeMap;

use proptest::prelude::{Just, ProptestConfig, Strategy, prop_oneof, proptest};
use store::{Claim, ClaimKey, StoredResponse};
use tokio::task::JoinSet;

use crate::{Home, at};

fn response(text: &str) -> StoredResponse {
    StoredResponse {
        status: 200,
        content_type: "application/json".to_owned(),
        body: text.as_bytes().to_vec(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_fifty_claims_at_once_one_is_fresh() {
    let home = Home::new();
    let store = home.open().await;
    let mut tasks = JoinSet::new();
    for _ in 0..50 {
        let store = store.clone();
        tasks.spawn(
            async move { store.claim(ClaimKey { scope: "s", key: "k" }, &[7; 32], at(0)).await.unwrap() },
        );
    }
    let claims = tasks.join_all().await;
    assert_eq!(claims.iter().filter(|claim| **claim == Claim::Fresh).count(), 1);
    assert_eq!(claims.iter().filter(|claim| **claim == Claim::InFlight).count(), 49);
}

#[tokio::test]
async fn scopes_do_not_meet() {
    let home = Home::new();
    let store = home.open().await;
    let key = |scope| ClaimKey { scope, key: "k" };
    assert_eq!(store.claim(key("a"), &[0; 32], at(0)).await.unwrap(), Claim::Fresh);
    assert_eq!(store.claim(key("b"), &[1; 32], at(0)).await.unwrap(), Claim::Fresh);
    assert!(store.settle_claim(key("a"), &response("a"), at(1)).await.unwrap());
    assert_eq!(store.claim(key("b"), &[1; 32], at(2)).await.unwrap(), Claim::InFlight);
}

#[tokio::test]
async fn responses_are_kept_whole() {
    let home = Home::new();
    let store = home.open().await;
    let key = ClaimKey { scope: "s", key: "ключ\0'" };
    let kept = StoredResponse { status: 422, content_type: String::new(), body: (0..=255).collect() };
    store.claim(key, &[0; 32], at(0)).await.unwrap();
    assert!(store.settle_claim(key, &kept, at(1)).await.unwrap());
    assert_eq!(store.claim(key, &[0; 32], at(2)).await.unwrap(), Claim::Done(kept));
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Claim { key: usize, body: u8 },
    Settle { key: usize },
    Release { key: usize },
    Purge,
    Close,
    Drop,
}

const KEYS: [&str; 3] = ["a", "b", "c"];

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => (0..KEYS.len(), 0..2_u8).prop_map(|(key, body)| Step::Claim { key, body }),
        3 => (0..KEYS.len()).prop_map(|key| Step::Settle { key }),
        2 => (0..KEYS.len()).prop_map(|key| Step::Release { key }),
        1 => Just(Step::Purge),
        1 => Just(Step::Close),
        1 => Just(Step::Drop),
    ];
    proptest::collection::vec(step, 1..25)
}

/// What is known of a key: the body that it came with and, once settled, when.
type Model = BTreeMap<usize, (u8, Option<i64>)>;

fn expected(model: &mut Model, key: usize, body: u8) -> Claim {
    match model.get(&key) {
        None => {
            model.insert(key, (body, None));
            Claim::Fresh
        }
        Some((other, _)) if *other != body => Claim::Mismatch,
        Some((_, None)) => Claim::InFlight,
        Some((_, Some(time))) => Claim::Done(response(&time.to_string())),
    }
}

async fn follow(steps: Vec<Step>) {
    let home = Home::new();
    let mut store = home.open().await;
    let mut model = Model::new();
    for (time, step) in (0..).zip(steps) {
        let key_of = |key: usize| ClaimKey { scope: "s", key: KEYS[key] };
        match step {
            Step::Claim { key, body } => {
                let claim = store.claim(key_of(key), &[body; 32], at(time)).await.unwrap();
                assert_eq!(claim, expected(&mut model, key, body));
            }
            Step::Settle { key } => {
                let kept = response(&time.to_string());
                let settled = store.settle_claim(key_of(key), &kept, at(time)).await.unwrap();
                let open = model.get_mut(&key).filter(|(_, settled)| settled.is_none());
                assert_eq!(settled, open.is_some());
                if let Some(entry) = open {
                    entry.1 = Some(time);
                }
            }
            Step::Release { key } => {
                let released = store.release_claim(key_of(key)).await.unwrap();
                let open = model.get(&key).is_some_and(|(_, settled)| settled.is_none());
                assert_eq!(released, open);
                if open {
                    model.remove(&key);
                }
            }
            Step::Purge => {
                let before = time - 5;
                let old = |settled: Option<i64>| settled.is_some_and(|settled| settled < before);
                let count = model.values().filter(|(_, settled)| old(*settled)).count() as u64;
                assert_eq!(store.purge_claims(at(before)).await.unwrap(), count);
                model.retain(|_, (_, settled)| !old(*settled));
            }
            Step::Close | Step::Drop => {
                if matches!(step, Step::Close) {
                    store.close().await;
                } else {
                    drop(store);
                }
                store = home.open().await;
                model.retain(|_, (_, settled)| settled.is_some());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_sequence_goes_as_the_model_says(steps in steps()) {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(follow(steps));
    }
}

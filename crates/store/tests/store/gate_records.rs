//! Gate records are kept for a while, secrets for good.

use crate::{Home, at};

#[tokio::test]
async fn the_last_records_are_kept_and_found_by_their_request() {
    let home = Home::new();
    let store = home.open().await;
    for place in 0..5 {
        let request = format!("r{place}");
        store.put_gate_record(("a", &request), &format!("{{\"n\":{place}}}"), at(place), 3).await.unwrap();
    }
    assert_eq!(store.gate_records().await.unwrap(), [r#"{"n":2}"#, r#"{"n":3}"#, r#"{"n":4}"#]);
    assert_eq!(store.gate_record("a", "r4").await.unwrap().as_deref(), Some(r#"{"n":4}"#));
    assert_eq!(store.gate_record("a", "r0").await.unwrap(), None);
    assert_eq!(store.gate_record("b", "r4").await.unwrap(), None);
}

#[tokio::test]
async fn a_secret_outlives_its_process() {
    let home = Home::new();
    let store = home.open().await;
    let secret = store.secret("token").await.unwrap();
    assert_eq!(secret.len(), 32);
    store.close().await;
    let store = home.open().await;
    assert_eq!(store.secret("token").await.unwrap(), secret);
    assert_ne!(store.secret("other").await.unwrap(), secret);
}

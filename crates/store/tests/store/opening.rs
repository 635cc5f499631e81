//! Opening, sharing, waiting.

use std::future::ready;
use std::time::Duration;

use sqlx::Connection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use store::{Claim, ClaimKey, Error, Settings, Store};

use crate::{Home, SETTINGS, at};

const KEY: ClaimKey<'static> = ClaimKey { scope: "s", key: "k" };

#[tokio::test]
async fn one_process_has_the_file() {
    let home = Home::new();
    let store = home.open().await;
    let second = Store::open(&home.path(), SETTINGS).await;
    assert!(matches!(second, Err(Error::InUse { .. })), "{second:?}");
    store.close().await;
    home.open().await.close().await;
}

#[tokio::test]
async fn errors_show_no_paths() {
    let home = Home::new();
    let nowhere = home.path().join("nowhere").join("store.sqlite");
    let error = Store::open(&nowhere, SETTINGS).await.unwrap_err();
    assert_eq!(error.to_string(), "the store cannot be opened");
    std::fs::write(home.path(), b"this is a text and no database, as long as it may be").unwrap();
    let error = Store::open(&home.path(), SETTINGS).await.unwrap_err();
    assert!(!error.to_string().contains("store.sqlite"), "{error}");
}

#[tokio::test]
async fn an_in_memory_store_serves_every_reader() {
    let store = Store::in_memory(SETTINGS).await.unwrap();
    let address = store.put_blob(b"x", "text/plain", at(0)).await.unwrap();
    for _ in 0..5 {
        assert!(store.clone().blob(&address.token).await.unwrap().is_some());
    }
    store.close().await;
}

#[tokio::test]
async fn a_lock_from_outside_is_waited_for_and_then_named() {
    let home = Home::new();
    let impatient = Settings { busy_timeout: Duration::from_millis(1), ..SETTINGS };
    let store = Store::open(&home.path(), impatient).await.unwrap();
    let mut outsider =
        SqliteConnection::connect_with(&SqliteConnectOptions::new().filename(home.path())).await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut outsider).await.unwrap();
    let error = store.claim(KEY, &[0; 32], at(0)).await.unwrap_err();
    assert!(matches!(error, Error::Busy(_)), "{error:?}");
    assert_eq!(store.job("none").await.unwrap(), None, "readers do not wait");
    sqlx::query("ROLLBACK").execute(&mut outsider).await.unwrap();
    assert_eq!(store.claim(KEY, &[0; 32], at(0)).await.unwrap(), Claim::Fresh);
}

#[tokio::test]
async fn dropped_calls_leave_the_store_whole() {
    let home = Home::new();
    let store = home.open().await;
    for _ in 0..100 {
        tokio::select! {
            biased;
            claim = store.claim(KEY, &[0; 32], at(0)) => drop(claim.unwrap()),
            () = ready(()) => {}
        }
    }
    store.release_claim(KEY).await.unwrap();
    assert_eq!(store.claim(KEY, &[0; 32], at(0)).await.unwrap(), Claim::Fresh);
}

//! Bytes and their addresses.

use store::{Blob, Error};

use crate::{Home, at};

#[tokio::test]
async fn the_same_bytes_have_one_hash_and_many_addresses() {
    let home = Home::new();
    let store = home.open().await;
    let first = store.put_blob(b"abc", "text/plain", at(0)).await.unwrap();
    let second = store.put_blob(b"abc", "application/json", at(5)).await.unwrap();
    assert_eq!(first.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_eq!(first.sha256, second.sha256);
    assert_ne!(first.token, second.token);
    assert_eq!(first.token.len(), 64);
    drop(store);

    let store = home.open().await;
    let blob = |media_type: &str| {
        Some(Blob { sha256: first.sha256.clone(), media_type: media_type.to_owned(), bytes: b"abc".to_vec() })
    };
    assert_eq!(store.blob(&first.token).await.unwrap(), blob("text/plain"));
    assert_eq!(store.blob(&first.sha256).await.unwrap(), None, "the hash gives no access");
    assert_eq!(store.purge_blobs(at(5)).await.unwrap(), 1);
    assert_eq!(store.blob(&first.token).await.unwrap(), None);
    assert_eq!(store.blob(&second.token).await.unwrap(), blob("application/json"));
    assert_eq!(store.purge_blobs(at(6)).await.unwrap(), 1);
    assert_eq!(store.blob(&second.token).await.unwrap(), None);
}

#[tokio::test]
async fn the_bound_holds() {
    let home = Home::new();
    let store = home.open().await;
    assert!(store.put_blob(&[0; 1_000], "application/octet-stream", at(0)).await.is_ok());
    let error = store.put_blob(&[0; 1_001], "application/octet-stream", at(0)).await.unwrap_err();
    assert!(matches!(error, Error::TooLarge { bytes: 1_001, bytes_max: 1_000 }), "{error:?}");
    let empty = store.put_blob(b"", "text/plain", at(0)).await.unwrap();
    assert_eq!(store.blob(&empty.token).await.unwrap().unwrap().bytes, b"");
}

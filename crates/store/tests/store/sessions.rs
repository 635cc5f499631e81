//! Attempts and their lineage.

use store::{Attempt, AttemptMode, AttemptStatus, Error};

use crate::{Home, at};

fn attempt(attempt_id: &str, mode: AttemptMode, root: &str) -> Attempt {
    Attempt {
        session_id: "s".to_owned(),
        attempt_id: attempt_id.to_owned(),
        caller: "c".to_owned(),
        mode,
        root_attempt_id: root.to_owned(),
        status: AttemptStatus::Active,
        stage: "planning".to_owned(),
        query: "q".to_owned(),
        created_at: at(0),
        updated_at: at(0),
    }
}

#[tokio::test]
async fn lineage_is_kept() {
    let home = Home::new();
    let store = home.open().await;
    let line = [
        attempt("a", AttemptMode::Initial, "a"),
        attempt("b", AttemptMode::Resume("a".to_owned()), "a"),
        attempt("c", AttemptMode::Fork("b".to_owned()), "c"),
    ];
    for one in &line {
        store.insert_attempt(one).await.unwrap();
    }
    assert!(store.update_attempt("s", "b", AttemptStatus::Completed, "synthesis", at(9)).await.unwrap());
    assert!(!store.update_attempt("s", "z", AttemptStatus::Failed, "planning", at(9)).await.unwrap());
    store.close().await;

    let store = home.open().await;
    assert_eq!(store.attempt("s", "a").await.unwrap().as_ref(), Some(&line[0]));
    let ended = Attempt {
        status: AttemptStatus::Completed,
        stage: "synthesis".to_owned(),
        updated_at: at(9),
        ..line[1].clone()
    };
    assert_eq!(store.attempt("s", "b").await.unwrap(), Some(ended));
    assert_eq!(store.attempt("s", "c").await.unwrap().unwrap().mode.parent(), Some("b"));
    assert_eq!(store.attempt("t", "a").await.unwrap(), None);
    assert_eq!(store.purge_attempts(at(9)).await.unwrap(), 2);
    assert_eq!(store.attempt("s", "a").await.unwrap(), None);
}

#[tokio::test]
async fn an_attempt_is_made_once() {
    let home = Home::new();
    let store = home.open().await;
    let first = attempt("a", AttemptMode::Initial, "a");
    store.insert_attempt(&first).await.unwrap();
    assert!(matches!(store.insert_attempt(&first).await, Err(Error::Exists(_))));
}

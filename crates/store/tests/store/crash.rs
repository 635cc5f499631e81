//! A process that dies in the middle of its work, and the next one.

use std::path::Path;
use std::process::Command;

use store::{Claim, ClaimKey, JobState, NewJob, Store, StoredResponse};

use crate::usage::settlement;
use crate::{Home, SETTINGS, at, request};

/// Where the victim finds its store.
const VICTIM: &str = "SLUICE_STORE_VICTIM";

const SETTLED: ClaimKey<'static> = ClaimKey { scope: "s", key: "settled" };
const OPEN: ClaimKey<'static> = ClaimKey { scope: "s", key: "open" };

fn kept() -> StoredResponse {
    StoredResponse { status: 200, content_type: "text/plain".to_owned(), body: b"kept".to_vec() }
}

#[tokio::test]
async fn the_next_process_finds_what_was_done_and_what_was_not() {
    let home = Home::new();
    let mut victim = Command::new(std::env::current_exe().unwrap());
    victim.args(["--exact", "crash::victim", "--ignored"]).env(VICTIM, home.path());
    let died = victim.output().unwrap();
    assert!(!died.status.success(), "{died:?}");

    let store = home.open().await;
    assert_eq!(store.claim(SETTLED, &[1; 32], at(9)).await.unwrap(), Claim::Done(kept()));
    assert_eq!(store.claim(OPEN, &[2; 32], at(9)).await.unwrap(), Claim::Fresh, "another body, even");
    let interrupted = store.interrupted_jobs().await.unwrap();
    assert_eq!(interrupted.iter().map(|job| &job.state).collect::<Vec<_>>(), [&JobState::Running]);
    assert_eq!(store.settlement("c", &request("r")).await.unwrap(), Some(settlement("c", "r")));
}

#[tokio::test]
#[ignore = "dies; another test runs it in a process of its own"]
#[expect(clippy::disallowed_methods, reason = "a test that is its own child process has no other way in")]
async fn victim() {
    let Ok(path) = std::env::var(VICTIM) else { return };
    let store = Store::open(Path::new(&path), SETTINGS).await.unwrap();
    store.claim(SETTLED, &[1; 32], at(0)).await.unwrap();
    store.settle_claim(SETTLED, &kept(), at(1)).await.unwrap();
    store.claim(OPEN, &[1; 32], at(0)).await.unwrap();
    let job = NewJob {
        job_id: "j".to_owned(),
        request_id: request("r"),
        caller: "c".to_owned(),
        body: Vec::new(),
        created_at: at(0),
    };
    store.queue_job(&job).await.unwrap();
    store.start_job("j", at(1)).await.unwrap();
    store.record_settlement(&settlement("c", "r")).await.unwrap();
    std::process::abort();
}

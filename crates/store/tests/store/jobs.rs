//! Jobs from asking to forgetting.

use store::{Error, JobState, NewJob, Store};
use tokio::task::JoinSet;

use crate::{Home, at, request};

fn new_job(job_id: &str, second: i64) -> NewJob {
    NewJob {
        job_id: job_id.to_owned(),
        request_id: request("r"),
        caller: "c".to_owned(),
        body: b"{\"query\":\"q\"}".to_vec(),
        created_at: at(second),
    }
}

async fn state(store: &Store, job_id: &str) -> JobState {
    store.job(job_id).await.unwrap().unwrap().state
}

#[tokio::test]
async fn a_job_goes_its_way() {
    let home = Home::new();
    let store = home.open().await;
    store.queue_job(&new_job("j", 0)).await.unwrap();
    assert!(store.start_job("j", at(1)).await.unwrap());
    assert!(!store.start_job("j", at(2)).await.unwrap());
    assert!(store.note_progress("j", "planning", at(3)).await.unwrap());
    let job = store.job("j").await.unwrap().unwrap();
    assert_eq!((job.state, job.progress.as_deref()), (JobState::Running, Some("planning")));
    assert_eq!((job.created_at, job.updated_at, job.body), (at(0), at(3), new_job("j", 0).body));
    assert!(store.complete_job("j", "{}", at(4)).await.unwrap());
    assert!(!store.note_progress("j", "late", at(5)).await.unwrap());
    let job = store.job("j").await.unwrap().unwrap();
    assert_eq!((job.state, job.updated_at), (JobState::Completed("{}".to_owned()), at(4)));
    assert_eq!(store.job("other").await.unwrap(), None);
}

#[tokio::test]
async fn an_id_is_taken_once() {
    let home = Home::new();
    let store = home.open().await;
    store.queue_job(&new_job("j", 0)).await.unwrap();
    let error = store.queue_job(&new_job("j", 1)).await.unwrap_err();
    assert!(matches!(error, Error::Exists(_)), "{error:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_ends_once() {
    let home = Home::new();
    let store = home.open().await;
    store.queue_job(&new_job("j", 0)).await.unwrap();
    let mut tasks = JoinSet::new();
    for index in 0..20 {
        let store = store.clone();
        tasks.spawn(async move {
            if index % 2 == 0 {
                store.complete_job("j", "{}", at(1)).await.unwrap()
            } else {
                store.fail_job("j", "no", at(1)).await.unwrap()
            }
        });
    }
    assert_eq!(tasks.join_all().await.into_iter().filter(|ended| *ended).count(), 1);
}

#[tokio::test]
async fn what_a_dead_process_left_is_resumed_or_failed() {
    let home = Home::new();
    let store = home.open().await;
    for (job_id, second) in [("queued", 3), ("running", 2), ("resumed", 1), ("done", 0)] {
        store.queue_job(&new_job(job_id, second)).await.unwrap();
    }
    store.start_job("running", at(4)).await.unwrap();
    store.start_job("resumed", at(4)).await.unwrap();
    store.complete_job("done", "{}", at(4)).await.unwrap();
    assert_eq!(store.interrupted_jobs().await.unwrap(), [], "its own jobs are not interrupted");
    drop(store);

    let store = home.open().await;
    store.queue_job(&new_job("new", 5)).await.unwrap();
    let interrupted = store.interrupted_jobs().await.unwrap();
    let ids: Vec<&str> = interrupted.iter().map(|job| job.job_id.as_str()).collect();
    assert_eq!(ids, ["resumed", "running", "queued"]);
    assert!(store.requeue_interrupted_job("resumed", at(6)).await.unwrap());
    assert!(!store.requeue_interrupted_job("new", at(6)).await.unwrap());
    assert_eq!(store.fail_interrupted_jobs("the server stopped", at(7)).await.unwrap(), 2);
    let failed = JobState::Failed("the server stopped".to_owned());
    assert_eq!(state(&store, "queued").await, failed);
    assert_eq!(state(&store, "running").await, failed);
    assert_eq!(state(&store, "resumed").await, JobState::Queued);
    assert_eq!(state(&store, "new").await, JobState::Queued);
    assert_eq!(state(&store, "done").await, JobState::Completed("{}".to_owned()));
}

#[tokio::test]
async fn only_old_ended_jobs_are_forgotten() {
    let home = Home::new();
    let store = home.open().await;
    for job_id in ["old", "new", "waiting"] {
        store.queue_job(&new_job(job_id, 0)).await.unwrap();
    }
    store.fail_job("old", "no", at(1)).await.unwrap();
    store.complete_job("new", "{}", at(2)).await.unwrap();
    assert_eq!(store.purge_jobs(at(2)).await.unwrap(), 1);
    assert_eq!(store.job("old").await.unwrap(), None);
    assert!(store.job("new").await.unwrap().is_some());
    assert!(store.job("waiting").await.unwrap().is_some());
}

//! Workers that hang, crash, lie or talk too much: each is one lost program, and the next one gets another process.

use std::time::Duration;

use policy::{Sandbox, Workers};
use worker::{Lost, Programs};

use crate::harness::{NEVER_MS, children, drive, honest, limits, patient, ready, shell, worker, workers};

const ENDLESS: &str = "loop { }";

/// No clock and no count ends a program.
fn boundless() -> Sandbox {
    Sandbox { operations_max: u64::MAX, wall_ms_max: NEVER_MS, ..limits() }
}

/// A pool of something that is no worker, which kills what takes any time.
async fn lost_by(script: &str) -> Lost {
    let programs = workers(&patient(), shell(script));
    let lost = drive(&programs, ready("1", &limits())).await.unwrap_err();
    assert_eq!(programs.counts().unwrap().lost, 1);
    programs.close().await;
    lost
}

#[tokio::test]
async fn a_worker_that_hangs_is_killed() {
    let policy = Workers { kill_after_ms: 1, ..patient() };
    let programs = workers(&policy, shell("exec sleep 600"));
    let hasty = Sandbox { wall_ms_max: 1, ..limits() };
    assert_eq!(drive(&programs, ready("1", &hasty)).await.unwrap_err(), Lost::Killed);
    programs.close().await;
}

#[tokio::test]
async fn a_worker_that_crashes_is_told_with_its_status() {
    let Lost::Ended(status) = lost_by("exit 3").await else { panic!("it ended") };
    assert!(status.contains('3'), "{status}");
    let Lost::Ended(status) = lost_by("head -c 1 >/dev/null; kill -SEGV $$").await else {
        panic!("it ended")
    };
    assert!(status.contains("signal: 11"), "{status}");
}

#[tokio::test]
async fn a_worker_that_talks_too_much_is_not_listened_to() {
    let Lost::Ended(message) =
        lost_by(r"head -c 1 >/dev/null; printf '\377\377\377\377'; exec sleep 600").await
    else {
        panic!("it is given up")
    };
    assert!(message.contains("67108864 are allowed"), "{message}");
}

#[tokio::test]
async fn a_report_that_is_none_costs_the_worker_its_life() {
    let lost = lost_by(r"head -c 1 >/dev/null; printf '\002\000\000\000{}'; exec sleep 600").await;
    assert!(matches!(lost, Lost::Garbled(_)), "{lost:?}");
}

#[tokio::test]
async fn what_cannot_be_started_is_said_so() {
    let programs =
        workers(&patient(), worker::Executable { path: "/no/such/file".into(), arguments: Vec::new() });
    let lost = drive(&programs, ready("1", &limits())).await.unwrap_err();
    assert_eq!(lost, Lost::NotStarted(std::io::ErrorKind::NotFound));
    programs.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_worker_is_one_lost_program() {
    let programs = workers(&Workers { processes_max: 2, ..patient() }, worker());
    let killed = async {
        // The endless one holds the only process that is busy once the honest ones are done.
        while programs.counts().unwrap().started == 0 || children().is_empty() {
            tokio::task::yield_now().await;
        }
        for id in children() {
            kill(id);
        }
    };
    let endless = drive(&programs, ready(ENDLESS, &boundless()));
    let (lost, ()) = tokio::join!(endless, killed);
    let Err(Lost::Ended(status)) = lost else { panic!("{lost:?}") };
    assert!(status.contains("signal: 9"), "{status}");
    honest(&programs).await;
    programs.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_died_at_rest_is_replaced_unseen() {
    let programs = workers(&Workers { processes_max: 1, ..patient() }, worker());
    honest(&programs).await;
    let resting = children();
    resting.iter().copied().for_each(kill);
    // A zombie stays until it is waited for, which is what the pool does first.
    while resting.iter().any(|id| crate::harness::status(*id, "VmRSS:").is_some()) {
        tokio::task::yield_now().await;
    }
    honest(&programs).await;
    let counts = programs.counts().unwrap();
    assert_eq!((counts.lost, counts.started), (0, 2), "{counts:?}");
    programs.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_waits_for_is_killed() {
    let programs = workers(&Workers { processes_max: 1, ..patient() }, worker());
    let gone =
        tokio::time::timeout(Duration::from_millis(20), drive(&programs, ready(ENDLESS, &boundless()))).await;
    assert!(gone.is_err());
    // The only process is free again.
    honest(&programs).await;
    assert_eq!(programs.counts().unwrap().lost, 0);
    programs.close().await;
    let in_process = Programs::InProcess;
    let gone =
        tokio::time::timeout(Duration::from_millis(20), in_process.next(ready(ENDLESS, &boundless()))).await;
    assert!(gone.is_err());
}

fn kill(id: u32) {
    let status = std::process::Command::new("kill").args(["-KILL", &id.to_string()]).status().unwrap();
    assert!(status.success());
}

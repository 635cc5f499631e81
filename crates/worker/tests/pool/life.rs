//! From the first process of a pool to its last.

use futures::future::join_all;
use policy::{Sandbox, Workers};
use program::{Cause, Step};
use serde_json::json;
use worker::{Lost, Programs};

use crate::harness::{NEVER_MS, children, drive, honest, limits, patient, ready, value, worker, workers};

/// Values that a boundary could change.
const TELLING: &str = r#"
let all = call_all([
    #{tool: "market.price", args: #{symbol: "NUMBERS"}},
    #{tool: "market.price", args: #{symbol: "TEXT"}},
    #{tool: "market.price", args: #{symbol: "ORDER"}},
]);
#{numbers: all[0], text: all[1], order: all[2], made: [0.1 + 0.2, -0.0, 1.0, 9007199254740993, "\u00e4"]}
"#;

#[tokio::test(flavor = "multi_thread")]
async fn both_modes_give_the_same() {
    let programs = workers(&patient(), worker());
    let mut ends = Vec::new();
    for programs in [&Programs::InProcess, &programs] {
        let Ok(Step::Done(finished)) = drive(programs, ready(TELLING, &limits())).await else {
            panic!("it ends")
        };
        let text = finished.value.to_string();
        ends.push((text, finished.origins, finished.usage.passes, finished.usage.operations));
    }
    assert_eq!(ends[0], ends[1]);
    programs.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_runs_many_passes_and_then_makes_way() {
    let policy = Workers { processes_max: 1, process_passes_max: 4, ..patient() };
    let programs = workers(&policy, worker());
    // Three passes each.
    for _ in 0..8 {
        honest(&programs).await;
    }
    let counts = programs.counts().unwrap();
    assert_eq!((counts.started, counts.busy, counts.idle, counts.lost), (6, 0, 1, 0), "{counts:?}");
    programs.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_keeps_too_much_makes_way_after_its_pass() {
    // Which no process does without. Three passes each.
    let programs = workers(&Workers { resident_bytes_max: 1, ..patient() }, worker());
    for _ in 0..2 {
        honest(&programs).await;
    }
    let counts = programs.counts().unwrap();
    assert_eq!((counts.started, counts.busy, counts.idle, counts.lost), (6, 0, 0, 0), "{counts:?}");
    programs.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn there_are_no_more_processes_than_the_policy_allows() {
    let programs = workers(&Workers { processes_max: 2, ..patient() }, worker());
    join_all((0..20).map(|_| honest(&programs))).await;
    let counts = programs.counts().unwrap();
    assert!(counts.started <= 2 && counts.lost == 0, "{counts:?}");
    programs.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_without_work_is_ended() {
    let programs = workers(&Workers { idle_ms: 1, ..patient() }, worker());
    honest(&programs).await;
    while programs.counts().unwrap().idle > 0 {
        tokio::task::yield_now().await;
    }
    honest(&programs).await;
    programs.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_over_the_limit_is_a_fault_of_the_program() {
    let programs = workers(&Workers { message_bytes_max: 1 << 16, ..patient() }, worker());
    let large = r#"let s = "x"; s.pad(200000, "y"); s"#;
    let Ok(Step::Failed(fault)) = drive(&programs, ready(large, &limits())).await else { panic!("it fails") };
    assert_eq!(fault.cause, Cause::Limit { limit: "workers.message_bytes_max" });
    let Ok(Step::Failed(fault)) = drive(
        &programs,
        ready(&format!("/*{}*/1", "x".repeat(1 << 16)), &Sandbox { source_bytes_max: 1 << 20, ..limits() }),
    )
    .await
    else {
        panic!("it fails")
    };
    assert_eq!(fault.cause, Cause::Limit { limit: "workers.message_bytes_max" });
    assert_eq!(value(drive(&programs, ready("1", &limits())).await), json!(1));
    assert_eq!(programs.counts().unwrap().lost, 0);
    programs.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_pool_leaves_no_process_behind() {
    let boundless = Sandbox { operations_max: u64::MAX, wall_ms_max: NEVER_MS, ..limits() };
    let programs = workers(&Workers { processes_max: 2, ..patient() }, worker());
    honest(&programs).await;
    let closed = async {
        while programs.counts().unwrap().busy < 2 {
            tokio::task::yield_now().await;
        }
        let before = children();
        programs.close().await;
        before
    };
    // Two that never end, and one that waits for its turn.
    let endless = || drive(&programs, ready("loop { }", &boundless));
    let (one, two, three, before) = tokio::join!(endless(), endless(), endless(), closed);
    for lost in [one, two, three] {
        assert_eq!(lost.unwrap_err(), Lost::Stopping);
    }
    let left = children();
    assert!(before.iter().all(|id| !left.contains(id)), "{before:?} {left:?}");
    assert_eq!(drive(&programs, ready("1", &limits())).await.unwrap_err(), Lost::Stopping);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_sees_nothing_of_the_environment_and_is_confined() {
    let programs = workers(&Workers { processes_max: 1, ..patient() }, worker());
    honest(&programs).await;
    for id in children() {
        let read = |name: &str| std::fs::read_to_string(format!("/proc/{id}/{name}")).unwrap();
        assert_eq!(read("environ"), "MIMALLOC_ARENA_RESERVE=65536K\0");
        let limits_text = read("limits");
        let limit = |name: &str| limits_text.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
        assert!(limit("Max address space").contains(&limits().workers.address_space_bytes.to_string()));
        assert!(limit("Max file size").contains(" 0 "));
        assert!(limit("Max core file size").contains(" 0 "));
    }
    programs.close().await;
}

//! Programs that try to break out, in both modes: each file of `program/tests/breaking` says in its first line how it
//! must end.

use std::fs;
use std::path::Path;

use futures::future::join_all;
use policy::{Sandbox, Workers};
use program::{Cause, Step};
use worker::Programs;

use crate::harness::{NEVER_MS, children, drive, honest, limits, parse, patient, status, worker, workers};

/// How a program ended, in the words of the files.
async fn ending(text: &str, programs: &Programs) -> (String, String) {
    let limits = Sandbox { wall_ms_max: 1_000, ..limits() };
    let program = match parse(text, &limits) {
        Ok(program) => program,
        Err(rejection) => return ("rejection".to_owned(), rejection.notes[0].kind.word().to_owned()),
    };
    let ready = program.ready(program::Journal::default(), &program::Cancellation::default());
    match drive(programs, ready).await {
        Ok(Step::Done(_)) => ("ends".to_owned(), String::new()),
        Ok(Step::Failed(fault)) => match fault.cause {
            Cause::Limit { limit } => ("limit".to_owned(), limit.to_owned()),
            Cause::Script { message, .. } => ("script".to_owned(), message),
            cause @ (Cause::CallFailed { .. }
            | Cause::GaveUp { .. }
            | Cause::NoJson { .. }
            | Cause::Cancelled
            | Cause::Interpreter { .. }) => ("other".to_owned(), cause.to_string()),
        },
        Ok(Step::Calls(_)) => unreachable!("a driven program waits for nothing"),
        Err(lost) => ("lost".to_owned(), lost.to_string()),
    }
}

/// Whether an ending is one of those that the first line allows: `// limit: a | b`, `// rejection: word`, `// ends`.
fn allowed(expected: &str, (kind, detail): &(String, String)) -> bool {
    let mut current = "";
    expected.split('|').map(str::trim).any(|one| {
        let (named, wanted) = match one.split_once(':') {
            Some((named, wanted)) => (named.trim(), wanted.trim()),
            None if ["ends", "script"].contains(&one) => (one, ""),
            None => (current, one),
        };
        current = named;
        // On a slow machine the clock may come first.
        let wanted = if kind == "limit" && detail == "wall_ms_max" { "" } else { wanted };
        named == kind
            && if kind == "script" { detail.contains(wanted) } else { wanted.is_empty() || wanted == detail }
    })
}

/// Runs every file, and says which did not end as it must.
async fn check(programs: &Programs) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../program/tests/breaking");
    let mut names: Vec<_> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    assert!(names.len() > 60);
    let mut wrong = Vec::new();
    for path in names {
        let text = fs::read_to_string(&path).unwrap();
        let expected = text.lines().next().unwrap().trim_start_matches("//").trim().to_owned();
        let ending = ending(&text, programs).await;
        if !allowed(&expected, &ending) {
            wrong.push(format!("{}: {ending:?}, not {expected}", path.file_stem().unwrap().display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_way_of_breaking_out_ends_as_it_must_in_process() {
    check(&Programs::InProcess).await;
}

/// Bytes of one's own memory, in kibibytes.
fn resident_kib(id: u32) -> u64 {
    status(id, "VmRSS:").unwrap_or(0)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pool_survives_every_way_of_breaking_out() {
    let programs = workers(&Workers { processes_max: 3, ..patient() }, worker());
    join_all((0..3).map(|_| honest(&programs))).await;
    let own = std::process::id();
    let before = resident_kib(own);
    let honest_ones = async {
        for _ in 0..300 {
            honest(&programs).await;
        }
    };
    tokio::join!(check(&programs), honest_ones);

    let counts = programs.counts().unwrap();
    assert_eq!((counts.lost, counts.busy), (0, 0), "{counts:?}");
    let grown = resident_kib(own).saturating_sub(before);
    assert!(grown < 16 << 10, "the owner grew by {grown} KiB");
    let heaviest = children().into_iter().map(resident_kib).max().unwrap();
    assert!(heaviest << 10 <= limits().workers.resident_bytes_max, "a worker kept {heaviest} KiB");
    programs.close().await;
    assert_eq!(programs.counts().unwrap().idle, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_no_limit_stops_dies_with_its_process() {
    // With every limit of the interpreter out of the way, the process's own remains.
    let limits = Sandbox {
        operations_max: u64::MAX,
        wall_ms_max: NEVER_MS,
        memory_bytes_max: usize::MAX,
        array_items_max: usize::MAX / 4,
        map_items_max: usize::MAX / 4,
        string_bytes_max: 1 << 40,
        ..limits()
    };
    let programs = workers(&Workers { processes_max: 2, ..patient() }, worker());
    let hungry = "let a = [1, 2, 3, 4]; loop { a += a; }";
    let ready = crate::harness::ready(hungry, &limits);
    let (lost, ()) = tokio::join!(drive(&programs, ready), honest(&programs));
    assert!(matches!(lost, Err(worker::Lost::Ended(_))), "{lost:?}");
    honest(&programs).await;
    assert_eq!(programs.counts().unwrap().lost, 1);
    programs.close().await;
}

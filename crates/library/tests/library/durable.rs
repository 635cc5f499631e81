//! What outlives a process, and what a crash leaves.

use std::future::{Future, poll_fn};
use std::path::Path;
use std::process::Command;
use std::task::Poll;

use library::{Question, Scope};

use crate::{NOW, add, on_disk};

/// Where the victim finds its library.
const VICTIM: &str = "SLUICE_LIBRARY_VICTIM";

const OLD: &str = "# Guide\n\n## Sessions\n\nThe old token expires.\n";

async fn titles(library: &library::Library, question: &str) -> Vec<String> {
    let found = library.search(&Scope::of_caller("me"), Question::alone(question), None).await.unwrap();
    found.results.into_iter().map(|result| result.chunk.content).collect()
}

#[tokio::test]
async fn an_index_catches_up_is_built_anew_and_is_not_believed() {
    let home = tempfile::TempDir::new().unwrap();
    let (store, library) = on_disk(home.path()).await;
    let document = add(&library, "me", "docs", "a.md", OLD).await;
    drop(library);
    store.close().await;

    let (store, library) = on_disk(home.path()).await;
    assert_eq!(library.catch_up().await.unwrap(), 0, "nothing to catch up");
    assert_eq!(titles(&library, "token").await, ["The old token expires."]);
    // A document that the index does not learn of.
    assert!(store.delete_document("me", &document).await.unwrap().is_some());
    assert_eq!(titles(&library, "token").await, Vec::<String>::new(), "what is gone leads nowhere");
    add(&library, "me", "docs", "b.md", "# B\n\nAnother token.\n").await;
    drop(library);
    store.close().await;

    std::fs::remove_dir_all(home.path().join("index")).unwrap();
    let (store, library) = on_disk(home.path()).await;
    assert_eq!(titles(&library, "token").await, ["Another token."]);
    drop(library);
    store.close().await;

    std::fs::write(home.path().join("index").join("meta.json"), b"no index").unwrap();
    let (_store, library) = on_disk(home.path()).await;
    assert_eq!(titles(&library, "token").await, ["Another token."]);
}

#[tokio::test]
async fn a_crash_in_the_middle_leaves_one_version_whole() {
    let new_chunks = 1 + 2 * PARTS;
    let mut kept = Vec::new();
    for polls in [3, 100, 400, 1_600] {
        let home = tempfile::TempDir::new().unwrap();
        let mut victim = Command::new(std::env::current_exe().unwrap());
        victim.args(["--exact", "durable::victim", "--ignored"]);
        victim.env(VICTIM, home.path()).env(POLLS, polls.to_string());
        let died = victim.output().unwrap();
        assert!(!died.status.success(), "{died:?}");

        let (_store, library) = on_disk(home.path()).await;
        let documents = library.documents("me", None, 10, 0).await.unwrap();
        let told: Vec<(i64, i64)> = documents.iter().map(|one| (one.version, one.chunks)).collect();
        assert!(told == [(1, 3)] || told == [(2, new_chunks)], "{told:?}");
        let is_old = told[0].0 == 1;
        assert_eq!(titles(&library, "token").await.len(), usize::from(is_old));
        assert_eq!(titles(&library, "word").await.is_empty(), is_old);
        kept.push(is_old);
    }
    assert!(kept[0], "the first one dies before anything is written");
}

const PARTS: i64 = 2_000;
const POLLS: &str = "SLUICE_LIBRARY_POLLS";

/// Dies somewhere in the writing of a long new version: after so many looks at it.
#[tokio::test]
#[ignore = "dies; another test runs it in a process of its own"]
#[expect(clippy::disallowed_methods, reason = "a test that is its own child process has no other way in")]
async fn victim() {
    let (Ok(path), Ok(polls)) = (std::env::var(VICTIM), std::env::var(POLLS)) else { return };
    let (_store, library) = on_disk(Path::new(&path)).await;
    add(&library, "me", "docs", "a.md", OLD).await;
    let collection = library.collection("me", "docs", NOW).await.unwrap().collection_id;
    let parts =
        (0..PARTS).map(|part| format!("## Part {part}\n\nA word of it.\n\n")).collect::<Vec<_>>().concat();
    let text = format!("# Guide\n\n{parts}");
    let mut writing = Box::pin(library.put("me", &collection, crate::markdown("a.md", &text), NOW));
    for _ in 0..polls.parse().unwrap() {
        let is_done = poll_fn(|context| Poll::Ready(writing.as_mut().poll(context).is_ready())).await;
        if is_done {
            break;
        }
        tokio::task::yield_now().await;
        std::thread::yield_now();
    }
    std::process::abort();
}

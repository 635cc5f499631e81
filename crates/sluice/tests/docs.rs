//! `sluice docs` and `sluice ask --docs`, as a new user goes: a fresh data directory, a folder of documents, a question.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// Runs the binary. What it is asked is recorded, and replayed to the same bytes without the documents.
fn sluice(home: &Path, arguments: &[&str]) -> Output {
    let run = |home: &Path, arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sluice"));
        command.current_dir(home).env_clear().args(arguments).output().expect("the binary runs")
    };
    if arguments.first() != Some(&"ask") {
        return run(home, arguments);
    }
    let elsewhere = tempfile::tempdir().expect("a folder");
    let place = elsewhere.path().to_str().expect("UTF-8");
    let output = run(home, &[arguments, &["--record", place]].concat());
    said(&run(elsewhere.path(), &["replay", place]));
    output
}

fn said(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).expect("standard output is UTF-8")
}

fn shelf() -> TempDir {
    let home = tempfile::tempdir().expect("a folder");
    let docs = home.path().join("docs");
    fs::create_dir_all(docs.join("old")).expect("a folder");
    let new = "# Server guide\n\n## Sessions\n\nA session expires after 30 minutes of silence. It can be renewed once.\n\n\
               ## Keys\n\nAn API key is sent in the Authorization header.\n";
    fs::write(docs.join("guide.md"), new).expect("written");
    let old = "<html><body><h1>Server guide, first edition</h1><h2>Sessions</h2>\
               <p>A session expires after 60 minutes of silence. It can be renewed once.</p></body></html>";
    fs::write(docs.join("old/guide.html"), old).expect("written");
    fs::write(docs.join("photo.png"), [0x89, 0x50]).expect("written");
    home
}

#[test]
fn a_new_user_gets_a_cited_answer() {
    let home = shelf();
    let added = said(&sluice(home.path(), &["docs", "add", "./docs"]));
    assert_eq!(added, "2 documents taken into `documents`, 0 already there, 0 unreadable\n");
    let answer = said(&sluice(home.path(), &["ask", "--docs", "When does a session expire?"]));
    assert!(answer.starts_with("# Answer\n\n") && answer.contains("minutes of silence"), "{answer}");
    assert!(answer.contains("[1]") && answer.contains("## Sources\n- Server guide"), "{answer}");
    let conflicts = answer.split("## Conflicts").nth(1).unwrap_or_else(|| panic!("{answer}"));
    assert!(conflicts.contains("30") && conflicts.contains("60"), "{answer}");

    let miss = sluice(home.path(), &["ask", "--docs", "Which pasta goes with pesto?"]);
    let text = String::from_utf8(miss.stdout).expect("standard output is UTF-8");
    assert_eq!(miss.status.code(), Some(3), "{text}");
    assert!(text.contains("## Gaps") && !text.contains("## Sources"), "{text}");
}

#[test]
fn documents_are_listed_replaced_and_removed() {
    let home = shelf();
    said(&sluice(home.path(), &["docs", "add", "docs", "--collection", "guides"]));
    let again = said(&sluice(home.path(), &["docs", "add", "docs/guide.md", "--collection", "guides"]));
    assert!(again.contains("0 documents taken into `guides`, 1 already there"), "{again}");
    let listed: Value =
        serde_json::from_str(&said(&sluice(home.path(), &["docs", "list", "--json"]))).expect("JSON");
    let documents = listed.as_array().expect("a list");
    assert_eq!(documents.len(), 2, "{listed}");
    let id = documents[0]["id"].as_str().expect("an id");
    said(&sluice(home.path(), &["docs", "remove", id]));
    assert!(said(&sluice(home.path(), &["docs", "list"])).ends_with("\n1 document\n"));
    assert_eq!(said(&sluice(home.path(), &["docs", "reindex"])), "indexed 1 document anew\n");
    let none = sluice(home.path(), &["docs", "remove", id]);
    assert_eq!(none.status.code(), Some(1), "{none:?}");
    let nobody = sluice(home.path(), &["docs", "--key", "other", "list"]);
    assert_eq!(said(&nobody), "0 documents\n", "another key's documents are others");
    let elsewhere = sluice(home.path(), &["docs", "list", "--data-dir", "elsewhere"]);
    assert_eq!(said(&elsewhere), "0 documents\n", "options of all actions stand on either side of one");
}

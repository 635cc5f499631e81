//! Recordings: those in `traces/` come to the same bytes, and what was changed, cut off or not recorded is said.

#![allow(clippy::unwrap_used, clippy::panic, reason = "what the tests share may fail as the tests do")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use sha2::{Digest, Sha256};
use tempfile::TempDir;

const QUESTION: &str = "Which exchanges saw the largest BTC inflows in the last 24 hours?";

fn sluice(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sluice")).env_clear().args(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat()
}

/// A recording of the README's question; what `more` says is added to the command.
fn recorded(more: &[&str]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().to_str().unwrap().to_owned();
    let mut arguments = vec!["ask", QUESTION, "--json", "--trace", "--record", &place, "--record-as", "one"];
    arguments.extend(more);
    let output = sluice(&arguments);
    assert!(output.status.success(), "{}", said(&output));
    let recording = folder.path().join("one");
    (folder, recording)
}

fn replay(recording: &Path, more: &[&str]) -> (Option<i32>, String) {
    let mut arguments = vec!["replay", recording.to_str().unwrap()];
    arguments.extend(more);
    let output = sluice(&arguments);
    (output.status.code(), said(&output))
}

/// Puts another text in the place of one in `run.jsonl`.
fn change(recording: &Path, from: &str, to: &str) {
    let file = recording.join("run.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains(from), "{from}");
    fs::write(file, text.replace(from, to)).unwrap();
}

#[test]
fn the_kept_recordings_come_to_the_same_bytes() {
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../traces");
    let (code, said) = replay(&traces, &[]);
    assert_eq!(code, Some(0), "{said}\nwhere the change is meant, `scripts/record` records them anew");
    assert!(said.lines().count() >= 4, "{said}");
}

#[test]
fn a_reply_is_printed_as_it_was_given() {
    let (_folder, recording) = recorded(&[]);
    let (code, printed) = replay(&recording, &["--print"]);
    assert_eq!(code, Some(0), "{printed}");
    assert!(printed.starts_with("{\"success\":true"), "{printed}");
}

#[test]
fn a_call_that_was_not_recorded_ends_the_replay_and_names_the_nearest_one() {
    let (_folder, recording) = recorded(&[]);
    change(
        &recording,
        "\"arguments\":{\"asset\":\"BTC\",\"exchange\":\"binance\"",
        "\"arguments\":{\"asset\":\"BTC\",\"exchange\":\"elsewhere\"",
    );
    let (code, said) = replay(&recording, &[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("a call is not in the recording") && said.contains("binance"), "{said}");
    assert!(said.contains("the nearest recorded one") && said.contains("elsewhere"), "{said}");
}

#[test]
fn what_was_changed_or_cut_off_or_is_of_another_version_is_said() {
    let (_folder, recording) = recorded(&[]);
    let is_body = |path: &PathBuf| path.extension().is_some_and(|it| it == "json");
    let mut files = fs::read_dir(&recording).unwrap().map(|file| file.unwrap().path());
    let body = files.find(is_body).unwrap();
    let kept = fs::read_to_string(&body).unwrap();
    fs::write(&body, format!("{kept} ")).unwrap();
    let (code, told) = replay(&recording, &[]);
    assert_eq!((code, told.contains("it was changed")), (Some(2), true), "{told}");
    fs::write(&body, kept).unwrap();

    // Lines, members and minor versions that are not known are passed over.
    change(&recording, "\"major\":2,\"minor\":1", "\"major\":2,\"minor\":7,\"mood\":\"good\"");
    change(&recording, "{\"kind\":\"end\"", "{\"kind\":\"weather\",\"is\":\"fine\"}\n{\"kind\":\"end\"");
    assert_eq!(replay(&recording, &[]).0, Some(0));

    change(&recording, "\"major\":2", "\"major\":3");
    let (code, told) = replay(&recording, &[]);
    assert_eq!((code, told.contains("has the version 3")), (Some(2), true), "{told}");
    assert!(told.contains("sluice trace again"), "{told}");
    change(&recording, "\"major\":3", "\"major\":2");

    change(&recording, "{\"kind\":\"end\"", "{\"kind\":\"no-end\"");
    let (code, told) = replay(&recording, &[]);
    assert_eq!((code, told.contains("it was cut off")), (Some(2), true), "{told}");
}

/// The recording as version 1 had it: a file for every body.
fn make_older(recording: &Path) {
    let bodies = recording.join("bodies");
    fs::create_dir(&bodies).unwrap();
    for file in fs::read_dir(recording).unwrap().map(|file| file.unwrap().path()) {
        if file.extension().is_some_and(|it| it == "json") {
            fs::rename(&file, bodies.join(file.file_name().unwrap())).unwrap();
        }
    }
    let run = fs::read_to_string(recording.join("run.jsonl")).unwrap();
    let mut lines = Vec::new();
    for line in run.lines() {
        let Some((head, body)) =
            line.split_once("\",\"body\":").filter(|_| line.starts_with("{\"kind\":\"body\""))
        else {
            lines.push(line.replace("\"major\":2", "\"major\":1"));
            continue;
        };
        let hash = head.rsplit('"').next().unwrap();
        fs::write(bodies.join(format!("{hash}.json")), body.strip_suffix('}').unwrap()).unwrap();
    }
    fs::write(recording.join("run.jsonl"), lines.join("\n") + "\n").unwrap();
}

#[test]
fn a_recording_of_the_version_before_is_replayed() {
    let (_folder, recording) = recorded(&[]);
    make_older(&recording);
    let (code, told) = replay(&recording, &[]);
    assert_eq!(code, Some(0), "{told}");
    assert!(said(&sluice(&["trace", "show", recording.to_str().unwrap()])).contains("wave 1"));
}

#[test]
fn policies_of_another_version_are_told_with_what_to_do() {
    let (folder, recording) = recorded(&[]);
    let mut files = fs::read_dir(&recording).unwrap().map(|file| file.unwrap().path());
    let is_policies = |path: &PathBuf| fs::read_to_string(path).unwrap().contains("deadline_ms_max = ");
    let file =
        files.find(|path| path.extension().is_some_and(|it| it == "json") && is_policies(path)).unwrap();
    let older = fs::read_to_string(&file).unwrap().replace("deadline_ms_max = ", "# deadline_ms_max = ");
    let hash = hex::encode(Sha256::digest(&older));
    fs::write(recording.join(format!("{hash}.json")), older).unwrap();
    change(&recording, file.file_stem().unwrap().to_str().unwrap(), &hash);
    let (code, told) = replay(&recording, &[]);
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("deadline_ms_max") && told.contains("sluice trace again"), "{told}");
    // Under policies of this version it is asked all the same, and shown without them.
    let policies = folder.path().join("policies");
    fs::create_dir(&policies).unwrap();
    let (code, told) = replay(&recording, &["--policies", policies.to_str().unwrap()]);
    assert_eq!((code, told.contains("the same decisions")), (Some(0), true), "{told}");
    assert!(said(&sluice(&["trace", "show", recording.to_str().unwrap()])).contains("wave 1"));
}

#[test]
fn other_policies_are_told_by_the_first_decision_that_they_change() {
    let (folder, recording) = recorded(&[]);
    let policies = folder.path().join("policies");
    fs::create_dir(&policies).unwrap();
    let shipped =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../policies/lanes.toml")).unwrap();
    let directory = policies.to_str().unwrap();
    let (code, told) = replay(&recording, &["--policies", directory]);
    assert_eq!((code, told.contains("the same decisions")), (Some(0), true), "{told}");
    let fast = shipped
        .replace("depth_default = \"deep\"", "depth_default = \"fast\"")
        .replace("ambiguity_judge_enabled = true", "ambiguity_judge_enabled = false");
    assert_ne!(fast, shipped);
    fs::write(policies.join("lanes.toml"), fast).unwrap();
    let (code, told) = replay(&recording, &["--policies", directory]);
    assert_eq!((code, told.contains("then they part")), (Some(1), true), "{told}");
    assert!(told.contains("depth-decision") && told.contains("cost:"), "{told}");
}

#[test]
fn two_recordings_are_held_against_each_other() {
    let (folder, one) = recorded(&[]);
    let place = folder.path().to_str().unwrap();
    let other =
        ["ask", "What is the price of the World Cup market?", "--record", place, "--record-as", "two"];
    assert_eq!(sluice(&other).status.code(), Some(4));
    let two = folder.path().join("two");
    let (code, told) = replay(&one, &["--diff", two.to_str().unwrap()]);
    assert_eq!((code, told.contains("then they part")), (Some(1), true), "{told}");
    assert!(told.contains("outcome: answer / clarification_required"), "{told}");
    assert!(told.contains("  differs: "), "{told}");
    assert!(told.contains("cost:    $0.008000 / $0.000000, $0.008000 less"), "{told}");
    assert_eq!(replay(&one, &["--diff", one.to_str().unwrap()]).0, Some(0));
    let (code, told) = replay(&one, &["--diff", two.to_str().unwrap(), "--policies", place]);
    assert_eq!((code, told.contains("--policies")), (Some(2), true), "{told}");

    let listed = said(&sluice(&["trace", "list", place, "--outcome", "clarification_required"]));
    assert!(listed.contains("two") && !listed.contains("one "), "{listed}");
    let unknown = sluice(&["trace", "list", place, "--outcome", "answered"]);
    assert_eq!((unknown.status.code(), said(&unknown).contains("capability_miss")), (Some(2), true));
    for name in ["", ".hidden", "../beside", "a/b"] {
        let refused = sluice(&["ask", QUESTION, "--record", place, "--record-as", name]);
        assert_eq!(refused.status.code(), Some(2), "{name}");
    }
    let shown = said(&sluice(&["trace", "show", one.to_str().unwrap()]));
    assert!(
        shown.contains("wave 1") && shown.contains("planning") && shown.contains("calls 8 of 100"),
        "{shown}"
    );
}

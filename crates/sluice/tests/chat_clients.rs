//! Every ending of a turn, replayed through the released clients that read it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Replays the golden transcripts, which `to_wire/chat/transcripts.rs` holds to what is written, with AI SDK 5.0.0, 5.0.277, 6 and 7.
#[test]
fn conformance_of_the_transcripts() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let clients = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/clients");
    let (node, installed) = (clients.join("bin/node"), clients.join("ai"));
    assert!(installed.join(".installed").exists(), "the AI SDK clients are not installed: run scripts/setup");
    // Packages are found beside the script, so it runs from where they are.
    let script = installed.join("replay.mjs");
    std::fs::copy(tests.join("clients/ai/replay.mjs"), &script).expect("the script is copied");
    let output = Command::new(node).arg(script).arg(tests.join("transcripts")).output().expect("Node runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let transcripts = std::fs::read_dir(tests.join("transcripts")).expect("they are there").flatten();
    let streams = transcripts.filter(|file| file.path().extension().is_some_and(|it| it == "sse")).count();
    assert_eq!(said.lines().count(), 4 * streams, "{said}");
}

//! The MCP project's own conformance suite for clients, against the transports of this crate.
//!
//! What does not pass is listed beside the example client with its reason; an entry that passes fails the run.

use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn conformance_2025_11_25() {
    assert_conforms("2025-11-25");
}

#[test]
fn conformance_2026_07_28() {
    assert_conforms("2026-07-28");
}

#[track_caller]
fn assert_conforms(revision: &str) {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let suite = manifest.join("../../target/clients/bin/conformance");
    assert!(suite.exists(), "the conformance suite is not installed: run scripts/setup");
    let output = Command::new(suite)
        .args(["client", "--requirements", revision, "--command"])
        .arg(client())
        .arg("--expected-failures")
        .arg(manifest.join(format!("examples/conformance/{revision}.yml")))
        .output()
        .expect("the suite runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    let passed =
        said.lines().find_map(|line| line.strip_prefix("Total: ")?.split_once(" passed")?.0.parse().ok());
    assert!(passed.is_some_and(|checks: u32| checks > 10), "hardly a check was made: {said}");
}

/// The example client, built beside this test.
fn client() -> PathBuf {
    let test = std::env::current_exe().expect("the test has a path");
    let folder = test.ancestors().nth(2).expect("it stands in target/<profile>/deps");
    let client = folder.join("examples/conformance_client");
    assert!(client.exists(), "{} is not built", client.display());
    client
}

//! Programs that `scripts/setup` installs, and what they say of their checks.

use std::path::PathBuf;
use std::process::Output;

use serde_json::Value;

/// A file of this crate.
pub(crate) fn file(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Something installed.
pub(crate) fn installed(path: &str) -> PathBuf {
    let found = file("../../target/clients").join(path);
    assert!(found.exists(), "{path} is not installed: run scripts/setup");
    found
}

/// Holds a program to its checks: a line of JSON for each, `{check, ok, detail}`, of which there are at least so many.
pub(crate) fn all_hold(output: &Output, checks_min: usize) {
    let said = String::from_utf8_lossy(&output.stdout);
    let checks: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let failed: Vec<String> = checks.iter().filter(|it| it["ok"] != true).map(ToString::to_string).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(checks.len() >= checks_min && output.status.success(), "{said}{complaints}");
}

//! What every crate's manifest says alike.

use crate::tree::{self, TextFile};
use crate::violations::Violations;

const INHERITED: [&str; 5] = [
    "version.workspace = true",
    "edition.workspace = true",
    "rust-version.workspace = true",
    "license.workspace = true",
    "publish.workspace = true",
];

#[test]
fn manifests_inherit_from_the_workspace() {
    let mut violations =
        Violations::of("A crate takes its lints, its version and that it is not published from the root.");
    for manifest in manifests() {
        for line in INHERITED {
            if !manifest.text.lines().any(|found| found == line) {
                violations.in_file(&manifest.path, format!("lacks `{line}`"));
            }
        }
        if !manifest.text.contains("[lints]\nworkspace = true\n") {
            violations.in_file(&manifest.path, "lacks `[lints]` with `workspace = true`");
        }
    }
    let root = TextFile::read("Cargo.toml").expect("the root has a manifest");
    for line in ["version = \"0.0.0\"", "publish = false"] {
        if !root.text.lines().any(|found| found == line) {
            violations.in_file(&root.path, format!("lacks `{line}`"));
        }
    }
    violations.must_be_none();
}

#[test]
fn dependencies_come_from_the_workspace() {
    let mut violations =
        Violations::of("A crate's dependencies come from the workspace: `name.workspace = true`.");
    for manifest in manifests() {
        let mut in_dependencies = false;
        for (number, line) in manifest.lines() {
            if let Some(section) = line.strip_prefix('[') {
                in_dependencies = section.trim_end().ends_with("dependencies]");
                if section.contains("dependencies.") {
                    violations.at(&manifest.path, number, "a section for one dependency");
                }
            } else if in_dependencies && is_entry(line) && !line.contains("workspace = true") {
                violations.at(&manifest.path, number, line.trim());
            }
        }
    }
    violations.must_be_none();
}

/// Whether a line starts an entry of a section; the lines of a list that goes on do not.
fn is_entry(line: &str) -> bool {
    line.starts_with(|first: char| first.is_ascii_alphanumeric())
}

fn manifests() -> Vec<TextFile> {
    let files = tree::files_under("crates").into_iter();
    files.filter(|file| file.path.split('/').count() == 3 && file.path.ends_with("/Cargo.toml")).collect()
}

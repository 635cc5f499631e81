//! Links lead somewhere.

use std::path::Path;

use crate::tree::{self, TextFile};
use crate::violations::Violations;

/// Documents that must be there, whoever else has links.
const DOCUMENTS: [&str; 3] = ["README.md", "crates/README.md", "policies/README.md"];

#[test]
fn links_lead_somewhere() {
    let mut violations =
        Violations::of("The main documents are there, and every link to a file leads to one.");
    for path in DOCUMENTS {
        if TextFile::read(path).is_none() {
            violations.in_file(path, "is missing");
        }
    }
    for document in documents() {
        let folder = Path::new(&document.path).parent().unwrap_or(Path::new(""));
        for (number, line) in document.lines() {
            for target in local_targets(line) {
                if !tree::root().join(folder).join(target).exists() {
                    violations.at(&document.path, number, format!("{target} does not exist"));
                }
            }
        }
    }
    violations.must_be_none();
}

fn documents() -> Vec<TextFile> {
    let nested = ["crates", "policies", "evals", "traces"].into_iter().flat_map(tree::files_under);
    let markdown = nested.filter(|file| file.path.ends_with("/README.md"));
    TextFile::read("README.md").into_iter().chain(markdown).collect()
}

/// The files that a line of Markdown links to, without fragments; addresses are left out.
fn local_targets(line: &str) -> Vec<&str> {
    let targets = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let files = targets.filter(|target| !target.contains("://") && !target.starts_with("mailto:"));
    files.filter_map(|target| target.split('#').next()).filter(|target| !target.is_empty()).collect()
}

#[test]
fn targets_are_read() {
    let line = "See [a](b.md#c), [d](https://example.com/e) and [f](#g) and [h](../i/).";
    assert_eq!(local_targets(line), ["b.md", "../i/"]);
}

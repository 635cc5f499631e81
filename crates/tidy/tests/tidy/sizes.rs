//! Files stay short, and say what they are for.

use std::collections::BTreeMap;

use crate::tree::{self, TextFile};
use crate::violations::Violations;

const SOURCE_LINES_MAX: usize = 400;
const SCRIPT_LINES_MAX: usize = 20;
const DOCUMENT_LINES_MAX: [(&str, usize); 2] = [("README.md", 80), ("crates/README.md", 300)];

const LONG_FILES: &str = "crates/tidy/long_files.txt";

#[test]
fn source_files_stay_short() {
    let mut violations =
        Violations::of("The non-test part of a source file has 400 lines at most; exceptions only shrink.");
    let mut exceptions = exceptions();
    for file in tree::rust_files() {
        let lines = file.production_lines().len();
        match exceptions.remove(&file.path) {
            None if lines > SOURCE_LINES_MAX => violations.in_file(&file.path, format!("{lines} lines")),
            Some((_, allowed)) if lines > allowed => {
                violations.in_file(&file.path, format!("{lines} lines, grown from {allowed}"));
            }
            Some((number, allowed)) if lines < allowed => {
                violations.at(LONG_FILES, number, format!("{} has {lines} lines by now: say so", file.path));
            }
            _ => {}
        }
    }
    for (path, (number, _)) in exceptions {
        violations.at(LONG_FILES, number, format!("there is no {path}"));
    }
    violations.must_be_none();
}

#[test]
fn source_files_say_what_they_are_for() {
    let mut violations =
        Violations::of("A source file opens with a `//!` line on what it is for; none is named mod.rs.");
    for file in tree::rust_files() {
        if !file.text.starts_with("//! ") {
            violations.in_file(&file.path, "opens without `//!`");
        }
        if file.path.ends_with("/mod.rs") {
            violations.in_file(&file.path, "is named mod.rs");
        }
    }
    violations.must_be_none();
}

#[test]
fn documents_and_scripts_stay_short() {
    let mut violations = Violations::of("README.md has 80 lines at most, crates/README.md 300, a script 20.");
    let documents = DOCUMENT_LINES_MAX.iter().map(|(path, most)| (TextFile::read(path), *most));
    let scripts = tree::files_under("scripts").into_iter().map(|file| (Some(file), SCRIPT_LINES_MAX));
    for (file, most) in documents.chain(scripts) {
        let Some(file) = file else { continue };
        let lines = file.lines().count();
        if lines > most {
            violations.in_file(&file.path, format!("{lines} lines, {most} at most"));
        }
    }
    violations.must_be_none();
}

/// The path of each exception with its line in the list and the length that it may have.
fn exceptions() -> BTreeMap<String, (usize, usize)> {
    let list = TextFile::read(LONG_FILES).expect("the list of long files is there");
    let entries = list.lines().filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
    let parsed = entries.map(|(number, line)| {
        let (path, lines) = line.split_once(' ').expect("an exception is a path and a number of lines");
        (path.to_owned(), (number, lines.trim().parse().expect("the lines of an exception are a number")))
    });
    parsed.collect()
}

//! The files of the repository and their lines.

use std::fs;
use std::path::{Path, PathBuf};

const LEFT_OUT: [&str; 4] = ["target", "node_modules", "corpus", "artifacts"];

/// A text file; its path is relative to the root, with `/` between the parts.
pub(crate) struct TextFile {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl TextFile {
    /// The file at a path relative to the root, when it is there and is text.
    pub(crate) fn read(path: &str) -> Option<Self> {
        let text = fs::read_to_string(root().join(path)).ok()?;
        Some(Self { path: path.to_owned(), text })
    }

    /// Each line with its number, from 1.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(index, line)| (index + 1, line))
    }

    /// The lines that are part of the product: nothing of a test file, and nothing under `#[cfg(test)]`.
    pub(crate) fn production_lines(&self) -> Vec<(usize, &str)> {
        if self.is_test() {
            return Vec::new();
        }
        let mut lines = self.lines();
        let mut production = Vec::new();
        while let Some((number, line)) = lines.next() {
            if line.starts_with("#[cfg(test)]") {
                lines.by_ref().map(|(_, line)| line).find(|line| ends_an_item(line));
            } else {
                production.push((number, line));
            }
        }
        production
    }

    /// The crate's folder name, for a file under `crates/`.
    pub(crate) fn crate_name(&self) -> &str {
        self.path.split('/').nth(1).unwrap_or_default()
    }

    fn is_test(&self) -> bool {
        let (folders, name) = self.path.rsplit_once('/').unwrap_or(("", &self.path));
        let test_folder = |folder| matches!(folder, "tests" | "benches" | "examples" | "fuzz");
        name == "tests.rs" || folders.split('/').any(test_folder)
    }
}

/// Whether a formatted top-level item ends with this line.
fn ends_an_item(line: &str) -> bool {
    line.starts_with('}') || (!line.starts_with([' ', '#', '/']) && line.ends_with([';', '}']))
}

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    crate_folder.ancestors().nth(2).expect("crates/tidy stands two folders below the root").to_owned()
}

/// Every Rust file of the workspace, in the order of the paths.
pub(crate) fn rust_files() -> Vec<TextFile> {
    files_under("crates").into_iter().filter(|file| has_extension(&file.path, "rs")).collect()
}

/// Every text file under a folder of the root, in the order of the paths; hidden and generated folders left out.
pub(crate) fn files_under(folder: &str) -> Vec<TextFile> {
    let mut paths = Vec::new();
    gather(&root().join(folder), folder, &mut paths);
    paths.sort();
    paths.iter().filter_map(|path| TextFile::read(path)).collect()
}

pub(crate) fn has_extension(path: &str, extension: &str) -> bool {
    Path::new(path).extension().is_some_and(|found| found == extension)
}

fn gather(folder: &Path, relative: &str, paths: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{relative}/{name}");
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && !name.starts_with('.') && !LEFT_OUT.contains(&name.as_str()) => {
                gather(&entry.path(), &path, paths);
            }
            Ok(kind) if kind.is_file() => paths.push(path),
            _ => {}
        }
    }
}

#[test]
fn test_modules_are_no_part_of_the_product() {
    let text = "//! A.\n#[cfg(test)]\nmod tests;\nfn one() {}\n#[cfg(test)]\nmod more {\n    fn two() {}\n}\nfn three() {}\n";
    let file = TextFile { path: "crates/a/src/a.rs".to_owned(), text: text.to_owned() };
    assert_eq!(file.production_lines(), [(1, "//! A."), (4, "fn one() {}"), (9, "fn three() {}")]);
}

#[test]
fn test_files_are_no_part_of_the_product() {
    for path in ["crates/a/tests/b.rs", "crates/a/src/b/tests.rs", "crates/a/benches/b.rs"] {
        let file = TextFile { path: path.to_owned(), text: "fn one() {}\n".to_owned() };
        assert!(file.production_lines().is_empty(), "{path}");
    }
}

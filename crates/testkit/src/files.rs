//! Cases that are files.

use std::fs;
use std::path::Path;

/// The files of a directory of cases, each its name without the ending and its text, in the order of the names.
///
/// # Panics
///
/// Where there is none, or one that cannot be read.
#[must_use]
pub fn files(directory: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(directory).expect("the directory is there");
    let read = |entry: std::io::Result<fs::DirEntry>| {
        let path = entry.expect("an entry can be read").path();
        let name = path.file_stem().unwrap_or_default().display().to_string();
        let text = fs::read_to_string(&path).expect(&name);
        (name, text)
    };
    let mut files: Vec<(String, String)> = entries.map(read).collect();
    files.sort();
    assert!(!files.is_empty(), "{} has no files", directory.display());
    files
}

//! Suites of our own: directories of case files, found by walking them.

mod case;
mod joined;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

pub use case::{Asked, Depth, SuiteCase, WantedEvidence};

use crate::EvalFault;
use crate::gates::Gates;

/// The file that says what passes.
const GATES: &str = "gates.toml";

/// Every suite but none in particular.
const ALL: &str = "all";

/// The cases of one directory, in the order of paths and lines.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Its name: that of its directory.
    pub name: String,
    /// Its cases.
    pub cases: Vec<SuiteCase>,
}

/// Suites, and what they are held to.
#[derive(Clone, Debug)]
pub struct Suites {
    /// The suites, by name.
    pub suites: Vec<Suite>,
    /// What passes.
    pub gates: Gates,
}

/// Reads suites of the directory `evals`: `all` of them, the one that `wanted` names, or the directory that it is.
pub fn read(evals: &Path, wanted: &str) -> Result<Suites, EvalFault> {
    let gates = gates(evals)?;
    let own = suite_directories(evals)?;
    let chosen: Vec<PathBuf> = if wanted == ALL {
        own.clone()
    } else {
        let named = own.iter().find(|directory| name_of(directory) == wanted).cloned();
        vec![named.unwrap_or_else(|| PathBuf::from(wanted))]
    };
    let mut suites = Vec::new();
    let mut ids = BTreeMap::new();
    for directory in &chosen {
        let suite = Suite { name: name_of(directory), cases: cases_under(directory, &own, &mut ids)? };
        check_pairs(&suite, directory)?;
        suites.push(suite);
    }
    if suites.is_empty() {
        return Err(no_cases(evals, &own));
    }
    Ok(Suites { suites, gates })
}

/// What passes, as the directory `evals` says.
pub fn gates(evals: &Path) -> Result<Gates, EvalFault> {
    toml_file(&evals.join(GATES))
}

fn suite_directories(evals: &Path) -> Result<Vec<PathBuf>, EvalFault> {
    let mut directories = Vec::new();
    for path in entries(evals)? {
        if path.is_dir() && !case_files(&path)?.is_empty() {
            directories.push(path);
        }
    }
    Ok(directories)
}

fn cases_under(
    directory: &Path,
    own: &[PathBuf],
    ids: &mut BTreeMap<String, PathBuf>,
) -> Result<Vec<SuiteCase>, EvalFault> {
    if !directory.is_dir() {
        return Err(no_cases(directory, own));
    }
    let mut cases = Vec::new();
    for path in case_files(directory)? {
        let CaseFile { case } = toml_file(&path)?;
        for case in case {
            case.check(&path)?;
            if let Some(first) = ids.insert(case.id.clone(), path.clone()) {
                let message = format!("the id is taken by a case of {}", first.display());
                return Err(EvalFault::BadCase { path, id: case.id, message });
            }
            cases.push(case);
        }
    }
    if cases.is_empty() { Err(no_cases(directory, own)) } else { Ok(cases) }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFile {
    case: Vec<SuiteCase>,
}

/// A pair is a label that at least two cases share.
fn check_pairs(suite: &Suite, directory: &Path) -> Result<(), EvalFault> {
    let mut holders: BTreeMap<&str, Vec<&SuiteCase>> = BTreeMap::new();
    for case in &suite.cases {
        if let Some(pair) = &case.pair {
            holders.entry(pair).or_default().push(case);
        }
    }
    match holders.into_iter().find(|(_, cases)| cases.len() < 2) {
        Some((pair, cases)) => Err(EvalFault::BadCase {
            path: directory.to_owned(),
            id: cases.first().map(|case| case.id.clone()).unwrap_or_default(),
            message: format!("no other case has its pair `{pair}`"),
        }),
        None => Ok(()),
    }
}

fn no_cases(path: &Path, own: &[PathBuf]) -> EvalFault {
    let names: Vec<String> = own.iter().map(|directory| name_of(directory)).collect();
    let there_are = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    EvalFault::NoCases { path: path.to_owned(), there_are }
}

fn name_of(directory: &Path) -> String {
    let resolved = directory.canonicalize();
    let named = resolved.as_deref().unwrap_or(directory);
    named.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Every TOML file below a directory, in the order of the paths.
fn case_files(directory: &Path) -> Result<Vec<PathBuf>, EvalFault> {
    let mut files = Vec::new();
    for path in entries(directory)? {
        if path.is_dir() {
            files.extend(case_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            files.push(path);
        }
    }
    Ok(files)
}

fn entries(directory: &Path) -> Result<Vec<PathBuf>, EvalFault> {
    let unreadable = |source| EvalFault::Unreadable { path: directory.to_owned(), source };
    let read = fs::read_dir(directory).map_err(unreadable)?;
    let mut paths: Vec<PathBuf> =
        read.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>().map_err(unreadable)?;
    paths.sort();
    Ok(paths)
}

fn toml_file<T: DeserializeOwned>(path: &Path) -> Result<T, EvalFault> {
    let text =
        fs::read_to_string(path).map_err(|source| EvalFault::Unreadable { path: path.to_owned(), source })?;
    toml::from_str(&text).map_err(|error| {
        let before = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = 1 + text.bytes().take(before).filter(|byte| *byte == b'\n').count();
        EvalFault::BadFile { path: path.to_owned(), line, message: error.message().replace('\n', " ") }
    })
}

#[cfg(test)]
mod tests;

//! Which crate may use which, and what the pure crates never reach.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, PackageId};

use crate::map::{self, MAP, Row};
use crate::tree;
use crate::violations::Violations;

const PURE: [&str; 9] = ["domain", "policy", "lane", "reading", "fit", "probe", "gate", "program", "cite"];
const IMPURE: [&str; 9] =
    ["async-std", "axum", "futures-timer", "hyper", "mio", "reqwest", "rmcp", "sqlx", "tokio"];

/// What appears at the edge alone, and where that is.
const EDGE: [(&str, &[&str]); 2] =
    [("axum", &["sluice", "testkit"]), ("opentelemetry", &["sluice", "telemetry"])];

#[test]
fn crates_use_only_what_the_table_allows() {
    let metadata = metadata();
    let rows = map::rows();
    let mut violations = Violations::of("A crate uses only what its row in crates/README.md names.");
    for package in metadata.workspace_packages() {
        let name = package.name.to_string();
        let Some(row) = rows.iter().find(|row| row.name == name) else {
            violations.in_file(MAP, format!("`{name}` has no row"));
            continue;
        };
        for used in normal_dependencies(&metadata, &name) {
            if is_member(&metadata, &used) && !row.may_use.contains(&used) {
                let (path, line) = manifest_line(&name, &used);
                violations.at(
                    &path,
                    line,
                    format!("`{name}` uses `{used}`; {MAP}:{} does not allow it", row.line),
                );
            }
        }
    }
    violations.must_be_none();
}

#[test]
fn the_table_names_crates_in_their_order() {
    let metadata = metadata();
    let mut violations =
        Violations::of("The crate table names crates that exist, each below all that it may use.");
    let mut above = BTreeSet::new();
    for Row { line, name, may_use } in map::rows() {
        if !is_member(&metadata, &name) {
            violations.at(MAP, line, format!("there is no crate `{name}`"));
        }
        for used in may_use.difference(&above) {
            violations.at(MAP, line, format!("`{name}` may use `{used}`, which does not stand above it"));
        }
        above.insert(name);
    }
    violations.must_be_none();
}

#[test]
fn pure_crates_reach_no_runtime() {
    let metadata = metadata();
    let mut violations = Violations::of("Pure: no async runtime and no HTTP below the pure crates.");
    for name in PURE {
        for path in paths_to_the_impure(&metadata, name) {
            let (manifest, line) = manifest_line(name, &path[1]);
            violations.at(&manifest, line, path.join(" -> "));
        }
    }
    violations.must_be_none();
}

#[test]
fn http_is_served_at_the_edge() {
    let metadata = metadata();
    let mut violations = Violations::of(
        "Wire: axum appears in sluice only (and in tests), opentelemetry there and in telemetry.",
    );
    for package in metadata.workspace_packages() {
        let name = package.name.to_string();
        for used in normal_dependencies(&metadata, &name) {
            if EDGE.iter().any(|(edge, at)| used.starts_with(edge) && !at.contains(&name.as_str())) {
                let (path, line) = manifest_line(&name, &used);
                violations.at(&path, line, format!("`{name}` uses `{used}`"));
            }
        }
    }
    violations.must_be_none();
}

/// The shortest way from a crate to each impure one that it reaches through normal dependencies.
fn paths_to_the_impure(metadata: &Metadata, name: &str) -> Vec<Vec<String>> {
    let resolve = metadata.resolve.as_ref().expect("cargo metadata resolves dependencies");
    let nodes: BTreeMap<&PackageId, _> = resolve.nodes.iter().map(|node| (&node.id, node)).collect();
    let start = metadata.workspace_packages().into_iter().find(|package| package.name == name);
    let start = &start.unwrap_or_else(|| unreachable!("the pure crate `{name}` exists")).id;

    let mut seen = BTreeSet::from([start]);
    let mut ways = VecDeque::from([(start, vec![name.to_owned()])]);
    let mut found = Vec::new();
    while let Some((id, way)) = ways.pop_front() {
        for dependency in &nodes[id].deps {
            let is_normal = dependency.dep_kinds.iter().any(|kind| kind.kind == DependencyKind::Normal);
            if !is_normal || !seen.insert(&dependency.pkg) {
                continue;
            }
            let next = metadata[&dependency.pkg].name.to_string();
            let way: Vec<String> = way.iter().cloned().chain([next.clone()]).collect();
            if IMPURE.contains(&next.as_str()) {
                found.push(way);
            } else {
                ways.push_back((&dependency.pkg, way));
            }
        }
    }
    found
}

fn normal_dependencies(metadata: &Metadata, name: &str) -> BTreeSet<String> {
    let package = metadata.workspace_packages().into_iter().find(|package| package.name == name);
    let dependencies = package.into_iter().flat_map(|package| &package.dependencies);
    let product = dependencies.filter(|dependency| dependency.kind != DependencyKind::Development);
    product.map(|dependency| dependency.name.clone()).collect()
}

fn is_member(metadata: &Metadata, name: &str) -> bool {
    metadata.workspace_packages().iter().any(|package| package.name == name)
}

/// Where a crate's manifest asks for another.
fn manifest_line(name: &str, used: &str) -> (String, usize) {
    let path = format!("crates/{name}/Cargo.toml");
    let manifest = fs::read_to_string(tree::root().join(&path)).unwrap_or_default();
    let asks = |line: &str| line.strip_prefix(used).is_some_and(|rest| rest.starts_with(['.', ' ', '=']));
    let line = manifest.lines().position(asks).map_or(1, |index| index + 1);
    (path, line)
}

fn metadata() -> Metadata {
    let mut command = MetadataCommand::new();
    // Without the filter cargo wants the packages of every platform, which a build here never fetched.
    command
        .current_dir(tree::root())
        .other_options(["--offline", "--filter-platform", host()].map(str::to_owned));
    command.exec().expect("cargo metadata answers offline")
}

/// The platform that this test was built for.
fn host() -> &'static str {
    env!("SLUICE_HOST")
}

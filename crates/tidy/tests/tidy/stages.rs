//! No back door: a stage value is made by its stage and by nothing else.

use crate::tree::{self, TextFile};
use crate::violations::Violations;

const STAGE_VALUES: [&str; 14] = [
    "Query", "Selected", "Fast", "Deep", "Probed", "Opinion", "Cleared", "Card", "Miss", "Planned",
    "Executed", "Assessed", "Answer", "Settled",
];
const BACK_DOORS: [&str; 4] = ["Deserialize", "Default", "Clone", "Copy"];

/// The wire's bodies and the sample servers are no stages and may use these names as they like.
const OUTSIDE: [&str; 2] = ["contract", "market"];

#[test]
fn stage_values_have_no_back_door() {
    let mut violations = Violations::of("No back door: a stage value is not Deserialize, Default or Clone.");
    for file in stage_files() {
        let lines = file.production_lines();
        for (index, (number, line)) in lines.iter().enumerate() {
            if let Some(name) = declared(line) {
                let attributes = attributes_above(&lines[..index]);
                for door in derived(&attributes).into_iter().filter(|door| BACK_DOORS.contains(door)) {
                    violations.at(&file.path, *number, format!("`{name}` derives `{door}`"));
                }
            }
            let implemented = implemented(line);
            for (door, name) in implemented.into_iter().filter(|found| is_back_door(*found)) {
                violations.at(&file.path, *number, format!("`{name}` implements `{door}`"));
            }
        }
    }
    violations.must_be_none();
}

#[test]
fn stage_values_are_declared_once() {
    let files = stage_files();
    let mut violations = Violations::of("Each stage value is declared in one place.");
    for name in STAGE_VALUES {
        let declarations: Vec<(&str, usize)> = files
            .iter()
            .flat_map(|file| file.production_lines().into_iter().map(move |line| (file, line)))
            .filter(|(_, (_, line))| declared(line) == Some(name))
            .map(|(file, (number, _))| (file.path.as_str(), number))
            .collect();
        match declarations.as_slice() {
            [] => violations
                .in_file("crates/tidy/tests/tidy/stages.rs", format!("`{name}` is declared nowhere")),
            [_] => {}
            [first, others @ ..] => {
                for (path, line) in others {
                    violations.at(
                        path,
                        *line,
                        format!("`{name}` is declared in {}:{} too", first.0, first.1),
                    );
                }
            }
        }
    }
    violations.must_be_none();
}

fn stage_files() -> Vec<TextFile> {
    tree::rust_files().into_iter().filter(|file| !OUTSIDE.contains(&file.crate_name())).collect()
}

fn is_back_door((door, name): (&str, &str)) -> bool {
    BACK_DOORS.contains(&door) && STAGE_VALUES.contains(&name)
}

/// The stage value that a line declares.
fn declared(line: &str) -> Option<&str> {
    let item = line.trim_start().strip_prefix("pub")?;
    let item = item.strip_prefix("(crate)").unwrap_or(item).trim_start();
    let name = item.strip_prefix("struct ").or_else(|| item.strip_prefix("enum "))?;
    let name = leading_word(name);
    STAGE_VALUES.contains(&name).then_some(name)
}

/// The attributes and comments that stand right above an item, as one text.
fn attributes_above(above: &[(usize, &str)]) -> String {
    let ends_the_item_before = |line: &str| line.is_empty() || line.ends_with(['}', ';', '{']);
    let lines =
        above.iter().rev().map(|(_, line)| line.trim()).take_while(|line| !ends_the_item_before(line));
    let mut lines: Vec<&str> = lines.filter(|line| !line.starts_with("//")).collect();
    lines.reverse();
    lines.join(" ")
}

/// The traits that the attributes derive, without their paths.
fn derived(attributes: &str) -> Vec<&str> {
    let lists = attributes.split("derive(").skip(1).filter_map(|rest| rest.split(')').next());
    lists.flat_map(|list| list.split(',')).map(last_segment).collect()
}

/// The trait and the type of a line that opens an implementation, without their paths and parameters.
fn implemented(line: &str) -> Option<(&str, &str)> {
    let (left, right) = line.trim_start().strip_prefix("impl")?.split_once(" for ")?;
    let left = if left.starts_with('<') { left.split_once("> ")?.1 } else { left };
    let door = last_segment(left.split('<').next()?);
    let path = right.split([' ', '<', '{']).next()?;
    Some((door, last_segment(path)))
}

fn last_segment(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path).trim()
}

fn leading_word(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len());
    &text[..end]
}

#[test]
fn back_doors_are_recognised() {
    assert_eq!(declared("pub struct Cleared {"), Some("Cleared"));
    assert_eq!(declared("pub(crate) enum Answer<T> {"), Some("Answer"));
    assert_eq!(declared("pub struct ClearedList;"), None);
    let above = [(1, "}"), (2, "#[derive(Debug, serde::Deserialize,"), (3, "Clone)]"), (4, "/// A value.")];
    assert_eq!(derived(&attributes_above(&above)), ["Debug", "Deserialize", "Clone"]);
    assert_eq!(implemented("impl Default for gate::Cleared {"), Some(("Default", "Cleared")));
    assert_eq!(implemented("impl<'de> serde::Deserialize<'de> for Query {"), Some(("Deserialize", "Query")));
    assert_eq!(implemented("impl Cleared {"), None);
}

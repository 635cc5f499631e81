//! The crate table of `crates/README.md`.

use std::collections::BTreeSet;

use crate::tree::TextFile;

/// Where the table stands.
pub(crate) const MAP: &str = "crates/README.md";

/// One row of the table.
pub(crate) struct Row {
    pub(crate) line: usize,
    pub(crate) name: String,
    pub(crate) may_use: BTreeSet<String>,
}

/// The rows in their order.
pub(crate) fn rows() -> Vec<Row> {
    let map = TextFile::read(MAP).expect("crates/README.md is there");
    let rows: Vec<Row> = map.lines().filter_map(|(number, line)| row(number, line)).collect();
    assert!(!rows.is_empty(), "{MAP} has no crate table");
    rows
}

/// A row is three cells, the first a name in backticks and the last the names of crates, or `-` for none.
fn row(line: usize, text: &str) -> Option<Row> {
    let cells: Vec<&str> =
        text.trim().strip_prefix('|')?.strip_suffix('|')?.split('|').map(str::trim).collect();
    let [name, _, may_use] = cells.as_slice() else { return None };
    let name = name.strip_prefix('`')?.strip_suffix('`')?.to_owned();
    let may_use = may_use.split_whitespace().filter(|word| *word != "-").map(str::to_owned).collect();
    Some(Row { line, name, may_use })
}

#[test]
fn a_row_is_read() {
    let row = row(7, "| `gate` | The ruling. | domain policy |").expect("a row");
    assert_eq!((row.line, row.name.as_str()), (7, "gate"));
    assert_eq!(row.may_use.into_iter().collect::<Vec<_>>(), ["domain", "policy"]);
}

//! Words that have their place, and words that have none.

use crate::tree;
use crate::violations::Violations;

const VENUES: [&str; 11] = [
    "binance",
    "bitfinex",
    "bybit",
    "coinbase",
    "coinglass",
    "hyperliquid",
    "kalshi",
    "kraken",
    "kucoin",
    "okx",
    "polymarket",
];
/// The wire's own words for what a method asks of its caller.
const VENUES_OF_THE_WIRE: [&str; 2] = ["hyperliquid", "polymarket"];

/// Written in two halves, so that this file does not break its own rule.
const UNFINISHED: [&str; 5] = [
    concat!("todo", "!("),
    concat!("unimplemented", "!("),
    concat!("FIX", "ME"),
    concat!("TO", "DO"),
    concat!("XX", "X"),
];

const CAMEL_CASE: &str = concat!("rename_all = ", "\"camelCase\"");
const SPEAKS_CAMEL_CASE: [&str; 3] = ["contract", "market", "mcp"];

#[test]
fn no_venue_is_named_outside_the_market() {
    let mut violations =
        Violations::of("Contributor boundary: no venue is named in crates/, the market aside.");
    for file in tree::rust_files().iter().filter(|file| file.crate_name() != "market") {
        for (number, line) in file.production_lines() {
            let line = line.to_lowercase();
            for venue in VENUES.iter().filter(|venue| line.contains(*venue)) {
                if file.crate_name() != "contract" || !VENUES_OF_THE_WIRE.contains(venue) {
                    violations.at(&file.path, number, format!("names `{venue}`"));
                }
            }
        }
    }
    violations.must_be_none();
}

#[test]
fn camel_case_stays_on_the_wire() {
    let mut violations =
        Violations::of("Wire: camelCase is the contract's (and the MCP ecosystem's, in mcp and market).");
    for file in tree::rust_files().iter().filter(|file| !SPEAKS_CAMEL_CASE.contains(&file.crate_name())) {
        for (number, line) in file.lines().filter(|(_, line)| line.contains(CAMEL_CASE)) {
            violations.at(&file.path, number, line.trim());
        }
    }
    violations.must_be_none();
}

#[test]
fn nothing_is_left_unfinished() {
    let mut violations =
        Violations::of("Nothing is left unfinished: an open end is an issue, not a mark in the code.");
    for folder in ["crates", "policies", "scripts"] {
        for file in tree::files_under(folder).iter().filter(|file| is_written_by_hand(&file.path)) {
            for (number, line) in file.lines() {
                for mark in UNFINISHED.iter().filter(|mark| holds_mark(line, mark)) {
                    violations.at(&file.path, number, format!("`{mark}`"));
                }
            }
        }
    }
    violations.must_be_none();
}

#[test]
fn nothing_is_exported_by_a_glob() {
    let mut violations =
        Violations::of("A name that leaves a module is written out: no `pub use` of a glob.");
    for file in tree::rust_files() {
        for (number, line) in file.lines() {
            if line.trim_start().starts_with("pub") && line.contains(" use ") && line.contains("::*") {
                violations.at(&file.path, number, line.trim());
            }
        }
    }
    violations.must_be_none();
}

fn is_written_by_hand(path: &str) -> bool {
    !path.ends_with("package-lock.json")
}

/// Whether a line holds the mark as a word of its own.
fn holds_mark(line: &str, mark: &str) -> bool {
    let borders_a_word =
        |side: Option<char>| side.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    line.match_indices(mark).any(|(start, _)| {
        let (before, after) = (line[..start].chars().next_back(), line[start + mark.len()..].chars().next());
        !borders_a_word(before) && (mark.ends_with('(') || !borders_a_word(after))
    })
}

#[test]
fn marks_are_words_of_their_own() {
    let mark = UNFINISHED[3];
    assert!(holds_mark(&format!("// {mark}: later"), mark));
    assert!(!holds_mark(&format!("let {mark}_LIST = 1;"), mark));
}

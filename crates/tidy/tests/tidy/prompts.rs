//! No prompt text in Rust: what a model is told stands in `policies/prompts/`.

use crate::tree;
use crate::violations::Violations;

/// How sentences to a model begin, in lower case; each in two halves, so that this file does not break its own rule.
const ADDRESSES: [&str; 14] = [
    concat!("you are ", "a "),
    concat!("you are ", "an "),
    concat!("you ", "must "),
    concat!("you ", "will be "),
    concat!("your ", "task"),
    concat!("your ", "reply"),
    concat!("reply ", "with"),
    concat!("respond ", "with"),
    concat!("respond ", "only"),
    concat!("return ", "only"),
    concat!("answer ", "only"),
    concat!("ignore ", "previous"),
    concat!("as an ", "assistant"),
    concat!("step by ", "step"),
];

/// Where the text of a request to a model is put together; nothing here is long enough to be a sentence.
const PUTS_TOGETHER: [&str; 5] = [
    "crates/llm/src/prompt.rs",
    "crates/llm/src/prompt/",
    "crates/llm/src/fence.rs",
    "crates/llm/src/dialect.rs",
    "crates/llm/src/dialect/",
];
const WORDS_MAX: usize = 6;

#[test]
fn no_prompt_stands_in_rust() {
    let mut violations =
        Violations::of("No prompt text in Rust: what a model is told stands in policies/prompts/.");
    for file in tree::rust_files() {
        let puts_together = PUTS_TOGETHER.iter().any(|path| file.path.starts_with(path));
        for (number, line) in file.production_lines() {
            for literal in literals(line) {
                let lower = literal.to_lowercase();
                if let Some(found) = ADDRESSES.iter().find(|start| lower.contains(*start)) {
                    violations.at(&file.path, number, format!("`{found}` is addressed to a model"));
                }
                if puts_together && literal.split_whitespace().count() > WORDS_MAX {
                    violations.at(&file.path, number, format!("more than {WORDS_MAX} words in `{literal}`"));
                }
            }
        }
    }
    violations.must_be_none();
}

/// The string literals of a line, without their quotation marks. Comments have none.
fn literals(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = line;
    if rest.trim_start().starts_with("//") {
        return found;
    }
    while let Some(start) = rest.find('"') {
        let inside = &rest[start + 1..];
        let mut is_escaped = false;
        let end = inside.char_indices().find(|(_, character)| {
            let ends = *character == '"' && !is_escaped;
            is_escaped = *character == '\\' && !is_escaped;
            ends
        });
        let end = end.map_or(inside.len(), |(at, _)| at);
        found.push(&inside[..end]);
        rest = inside.get(end + 1..).unwrap_or_default();
    }
    found
}

#[test]
fn literals_are_found() {
    assert_eq!(literals(r#"f("a \" b", 'c', "d");"#), [r#"a \" b"#, "d"]);
    assert!(literals(r#"    /// Says "no"."#).is_empty());
}

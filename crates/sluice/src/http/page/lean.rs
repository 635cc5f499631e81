//! Scripts and styles without what only their authors read: comments, indents, and the blanks of styles.

/// A style sheet without comments, line ends and blanks that mean nothing.
pub(super) fn style(text: &str) -> String {
    let lines: String = script(text).lines().collect();
    [("; ", ";"), (": ", ":"), (" {", "{"), ("{ ", "{"), (" }", "}"), (";}", "}")]
        .into_iter()
        .fold(lines, |lines, (long, short)| lines.replace(long, short))
}

/// A script without comments and indents; its statements keep lines of their own.
///
/// A comment is what a line begins with `//` or `/*` for, to the end of the line that closes it, or a type within a
/// line: `/** @type {...} */`. Our own files hold nothing else that looks so.
pub(super) fn script(text: &str) -> String {
    let mut is_comment = false;
    let mut lean = String::with_capacity(text.len());
    for line in text.lines() {
        let line = line.trim();
        let begins = line.starts_with("/*") && !line.starts_with("/** @type");
        if is_comment || begins {
            is_comment = !line.ends_with("*/");
        } else if !line.starts_with("//") {
            untyped(line, &mut lean);
            if !lean.is_empty() && !lean.ends_with('\n') {
                lean.push('\n');
            }
        }
    }
    lean
}

fn untyped(line: &str, lean: &mut String) {
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("/** @type") {
        let Some((_, after)) = after.split_once("*/") else { break };
        lean.push_str(before);
        rest = after.trim_start();
    }
    lean.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go_and_statements_stay() {
        let source = "/**\n * What it does.\n */\nfunction one() {\n  // Why.\n  return /** @type {any} */ (two);\n}\n";
        assert_eq!(script(source), "function one() {\nreturn (two);\n}\n");
    }

    #[test]
    fn a_type_of_its_own_line_goes() {
        assert_eq!(script("/** @type {string[]} */\nlet a = [];\n"), "let a = [];\n");
    }

    #[test]
    fn addresses_are_no_comments() {
        let line = "const base = \"https://relative.invalid/\"; // no\n";
        assert_eq!(script(line), line);
    }

    #[test]
    fn rules_of_styles_stay() {
        let sheet = "/* Colours. */\n@media (a: b) {\n  p q, r { color: red; margin: 0 1px; }\n}\n";
        assert_eq!(style(sheet), "@media (a:b){p q, r{color:red;margin:0 1px}}");
    }
}

//! Scripts and styles without what only their authors read: comments and indents.

/// The text with its comments and indents gone, and every line in its place, so that a browser's reports name lines
/// that can be found.
///
/// A comment is what a line begins with `//` or `/*` for, to the end of the line that closes it, or a type within a
/// line: `/** @type {...} */`. Our own files hold nothing else that looks so.
pub(super) fn text(text: &str) -> String {
    let mut is_comment = false;
    let mut lean = String::with_capacity(text.len());
    for line in text.lines() {
        let line = line.trim();
        let begins = line.starts_with("/*") && !line.starts_with("/** @type");
        if is_comment || begins {
            is_comment = !line.ends_with("*/");
        } else if !line.starts_with("//") {
            untyped(line, &mut lean);
        }
        lean.push('\n');
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
    fn comments_go_and_lines_stay() {
        let script = "/**\n * What it does.\n */\nfunction one() {\n  // Why.\n  return /** @type {any} */ (two);\n}\n";
        assert_eq!(text(script), "\n\n\nfunction one() {\n\nreturn (two);\n}\n");
    }

    #[test]
    fn a_type_of_its_own_line_goes() {
        assert_eq!(text("/** @type {string[]} */\nlet a = [];\n"), "\nlet a = [];\n");
    }

    #[test]
    fn addresses_are_no_comments() {
        let line = "const base = \"https://relative.invalid/\"; // no\n";
        assert_eq!(text(line), line);
    }

    #[test]
    fn rules_of_styles_stay() {
        assert_eq!(text("/* Colours. */\n  a { color: red; }\n"), "\na { color: red; }\n");
    }
}

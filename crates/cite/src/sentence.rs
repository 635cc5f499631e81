//! Where the sentences of a text are.

use std::ops::Range;

/// Words that end in a full stop and no sentence: lower case, without it.
const SHORT_FORMS: [&str; 22] = [
    "al", "approx", "cf", "co", "corp", "dr", "e.g", "eq", "fig", "i.e", "inc", "jr", "ltd", "mr", "mrs",
    "ms", "no", "prof", "sr", "st", "vol", "vs",
];

/// The sentences of a text, in bytes, without the blanks around them. Lines of a list and paragraphs end sentences as well;
/// what stands in brackets right after a sentence, such as its citations, belongs to it.
#[must_use]
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while let Some(step) = text[at..].find(['.', '!', '?', '。', '！', '？', '\n']) {
        let stop = at + step;
        let character = text[stop..].chars().next().unwrap_or('.');
        let after = stop + character.len_utf8();
        at = match character {
            '\n' if !ends_at_newline(&text[after..]) => after,
            '\n' => {
                push(text, start..stop, &mut found);
                start = after;
                after
            }
            '.' if !ends_at_stop(text, stop) => after,
            _ => {
                let end = with_brackets(text, after);
                if text[end..].starts_with(char::is_whitespace) || end == text.len() || !character.is_ascii()
                {
                    push(text, start..end, &mut found);
                    start = end;
                }
                end
            }
        };
    }
    push(text, start..text.len(), &mut found);
    found
}

fn push(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let part = &text[range.clone()];
    let start = range.start + part.len() - part.trim_start().len();
    let end = start + part.trim().len();
    if text[start..end].contains(char::is_alphanumeric) {
        found.push(start..end);
    }
}

fn ends_at_newline(rest: &str) -> bool {
    let line = rest.trim_start_matches([' ', '\t']);
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    line.is_empty()
        || line.starts_with(['\n', '#', '|', '>'])
        || line.starts_with("- ")
        || line.starts_with("* ")
        || line.starts_with("+ ")
        || line.starts_with("```")
        || (digits > 0 && line[digits..].starts_with([')', '.']))
}

fn ends_at_stop(text: &str, stop: usize) -> bool {
    let before = &text[..stop];
    let word = before
        .rsplit(|character: char| character.is_whitespace() || character == '(')
        .next()
        .unwrap_or_default();
    let is_initial = word.len() == 1 && word.starts_with(char::is_uppercase);
    let line = before.trim_end_matches(|character: char| character.is_ascii_digit());
    let is_item = line.len() < stop && (line.is_empty() || line.ends_with('\n'));
    let lower = word.to_lowercase();
    !(is_initial || is_item || SHORT_FORMS.contains(&lower.as_str()))
}

/// The end of what clings to a sentence: closing quotes, and brackets with nothing but a blank before them.
fn with_brackets(text: &str, end: usize) -> usize {
    let mut end = end;
    loop {
        let rest = &text[end..];
        let closers = rest.len()
            - rest.trim_start_matches(['.', '!', '?', '"', '\'', '”', '’', ')', '»', '*', '_', '`']).len();
        end += closers;
        let rest = &text[end..];
        let blanks = usize::from(rest.starts_with(' '));
        let is_marker = rest[blanks..].starts_with('[');
        match rest.find(']') {
            Some(close) if is_marker && rest[blanks + 1..close].len() <= MARKER_BYTES_MAX => end += close + 1,
            _ if closers == 0 => return end,
            _ => {}
        }
    }
}

/// Longer brackets are asides and no citations.
const MARKER_BYTES_MAX: usize = 80;

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = sentences(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn sentences_end_where_they_do() {
        check("One is 1.5 m. Two! Three? Four", &["One is 1.5 m.", "Two!", "Three?", "Four"]);
        check("As Dr. J. Smith et al. said, it is. So.", &["As Dr. J. Smith et al. said, it is.", "So."]);
        check("One. [1][2] Two [3]. “Three.” Four", &["One. [1][2]", "Two [3].", "“Three.”", "Four"]);
        check(
            "Intro\n- one\n- two. Three\nfour\n\nFive",
            &["Intro", "- one", "- two.", "Three\nfour", "Five"],
        );
        check("一。二！", &["一。", "二！"]);
        check("1. First\n2. Second", &["1. First", "2. Second"]);
        check(" . ! ", &[]);
    }
}

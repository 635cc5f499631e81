//! Text of a method, made plain: what a server writes is data, so no markup, no link and no control sign of it is shown.

/// The text in one line, without markup, links and invisible signs, cut at a word to fit in so many characters.
#[must_use]
pub(crate) fn plain(text: &str, chars_max: usize) -> String {
    let mut line = String::new();
    for word in text.split(|sign: char| sign.is_whitespace() || sign.is_control()) {
        if word.contains("://") || word.to_lowercase().starts_with("javascript:") {
            continue;
        }
        let word: String = word.chars().filter(|sign| !is_hidden(*sign)).map(shown).collect();
        for part in word.split_whitespace() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(part);
        }
        // Enough to see where to cut; a hostile text may go on for megabytes.
        if line.len() > chars_max.saturating_mul(4) {
            break;
        }
    }
    cut(&line, chars_max)
}

/// Cut at a word, with an ellipsis, where it is longer.
fn cut(line: &str, chars_max: usize) -> String {
    if line.chars().count() <= chars_max {
        return line.to_owned();
    }
    let room = chars_max.saturating_sub(1);
    let end = line.char_indices().nth(room).map_or(line.len(), |(at, _)| at);
    let head = &line[..end];
    let at_word = head.rfind(' ').filter(|at| *at > end / 2).map_or(head, |at| &head[..at]);
    format!("{}…", at_word.trim_end_matches([' ', ',', ';', ':', '.', '-']))
}

/// Signs that markup is made of stand for nothing.
fn shown(sign: char) -> char {
    match sign {
        '*' | '_' | '`' | '#' | '<' | '>' | '[' | ']' | '{' | '}' | '|' | '~' | '\\' | '^' | '"' => ' ',
        other => other,
    }
}

/// Signs that are not seen: zero-width ones, and those that turn the direction of writing.
fn is_hidden(sign: char) -> bool {
    sign.is_control()
        || matches!(sign,
            '\u{00ad}' | '\u{061c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}')
}

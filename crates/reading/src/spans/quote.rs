//! What a question puts in quotation marks or backticks.

use super::{Kind, Span};
use crate::words::is_unspaced;

/// The quoted spans, in order.
pub(super) fn quoted(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut from = 0;
    while let Some((start, mark)) = next_opening(text, from) {
        let inner = start + mark.len_utf8();
        let Some(end) = closing(text, inner, mark) else {
            from = inner;
            continue;
        };
        let after = end + text[end..].chars().next().map_or(0, char::len_utf8);
        let kind = if mark == '`' { Kind::Code } else { Kind::Quoted };
        let content = text[inner..end].trim();
        if !content.is_empty() {
            spans.push(Span { range: start..after, text: content.to_owned(), kind });
        }
        from = after;
    }
    // A question that is quoted as a whole quotes nothing.
    spans.retain(|span| span.range.len() < text.trim().trim_end_matches(['.', '?', '!']).len());
    spans
}

fn next_opening(text: &str, from: usize) -> Option<(usize, char)> {
    text[from..].char_indices().map(|(at, mark)| (from + at, mark)).find(|&(at, mark)| match mark {
        '"' | '“' | '«' | '「' | '『' | '`' => true,
        // An apostrophe within a word opens nothing.
        '\'' | '‘' => {
            let before = text[..at].chars().next_back();
            let after = text[at + mark.len_utf8()..].chars().next();
            before.is_none_or(|c| !c.is_alphanumeric()) && after.is_some_and(|c| !c.is_whitespace())
        }
        _ => false,
    })
}

fn closing(text: &str, from: usize, opening: char) -> Option<usize> {
    let is_closing = |mark: char| match opening {
        '“' => matches!(mark, '”' | '"'),
        '«' => mark == '»',
        '「' => mark == '」',
        '『' => mark == '』',
        '‘' => mark == '’',
        other => mark == other,
    };
    // Between single marks no new turn or paragraph begins behind the end of a sentence.
    let end = match opening {
        '\'' | '‘' => text[from..].find(".\n").map_or(text.len(), |length| from + length),
        _ => text.len(),
    };
    text[from..end].char_indices().map(|(at, mark)| (from + at, mark)).find_map(|(at, mark)| {
        let after = text[at + mark.len_utf8()..].chars().next();
        // A particle may cling to it, in scripts that have such.
        let is_past = |c: char| !c.is_alphanumeric() || is_unspaced(c);
        let ends_word = !matches!(opening, '\'' | '‘') || after.is_none_or(is_past);
        (is_closing(mark) && ends_word).then_some(at)
    })
}

//! Markdown as plain text: what its marks mean is left out, code stands apart, and the cells of a table have their headers.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Text, and the code that follows it.
#[derive(Debug, Default)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) code: Option<String>,
}

/// Where the words of an event go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Text,
    Code,
    Header,
    Row,
}

/// The pieces of a text, in order. Brackets and backticks, which could be taken for marks again, are told apart.
#[expect(clippy::wildcard_enum_match_arm, reason = "every other event says nothing")]
pub(super) fn pieces(content: &str) -> Vec<Piece> {
    let mut pieces = vec![Piece::default()];
    let (mut piece, mut code) = (Piece::default(), String::new());
    let (mut headers, mut cells): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let mut within = Within::Text;
    for event in Parser::new_ext(content, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => within = Within::Code,
            Event::End(TagEnd::CodeBlock) => {
                within = Within::Text;
                // Code with a fence in it would not stay within another.
                piece.code = Some(std::mem::take(&mut code)).filter(|code| !code.contains("```"));
                pieces.push(std::mem::take(&mut piece));
            }
            Event::Start(Tag::TableHead) => (within, headers) = (Within::Header, Vec::new()),
            Event::Start(Tag::TableRow) => (within, cells) = (Within::Row, Vec::new()),
            Event::Start(Tag::TableCell) => match within {
                Within::Header => headers.push(String::new()),
                Within::Row => cells.push(String::new()),
                Within::Text | Within::Code => {}
            },
            Event::Text(text) | Event::Code(text) => match within {
                Within::Text => push(&text, &mut piece.text),
                Within::Code => code.push_str(&text),
                Within::Header => push(&text, headers.last_mut().unwrap_or(&mut String::new())),
                Within::Row => push(&text, cells.last_mut().unwrap_or(&mut String::new())),
            },
            Event::SoftBreak | Event::HardBreak => piece.text.push(' '),
            Event::End(TagEnd::TableHead) => within = Within::Text,
            Event::End(TagEnd::TableRow) => {
                within = Within::Text;
                piece.text.push_str(&row(&headers, &cells));
                piece.text.push_str("\n\n");
            }
            Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item) => piece.text.push_str("\n\n"),
            _ => {}
        }
    }
    pieces.push(piece);
    pieces
}

fn push(text: &str, plain: &mut String) {
    plain.extend(text.chars().map(|character| match character {
        '[' | '【' | '［' => '(',
        ']' | '】' | '］' => ')',
        '`' => '\'',
        other => other,
    }));
}

/// A row as `header: cell; header: cell`, without the cells that are empty.
fn row(headers: &[String], cells: &[String]) -> String {
    let told = cells.iter().enumerate().filter(|(_, cell)| !cell.trim().is_empty());
    let told = told.map(|(at, cell)| match headers.get(at).map(|header| header.trim()) {
        Some(header) if !header.is_empty() => format!("{header}: {}", cell.trim()),
        Some(_) | None => cell.trim().to_owned(),
    });
    told.collect::<Vec<_>>().join("; ")
}

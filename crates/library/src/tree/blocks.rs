//! The blocks of a text, in order: headings, prose, code, lists, tables.

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// A block of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// Where it stands, in bytes.
    pub(super) range: Range<usize>,
    pub(super) kind: Kind,
}

/// What a block is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A heading, from 1.
    Heading { level: usize, title: String },
    /// The document's title, from its metadata.
    Title(String),
    /// Sentences.
    Prose,
    /// Code.
    Code,
    /// A list: where its items start.
    List { items: Vec<usize> },
    /// A table: where its rows start, the header's first.
    Table { rows: Vec<usize> },
}

/// The blocks of a Markdown text.
pub(super) fn markdown(text: &str) -> Vec<Block> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut reader = Reader { blocks: Vec::new(), open: Vec::new(), heading: String::new() };
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        reader.take(text, event, range);
    }
    reader.blocks
}

struct Reader {
    blocks: Vec<Block>,
    /// What is open, outermost first.
    open: Vec<Open>,
    heading: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Heading(usize),
    Metadata,
    List,
    Table,
    /// Holds blocks and is none itself: a quote, a footnote.
    Container,
    Other,
}

impl Reader {
    fn take(&mut self, text: &str, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(&tag, range),
            Event::End(end) => self.end(end),
            Event::Text(part) | Event::Code(part) => {
                if self.open.last() == Some(&Open::Metadata) {
                    self.metadata(&part, range);
                } else if self.open.iter().any(|open| matches!(open, Open::Heading(_))) {
                    self.heading.push_str(&part);
                }
            }
            Event::Html(_) if self.is_free() => self.html(text, range),
            Event::Rule
            | Event::Html(_)
            | Event::InlineHtml(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::FootnoteReference(_)
            | Event::SoftBreak
            | Event::HardBreak
            | Event::TaskListMarker(_) => {}
        }
    }

    /// Whether a block that starts here is one of its own, and no part of a list or a table.
    fn is_free(&self) -> bool {
        self.open.iter().all(|open| *open == Open::Container)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "every other tag is inline or a part of a block")]
    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        let is_free = self.is_free();
        let open = match tag {
            Tag::Heading { level, .. } if is_free => {
                self.heading.clear();
                self.push(range, Kind::Heading { level: level_of(*level), title: String::new() });
                Open::Heading(self.blocks.len() - 1)
            }
            Tag::MetadataBlock(_) => Open::Metadata,
            Tag::Paragraph if is_free => {
                self.push(range, Kind::Prose);
                Open::Other
            }
            Tag::CodeBlock(_) if is_free => {
                self.push(range, Kind::Code);
                Open::Other
            }
            Tag::List(_) if is_free => {
                self.push(range, Kind::List { items: Vec::new() });
                Open::List
            }
            Tag::Item if self.open.iter().filter(|open| **open == Open::List).count() == 1 => {
                if let Some(Block { kind: Kind::List { items }, .. }) = self.blocks.last_mut() {
                    items.push(range.start);
                }
                Open::Other
            }
            Tag::Table(_) if is_free => {
                self.push(range, Kind::Table { rows: Vec::new() });
                Open::Table
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(Block { kind: Kind::Table { rows }, .. }) = self.blocks.last_mut() {
                    rows.push(range.start);
                }
                Open::Other
            }
            Tag::BlockQuote(_) | Tag::FootnoteDefinition(_) | Tag::HtmlBlock if is_free => Open::Container,
            Tag::List(_) => Open::List,
            _ => Open::Other,
        };
        self.open.push(open);
    }

    fn end(&mut self, _end: TagEnd) {
        if let Some(Open::Heading(at)) = self.open.pop()
            && let Some(Block { kind: Kind::Heading { title, .. }, .. }) = self.blocks.get_mut(at)
        {
            *title = self.heading.split_whitespace().collect::<Vec<_>>().join(" ");
        }
    }

    fn push(&mut self, range: Range<usize>, kind: Kind) {
        self.blocks.push(Block { range, kind });
    }

    /// HTML within Markdown is text unless it is a comment.
    fn html(&mut self, text: &str, range: Range<usize>) {
        let said = text[range.clone()].trim();
        if said.starts_with("<!--") || !said.contains(|character: char| character.is_alphanumeric()) {
            return;
        }
        if let Some(Block { range: before, kind: Kind::Prose }) = self.blocks.last_mut()
            && before.end == range.start
        {
            before.end = range.end;
            return;
        }
        self.push(range, Kind::Prose);
    }

    fn metadata(&mut self, part: &str, range: Range<usize>) {
        let title = part.lines().find_map(|line| line.strip_prefix("title:"));
        if let Some(title) =
            title.map(|title| title.trim().trim_matches(['"', '\''])).filter(|title| !title.is_empty())
        {
            self.push(range, Kind::Title(title.to_owned()));
        }
    }
}

fn level_of(level: HeadingLevel) -> usize {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

/// The blocks of a text without marks: what blank lines part, and the headings that are given with it.
pub(super) fn plain(text: &str, headings: &[(usize, String)]) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut headings = headings.iter().peekable();
    let mut start = 0;
    let mut lines = text.split_inclusive('\n').peekable();
    let mut at = 0;
    while let Some(line) = lines.next() {
        at += line.len();
        let is_last = lines.peek().is_none();
        let starts_section = headings.peek().is_some_and(|(place, _)| *place <= start);
        if !(line.trim().is_empty() || is_last || headings.peek().is_some_and(|(place, _)| *place == at)) {
            continue;
        }
        if starts_section && let Some((place, title)) = headings.next() {
            blocks.push(Block {
                range: *place..*place,
                kind: Kind::Heading { level: 1, title: title.clone() },
            });
        }
        if !text[start..at].trim().is_empty() {
            blocks.push(Block { range: start..at, kind: Kind::Prose });
        }
        start = at;
    }
    blocks
}

//! A document cut into chunks of three levels: the document, its sections by heading, and paragraphs.
//!
//! A paragraph has a few sentences, as many as the policy says; code stays with the sentence before it, a table is a
//! paragraph of its own, and where it is split each part has its header. A chunk is a range of the document's text, in bytes,
//! but for those parts. Its identifier is a hash of the document, its headings and its content, so what did not change keeps
//! it, wherever it moves.

mod atoms;
mod blocks;

use std::collections::BTreeMap;
use std::ops::Range;

use policy::ChunkSizes;
use sha2::{Digest, Sha256};
use store::{ChunkLevel, NewChunk};

use crate::extract::Extracted;
use atoms::Piece;
use blocks::{Block, Kind};

/// A document cut into chunks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tree {
    pub(crate) title: String,
    /// The document first, each section before its paragraphs.
    pub(crate) chunks: Vec<NewChunk>,
}

/// Cuts a document. `title` stands in where its text gives none.
pub(crate) fn cut(document_id: &str, extracted: &Extracted, title: Option<&str>, sizes: ChunkSizes) -> Tree {
    let text = extracted.text.as_str();
    let blocks =
        if extracted.is_markdown { blocks::markdown(text) } else { blocks::plain(text, &extracted.headings) };
    // The headings of a text without marks are our own: pages, say.
    let own = || own_title(&blocks).filter(|_| extracted.is_markdown);
    let title = title.map(str::to_owned).or_else(own).unwrap_or_default();
    let mut writer = Writer::new(document_id, text);
    let whole = 0..text.len();
    let document = writer.write(ChunkLevel::Document, None, vec![title.clone()], whole, None);
    for section in sections(&blocks, &title) {
        let pieces = atoms::pieces(text, section.blocks, sizes);
        let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else { continue };
        let range = section.start.min(first.range.start)..last.range.end;
        let parent = writer.write(ChunkLevel::Section, Some(&document), section.path.clone(), range, None);
        for Piece { range, content } in pieces {
            writer.write(ChunkLevel::Paragraph, Some(&parent), section.path.clone(), range, content);
        }
    }
    Tree { title, chunks: writer.chunks }
}

fn own_title(blocks: &[Block]) -> Option<String> {
    blocks.iter().find_map(|block| match &block.kind {
        Kind::Title(title) => Some(title.clone()),
        Kind::Heading { level: 1, title } if !title.is_empty() => Some(title.clone()),
        Kind::Heading { .. } | Kind::Prose | Kind::Code | Kind::List { .. } | Kind::Table { .. } => None,
    })
}

struct Section<'a> {
    path: Vec<String>,
    start: usize,
    blocks: &'a [Block],
}

/// The sections of a document, each with what stands right under its heading.
fn sections<'a>(blocks: &'a [Block], title: &str) -> Vec<Section<'a>> {
    let mut sections = Vec::new();
    let mut open: Vec<(usize, String)> = Vec::new();
    let mut first = 0;
    let mut start = 0;
    let path_of = |open: &[(usize, String)]| {
        let headings = open.iter().map(|(_, heading)| heading.clone());
        let own: Vec<String> = headings.skip_while(|heading| heading == title).collect();
        std::iter::once(title.to_owned())
            .filter(|title| !title.is_empty())
            .chain(own)
            .collect::<Vec<String>>()
    };
    for (at, block) in blocks.iter().enumerate() {
        let Kind::Heading { level, title } = &block.kind else { continue };
        sections.push(Section { path: path_of(&open), start, blocks: &blocks[first..at] });
        open.retain(|(above, _)| above < level);
        open.push((*level, title.clone()));
        (first, start) = (at + 1, block.range.start);
    }
    sections.push(Section { path: path_of(&open), start, blocks: &blocks[first..] });
    sections
}

struct Writer<'a> {
    document_id: &'a str,
    text: &'a str,
    chunks: Vec<NewChunk>,
    /// How many chunks there are of the same words, so that each has an identifier of its own.
    alike: BTreeMap<String, usize>,
    children: BTreeMap<String, u32>,
}

impl<'a> Writer<'a> {
    fn new(document_id: &'a str, text: &'a str) -> Self {
        Self { document_id, text, chunks: Vec::new(), alike: BTreeMap::new(), children: BTreeMap::new() }
    }

    /// Adds a chunk; gives its identifier.
    fn write(
        &mut self,
        level: ChunkLevel,
        parent: Option<&String>,
        path: Vec<String>,
        range: Range<usize>,
        content: Option<String>,
    ) -> String {
        let said = content.as_deref().unwrap_or(&self.text[range.clone()]);
        let sha256 = hex::encode(Sha256::digest(said));
        let words = u32::try_from(said.split_whitespace().count()).unwrap_or(u32::MAX);
        // A section stays what it is when a paragraph in it changes.
        let distinct = if level == ChunkLevel::Paragraph { sha256.as_str() } else { "" };
        let name = format!("{}\0{level:?}\0{}\0{distinct}", self.document_id, path.join("\0"));
        let alike = self.alike.entry(name.clone()).or_default();
        let chunk_id = format!("c_{}", &hex::encode(Sha256::digest(format!("{name}\0{alike}")))[..24]);
        *alike += 1;
        let sibling = parent.map_or(0, |parent| {
            let next = self.children.entry(parent.clone()).or_default();
            *next += 1;
            *next - 1
        });
        let parent_id = parent.cloned();
        self.chunks.push(NewChunk {
            chunk_id: chunk_id.clone(),
            level,
            parent_id,
            sibling,
            path,
            range,
            words,
            sha256,
            content,
        });
        chunk_id
    }
}

#[cfg(test)]
mod tests;

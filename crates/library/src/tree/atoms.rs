//! Paragraphs out of the blocks of a section: sentences, list items and code put together until there are words enough.

use std::ops::Range;

use policy::ChunkSizes;

use super::blocks::{Block, Kind};

/// A paragraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) range: Range<usize>,
    /// Its words, where they are not its range: a part of a table, with the header.
    pub(super) content: Option<String>,
}

/// What is not cut.
#[derive(Clone, Debug)]
struct Atom {
    range: Range<usize>,
    words: usize,
    starts_block: bool,
}

/// The paragraphs of a section.
pub(super) fn pieces(text: &str, blocks: &[Block], sizes: ChunkSizes) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut atoms: Vec<Atom> = Vec::new();
    for block in blocks {
        match &block.kind {
            Kind::Heading { .. } | Kind::Title(_) => {}
            Kind::Prose => sentences(text, &block.range, &mut atoms),
            Kind::Code => match atoms.last_mut() {
                Some(before) => {
                    before.range.end = block.range.end;
                    before.words += words(&text[block.range.clone()]);
                }
                None => atoms.push(Atom::of(text, block.range.clone(), true)),
            },
            Kind::List { items } => list(text, &block.range, items, &mut atoms, sizes.words_max),
            Kind::Table { rows } => {
                pack(text, &std::mem::take(&mut atoms), sizes, &mut pieces);
                table(text, &block.range, rows, sizes.words_max, &mut pieces);
            }
        }
    }
    pack(text, &atoms, sizes, &mut pieces);
    pieces
}

impl Atom {
    fn of(text: &str, range: Range<usize>, starts_block: bool) -> Self {
        Self { words: words(&text[range.clone()]), range, starts_block }
    }
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

fn sentences(text: &str, range: &Range<usize>, atoms: &mut Vec<Atom>) {
    let found = cite::sentences(&text[range.clone()]);
    if found.is_empty() && !text[range.clone()].trim().is_empty() {
        atoms.push(Atom::of(text, range.clone(), true));
    }
    for (at, sentence) in found.iter().enumerate() {
        let start = if at == 0 { range.start } else { range.start + sentence.start };
        // What is between two sentences belongs to the first.
        let end = found.get(at + 1).map_or(range.end, |next| range.start + next.start);
        atoms.push(Atom::of(text, start..end, at == 0));
    }
}

/// A list is cut between its items; an item that is too long, between its sentences.
fn list(text: &str, range: &Range<usize>, items: &[usize], atoms: &mut Vec<Atom>, words_max: usize) {
    for (at, start) in items.iter().enumerate() {
        let start = if at == 0 { range.start } else { *start };
        let item = start..items.get(at + 1).copied().unwrap_or(range.end);
        if words(&text[item.clone()]) > words_max && !text[item.clone()].contains("```") {
            sentences(text, &item, atoms);
        } else {
            atoms.push(Atom::of(text, item, at == 0));
        }
    }
}

/// Puts atoms together: a paragraph ends with a block once it has words enough, and before it would have too many.
fn pack(text: &str, atoms: &[Atom], sizes: ChunkSizes, pieces: &mut Vec<Piece>) {
    let mut open: Option<(Range<usize>, usize)> = None;
    let mut before = 0;
    for atom in atoms {
        open = Some(match open.take() {
            None => (atom.range.clone(), atom.words),
            Some((range, count)) => {
                let is_full =
                    count + atom.words > sizes.words_max || (atom.starts_block && count >= sizes.words_min);
                if is_full {
                    before = count;
                    push(text, range, pieces);
                    (atom.range.clone(), atom.words)
                } else {
                    (range.start..atom.range.end, count + atom.words)
                }
            }
        });
    }
    let Some((range, count)) = open else { return };
    // A few words at the end are no paragraph of their own.
    match pieces.last_mut() {
        Some(last) if is_rest(count, before, sizes) => {
            last.range.end = range.end;
            trim(text, last);
        }
        Some(_) | None => push(text, range, pieces),
    }
}

fn is_rest(count: usize, before: usize, sizes: ChunkSizes) -> bool {
    before > 0 && count < sizes.words_min / 2 && before + count <= sizes.words_max + sizes.words_min / 2
}

fn push(text: &str, range: Range<usize>, pieces: &mut Vec<Piece>) {
    let mut piece = Piece { range, content: None };
    trim(text, &mut piece);
    if !piece.range.is_empty() {
        pieces.push(piece);
    }
}

fn trim(text: &str, piece: &mut Piece) {
    let said = &text[piece.range.clone()];
    let start = piece.range.start + said.len() - said.trim_start().len();
    piece.range = start..start + said.trim().len();
}

/// A table is a paragraph; a long one is split between rows, and each part has the header.
fn table(text: &str, range: &Range<usize>, rows: &[usize], words_max: usize, pieces: &mut Vec<Piece>) {
    let body = rows.get(1).copied().unwrap_or(range.end);
    let header = &text[range.start..body];
    if words(&text[range.clone()]) <= words_max || rows.len() < 3 {
        return push(text, range.clone(), pieces);
    }
    let mut start = range.start;
    let mut count = words(header);
    for (at, row) in rows.iter().enumerate().skip(1) {
        let end = rows.get(at + 1).copied().unwrap_or(range.end);
        let own = words(&text[*row..end]);
        if count + own > words_max && start < *row && *row > body {
            part(text, header, start..*row, range.start, pieces);
            (start, count) = (*row, words(header));
        }
        count += own;
    }
    part(text, header, start..range.end, range.start, pieces);
}

fn part(text: &str, header: &str, range: Range<usize>, table_start: usize, pieces: &mut Vec<Piece>) {
    let is_first = range.start == table_start;
    push(text, range, pieces);
    if let Some(piece) = pieces.last_mut().filter(|_| !is_first) {
        piece.content = Some(format!("{header}{}", &text[piece.range.clone()]));
    }
}

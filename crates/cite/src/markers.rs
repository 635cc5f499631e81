//! Markers: where a streaming text cites its sources.
//!
//! A state machine over Markdown. A marker is `[1]`, `[1, 2]`, `[[1]]`, `[[identifier]]`, or the same in full-width brackets;
//! it is none in a code span or a fence, nor where the brackets are a link's: `[1](address)`, `[1][label]`, and `[1]: address`
//! on a line of its own. What is a marker leaves as one for each source, numbered from 1 by first appearance. What points to
//! nothing is left out with the space before it, and counted.
//!
//! Held back is what may still become a marker, a link whose text is one, or a code span that has a bracket in it; never more
//! than the policy's `hold_bytes_max`. Work is linear in the text.

mod block;
mod bracket;
mod link;
mod output;
mod scan;

use std::ops::Range;

use bracket::Item;
use output::Output;
use scan::{Scanner, Step};

use crate::sources::Sources;

/// How markers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `[1]`, by number.
    Numbers,
    /// `[[identifier]]`, by source.
    Ids,
}

/// A marker in the text that left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The number that readers see, from 1 by first appearance.
    pub number: usize,
    /// The source's ordinal.
    pub ordinal: usize,
    /// Where the marker stands, in bytes from the start of the whole text.
    pub range: Range<usize>,
}

/// What was left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Citations of sources that there are not.
    pub unknown: usize,
    /// Citations of a source that the marker before cites.
    pub repeated: usize,
}

/// What leaves after some text came in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delta {
    /// The text.
    pub text: String,
    /// The markers in it.
    pub placed: Vec<Placed>,
}

/// A whole text with its citations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cited {
    /// The text as readers see it.
    pub text: String,
    /// Its markers, in order.
    pub placed: Vec<Placed>,
    /// The ordinals of the sources that it cites; the first has number 1.
    pub numbering: Vec<usize>,
    /// What was left out.
    pub dropped: Dropped,
}

/// Reads markers in a text that comes in pieces.
#[derive(Debug)]
pub struct Markers {
    sources: Sources,
    style: Style,
    hold_bytes_max: usize,
    scanner: Scanner,
    pending: String,
    output: Output,
    numbering: Vec<usize>,
    dropped: Dropped,
}

/// Reads the markers of a whole text.
#[must_use]
pub fn cite(text: &str, sources: &Sources, style: Style, hold_bytes_max: usize) -> Cited {
    let mut markers = Markers::new(sources.clone(), style, hold_bytes_max);
    let first = markers.push(text);
    let (last, numbering, dropped) = markers.finish();
    let placed = first.placed.into_iter().chain(last.placed).collect();
    Cited { text: first.text + &last.text, placed, numbering, dropped }
}

impl Markers {
    /// Nothing read yet. `hold_bytes_max` is the longest marker, and the farthest look ahead, in bytes.
    #[must_use]
    pub fn new(sources: Sources, style: Style, hold_bytes_max: usize) -> Self {
        Self {
            sources,
            style,
            hold_bytes_max,
            scanner: Scanner::new(hold_bytes_max),
            pending: String::new(),
            output: Output::default(),
            numbering: Vec::new(),
            dropped: Dropped::default(),
        }
    }

    /// Takes some more text; gives what can leave by now.
    pub fn push(&mut self, text: &str) -> Delta {
        self.pending.push_str(text);
        self.drain(false)
    }

    /// Gives what was held back, the ordinals of the cited sources by number, and what was left out.
    #[must_use]
    pub fn finish(mut self) -> (Delta, Vec<usize>, Dropped) {
        let mut delta = self.drain(true);
        self.output.finish();
        delta.text.push_str(&self.output.take());
        (delta, self.numbering, self.dropped)
    }

    fn drain(&mut self, is_whole: bool) -> Delta {
        let pending = std::mem::take(&mut self.pending);
        let mut placed = Vec::new();
        let mut at = 0;
        while at < pending.len() {
            let rest = &pending[at..];
            at += match self.scanner.step(rest, is_whole) {
                Step::Open => break,
                Step::Text(len) => {
                    self.output.text(&rest[..len]);
                    len
                }
                Step::Verbatim(len) => {
                    self.output.verbatim(&rest[..len]);
                    len
                }
                Step::Marker { len, items, is_apart } => {
                    match self.marker(&items, &mut placed) {
                        // A range of numbers that are no sources is a range of numbers.
                        None => self.output.text(&rest[..len]),
                        Some(true) if is_apart => self.output.keep_apart(),
                        Some(true) => {}
                        Some(false) => at += self.leave_out(&rest[len..], is_apart),
                    }
                    len
                }
            };
        }
        pending[at..].clone_into(&mut self.pending);
        Delta { text: self.output.take(), placed }
    }

    /// Writes what a marker cites. Says whether anything was; nothing where it is no marker.
    fn marker(&mut self, items: &[Item], placed: &mut Vec<Placed>) -> Option<bool> {
        let mut has_any = false;
        for ordinal in self.resolve(items)? {
            let Some(ordinal) = ordinal else {
                self.dropped.unknown += 1;
                continue;
            };
            if self.output.is_beside(ordinal) {
                self.dropped.repeated += 1;
                continue;
            }
            let number = self.number(ordinal);
            let written = match self.style {
                Style::Numbers => format!("[{number}]"),
                Style::Ids => format!("[[{}]]", self.sources.id(ordinal).unwrap_or_default()),
            };
            placed.push(self.output.marker(&written, number, ordinal));
            has_any = true;
        }
        Some(has_any)
    }

    /// Leaves a marker out that was followed by `after`, with the blanks behind one at the start of a line: so many bytes.
    fn leave_out(&mut self, after: &str, is_apart: bool) -> usize {
        if !self.output.leave_out(after, is_apart, self.hold_bytes_max) {
            return 0;
        }
        self.scanner.line_starts_anew();
        after.len() - bracket::behind_blanks(after).len()
    }

    /// The ordinals that a marker cites, `None` for one that there is not; nothing where it is a range and no marker.
    fn resolve(&self, items: &[Item]) -> Option<Vec<Option<usize>>> {
        let known =
            |number: u32| usize::try_from(number).ok().filter(|ordinal| self.sources.id(*ordinal).is_some());
        let mut cited = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Item::Number(number) => cited.push(known(*number)),
                Item::Range(first, last) => {
                    let (first, last) = (known(*first)?, known(*last)?);
                    if first >= last {
                        return None;
                    }
                    cited.extend((first..=last).map(Some));
                }
                Item::Id(id) => {
                    let by_number = || known(id.parse().ok()?);
                    cited.push(self.sources.ordinal(id).or_else(by_number));
                }
            }
        }
        Some(cited)
    }

    fn number(&mut self, ordinal: usize) -> usize {
        if let Some(at) = self.numbering.iter().position(|known| *known == ordinal) {
            return at + 1;
        }
        self.numbering.push(ordinal);
        self.numbering.len()
    }
}

#[cfg(test)]
mod tests;

//! The text that leaves: markers written anew, spaces of markers that were taken out.

use super::Placed;
use super::bracket::{self, Bracket};

/// What stands for a marker that pointed to nothing where taking it out would make another: `[[9]1]`, say.
const PLACEHOLDER: &str = "…";

#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each says one thing of where the text stands")]
pub(super) struct Output {
    text: String,
    /// Bytes that have left in earlier deltas.
    left: usize,
    /// Blanks that leave with what follows them.
    gap: String,
    /// Whether a marker was taken out after the gap.
    is_cut: bool,
    last: Option<char>,
    /// Whether the line has nothing but blanks so far.
    is_line_blank: bool,
    /// Whether the line has nothing but blanks, quote signs and list markers so far, or what could be such.
    is_line_bare: bool,
    /// Whether a bracket is the first of the line that is no blank.
    is_line_bracketed: bool,
    /// The end of the text from the last bracket that may open a marker.
    tail: String,
    /// Whether a marker that stands right here has an open bracket right before it.
    is_in_bracket: bool,
    /// What the markers cite that stand right here, with nothing but blanks between them.
    beside: Vec<usize>,
}

impl Output {
    pub(super) fn text(&mut self, text: &str) {
        if self.is_cut && !text.is_empty() {
            if text.starts_with(|first: char| first.is_whitespace() || closes(first)) {
                self.gap.clear();
            }
            self.is_cut = false;
        }
        let body = text.trim_end_matches([' ', '\t']);
        if !body.is_empty() {
            // Closed at once, the bracket and its marker would read as a marker of two brackets.
            if self.is_in_bracket && self.gap.is_empty() && body.starts_with(bracket::closes) {
                self.keep_apart();
            }
            self.flush_gap();
            self.write(body);
            self.beside.clear();
        }
        self.gap.push_str(&text[body.len()..]);
    }

    pub(super) fn verbatim(&mut self, text: &str) {
        self.flush_gap();
        self.write(text);
        self.beside.clear();
        self.is_cut = false;
    }

    /// Writes a marker for a source; `written` says how.
    pub(super) fn marker(&mut self, written: &str, number: usize, ordinal: usize) -> Placed {
        self.flush_gap();
        if self.last == Some('\\') {
            self.keep_apart();
        }
        let start = self.left + self.text.len();
        let is_in_bracket = self.last.is_some_and(bracket::opens);
        self.write(written);
        self.is_in_bracket = is_in_bracket;
        self.tail.clear();
        self.is_cut = false;
        self.beside.push(ordinal);
        Placed { number, ordinal, range: start..start + written.len() }
    }

    /// Whether a marker that stands right here cites this source already.
    pub(super) fn is_beside(&self, ordinal: usize) -> bool {
        self.beside.contains(&ordinal)
    }

    /// Keeps the marker that was just written from becoming a link with what follows.
    pub(super) fn keep_apart(&mut self) {
        self.write(" ");
    }

    /// Leaves a marker out that was followed by `after`; `is_apart` where that would make a link with a bracket before it.
    /// Says whether the line is still at its start.
    pub(super) fn leave_out(&mut self, after: &str, is_apart: bool, hold_bytes_max: usize) -> bool {
        let next = after.chars().next();
        // The gap may leave with the marker.
        let is_open = |tail: &str| bracket::read(tail, hold_bytes_max, false) == Bracket::Open;
        let would_make_a_marker =
            !self.tail.is_empty() && (is_open(&self.tail) || is_open(&format!("{}{}", self.tail, self.gap)));
        // These open code that hides what follows.
        let would_open_a_fence = matches!(next, Some('`' | '~'));
        let is_moved_up = self.last.is_none() || self.is_line_bare;
        let would_start_a_block = is_moved_up && !bracket::is_plain(after, hold_bytes_max);
        let would_join = self.gap.is_empty() && self.last == next && next == Some('[');
        let would_make_a_link = self.gap.is_empty()
            && self.last == Some(']')
            && (is_apart || (next == Some(':') && self.is_line_bracketed));
        let would_open = would_open_a_fence || would_start_a_block;
        if would_make_a_marker || would_open || would_join || would_make_a_link {
            self.flush_gap();
            self.write(PLACEHOLDER);
            self.tail.clear();
            return false;
        }
        self.is_cut = true;
        self.at_line_start()
    }

    pub(super) fn finish(&mut self) {
        if !self.is_cut {
            self.flush_gap();
        }
        self.gap.clear();
    }

    /// What can leave by now.
    pub(super) fn take(&mut self) -> String {
        self.left += self.text.len();
        std::mem::take(&mut self.text)
    }

    fn at_line_start(&self) -> bool {
        self.gap.is_empty() && self.last.is_none_or(|last| last == '\n')
    }

    fn flush_gap(&mut self) {
        let gap = std::mem::take(&mut self.gap);
        self.write(&gap);
    }

    fn write(&mut self, text: &str) {
        let Some(last) = text.chars().next_back() else { return };
        self.is_in_bracket = false;
        let line = text.rsplit('\n').next().unwrap_or_default();
        let starts_a_line = line.len() < text.len() || self.last.is_none_or(|last| last == '\n');
        if starts_a_line || self.is_line_blank {
            let first = line.trim_start().chars().next();
            self.is_line_blank = first.is_none();
            self.is_line_bracketed = first.is_some_and(bracket::opens);
        }
        self.is_line_bare = (starts_a_line || self.is_line_bare) && line.chars().all(may_be_container);
        self.text.push_str(text);
        self.last = Some(last);
        self.remember(text);
    }

    /// Keeps what a bracket left open at the end of the text, two brackets where two stand together.
    fn remember(&mut self, text: &str) {
        match text.rfind(bracket::opens) {
            None => {
                if !self.tail.is_empty() {
                    self.tail.push_str(text);
                }
            }
            Some(at) => {
                let before = text[..at].chars().next_back();
                let is_second = match before {
                    Some(before) => bracket::opens(before),
                    None => self.tail.chars().next_back().is_some_and(bracket::opens),
                };
                let kept = text[at..].to_owned();
                self.tail = match (is_second, before) {
                    (true, Some(before)) => format!("{before}{kept}"),
                    (true, None) => format!("{}{kept}", self.tail.chars().next_back().unwrap_or('[')),
                    (false, _) => kept,
                };
            }
        }
        if self.tail.contains(['\n', '`']) || self.tail.len() > TAIL_BYTES_MAX {
            self.tail.clear();
        }
    }
}

/// Whether a character may be of a quote sign or a list marker.
fn may_be_container(character: char) -> bool {
    matches!(character, ' ' | '\t' | '>' | '-' | '*' | '+' | '.' | ')' | '0'..='9')
}

/// No marker is as long: what stands farther back opens none.
const TAIL_BYTES_MAX: usize = 1 << 16;

/// Whether a character stands against the word before it.
fn closes(character: char) -> bool {
    matches!(
        character,
        '.' | ','
            | ';'
            | ':'
            | '!'
            | '?'
            | ')'
            | ']'
            | '}'
            | '”'
            | '’'
            | '»'
            | '…'
            | '%'
            | '。'
            | '，'
            | '；'
            | '：'
            | '！'
            | '？'
            | '）'
            | '】'
            | '」'
            | '』'
            | '、'
    )
}

//! The scanner: which bytes of a Markdown text are markers, and which pass as they are.
//!
//! A step looks at the start of what has not been passed on and either takes some of it or says that what follows decides.
//! It never decides on what only a longer text would show otherwise, so how a text is cut into deltas cannot matter. How far
//! a step looks is bounded, so the whole is linear.

use super::block::{Fence, Inside, Lists, Start, ends_paragraph};
use super::bracket::{self, Bracket, Item};
use super::link::{self, Found};

/// What a step takes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// So many bytes of text.
    Text(usize),
    /// So many bytes of code or of a link, not to be changed.
    Verbatim(usize),
    /// A marker of so many bytes. Where `is_apart`, what follows would make a link of another bracket in its place.
    Marker { len: usize, items: Vec<Item>, is_apart: bool },
    /// Nothing yet.
    Open,
}

/// Runs of backticks that a paragraph may have without its end being looked at anew for each.
const RUNS_MAX: usize = 64;

#[derive(Debug)]
enum Mode {
    LineStart,
    Text,
    /// After a run of so many backticks that may open code; the runs that stood behind it.
    Span {
        ticks: usize,
        later: Vec<Run>,
    },
    FenceStart(Fence),
    FenceLine(Fence),
    /// On a line that is code by its indentation.
    CodeLine,
}

/// A run of backticks. In code a backslash before it means nothing; in text it takes the first one out of the run.
#[derive(Clone, Copy, Debug)]
struct Run {
    ticks: usize,
    is_escaped: bool,
}

#[derive(Debug)]
pub(super) struct Scanner {
    mode: Mode,
    lists: Lists,
    hold_bytes_max: usize,
    /// Brackets of this paragraph that are open and no markers.
    brackets: usize,
    /// Whether a definition may stand on this line.
    may_define: bool,
    is_line_untouched: bool,
    /// Whether a definition stands on this line.
    defines: bool,
}

impl Scanner {
    pub(super) fn new(hold_bytes_max: usize) -> Self {
        Self {
            mode: Mode::LineStart,
            lists: Lists::default(),
            hold_bytes_max,
            brackets: 0,
            may_define: true,
            is_line_untouched: true,
            defines: false,
        }
    }

    /// Takes the next step. `text` is not empty; where `is_whole`, nothing follows it.
    pub(super) fn step(&mut self, text: &str, is_whole: bool) -> Step {
        match &self.mode {
            Mode::LineStart => self.line_start(text, is_whole),
            Mode::Text => self.text(text, is_whole),
            Mode::Span { .. } => self.span(text, is_whole),
            Mode::FenceStart(fence) => self.fence_start(*fence, text, is_whole),
            Mode::FenceLine(fence) => {
                let then = Mode::FenceStart(*fence);
                self.line_of_code(text, then)
            }
            Mode::CodeLine => self.line_of_code(text, Mode::LineStart),
        }
    }

    /// A marker at the start of a line was taken out: what follows starts the line.
    pub(super) fn line_starts_anew(&mut self) {
        self.mode = Mode::LineStart;
    }

    fn line_of_code(&mut self, text: &str, then: Mode) -> Step {
        let end = text.find('\n').map(|at| at + 1);
        if end.is_some() {
            self.mode = then;
        }
        Step::Verbatim(end.unwrap_or(text.len()))
    }

    fn line_start(&mut self, text: &str, is_whole: bool) -> Step {
        match self.lists.start(text, self.hold_bytes_max, is_whole, !self.may_define) {
            Start::Open => Step::Open,
            Start::Code => {
                self.mode = Mode::CodeLine;
                self.step(text, is_whole)
            }
            Start::Fence(fence, len) => {
                self.mode = if text[..len].ends_with('\n') {
                    Mode::FenceStart(fence)
                } else {
                    Mode::FenceLine(fence)
                };
                self.brackets = 0;
                Step::Verbatim(len)
            }
            Start::Text { prefix, is_blank } => {
                self.mode = Mode::Text;
                if is_blank {
                    (self.brackets, self.may_define) = (0, true);
                }
                (self.is_line_untouched, self.defines) = (true, false);
                if prefix == 0 { self.text(text, is_whole) } else { Step::Text(prefix) }
            }
        }
    }

    fn fence_start(&mut self, fence: Fence, text: &str, is_whole: bool) -> Step {
        match fence.inside(text, self.hold_bytes_max, is_whole) {
            Inside::Open => Step::Open,
            Inside::Code => {
                self.mode = Mode::FenceLine(fence);
                self.step(text, is_whole)
            }
            Inside::Outside => {
                (self.mode, self.may_define) = (Mode::LineStart, true);
                self.step(text, is_whole)
            }
            Inside::Closes(len) => {
                (self.mode, self.may_define, self.is_line_untouched) = (Mode::Text, true, true);
                Step::Verbatim(len)
            }
        }
    }

    fn text(&mut self, text: &str, is_whole: bool) -> Step {
        let is_special = |next: char| bracket::opens(next) || matches!(next, '\n' | '`' | '\\' | ']');
        let first = text.chars().next().unwrap_or('\n');
        if !is_special(first) {
            self.is_line_untouched = false;
            return Step::Text(text.find(is_special).unwrap_or(text.len()));
        }
        let step = match first {
            '\n' => {
                self.mode = Mode::LineStart;
                self.may_define &= self.is_line_untouched || self.defines;
                return Step::Text(1);
            }
            '`' => self.ticks(text, is_whole),
            '\\' => match text.chars().nth(1) {
                None if !is_whole => Step::Open,
                Some(next) if next.is_ascii_punctuation() => Step::Verbatim(2),
                Some(_) | None => Step::Text(1),
            },
            ']' => self.closing(text, is_whole),
            open => self.opening(open, text, is_whole),
        };
        if step != Step::Open {
            self.is_line_untouched = false;
        }
        step
    }

    fn ticks(&mut self, text: &str, is_whole: bool) -> Step {
        let ticks = run(text);
        if ticks == text.len() && !is_whole {
            return Step::Open;
        }
        self.mode = Mode::Span { ticks, later: Vec::new() };
        Step::Verbatim(ticks)
    }

    /// What may be code. Until a bracket comes it does not matter whether it is.
    fn span(&mut self, text: &str, is_whole: bool) -> Step {
        let Mode::Span { ticks, later } = &mut self.mode else { return Step::Open };
        let ticks = *ticks;
        match text.chars().next() {
            Some(first) if first == '`' || text.starts_with("\\`") => {
                let is_escaped = first == '\\';
                let before = usize::from(is_escaped);
                let run = run(&text[before..]);
                if before + run == text.len() && !is_whole {
                    return Step::Open;
                }
                later.push(Run { ticks: run, is_escaped });
                if run == ticks || later.len() > RUNS_MAX {
                    self.mode = Mode::Text;
                }
                Step::Verbatim(before + run)
            }
            Some('\n') => match ends_paragraph(&text[1..], is_whole) {
                None => Step::Open,
                Some(true) => {
                    self.mode = Mode::Text;
                    self.text(text, is_whole)
                }
                Some(false) => {
                    self.may_define = false;
                    Step::Verbatim(1)
                }
            },
            Some('\\') => match text.chars().nth(1) {
                None if !is_whole => Step::Open,
                Some(next) if is_bracket(next) => self.bracket_in_span(ticks, text, is_whole),
                Some(next) if next.is_ascii_punctuation() => Step::Verbatim(2),
                Some(_) | None => Step::Text(1),
            },
            Some(open) if is_bracket(open) => self.bracket_in_span(ticks, text, is_whole),
            _ => {
                let is_special = |next: char| is_bracket(next) || matches!(next, '\n' | '`' | '\\');
                Step::Text(text.find(is_special).unwrap_or(text.len()))
            }
        }
    }

    /// A bracket, or one behind a backslash, in what may be code: now it matters whether it is.
    fn bracket_in_span(&mut self, ticks: usize, text: &str, is_whole: bool) -> Step {
        match self.end_of_span(ticks, text, is_whole) {
            Found::Open => Step::Open,
            Found::Whole(len) => {
                self.mode = Mode::Text;
                Step::Verbatim(len)
            }
            Found::No => {
                self.without_opener();
                self.step(text, is_whole)
            }
        }
    }

    /// The run that opened a span turned out to be text: the runs behind it may open spans and close them.
    fn without_opener(&mut self) {
        let Mode::Span { later, .. } = &mut self.mode else { return };
        let runs = std::mem::take(later);
        self.mode = Mode::Text;
        let mut at = 0;
        while let Some(opening) = runs.get(at) {
            let ticks = opening.ticks - usize::from(opening.is_escaped);
            let rest = &runs[at + 1..];
            at += match rest.iter().position(|run| run.ticks == ticks) {
                _ if ticks == 0 => 1,
                Some(closing) => closing + 2,
                None => {
                    self.mode = Mode::Span { ticks, later: rest.to_vec() };
                    return;
                }
            };
        }
    }

    fn end_of_span(&self, ticks: usize, text: &str, is_whole: bool) -> Found {
        let mut at = 0;
        while let Some(found) = text[at..].find(['`', '\n']) {
            at += found;
            if at > self.hold_bytes_max {
                return Found::No;
            }
            if text[at..].starts_with('\n') {
                match ends_paragraph(&text[at + 1..], is_whole) {
                    None => return Found::Open,
                    Some(true) => return Found::No,
                    Some(false) => at += 1,
                }
                continue;
            }
            let run = run(&text[at..]);
            if at + run == text.len() && !is_whole {
                return Found::Open;
            }
            at += run;
            if run == ticks {
                return Found::Whole(at);
            }
        }
        if is_whole || text.len() > self.hold_bytes_max { Found::No } else { Found::Open }
    }

    fn closing(&mut self, text: &str, is_whole: bool) -> Step {
        if self.brackets == 0 {
            return Step::Text(1);
        }
        let found = match text.chars().nth(1) {
            None if !is_whole => Found::Open,
            Some('(') => link::destination(&text[1..], self.hold_bytes_max, is_whole),
            Some(_) | None => Found::No,
        };
        if found != Found::Open {
            self.brackets -= 1;
        }
        match found {
            Found::Open => Step::Open,
            Found::Whole(len) => Step::Verbatim(1 + len),
            Found::No => Step::Text(1),
        }
    }

    fn opening(&mut self, open: char, text: &str, is_whole: bool) -> Step {
        match bracket::read(text, self.hold_bytes_max, is_whole) {
            Bracket::Open => Step::Open,
            Bracket::Other => {
                self.brackets += usize::from(open == '[');
                Step::Text(open.len_utf8())
            }
            Bracket::Marker { len, items } => match self.is_link(&text[len..], is_whole) {
                Found::Open => Step::Open,
                // Where the marker is left out, what stands behind it moves up.
                Found::No if !is_whole && bracket::is_too_short(&text[len..], self.hold_bytes_max) => {
                    Step::Open
                }
                Found::Whole(rest) if open == '[' => {
                    self.defines = text[len..].starts_with(':');
                    Step::Verbatim(len + rest)
                }
                Found::Whole(_) => Step::Marker { len, items, is_apart: true },
                Found::No => Step::Marker { len, items, is_apart: false },
            },
        }
    }

    /// Whether what follows a bracket makes it a link: a destination, a label that is no marker, a definition.
    fn is_link(&self, rest: &str, is_whole: bool) -> Found {
        match rest.chars().next() {
            None if !is_whole => Found::Open,
            Some('(') => link::destination(rest, self.hold_bytes_max, is_whole),
            Some('[') => match bracket::read(rest, self.hold_bytes_max, is_whole) {
                Bracket::Open => Found::Open,
                Bracket::Marker { .. } => Found::No,
                Bracket::Other => self.is_label(rest, is_whole),
            },
            Some(':') if self.may_define && self.is_line_untouched => {
                link::definition(rest, self.hold_bytes_max, is_whole)
            }
            Some(_) | None => Found::No,
        }
    }

    /// Whether a label follows a bracket, and not the text of a link of its own.
    fn is_label(&self, rest: &str, is_whole: bool) -> Found {
        match link::label(rest, self.hold_bytes_max, is_whole) {
            Found::Whole(len) => match rest[len..].chars().next() {
                None if !is_whole => Found::Open,
                Some('(') => Found::No,
                Some(_) | None => Found::Whole(len),
            },
            other @ (Found::No | Found::Open) => other,
        }
    }
}

fn is_bracket(character: char) -> bool {
    bracket::opens(character) || character == ']'
}

fn run(text: &str) -> usize {
    text.bytes().take_while(|byte| *byte == b'`').count()
}

//! As much of Markdown's block structure as it takes to know where code stands: fences, the lists and quotes that hold them,
//! and where a paragraph ends.

use super::link::Found;

/// A fence that is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fence {
    character: char,
    run: usize,
    quotes: usize,
    /// The column at which the content of the innermost list item starts.
    column: usize,
}

/// How a line of text starts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Start {
    /// With a fence; so many bytes to the end of the line, its newline included.
    Fence(Fence, usize),
    /// As code by its indentation.
    Code,
    /// With so many bytes of indentation, quote signs and list markers, then text or nothing.
    Text { prefix: usize, is_blank: bool },
    /// That depends on what follows.
    Open,
}

/// How a line within a fence starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    /// It closes the fence; so many bytes to the end of the line, without its newline.
    Closes(usize),
    /// It is code.
    Code,
    /// Its container has ended, and the fence with it.
    Outside,
    /// That depends on what follows.
    Open,
}

/// The lists that are open.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    columns: Vec<usize>,
}

impl Lists {
    /// Reads the start of a line, which goes on with the paragraph before it where `in_paragraph`.
    pub(super) fn start(
        &mut self,
        text: &str,
        bytes_max: usize,
        is_whole: bool,
        in_paragraph: bool,
    ) -> Start {
        let is_cut = !is_whole && text.len() < bytes_max;
        let mut reader = Prefix { text, at: 0, column: 0, quotes: 0 };
        let mut columns = self.columns.clone();
        let mut indent = reader.blanks();
        columns.retain(|column| *column <= indent);
        while indent.saturating_sub(columns.last().copied().unwrap_or(0)) <= 3 {
            match reader.container() {
                Container::Quote => columns.clear(),
                Container::Item(column) => columns.push(column),
                Container::Open if is_cut => return Start::Open,
                Container::Open | Container::None => break,
            }
            indent = reader.blanks();
        }
        let rest = &text[reader.at..];
        if rest.is_empty() && is_cut {
            return Start::Open;
        }
        let is_blank = rest.is_empty() || rest.starts_with('\n');
        if is_blank && reader.quotes == 0 && columns.len() <= self.columns.len() {
            return Start::Text { prefix: reader.at, is_blank };
        }
        let column = columns.last().copied().unwrap_or(0);
        if indent.saturating_sub(column) > 3 && !in_paragraph && !is_blank {
            self.columns = columns;
            return Start::Code;
        }
        let fence = if indent.saturating_sub(column) > 3 { Found::No } else { fence_line(rest, is_cut) };
        match fence {
            Found::Open => Start::Open,
            Found::No => {
                self.columns = columns;
                Start::Text { prefix: reader.at, is_blank }
            }
            Found::Whole(len) => {
                self.columns = columns;
                let character = if rest.starts_with('`') { '`' } else { '~' };
                let fence = Fence { character, run: run(rest, character), quotes: reader.quotes, column };
                Start::Fence(fence, reader.at + len)
            }
        }
    }
}

impl Fence {
    /// Reads the start of a line within the fence.
    pub(super) fn inside(&self, text: &str, bytes_max: usize, is_whole: bool) -> Inside {
        let is_cut = !is_whole && text.len() < bytes_max;
        let mut reader = Prefix { text, at: 0, column: 0, quotes: 0 };
        let mut indent = reader.blanks();
        while reader.quotes < self.quotes && matches!(reader.container_of_quote(), Container::Quote) {
            indent = reader.blanks();
        }
        let rest = &text[reader.at..];
        if rest.is_empty() && is_cut {
            return Inside::Open;
        }
        let is_blank = rest.is_empty() || rest.starts_with('\n');
        if reader.quotes < self.quotes || (!is_blank && indent < self.column) {
            return Inside::Outside;
        }
        let run = run(rest, self.character);
        let after = &rest[run * self.character.len_utf8()..];
        let blanks = after.len() - after.trim_start_matches([' ', '\t']).len();
        if after[blanks..].is_empty() && is_cut && (run > 0 || is_blank) {
            return Inside::Open;
        }
        let ends = after[blanks..].is_empty() || after[blanks..].starts_with('\n');
        if run >= self.run && ends && indent - self.column.min(indent) <= 3 {
            return Inside::Closes(reader.at + run + blanks);
        }
        Inside::Code
    }
}

/// Whether a paragraph ends where its next line starts with `text`.
pub(super) fn ends_paragraph(text: &str, is_whole: bool) -> Option<bool> {
    let line = text.trim_start_matches([' ', '\t', '>']);
    let mut characters = line.chars();
    let Some(first) = characters.next() else { return is_whole.then_some(true) };
    let next = characters.next();
    let is_known = is_whole || line.len() >= 4 || line.contains('\n');
    match first {
        '\n' => Some(true),
        _ if text.starts_with('>') => Some(true),
        '-' | '*' | '+' if next.is_some_and(char::is_whitespace) => Some(true),
        '`' | '~' | '-' | '*' | '_' | '=' | '#' if !is_known => None,
        '`' | '~' | '-' | '*' | '_' | '=' => Some(run(line, first) >= 3),
        '#' => Some(line.trim_start_matches('#').starts_with([' ', '\t', '\n'])),
        '0'..='9' => {
            let rest = line.trim_start_matches(|character: char| character.is_ascii_digit());
            let is_known = is_whole || rest.len() >= 2 || line.len() > 12;
            is_known.then(|| rest.starts_with(['.', ')']) && rest[1..].starts_with([' ', '\t']))
        }
        _ => Some(false),
    }
}

/// Whether a fence opens at the start of a line's content: its bytes with the newline.
fn fence_line(rest: &str, is_cut: bool) -> Found {
    let Some(character) = rest.chars().next().filter(|first| matches!(first, '`' | '~')) else {
        return Found::No;
    };
    let run = run(rest, character);
    let end = rest.find('\n').map(|at| at + 1);
    if run < 3 {
        return if run == rest.len() && is_cut { Found::Open } else { Found::No };
    }
    let line = &rest[run..end.unwrap_or(rest.len())];
    if character == '`' && line.contains('`') {
        return Found::No;
    }
    match end {
        None if is_cut => Found::Open,
        end => Found::Whole(end.unwrap_or(rest.len())),
    }
}

fn run(text: &str, character: char) -> usize {
    text.chars().take_while(|found| *found == character).count()
}

enum Container {
    Quote,
    Item(usize),
    None,
    Open,
}

struct Prefix<'a> {
    text: &'a str,
    at: usize,
    column: usize,
    quotes: usize,
}

impl Prefix<'_> {
    /// Takes blanks; says at which column the next thing stands.
    fn blanks(&mut self) -> usize {
        while let Some(blank) = self.text[self.at..].chars().next().filter(|next| matches!(next, ' ' | '\t'))
        {
            self.at += 1;
            self.column += if blank == '\t' { 4 - self.column % 4 } else { 1 };
        }
        self.column
    }

    fn container(&mut self) -> Container {
        match self.container_of_quote() {
            Container::None => self.item(),
            found @ (Container::Quote | Container::Item(_) | Container::Open) => found,
        }
    }

    fn container_of_quote(&mut self) -> Container {
        if !self.text[self.at..].starts_with('>') {
            return Container::None;
        }
        self.at += 1;
        self.at += usize::from(self.text[self.at..].starts_with(' '));
        self.column = 0;
        self.quotes += 1;
        Container::Quote
    }

    fn item(&mut self) -> Container {
        let rest = &self.text[self.at..];
        let digits = rest.bytes().take(9).take_while(u8::is_ascii_digit).count();
        let sign = &rest[digits..];
        let is_sign = match digits {
            0 => sign.starts_with(['-', '*', '+']),
            _ => sign.starts_with(['.', ')']),
        };
        match sign[usize::from(is_sign)..].chars().next() {
            None if is_sign || digits > 0 => return Container::Open,
            Some(' ' | '\t') if is_sign => {}
            Some(_) | None => return Container::None,
        }
        self.at += digits + 1;
        self.column += digits + 1;
        let blanks = self.text[self.at..].bytes().take_while(|byte| *byte == b' ').count();
        Container::Item(self.column + if blanks > 4 { 1 } else { blanks.max(1) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opens(text: &str) -> bool {
        matches!(Lists::default().start(text, 64, true, true), Start::Fence(..))
    }

    #[test]
    fn fences_open_where_a_line_starts() {
        for text in ["```\n", "   ~~~ rust", "> ```\n", "- ```\n", "12. ```js\n", "> - ~~~~"] {
            assert!(opens(text), "{text:?}");
        }
        for text in ["``\n", "    ```\n", "``` a ` b\n", "-```\n", "a ```\n", "1.5 ```\n"] {
            assert!(!opens(text), "{text:?}");
        }
    }

    #[test]
    fn fences_close_with_their_kind_and_container() {
        let Start::Fence(fence, len) = Lists::default().start("- ````rs\n", 64, true, false) else {
            panic!()
        };
        assert_eq!(len, 9);
        assert_eq!(fence.inside("  ````  \n", 64, true), Inside::Closes(8));
        assert_eq!(fence.inside("  ```\n", 64, true), Inside::Code);
        assert_eq!(fence.inside("  ```` a\n", 64, true), Inside::Code);
        assert_eq!(fence.inside("\n", 64, true), Inside::Code);
        assert_eq!(fence.inside("text\n", 64, true), Inside::Outside);
        assert_eq!(fence.inside("  ````", 64, false), Inside::Open);
    }

    #[test]
    fn paragraphs_end() {
        for text in ["\n", "  \n", "- a", "1. a", "# a", "```\n", "> a", "---\n"] {
            assert_eq!(ends_paragraph(text, true), Some(true), "{text:?}");
        }
        for text in ["a", "-a", "1.5", "#a", "``a", "12"] {
            assert_eq!(ends_paragraph(text, true), Some(false), "{text:?}");
        }
        assert_eq!(ends_paragraph("``", false), None);
        assert_eq!(ends_paragraph("", false), None);
    }
}

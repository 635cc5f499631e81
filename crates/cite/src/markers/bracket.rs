//! What a bracket at the start of a text is: a marker, something else, or not yet to be told.

/// What a bracket is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Bracket {
    /// A marker.
    Marker {
        /// Its bytes, brackets included.
        len: usize,
        /// What it cites, in order.
        items: Vec<Item>,
    },
    /// No marker: its first character is text.
    Other,
    /// That depends on what follows.
    Open,
}

/// One thing that a marker cites.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// A number; numbers too large to be any are `u32::MAX`.
    Number(u32),
    /// From one number to another.
    Range(u32, u32),
    /// An identifier, or a number in two brackets, which may be one.
    Id(String),
}

/// Whether a character opens a bracket that may be a marker.
pub(super) fn opens(character: char) -> bool {
    closing(character).is_some()
}

/// Whether a character closes such a bracket.
pub(super) fn closes(character: char) -> bool {
    matches!(character, ']' | '】' | '］')
}

fn closing(open: char) -> Option<char> {
    match open {
        '[' => Some(']'),
        '【' => Some('】'),
        '［' => Some('］'),
        _ => None,
    }
}

/// Reads the bracket that `text` starts with. A marker has `bytes_max` bytes at the most; where `is_whole`, nothing
/// follows the text.
pub(super) fn read(text: &str, bytes_max: usize, is_whole: bool) -> Bracket {
    let mut reader = Reader { text, at: 0 };
    let Some(close) = reader.next().and_then(closing) else { return Bracket::Other };
    match reader.marker(close, bytes_max) {
        Ok(items) if reader.at <= bytes_max => Bracket::Marker { len: reader.at, items },
        Err(Stop::Ended) if !is_whole && text.len() <= bytes_max => Bracket::Open,
        Ok(_) | Err(Stop::Ended | Stop::Other) => Bracket::Other,
    }
}

/// Whether too little follows a marker to say whether text stands behind its blanks.
pub(super) fn is_too_short(after: &str, bytes_max: usize) -> bool {
    let text = behind_blanks(after);
    after.len() <= bytes_max && (text == "*" || text.is_empty())
}

/// Whether what follows a marker, behind its blanks, is text wherever it stands: it starts no block and closes up to none.
pub(super) fn is_plain(after: &str, bytes_max: usize) -> bool {
    let text = behind_blanks(after);
    let is_near = after.len() - text.len() <= bytes_max;
    let is_text = |first: char| first.is_alphabetic() || matches!(first, '\n' | '[' | '(' | '"' | '“');
    is_near && (text.is_empty() || text.starts_with("**") || text.starts_with(is_text))
}

/// A text without the blanks that it begins with.
pub(super) fn behind_blanks(after: &str) -> &str {
    after.trim_start_matches([' ', '\t'])
}

enum Stop {
    Ended,
    Other,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    /// Any number of brackets may stand around it: what is left of more would read as a marker again.
    fn marker(&mut self, close: char, bytes_max: usize) -> Result<Vec<Item>, Stop> {
        let mut closes = vec![close];
        while self.at <= bytes_max
            && let Some(inner) = self.peek()?.and_then(closing)
        {
            self.next();
            closes.push(inner);
        }
        let is_double = closes.len() > 1;
        let mut items = Vec::new();
        loop {
            self.blanks();
            items.push(self.item(is_double)?);
            self.blanks();
            match self.need()? {
                ',' | ';' | '，' | '、' | '；' => {}
                // The form of some hosted models: the number, a dagger, a place within the source.
                '†' if !is_double => {
                    self.until(close)?;
                    return Ok(items);
                }
                end => {
                    self.closed(end, &closes)?;
                    return Ok(items);
                }
            }
        }
    }

    /// The brackets close in turn, the innermost with `first`.
    fn closed(&mut self, first: char, closes: &[char]) -> Result<(), Stop> {
        let mut end = first;
        for (place, close) in closes.iter().rev().enumerate() {
            if place > 0 {
                end = self.need()?;
            }
            if end != *close {
                return Err(Stop::Other);
            }
        }
        Ok(())
    }

    fn item(&mut self, is_double: bool) -> Result<Item, Stop> {
        if is_double {
            return self.id();
        }
        let first = self.number()?;
        let before = self.at;
        self.blanks();
        if !matches!(self.peek()?, Some('-' | '–')) {
            self.at = before;
            return Ok(Item::Number(first));
        }
        self.next();
        self.blanks();
        Ok(Item::Range(first, self.number()?))
    }

    fn number(&mut self) -> Result<u32, Stop> {
        let mut value = digit(self.need()?).ok_or(Stop::Other)?;
        while let Some(next) = self.peek()?.and_then(digit) {
            self.next();
            value = value.saturating_mul(10).saturating_add(next);
        }
        Ok(value)
    }

    fn id(&mut self) -> Result<Item, Stop> {
        let start = self.at;
        while self.peek()?.is_some_and(is_of_an_id) {
            self.next();
        }
        if self.at == start { Err(Stop::Other) } else { Ok(Item::Id(self.text[start..self.at].to_owned())) }
    }

    fn until(&mut self, close: char) -> Result<(), Stop> {
        loop {
            match self.need()? {
                end if end == close => return Ok(()),
                '\n' | '[' | '【' | '［' => return Err(Stop::Other),
                _ => {}
            }
        }
    }

    fn blanks(&mut self) {
        while self.text[self.at..].starts_with([' ', '\t', '\u{a0}', '\u{3000}']) {
            self.next();
        }
    }

    /// The next character without taking it. Where there is none, what it would be decides.
    fn peek(&self) -> Result<Option<char>, Stop> {
        self.text[self.at..].chars().next().map(Some).ok_or(Stop::Ended)
    }

    fn need(&mut self) -> Result<char, Stop> {
        self.next().ok_or(Stop::Ended)
    }

    fn next(&mut self) -> Option<char> {
        let next = self.text[self.at..].chars().next()?;
        self.at += next.len_utf8();
        Some(next)
    }
}

/// The value of a digit, ASCII or full-width.
fn digit(character: char) -> Option<u32> {
    character.to_digit(10).or_else(|| {
        let code = u32::from(character);
        (0xFF10..=0xFF19).contains(&code).then(|| code - 0xFF10)
    })
}

fn is_of_an_id(character: char) -> bool {
    digit(character).is_some()
        || character.is_ascii_alphanumeric()
        || matches!(character, '_' | '-' | '.' | ':' | '#' | '/' | '@' | '~')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[Item]) {
        let Bracket::Marker { items, len } = read(text, 64, true) else { panic!("{text} is no marker") };
        assert_eq!((items.as_slice(), len), (expected, text.len()), "{text}");
    }

    #[test]
    fn markers_are_read() {
        check("[1]", &[Item::Number(1)]);
        check("[ 1, 2;３ ]", &[Item::Number(1), Item::Number(2), Item::Number(3)]);
        check("【12】", &[Item::Number(12)]);
        check("【3†L1-L9】", &[Item::Number(3)]);
        check("［４、5］", &[Item::Number(4), Item::Number(5)]);
        check("[2 - 4]", &[Item::Range(2, 4)]);
        check("[[1]]", &[Item::Id("1".to_owned())]);
        check("[[[1]]]", &[Item::Id("1".to_owned())]);
        check("[[c_0a, k57d#3]]", &[Item::Id("c_0a".to_owned()), Item::Id("k57d#3".to_owned())]);
        check("[99999999999999999999]", &[Item::Number(u32::MAX)]);
    }

    #[test]
    fn other_brackets_are_not() {
        for text in [
            "[]",
            "[a]",
            "[^1]",
            "[1a]",
            "[1",
            "[[1]",
            "[[two words]]",
            "[-1]",
            "[1.5]",
            "[ ]",
            "[1】",
            "[1\n]",
        ] {
            assert_eq!(read(text, 64, true), Bracket::Other, "{text}");
        }
        assert_eq!(read(&format!("[{}]", "1".repeat(64)), 64, true), Bracket::Other);
    }

    #[test]
    fn what_may_still_become_one_is_open() {
        for text in ["[", "[1", "[1,", "[1, ", "[[", "[[c_1", "[[1]", "【1†"] {
            assert_eq!(read(text, 64, false), Bracket::Open, "{text}");
        }
        assert_eq!(read(&format!("[{}", "1".repeat(64)), 64, false), Bracket::Other);
    }
}

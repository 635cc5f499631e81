//! A program as tokens that add up to its text again.

/// A piece of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) text: String,
}

/// What kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// White space and comments.
    Space,
    /// A name or a keyword.
    Word,
    /// A number.
    Number,
    /// Text in double quotation marks.
    Text,
    /// Text in single quotation marks.
    Quoted,
    /// Text in back ticks.
    Template,
    /// An operator or a bracket.
    Sign,
}

/// Signs of several characters, the longer first.
const SIGNS: [&str; 30] = [
    "===", "!==", "...", "..=", "**=", "=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "..", "++",
    "--", "+=", "-=", "*=", "/=", "%=", "**", "<<", ">>", "#{", "::", "->", "|=", "&=",
];

/// Templates within templates that are read as such; what stands deeper is plain text.
pub(super) const NESTED_MAX: usize = 8;

/// The tokens of a text.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    pieces(text, 0).map(|(kind, text)| Token { kind, text: text.to_owned() }).collect()
}

/// The pieces of a text that stands within so many templates, one after the other.
fn pieces(text: &str, depth: usize) -> impl Iterator<Item = (Kind, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (kind, length) = first(rest, depth)?;
        let (piece, behind) = rest.split_at(length);
        rest = behind;
        Some((kind, piece))
    })
}

/// The kind and the length of what a text begins with, in bytes; none of an empty one.
fn first(text: &str, depth: usize) -> Option<(Kind, usize)> {
    Some(match text.chars().next()? {
        space if space.is_whitespace() => (Kind::Space, run(text, char::is_whitespace)),
        '/' if text.starts_with("//") => (Kind::Space, text.find('\n').unwrap_or(text.len())),
        '/' if text.starts_with("/*") => {
            (Kind::Space, text[2..].find("*/").map_or(text.len(), |end| end + 4))
        }
        '"' => (Kind::Text, quoted(text, '"')),
        '\'' => (Kind::Quoted, quoted(text, '\'')),
        '`' => (Kind::Template, template(text, depth)),
        digit if digit.is_ascii_digit() => (Kind::Number, number(text)),
        letter if is_word(letter) => (Kind::Word, run(text, is_word)),
        other => {
            let sign = SIGNS.iter().find(|sign| text.starts_with(**sign));
            (Kind::Sign, sign.map_or(other.len_utf8(), |sign| sign.len()))
        }
    })
}

/// The text of tokens.
pub(super) fn text(tokens: &[Token]) -> String {
    tokens.iter().map(|token| token.text.as_str()).collect()
}

/// Where the brace that is open at the start of a text is closed; the text's length where it is not.
pub(super) fn closing_brace(text: &str) -> usize {
    closing_brace_within(text, 0)
}

/// The same of a text that stands within so many templates.
fn closing_brace_within(text: &str, depth: usize) -> usize {
    let (mut open, mut at) = (0_usize, 0);
    for (_, piece) in pieces(text, depth) {
        match piece {
            "{" | "#{" => open += 1,
            "}" if open == 0 => return at,
            "}" => open -= 1,
            _ => {}
        }
        at += piece.len();
    }
    text.len()
}

impl Token {
    pub(super) fn sign(text: &str) -> Self {
        Self { kind: Kind::Sign, text: text.to_owned() }
    }

    pub(super) fn word(text: &str) -> Self {
        Self { kind: Kind::Word, text: text.to_owned() }
    }

    pub(super) fn space() -> Self {
        Self { kind: Kind::Space, text: " ".to_owned() }
    }

    pub(super) fn is_sign(&self, text: &str) -> bool {
        self.kind == Kind::Sign && self.text == text
    }

    pub(super) fn is_word(&self, text: &str) -> bool {
        self.kind == Kind::Word && self.text == text
    }

    pub(super) fn is_space(&self) -> bool {
        self.kind == Kind::Space
    }

    pub(super) fn opens(&self) -> bool {
        self.kind == Kind::Sign && matches!(self.text.as_str(), "(" | "[" | "{" | "#{")
    }

    pub(super) fn closes(&self) -> bool {
        self.kind == Kind::Sign && matches!(self.text.as_str(), ")" | "]" | "}")
    }
}

/// Puts tokens in at a place.
pub(super) fn insert(tokens: &mut Vec<Token>, at: usize, more: impl IntoIterator<Item = Token>) {
    tokens.splice(at..at, more);
}

/// The next token that is no space, from `at` on.
pub(super) fn next(tokens: &[Token], at: usize) -> Option<usize> {
    (at..tokens.len()).find(|place| !tokens[*place].is_space())
}

/// The last token that is no space, before `at`.
pub(super) fn before(tokens: &[Token], at: usize) -> Option<usize> {
    (0..at.min(tokens.len())).rev().find(|place| !tokens[*place].is_space())
}

/// Where the bracket at `open` is closed.
pub(super) fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (place, token) in tokens.iter().enumerate().skip(open) {
        if token.opens() {
            depth += 1;
        } else if token.closes() {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(place);
            }
        }
    }
    None
}

/// Where the bracket that is closed at `close` opens.
pub(super) fn opening(tokens: &[Token], close: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for place in (0..=close).rev() {
        if tokens[place].closes() {
            depth += 1;
        } else if tokens[place].opens() {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(place);
            }
        }
    }
    None
}

/// The first token outside of inner brackets that ends what begins at `from`: where the brackets around it end, or the text.
pub(super) fn inside_end(tokens: &[Token], from: usize, ends: impl Fn(&Token) -> bool) -> usize {
    let mut depth = 0_usize;
    for (place, token) in tokens.iter().enumerate().skip(from) {
        if token.opens() {
            depth += 1;
        } else if token.closes() {
            match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return place,
            }
        } else if depth == 0 && ends(token) {
            return place;
        }
    }
    tokens.len()
}

/// The ranges between the commas of a bracket's inside, which is given by its first and its closing token.
pub(super) fn parted(tokens: &[Token], from: usize, to: usize) -> Vec<(usize, usize)> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (from, 0_usize);
    for (place, token) in tokens.iter().enumerate().take(to).skip(from) {
        if token.opens() {
            depth += 1;
        } else if token.closes() {
            depth = depth.saturating_sub(1);
        } else if depth == 0 && token.is_sign(",") {
            parts.push((start, place));
            start = place + 1;
        }
    }
    if next(&tokens[..to], start).is_some() {
        parts.push((start, to));
    }
    parts
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '$')
}

fn run(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|character| !belongs(character)).unwrap_or(text.len())
}

/// A number; the dots of a range are none of its.
fn number(text: &str) -> usize {
    let whole = run(text, |character| character.is_alphanumeric() || character == '_');
    let rest = &text[whole..];
    let has_fraction = rest.starts_with('.') && rest[1..].starts_with(|digit: char| digit.is_ascii_digit());
    if has_fraction {
        whole + 1 + run(&rest[1..], |character| character.is_alphanumeric() || character == '_')
    } else {
        whole
    }
}

fn quoted(text: &str, mark: char) -> usize {
    let mut is_escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            character if character == mark => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a template that stands within so many others.
fn template(text: &str, depth: usize) -> usize {
    let mut at = 1;
    while let Some(character) = text[at..].chars().next() {
        if character == '`' {
            return at + 1;
        }
        if depth < NESTED_MAX && text[at..].starts_with("${") {
            at += 2;
            at += closing_brace_within(&text[at..], depth + 1);
        } else {
            at += character.len_utf8();
            if character == '\\' {
                at += text[at..].chars().next().map_or(0, char::len_utf8);
            }
        }
    }
    text.len()
}

//! Why a program may not run: typed notes, each with its place and with what would be right.

use std::fmt;

use rhai::Position;

/// A program that may not run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the program is refused: {}", self.notes.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct Rejection {
    /// What is wrong, in the order of the text; never empty.
    pub notes: Vec<Note>,
}

/// One thing that is wrong with a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Which rule is broken.
    pub kind: NoteKind,
    /// What is wrong and what would be right.
    pub message: String,
    /// The name that is wrong, where the rule is about a name.
    pub name: Option<String>,
    /// The line, from one; none where the note is about the whole.
    pub line: Option<usize>,
    /// The column, from one.
    pub column: Option<usize>,
}

impl Note {
    pub(crate) fn new(kind: NoteKind, message: impl Into<String>, position: Position) -> Self {
        Self { kind, message: message.into(), name: None, line: position.line(), column: position.position() }
    }

    pub(crate) fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (Some(line), Some(column)) => write!(f, "line {line}, column {column}: {}", self.message),
            (Some(line), None) => write!(f, "line {line}: {}", self.message),
            (None, _) => f.write_str(&self.message),
        }
    }
}

/// The rules of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoteKind {
    /// The text does not parse.
    Syntax,
    /// A policy's limit on the text is passed: its bytes, its nesting, its functions, its literals.
    Limit,
    /// No method of this name may be called.
    UnknownMethod,
    /// The method's name is no literal.
    MethodNotLiteral,
    /// No function of this name.
    UnknownFunction,
    /// No variable of this name.
    UnknownVariable,
    /// A host function is not called as it must be.
    Misused,
    /// The method has no such argument.
    UnknownArgument,
    /// A required argument is absent.
    MissingArgument,
    /// A literal has the wrong type or is not among the allowed values.
    WrongValue,
    /// The result has no such property.
    UnknownProperty,
    /// A call in a loop whose rounds cannot be counted.
    UnboundedCall,
    /// A function that calls itself and makes calls.
    Recursion,
    /// More calls than the budget has.
    TooManyCalls,
    /// Calls that cost more than the budget has.
    TooCostly,
}

impl NoteKind {
    /// The word for traces and repair briefs.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Limit => "limit",
            Self::UnknownMethod => "unknown_method",
            Self::MethodNotLiteral => "method_not_literal",
            Self::UnknownFunction => "unknown_function",
            Self::UnknownVariable => "unknown_variable",
            Self::Misused => "misused",
            Self::UnknownArgument => "unknown_argument",
            Self::MissingArgument => "missing_argument",
            Self::WrongValue => "wrong_value",
            Self::UnknownProperty => "unknown_property",
            Self::UnboundedCall => "unbounded_call",
            Self::Recursion => "recursion",
            Self::TooManyCalls => "too_many_calls",
            Self::TooCostly => "too_costly",
        }
    }
}

/// How many names a note lists.
const LISTED: usize = 5;

/// The names nearest to `name` by edit distance, nearest first, as a phrase: `` `a`, `b` ``; empty where there is none.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let mut ranked: Vec<_> = known.map(|other| (strsim::damerau_levenshtein(name, other), other)).collect();
    ranked.sort_unstable();
    ranked.iter().take(LISTED).map(|(_, other)| format!("`{other}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_comes_first() {
        assert_eq!(nearest("pirce", ["volume", "price"].into_iter()), "`price`, `volume`");
        assert_eq!(nearest("x", std::iter::empty()), "");
    }
}

//! Where the values of arguments come from.

use std::ops::Range;

/// Where an argument's value comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// The question says it here, in bytes.
    Said {
        /// Where.
        range: Range<usize>,
    },
    /// The schema's default.
    Default,
    /// A window or date of the question.
    Window {
        /// Where the question says it, in bytes.
        range: Range<usize>,
        /// What the value stands for where it is not exactly what was said, in words for the caller.
        note: Option<String>,
    },
    /// The question implies it.
    Implied {
        /// Where the question says what implies it, in bytes; none where all of it does.
        range: Option<Range<usize>>,
        /// How, in words for the caller.
        why: String,
    },
    /// The question says its parts, each by itself.
    Parts {
        /// Where the question says them, in bytes.
        ranges: Vec<Range<usize>>,
        /// That it is put together, in words for the caller.
        why: String,
    },
    /// The answer before was about it.
    Before {
        /// That it was, in words for the caller.
        why: String,
        /// Where the question names what the answer showed, in bytes.
        range: Option<Range<usize>>,
        /// Whether the answer was asked of it; otherwise it only showed it.
        is_given: bool,
    },
}

/// A stretch of all that was said, where it stands in what begins at this byte of it; none where it stands before that.
#[must_use]
pub fn seen_from(range: &Range<usize>, start: usize) -> Option<Range<usize>> {
    Some(range.start.checked_sub(start)?..range.end.checked_sub(start)?)
}

/// Why an argument has the value that an earlier turn of the caller gives it.
const SAID_BEFORE: &str = "it was said before";

impl Source {
    /// Where the question says it, in bytes.
    #[must_use]
    pub fn range(&self) -> Option<&Range<usize>> {
        match self {
            Self::Said { range } | Self::Window { range, .. } => Some(range),
            Self::Before { range, .. } => range.as_ref(),
            Self::Default | Self::Implied { .. } | Self::Parts { .. } => None,
        }
    }

    /// Where the question says it, or says what implies it, in bytes.
    #[must_use]
    pub fn place(&self) -> Option<&Range<usize>> {
        if let Self::Implied { range, .. } = self { range.as_ref() } else { self.range() }
    }

    /// The same, of a question that begins at this byte of all that was said; what stands before it was asked of before.
    pub(super) fn seen_from(self, start: usize) -> Self {
        let seen = |range: Range<usize>| seen_from(&range, start);
        let before = || Self::Before { why: SAID_BEFORE.to_owned(), range: None, is_given: true };
        match self {
            Self::Said { range } => seen(range).map_or_else(before, |range| Self::Said { range }),
            Self::Window { range, note } => {
                seen(range).map_or_else(before, |range| Self::Window { range, note })
            }
            Self::Implied { range: Some(range), why } => {
                seen(range).map_or_else(before, |range| Self::Implied { range: Some(range), why })
            }
            Self::Parts { ranges, why } => {
                let ranges: Option<Vec<_>> = ranges.into_iter().map(seen).collect();
                ranges.map_or_else(before, |ranges| Self::Parts { ranges, why })
            }
            Self::Implied { range: None, .. } | Self::Default | Self::Before { .. } => self,
        }
    }

    /// Where the question says its parts, in bytes.
    pub(super) fn parts(&self) -> &[Range<usize>] {
        if let Self::Parts { ranges, .. } = self { ranges } else { &[] }
    }

    /// Where the question says it or its parts, or says what implies it, in bytes.
    pub(super) fn places(&self) -> impl Iterator<Item = &Range<usize>> {
        self.place().into_iter().chain(self.parts())
    }
}

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

    /// Where the question says its parts, in bytes.
    pub(super) fn parts(&self) -> &[Range<usize>] {
        if let Self::Parts { ranges, .. } = self { ranges } else { &[] }
    }

    /// Where the question says it or its parts, or says what implies it, in bytes.
    pub(super) fn places(&self) -> impl Iterator<Item = &Range<usize>> {
        self.place().into_iter().chain(self.parts())
    }
}

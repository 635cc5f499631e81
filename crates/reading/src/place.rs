//! Words that count off what was listed.

/// The place of one thing among several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// From 0 on.
    At(usize),
    /// The last one.
    Last,
}

impl Place {
    /// The place that a word says, in lower case.
    #[must_use]
    pub fn said(lower: &str) -> Option<Self> {
        const PLACES: [[&str; 2]; 5] =
            [["first", "1st"], ["second", "2nd"], ["third", "3rd"], ["fourth", "4th"], ["fifth", "5th"]];
        if lower == "last" {
            return Some(Self::Last);
        }
        PLACES.iter().position(|words| words.contains(&lower)).map(Self::At)
    }

    /// The item at it.
    #[must_use]
    pub fn of<T>(self, items: &[T]) -> Option<&T> {
        match self {
            Self::At(place) => items.get(place),
            Self::Last => items.last(),
        }
    }
}

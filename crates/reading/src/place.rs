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
        const FIGURES: [&str; 5] = ["1st", "2nd", "3rd", "4th", "5th"];
        let in_figures = || FIGURES.iter().position(|place| *place == lower).map(Self::At);
        Self::spelled_out(lower).or_else(in_figures)
    }

    /// The place that a word spells out, in lower case.
    #[must_use]
    pub fn spelled_out(lower: &str) -> Option<Self> {
        const PLACES: [&str; 5] = ["first", "second", "third", "fourth", "fifth"];
        if lower == "last" {
            return Some(Self::Last);
        }
        PLACES.iter().position(|place| *place == lower).map(Self::At)
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

//! Argument types that several listings share.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

use crate::moment::HOUR;

/// No arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

/// How far back a method looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) enum Window {
    #[serde(rename = "1h")]
    Hour,
    #[serde(rename = "4h")]
    FourHours,
    #[default]
    #[serde(rename = "24h")]
    Day,
    #[serde(rename = "48h")]
    TwoDays,
    #[serde(rename = "7d")]
    Week,
    #[serde(rename = "30d")]
    Month,
}

impl Window {
    /// Its length.
    pub(crate) fn hours(self) -> i64 {
        match self {
            Self::Hour => 1,
            Self::FourHours => 4,
            Self::Day => 24,
            Self::TwoDays => 48,
            Self::Week => 7 * 24,
            Self::Month => 30 * 24,
        }
    }

    /// Its length.
    pub(crate) fn minutes(self) -> i64 {
        self.hours() * HOUR
    }

    /// Minutes between two points of a series over it: at most 48 points.
    pub(crate) fn step(self) -> i64 {
        match self {
            Self::Hour => 5,
            Self::FourHours => 15,
            Self::Day => HOUR,
            Self::TwoDays => 2 * HOUR,
            Self::Week => 6 * HOUR,
            Self::Month => 24 * HOUR,
        }
    }

    /// The minutes of a series over it, oldest first, ending with `last`.
    pub(crate) fn series(self, last: i64) -> impl Iterator<Item = i64> {
        let count = self.minutes() / self.step();
        (0..=count).rev().map(move |index| last - index * self.step())
    }
}

/// How many of something: from 1 to `MAX`, `DEFAULT` where it is absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub(crate) struct Count<const DEFAULT: u32, const MAX: u32>(u32);

impl<const DEFAULT: u32, const MAX: u32> Count<DEFAULT, MAX> {
    /// The number.
    pub(crate) fn get(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl<const DEFAULT: u32, const MAX: u32> Default for Count<DEFAULT, MAX> {
    fn default() -> Self {
        Self(DEFAULT)
    }
}

impl<const DEFAULT: u32, const MAX: u32> TryFrom<u32> for Count<DEFAULT, MAX> {
    type Error = String;

    fn try_from(number: u32) -> Result<Self, Self::Error> {
        if (1..=MAX).contains(&number) {
            Ok(Self(number))
        } else {
            Err(format!("{number} is not from 1 to {MAX}"))
        }
    }
}

impl<const DEFAULT: u32, const MAX: u32> From<Count<DEFAULT, MAX>> for u32 {
    fn from(count: Count<DEFAULT, MAX>) -> Self {
        count.0
    }
}

impl<const DEFAULT: u32, const MAX: u32> JsonSchema for Count<DEFAULT, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Count{DEFAULT}To{MAX}").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": 1, "maximum": MAX })
    }
}

/// A quantity above zero.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub(crate) struct Positive(f64);

impl Positive {
    /// One.
    pub(crate) const ONE: Self = Self(1.0);

    /// The number.
    pub(crate) fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Positive {
    type Error = String;

    fn try_from(number: f64) -> Result<Self, Self::Error> {
        if number > 0.0 && number.is_finite() {
            Ok(Self(number))
        } else {
            Err(format!("{number} is not above 0"))
        }
    }
}

impl From<Positive> for f64 {
    fn from(number: Positive) -> Self {
        number.0
    }
}

impl JsonSchema for Positive {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Positive".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "exclusiveMinimum": 0 })
    }
}

/// Where a page of a list starts, as the page before it said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Cursor(usize);

impl TryFrom<String> for Cursor {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let start = text.strip_prefix("after-").and_then(|number| number.parse().ok());
        start
            .map(Self)
            .ok_or_else(|| format!("`{text}` is no cursor; take the nextCursor of the page before"))
    }
}

impl JsonSchema for Cursor {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Cursor".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^after-[0-9]+$" })
    }
}

/// The page of `items` that starts at `cursor`, and the cursor of the next one while there is more.
pub(crate) fn page<T>(items: Vec<T>, cursor: Option<Cursor>, size: usize) -> (Vec<T>, Option<String>) {
    let start = cursor.unwrap_or_default().0;
    let end = start.saturating_add(size);
    let next = (items.len() > end).then(|| format!("after-{end}"));
    (items.into_iter().skip(start).take(size).collect(), next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_join_to_the_whole() {
        let (first, next) = page((0..5).collect(), None, 3);
        assert_eq!((first, next.as_deref()), (vec![0, 1, 2], Some("after-3")));
        let cursor = Cursor::try_from(next.unwrap()).unwrap();
        assert_eq!(page((0..5).collect::<Vec<_>>(), Some(cursor), 3), (vec![3, 4], None));
    }

    #[test]
    fn series_end_now_and_span_the_window() {
        for window in
            [Window::Hour, Window::FourHours, Window::Day, Window::TwoDays, Window::Week, Window::Month]
        {
            let minutes: Vec<_> = window.series(1_000_000).collect();
            assert_eq!(minutes.first(), Some(&(1_000_000 - window.minutes())));
            assert_eq!(minutes.last(), Some(&1_000_000));
            assert!(minutes.len() <= 49);
        }
    }

    #[test]
    fn counts_keep_their_range() {
        assert!(Count::<5, 10>::try_from(0).is_err());
        assert!(Count::<5, 10>::try_from(11).is_err());
        assert_eq!(Count::<5, 10>::try_from(10).unwrap().get(), 10);
        assert_eq!(Count::<5, 10>::default().get(), 5);
    }
}

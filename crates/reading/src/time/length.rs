//! Lengths of time: "24 hours", "7d", "P1D", "a week".

use std::fmt;
use std::ops::Range;

use jiff::{SignedDuration, Timestamp, Unit};

use crate::standards;
use crate::words::Word;

/// A length of time as people say it: a count of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    /// How many.
    pub count: i64,
    /// Of what.
    pub unit: Unit,
}

impl Length {
    /// The length in seconds; months count as 30 days and years as 365.
    #[must_use]
    pub fn seconds(self) -> i64 {
        self.count.saturating_mul(seconds_of(self.unit))
    }

    /// How many of `unit` it is, rounded up.
    #[must_use]
    pub fn in_units(self, unit: Unit) -> i64 {
        let each = seconds_of(unit);
        self.seconds().saturating_add(each - 1) / each
    }

    pub(crate) fn before(self, instant: Timestamp) -> Option<Timestamp> {
        instant.checked_sub(SignedDuration::from_secs(self.seconds())).ok()
    }

    pub(crate) fn after(self, instant: Timestamp) -> Option<Timestamp> {
        instant.checked_add(SignedDuration::from_secs(self.seconds())).ok()
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = match self.unit {
            Unit::Second => "s",
            Unit::Minute => "m",
            Unit::Hour => "h",
            Unit::Day => "d",
            Unit::Week => "w",
            Unit::Month => "mo",
            Unit::Year => "y",
            Unit::Millisecond | Unit::Microsecond | Unit::Nanosecond => "ms",
        };
        write!(f, "{}{letter}", self.count)
    }
}

fn seconds_of(unit: Unit) -> i64 {
    match unit {
        Unit::Year => 365 * 86_400,
        Unit::Month => 30 * 86_400,
        Unit::Week => 7 * 86_400,
        Unit::Day => 86_400,
        Unit::Hour => 3_600,
        Unit::Minute => 60,
        Unit::Second | Unit::Millisecond | Unit::Microsecond | Unit::Nanosecond => 1,
    }
}

/// The length that a schema's value means: `24h`, `7d`, `1 week`, `P1D`, `PT15M`, `daily`, `24_hours`. Case matters
/// only for `1M`, a month, beside `1m`, a minute.
#[must_use]
pub fn length_of(value: &str) -> Option<Length> {
    let trimmed = value.trim();
    if let Some(iso) = trimmed.strip_prefix('P') {
        return iso_length(iso);
    }
    let lower = trimmed.to_lowercase();
    if let Some(unit) = grain_word(&lower) {
        return Some(Length { count: 1, unit });
    }
    let lower = lower.trim_start_matches(|character: char| !character.is_ascii_digit());
    let digits = lower.len() - lower.trim_start_matches(|character: char| character.is_ascii_digit()).len();
    let count: i64 = lower[..digits].parse().ok()?;
    let word = lower[digits..].trim_matches(|character: char| !character.is_ascii_alphabetic());
    if word == "m" && trimmed.ends_with('M') {
        return Some(Length { count, unit: Unit::Month });
    }
    Some(Length { count, unit: unit_of(word)? })
}

/// Whether a word in lower case is a unit of time: "day", "weeks".
#[must_use]
pub fn is_unit(lower: &str) -> bool {
    length_of(&format!("1{lower}")).is_some()
}

fn iso_length(text: &str) -> Option<Length> {
    let (clock, text) = text.strip_prefix('T').map_or((false, text), |rest| (true, rest));
    let letter = text.chars().last()?;
    let count = text[..text.len() - letter.len_utf8()].parse().ok()?;
    let unit = match (clock, letter) {
        (true, 'S') => Unit::Second,
        (true, 'M') => Unit::Minute,
        (true, 'H') => Unit::Hour,
        (false, 'D') => Unit::Day,
        (false, 'W') => Unit::Week,
        (false, 'M') => Unit::Month,
        (false, 'Y') => Unit::Year,
        _ => return None,
    };
    Some(Length { count, unit })
}

/// The unit that a lower-case word names.
pub(crate) fn unit_of(word: &str) -> Option<Unit> {
    Some(match word {
        "s" | "sec" | "secs" | "second" | "seconds" => Unit::Second,
        "m" | "min" | "mins" | "minute" | "minutes" => Unit::Minute,
        "h" | "hr" | "hrs" | "hour" | "hours" => Unit::Hour,
        "d" | "day" | "days" => Unit::Day,
        "w" | "wk" | "week" | "weeks" => Unit::Week,
        "mo" | "mon" | "month" | "months" => Unit::Month,
        "y" | "yr" | "yrs" | "year" | "years" => Unit::Year,
        _ => return None,
    })
}

/// The unit of an adjective: "hourly".
pub(crate) fn grain_word(word: &str) -> Option<Unit> {
    Some(match word {
        "minutely" => Unit::Minute,
        "hourly" => Unit::Hour,
        "daily" => Unit::Day,
        "weekly" => Unit::Week,
        "monthly" => Unit::Month,
        "yearly" | "annual" | "annually" => Unit::Year,
        _ => return None,
    })
}

/// The count that a lower-case word says: "24", "three", "a".
pub(crate) fn count_of(word: &str) -> Option<i64> {
    match word {
        "a" | "an" => Some(1),
        _ => word.parse().ok().or_else(|| standards::number_word(word)),
    }
}

/// The lengths that a text spells, and where, in bytes: "30 days", "one week".
pub(crate) fn lengths(text: &str, words: &[Word]) -> impl Iterator<Item = (Range<usize>, Length)> {
    words.windows(2).filter_map(|pair| {
        let [count, unit] = pair else { return None };
        named_unit(&unit.lower)?;
        let gap = &text[count.range.end..unit.range.start];
        Some((count.range.start..unit.range.end, spelled(&count.lower, gap, &unit.lower)?))
    })
}

/// The length that a count and a unit say, with what stands between them: "24 hours", "30-day".
pub(crate) fn spelled(count: &str, gap: &str, unit: &str) -> Option<Length> {
    let count = count_of(count).filter(|count| (1..=COUNT_MAX).contains(count))?;
    let unit = unit_of(unit).filter(|_| unit.len() > 1 && matches!(gap, " " | "-"))?;
    Some(Length { count, unit })
}

/// A higher count is no length that anybody means.
const COUNT_MAX: i64 = 100_000;

/// The unit that a whole word names: "days", and not "d".
pub(crate) fn named_unit(word: &str) -> Option<Unit> {
    unit_of(word).filter(|_| word.len() > 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schema_values_are_lengths() {
        let said = |value: &str| length_of(value).map(|length| length.to_string());
        assert_eq!(said("24h").as_deref(), Some("24h"));
        assert_eq!(said("1 week").as_deref(), Some("1w"));
        assert_eq!(said("last_7_days").as_deref(), Some("7d"));
        assert_eq!(said("PT15M").as_deref(), Some("15m"));
        assert_eq!(said("1M").as_deref(), Some("1mo"));
        assert_eq!(said("daily").as_deref(), Some("1d"));
        assert_eq!(said("all"), None);
        assert_eq!(Length { count: 36, unit: Unit::Hour }.in_units(Unit::Day), 2);
    }
}

//! The minute in which a method is asked: all that a handler may know besides its arguments.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::source::Source;

/// Minutes of an hour.
pub(crate) const HOUR: i64 = 60;
/// Minutes of a day.
pub(crate) const DAY: i64 = 24 * HOUR;

/// A minute, and the seeded source of what is true in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    source: Source,
    minute: i64,
}

impl Moment {
    /// The minute of `now`.
    pub(crate) fn new(now: Timestamp, source: Source) -> Self {
        Self { source, minute: now.as_second().div_euclid(60) }
    }

    /// Minutes since 1970 in UTC.
    pub(crate) fn minute(&self) -> i64 {
        self.minute
    }

    /// When the minute began.
    pub(crate) fn at(&self) -> Timestamp {
        timestamp(self.minute)
    }

    /// The date in UTC.
    pub(crate) fn today(&self) -> Date {
        self.at().to_zoned(TimeZone::UTC).date()
    }

    /// The source of everything under this key.
    pub(crate) fn source(&self, key: &str) -> Source {
        self.source.of(key)
    }
}

/// When this minute began; the ends of time where it lies beyond them.
pub(crate) fn timestamp(minute: i64) -> Timestamp {
    let end = if minute < 0 { Timestamp::MIN } else { Timestamp::MAX };
    Timestamp::from_second(minute.saturating_mul(60)).unwrap_or(end)
}

/// The minute in which a date begins in UTC; that of 1970 where the date lies beyond the ends of time.
pub(crate) fn midnight(date: Date) -> i64 {
    date.to_zoned(TimeZone::UTC).map_or(0, |zoned| zoned.timestamp().as_second().div_euclid(60))
}

//! Rows in an order of time: "which closes first", "the earliest sunrise".

use jiff::Timestamp;
use jiff::civil::{DateTime, Time};
use jiff::tz::TimeZone;

/// A time that a row tells.
#[derive(Clone, Copy)]
pub(super) struct Told {
    /// What the clock showed.
    clock: DateTime,
    /// When that was; as if at Greenwich where no zone is told.
    at: Timestamp,
}

impl Told {
    /// The time that a text is: a moment, a date and time of day, or a date.
    pub(super) fn read(text: &str) -> Option<Self> {
        let clock: DateTime = text.trim_end_matches('Z').parse().ok()?;
        let greenwich = || clock.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp());
        Some(Self { clock, at: text.parse().ok().or_else(greenwich)? })
    }

    /// How long before Greenwich the clock shows an hour, in seconds.
    fn ahead(&self) -> Option<i64> {
        let as_if = self.clock.to_zoned(TimeZone::UTC).ok()?.timestamp();
        Some(as_if.as_second() - self.at.as_second())
    }

    /// Its place in the order, in seconds: of the moment, or of the day where clocks tell.
    pub(super) fn place(&self, is_by_clock: bool) -> f64 {
        if is_by_clock {
            self.clock.time().duration_since(Time::midnight()).as_secs_f64()
        } else {
            self.at.as_duration().as_secs_f64()
        }
    }
}

/// Whether times are told by clocks that show different hours. Where all show the same one, the moment says more.
pub(super) fn are_of_places(times: impl Iterator<Item = Told>) -> bool {
    let mut ahead = times.map(|told| told.ahead());
    let first = ahead.next();
    ahead.any(|other| Some(other) != first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_tell_where_they_show_different_hours() {
        let read = |text: &str| Told::read(text).unwrap();
        let (east, west) = (read("2031-03-02T05:53:00+11:00"), read("2031-03-01T07:15:00-05:00"));
        assert!(are_of_places([east, west].into_iter()) && !are_of_places([east, east].into_iter()));
        assert!(east.place(true) < west.place(true) && west.place(false) < east.place(false));
        assert!(read("2031-03-01").place(false) < read("2031-03-01T00:00:01Z").place(false));
        assert!(Told::read("soon").is_none());
    }

    #[test]
    fn moments_are_in_their_order() {
        let place = |second: i64| {
            let text = Timestamp::from_second(second).unwrap().to_string();
            Told::read(&text).unwrap().place(false)
        };
        let seconds = || (0..4_000_000_000).step_by(197_000_003);
        for one in seconds() {
            for other in seconds() {
                assert_eq!(place(one).total_cmp(&place(other)), one.cmp(&other));
            }
        }
    }
}

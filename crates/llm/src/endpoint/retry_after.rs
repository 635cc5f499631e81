//! `Retry-After`: seconds, or a date.

use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;

/// How long to wait from `now`; none where the text says nothing.
pub(super) fn read(text: &str, now: Timestamp) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let at = PARSER.parse_timestamp(text).ok()?;
    Some(Duration::try_from(at.duration_since(now)).unwrap_or(Duration::ZERO))
}

static PARSER: DateTimeParser = DateTimeParser::new();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_dates_are_read() {
        let now: Timestamp = "2026-06-01T12:00:00Z".parse().unwrap();
        let read = |text| super::read(text, now);
        assert_eq!(read("3"), Some(Duration::from_secs(3)));
        assert_eq!(read("0.5"), Some(Duration::from_millis(500)));
        assert_eq!(read("Mon, 01 Jun 2026 12:00:30 GMT"), Some(Duration::from_secs(30)));
        assert_eq!(read("Mon, 01 Jun 2026 11:59:30 GMT"), Some(Duration::ZERO), "a date that is past");
        assert_eq!((read("soon"), read("-1"), read("inf"), read("")), (None, None, None, None));
    }
}

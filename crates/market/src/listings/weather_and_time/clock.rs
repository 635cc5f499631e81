//! What time it is, and what time that is elsewhere.

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::method::Method;
use crate::moment::Moment;
use crate::refusal::Refusal;

pub(super) fn methods() -> Vec<Method> {
    vec![
        Method::read(
            "get_current_time",
            "Current time",
            "What time it is now in one timezone: local date and time, weekday and offset from UTC, to the \
             minute.",
            current_time,
        )
        .priced("0.0005"),
        Method::read(
            "convert_time",
            "Convert a time",
            "Converts a time of day from one timezone to another, on a date that decides about daylight \
             saving.",
            convert_time,
        )
        .priced("0.0005"),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TimeOf {
    /// IANA name of the timezone.
    #[serde(default = "utc")]
    #[schemars(example = &"Asia/Tokyo", example = &"America/New_York")]
    timezone: String,
}

fn utc() -> String {
    "UTC".to_owned()
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct LocalTime {
    /// IANA name of the timezone.
    timezone: String,
    /// The time there, RFC 3339 with the offset from UTC.
    datetime: String,
    /// The date there.
    date: Date,
    /// The time of day there, HH:MM.
    time: String,
    /// The day of the week there.
    weekday: String,
    /// The offset from UTC, such as +09:00.
    utc_offset: String,
}

impl LocalTime {
    fn new(zoned: &Zoned, timezone: &str) -> Self {
        let part = |format: &str| zoned.strftime(format).to_string();
        Self {
            timezone: timezone.to_owned(),
            datetime: written(zoned),
            date: zoned.date(),
            time: part("%H:%M"),
            weekday: part("%A"),
            utc_offset: part("%:z"),
        }
    }
}

/// RFC 3339 with the offset from UTC.
pub(super) fn written(zoned: &Zoned) -> String {
    zoned.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

fn current_time(at: &Moment, ask: &TimeOf) -> Result<LocalTime, Refusal> {
    let zone = zone("timezone", &ask.timezone)?;
    Ok(LocalTime::new(&at.at().to_zoned(zone), &ask.timezone))
}

fn zone(argument: &'static str, name: &str) -> Result<TimeZone, Refusal> {
    TimeZone::get(name).map_err(|_| {
        let reason =
            format!("`{name}` is no IANA timezone; give a name such as UTC, Asia/Tokyo or America/New_York");
        Refusal::argument(argument, reason)
    })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Conversion {
    /// The time of day to convert, HH:MM on a clock of 24 hours.
    #[schemars(example = &"16:30", extend("pattern" = r"^([01][0-9]|2[0-3]):[0-5][0-9]$"))]
    time: String,
    /// IANA name of the timezone that the time is in.
    #[serde(default = "utc")]
    #[schemars(example = &"America/New_York")]
    source_timezone: String,
    /// IANA name of the timezone wanted.
    #[schemars(example = &"Asia/Tokyo")]
    target_timezone: String,
    /// The date in the source timezone, YYYY-MM-DD; today there where it is absent.
    #[schemars(example = &"2026-07-01")]
    date: Option<Date>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ConvertedTime {
    /// The moment that is meant, RFC 3339 in UTC.
    instant: Timestamp,
    /// The time in the source timezone.
    source: LocalTime,
    /// The time in the target timezone.
    target: LocalTime,
    /// Hours that the target timezone is ahead of the source timezone.
    difference_hours: f64,
}

fn convert_time(at: &Moment, ask: &Conversion) -> Result<ConvertedTime, Refusal> {
    let from = zone("source_timezone", &ask.source_timezone)?;
    let to = zone("target_timezone", &ask.target_timezone)?;
    let time = Time::strptime("%H:%M", &ask.time)
        .map_err(|_| Refusal::argument("time", format!("`{}` is no time of day; give HH:MM", ask.time)))?;
    let date = ask.date.unwrap_or_else(|| at.at().to_zoned(from.clone()).date());
    let source = date
        .to_datetime(time)
        .to_zoned(from)
        .map_err(|_| Refusal::argument("date", format!("{date} is beyond the ends of time")))?;
    let target = source.with_time_zone(to);
    let ahead = f64::from(target.offset().seconds() - source.offset().seconds());
    Ok(ConvertedTime {
        instant: source.timestamp(),
        source: LocalTime::new(&source, &ask.source_timezone),
        target: LocalTime::new(&target, &ask.target_timezone),
        difference_hours: ahead / 3600.0,
    })
}

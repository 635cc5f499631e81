//! The economic calendar.

use jiff::Timestamp;
use jiff::civil::{Date, Weekday};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::method::Method;
use crate::moment::{HOUR, Moment, midnight, timestamp};
use crate::refusal::Refusal;
use crate::source::{rounded, whole};

/// What can be released, in which country and unit, and around which value.
static RELEASES: [(&str, &str, &str, f64); 8] = [
    ("Consumer price index, year on year", "United States", "percent", 2.8),
    ("Initial jobless claims", "United States", "thousand", 228.0),
    ("Nonfarm payrolls", "United States", "thousand", 165.0),
    ("Retail sales, month on month", "United States", "percent", 0.3),
    ("Consumer price index, year on year", "Euro area", "percent", 2.1),
    ("Manufacturing PMI", "Euro area", "points", 49.6),
    ("GDP, quarter on quarter", "United Kingdom", "percent", 0.3),
    ("Industrial production, month on month", "Japan", "percent", 0.6),
];

pub(super) fn methods() -> Vec<Method> {
    vec![
        Method::read(
            "get_calendar",
            "Economic calendar",
            "The economic releases of one date with time, country, forecast and previous value, and the \
             actual value once it is out. No releases on weekends.",
            calendar,
        )
        .paced(6_000, 8),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CalendarOf {
    /// The date in UTC, YYYY-MM-DD; today where it is absent.
    #[schemars(example = &"2026-03-04")]
    date: Option<Date>,
}

#[derive(Serialize, JsonSchema)]
struct Calendar {
    /// The date in UTC.
    date: Date,
    /// Its releases, in order of time.
    events: Vec<Release>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Release {
    /// What is released.
    name: &'static str,
    /// For which country or area.
    country: &'static str,
    /// When, RFC 3339 in UTC.
    releases_at: Timestamp,
    /// The unit of the values.
    unit: &'static str,
    /// The value before.
    previous: f64,
    /// The value expected.
    forecast: f64,
    /// The value, once it is out.
    #[serde(skip_serializing_if = "Option::is_none")]
    actual: Option<f64>,
}

fn calendar(at: &Moment, ask: &CalendarOf) -> Result<Calendar, Refusal> {
    let date = ask.date.unwrap_or(at.today());
    let start = midnight(date);
    let is_weekend = matches!(date.weekday(), Weekday::Saturday | Weekday::Sunday);
    let hours: &[i64] = if is_weekend { &[] } else { &[9, 12, 15] };
    let release = |hour: &i64| {
        let source = at.source("calendar").nth(start).nth(*hour);
        let (name, country, unit, usual) = *source.pick(&RELEASES)?;
        let minute = start + hour * HOUR + 15 * whole(source.of("quarter").between(0.0, 3.0));
        let value = |key, spread: f64| rounded(usual * source.of(key).between(1.0 - spread, 1.0 + spread), 1);
        Some(Release {
            name,
            country,
            releases_at: timestamp(minute),
            unit,
            previous: value("previous", 0.2),
            forecast: value("forecast", 0.1),
            actual: (minute <= at.minute()).then(|| value("actual", 0.2)),
        })
    };
    Ok(Calendar { date, events: hours.iter().filter_map(release).collect() })
}

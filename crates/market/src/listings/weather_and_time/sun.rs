//! Sunrise and sunset, by the usual approximation of the sun's declination.

use std::f64::consts::TAU;

use jiff::Timestamp;
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::climate;
use super::clock::written;
use crate::method::Method;
use crate::moment::{DAY, Moment, midnight};
use crate::refusal::Refusal;
use crate::source::{real, rounded, whole};

pub(super) fn methods() -> Vec<Method> {
    vec![Method::read(
        "get_sun_times",
        "Sunrise and sunset",
        "When the sun rises and sets in one city on a date, and how long the day is. A city that list_cities \
         does not return is an error.",
        sun_times,
    )]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SunOf {
    /// Name of the city, one of those that `list_cities` returns.
    #[schemars(example = &"Reykjavik")]
    city: String,
    /// The date in the city, YYYY-MM-DD; today where it is absent.
    #[schemars(example = &"2026-06-21")]
    date: Option<Date>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SunTimes {
    /// The city.
    city: &'static str,
    /// Its IANA timezone.
    timezone: &'static str,
    /// The date in the city.
    date: Date,
    /// Sunrise, RFC 3339 in the city's time.
    #[schemars(with = "Timestamp")]
    sunrise: String,
    /// Sunset, RFC 3339 in the city's time.
    #[schemars(with = "Timestamp")]
    sunset: String,
    /// Hours between the two.
    day_length_hours: f64,
}

fn sun_times(at: &Moment, ask: &SunOf) -> Result<SunTimes, Refusal> {
    let city = climate::city(&ask.city)?;
    let date = ask.date.unwrap_or_else(|| city.today(at));
    let noon = midnight(date) + DAY / 2 - whole(city.longitude * 4.0);
    let half = half_day_minutes(city.latitude, date);
    Ok(SunTimes {
        city: city.name,
        timezone: city.timezone,
        date,
        sunrise: written(&city.local(noon - half)),
        sunset: written(&city.local(noon + half)),
        day_length_hours: rounded(real(2 * half) / 60.0, 2),
    })
}

/// Minutes from sunrise to noon.
fn half_day_minutes(latitude: f64, date: Date) -> i64 {
    let day = f64::from(date.day_of_year());
    let declination = -(23.44_f64.to_radians()) * (TAU * (day + 10.0) / 365.25).cos();
    let cosine = -latitude.to_radians().tan() * declination.tan();
    whole(cosine.clamp(-1.0, 1.0).acos() / TAU * real(DAY))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn days_are_long_in_summer_and_equal_at_the_equator() {
        let length = |latitude, date| 2 * half_day_minutes(latitude, date);
        assert!(length(64.15, date(2026, 6, 21)) > 20 * 60);
        assert!(length(64.15, date(2026, 12, 21)) < 5 * 60);
        assert_eq!(length(0.0, date(2026, 6, 21)), 12 * 60);
        assert!(length(-33.9, date(2026, 12, 21)) > 14 * 60);
    }
}

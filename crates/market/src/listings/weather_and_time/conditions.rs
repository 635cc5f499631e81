//! The weather and the air right now, and where it is covered.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::climate::{self, CITIES, City, CityOf, Sky};
use crate::method::Method;
use crate::moment::{HOUR, Moment, timestamp};
use crate::refusal::Refusal;
use crate::source::{rounded, whole};
use crate::vocabulary::Nothing;

/// How many hours ahead alerts look.
const ALERT_HOURS: i64 = 48;
/// From which wind on there is an alert, in kilometres an hour.
const STRONG_WIND: f64 = 25.0;

pub(super) fn methods() -> Vec<Method> {
    vec![
        Method::read(
            "get_current_weather",
            "Current weather",
            "The weather in one city right now: temperature, sky, humidity, wind and rain. A city that \
             list_cities does not return is an error.",
            current_weather,
        ),
        Method::read(
            "get_air_quality",
            "Air quality",
            "The air quality in one city right now: air quality index with its category, fine dust, nitrogen \
             dioxide and ozone. A city that list_cities does not return is an error.",
            air_quality,
        ),
        Method::read(
            "get_alerts",
            "Weather alerts",
            "The warnings of storms and strong wind that are in force in one city within the next 48 hours; \
             often none. A city that list_cities does not return is an error.",
            alerts,
        ),
        Method::read(
            "list_cities",
            "Covered cities",
            "The cities covered, with country, IANA timezone and coordinates.",
            list_cities,
        )
        .priced("0.0005"),
    ]
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct CurrentWeather {
    /// The city.
    city: &'static str,
    /// The country that it lies in.
    country: &'static str,
    /// Temperature in degrees Celsius.
    temperature_celsius: f64,
    /// Temperature in degrees Fahrenheit.
    temperature_fahrenheit: f64,
    /// What the sky does.
    sky: Sky,
    /// Relative humidity in percent.
    humidity_percent: f64,
    /// Wind speed in kilometres an hour.
    wind_kmh: f64,
    /// Rain in millimetres an hour.
    precipitation_mm: f64,
}

fn current_weather(at: &Moment, ask: &CityOf) -> Result<CurrentWeather, Refusal> {
    let city = climate::city(&ask.city)?;
    let celsius = city.temperature(at, at.minute());
    Ok(CurrentWeather {
        city: city.name,
        country: city.country,
        temperature_celsius: celsius,
        temperature_fahrenheit: rounded(celsius * 1.8 + 32.0, 1),
        sky: city.sky(at, at.minute()),
        humidity_percent: city.humidity(at, at.minute()),
        wind_kmh: city.wind(at, at.minute()),
        precipitation_mm: city.rain(at, at.minute()),
    })
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct AirQuality {
    /// The city.
    city: &'static str,
    /// Air quality index of the United States, from 0 to 500; lower is better.
    air_quality_index: i64,
    /// The index in a word.
    category: AirCategory,
    /// Fine dust (PM2.5) in micrograms a cubic metre.
    pm25: f64,
    /// Nitrogen dioxide in micrograms a cubic metre.
    no2: f64,
    /// Ozone in micrograms a cubic metre.
    ozone: f64,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum AirCategory {
    Good,
    Moderate,
    Unhealthy,
}

fn air_quality(at: &Moment, ask: &CityOf) -> Result<AirQuality, Refusal> {
    let city = climate::city(&ask.city)?;
    let level = |key: &str, usual: f64| {
        let source = city.source(at).of(key);
        rounded(usual * source.between(0.4, 1.6) * (1.0 + 0.4 * source.drift(at.minute())), 1)
    };
    let pm25 = level("pm25", 15.0);
    let air_quality_index = whole(pm25 * 3.1);
    let category = match air_quality_index {
        ..=50 => AirCategory::Good,
        51..=100 => AirCategory::Moderate,
        _ => AirCategory::Unhealthy,
    };
    let (no2, ozone) = (level("no2", 24.0), level("ozone", 58.0));
    Ok(AirQuality { city: city.name, air_quality_index, category, pm25, no2, ozone })
}

#[derive(Serialize, JsonSchema)]
struct Alerts {
    /// The city.
    city: &'static str,
    /// The warnings, soonest first.
    alerts: Vec<Alert>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Alert {
    /// What is warned of.
    kind: AlertKind,
    /// From when on, RFC 3339 in UTC.
    starts_at: Timestamp,
}

#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum AlertKind {
    Storm,
    StrongWind,
}

fn alerts(at: &Moment, ask: &CityOf) -> Result<Alerts, Refusal> {
    let city = climate::city(&ask.city)?;
    let first = |is_bad: fn(&Moment, &City, i64) -> bool, kind| {
        let hours = (0..ALERT_HOURS).map(|hour| at.minute() + hour * HOUR);
        hours.into_iter().find(|minute| is_bad(at, city, *minute)).map(|minute| (minute, kind))
    };
    let is_storm = |at: &Moment, city: &City, minute| city.sky(at, minute) == Sky::Storm;
    let is_windy = |at: &Moment, city: &City, minute| city.wind(at, minute) >= STRONG_WIND;
    let mut found: Vec<_> = [first(is_storm, AlertKind::Storm), first(is_windy, AlertKind::StrongWind)]
        .into_iter()
        .flatten()
        .collect();
    found.sort_by_key(|(minute, _)| *minute);
    let alerts =
        found.into_iter().map(|(minute, kind)| Alert { kind, starts_at: timestamp(minute) }).collect();
    Ok(Alerts { city: city.name, alerts })
}

#[derive(Serialize, JsonSchema)]
struct Cities {
    /// The cities.
    cities: Vec<Place>,
}

#[derive(Serialize, JsonSchema)]
struct Place {
    /// Name of the city.
    city: &'static str,
    /// The country that it lies in.
    country: &'static str,
    /// Its IANA timezone.
    timezone: &'static str,
    /// Degrees north.
    latitude: f64,
    /// Degrees east.
    longitude: f64,
}

fn list_cities(_: &Moment, _: &Nothing) -> Result<Cities, Refusal> {
    let place = |city: &City| Place {
        city: city.name,
        country: city.country,
        timezone: city.timezone,
        latitude: city.latitude,
        longitude: city.longitude,
    };
    Ok(Cities { cities: CITIES.iter().map(place).collect() })
}

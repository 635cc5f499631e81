//! The cities, and a sample climate: every method reads its weather from here.

use std::f64::consts::TAU;

use jiff::Zoned;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::moment::{DAY, HOUR, Moment, midnight, timestamp};
use crate::refusal::Refusal;
use crate::source::{Source, real, rounded};

/// A city and its climate.
#[derive(Debug)]
pub(super) struct City {
    /// Its name.
    pub(super) name: &'static str,
    /// The country that it lies in.
    pub(super) country: &'static str,
    /// Its IANA timezone.
    pub(super) timezone: &'static str,
    /// Degrees north.
    pub(super) latitude: f64,
    /// Degrees east.
    pub(super) longitude: f64,
    /// Mean temperature of a year in degrees Celsius, and by how much summer lies above it.
    temperature: (f64, f64),
}

/// What the sky does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Sky {
    Clear,
    Cloudy,
    Overcast,
    Rain,
    Storm,
}

/// Which city, in the arguments of most methods.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CityOf {
    /// Name of the city, one of those that `list_cities` returns.
    #[schemars(example = &"London", example = &"Tokyo")]
    pub(super) city: String,
}

/// The city with this name, however it is written.
pub(super) fn city(name: &str) -> Result<&'static City, Refusal> {
    let wanted = name.trim().to_lowercase();
    CITIES.iter().find(|city| city.name.to_lowercase() == wanted).ok_or_else(|| {
        let names: Vec<_> = CITIES.iter().map(|city| city.name).collect();
        Refusal::argument("city", format!("`{name}` is not covered; covered are {}", names.join(", ")))
    })
}

impl City {
    /// Temperature at a minute, in degrees Celsius.
    pub(super) fn temperature(&self, at: &Moment, minute: i64) -> f64 {
        let (mean, summer) = self.temperature;
        let day_of_year = real(minute.div_euclid(DAY)).rem_euclid(365.25);
        let season = (TAU * (day_of_year - 200.0) / 365.25).cos() * self.latitude.signum();
        let solar_hour = real(minute.rem_euclid(DAY)) / real(HOUR) + self.longitude / 15.0;
        let daytime = (TAU * (solar_hour - 15.0) / 24.0).cos();
        let passing = self.source(at).of("temperature").drift(minute);
        rounded(mean + summer * season + 3.5 * daytime + 6.0 * passing, 1)
    }

    /// How wet it is, from 0 to 1: the sky and the rain follow from it.
    fn wetness(&self, at: &Moment, minute: i64) -> f64 {
        0.5 + 0.5 * self.source(at).of("wetness").drift(minute)
    }

    /// What the sky does at a minute.
    pub(super) fn sky(&self, at: &Moment, minute: i64) -> Sky {
        match self.wetness(at, minute) {
            wetness if wetness < 0.4 => Sky::Clear,
            wetness if wetness < 0.55 => Sky::Cloudy,
            wetness if wetness < 0.65 => Sky::Overcast,
            wetness if wetness < 0.85 => Sky::Rain,
            _ => Sky::Storm,
        }
    }

    /// Relative humidity at a minute, in percent.
    pub(super) fn humidity(&self, at: &Moment, minute: i64) -> f64 {
        rounded(35.0 + 60.0 * self.wetness(at, minute), 0)
    }

    /// Wind speed at a minute, in kilometres an hour.
    pub(super) fn wind(&self, at: &Moment, minute: i64) -> f64 {
        rounded(16.0 + 15.0 * self.source(at).of("wind").drift(minute), 1)
    }

    /// Rain in the hour that starts at a minute, in millimetres.
    pub(super) fn rain(&self, at: &Moment, minute: i64) -> f64 {
        rounded(9.0 * (self.wetness(at, minute) - 0.65).max(0.0), 1)
    }

    /// The source of what is true of the city.
    pub(super) fn source(&self, at: &Moment) -> Source {
        at.source("city").of(self.name)
    }

    /// The date in the city.
    pub(super) fn today(&self, at: &Moment) -> Date {
        self.local(at.minute()).date()
    }

    /// A minute as its clocks tell it.
    pub(super) fn local(&self, minute: i64) -> Zoned {
        timestamp(minute).to_zoned(TimeZone::get(self.timezone).unwrap_or(TimeZone::UTC))
    }

    /// The weather of one date.
    pub(super) fn day(&self, at: &Moment, date: Date) -> Day {
        // The city's day by the sun: near enough to its civil day for a sample.
        let start = midnight(date) - crate::source::whole(self.longitude * 4.0);
        let hours = || (0..24).map(|hour| start + hour * HOUR);
        let temperatures = || hours().map(|minute| self.temperature(at, minute));
        Day {
            date,
            sky: self.sky(at, start + 12 * HOUR),
            high_celsius: temperatures().fold(f64::NEG_INFINITY, f64::max),
            low_celsius: temperatures().fold(f64::INFINITY, f64::min),
            precipitation_mm: rounded(hours().map(|minute| self.rain(at, minute)).sum(), 1),
            wind_max_kmh: hours().map(|minute| self.wind(at, minute)).fold(0.0, f64::max),
        }
    }
}

/// The weather of one date in a city.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Day {
    /// The date in the city.
    pub(super) date: Date,
    /// The sky at noon.
    sky: Sky,
    /// Highest temperature in degrees Celsius.
    high_celsius: f64,
    /// Lowest temperature in degrees Celsius.
    low_celsius: f64,
    /// Rain in millimetres.
    precipitation_mm: f64,
    /// Highest wind speed in kilometres an hour.
    wind_max_kmh: f64,
}

/// Every city.
pub(super) static CITIES: [City; 14] = [
    city_of("London", "United Kingdom", "Europe/London", (51.5, -0.13), (11.3, 7.0)),
    city_of("Paris", "France", "Europe/Paris", (48.86, 2.35), (12.4, 8.0)),
    city_of("Berlin", "Germany", "Europe/Berlin", (52.52, 13.4), (10.0, 10.0)),
    city_of("Madrid", "Spain", "Europe/Madrid", (40.42, -3.7), (15.0, 10.0)),
    city_of("Reykjavik", "Iceland", "Atlantic/Reykjavik", (64.15, -21.94), (5.0, 5.5)),
    city_of("New York", "United States", "America/New_York", (40.71, -74.01), (12.9, 12.0)),
    city_of("San Francisco", "United States", "America/Los_Angeles", (37.77, -122.42), (14.6, 3.5)),
    city_of("Toronto", "Canada", "America/Toronto", (43.65, -79.38), (9.4, 13.0)),
    city_of("Sao Paulo", "Brazil", "America/Sao_Paulo", (-23.55, -46.63), (19.7, 3.5)),
    city_of("Cape Town", "South Africa", "Africa/Johannesburg", (-33.92, 18.42), (17.2, 4.5)),
    city_of("Dubai", "United Arab Emirates", "Asia/Dubai", (25.2, 55.27), (28.2, 8.5)),
    city_of("Singapore", "Singapore", "Asia/Singapore", (1.35, 103.82), (27.8, 0.7)),
    city_of("Tokyo", "Japan", "Asia/Tokyo", (35.68, 139.69), (15.8, 10.5)),
    city_of("Sydney", "Australia", "Australia/Sydney", (-33.87, 151.21), (18.2, 5.5)),
];

const fn city_of(
    name: &'static str,
    country: &'static str,
    timezone: &'static str,
    (latitude, longitude): (f64, f64),
    temperature: (f64, f64),
) -> City {
    City { name, country, timezone, latitude, longitude, temperature }
}

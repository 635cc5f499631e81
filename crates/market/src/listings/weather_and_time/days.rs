//! The weather of whole days: ahead and past.

use std::time::Duration;

use jiff::Span;
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::climate::{self, Day};
use crate::method::Method;
use crate::moment::Moment;
use crate::refusal::Refusal;
use crate::vocabulary::Count;

pub(super) fn methods() -> Vec<Method> {
    vec![
        Method::read(
            "get_forecast",
            "Weather forecast",
            "The weather forecast of one city by day, from today on: high and low temperature, sky, rain and \
             wind. A city that list_cities does not return is an error.",
            forecast,
        )
        .fast(),
        Method::read(
            "get_weather_history",
            "Past weather",
            "The weather that one city had on a past date. Takes a moment. Today, a date in the future and a \
             city that list_cities does not return are errors.",
            weather_history,
        )
        .slow(Duration::from_millis(30))
        .priced("0.0030")
        .paced(1_200, 4),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ForecastOf {
    /// Name of the city, one of those that `list_cities` returns.
    #[schemars(example = &"London", example = &"Tokyo")]
    city: String,
    /// How many days, today among them.
    #[serde(default)]
    days: Count<5, 14>,
}

#[derive(Serialize, JsonSchema)]
struct Forecast {
    /// The city.
    city: &'static str,
    /// The days, today first.
    days: Vec<Day>,
}

fn forecast(at: &Moment, ask: &ForecastOf) -> Result<Forecast, Refusal> {
    let city = climate::city(&ask.city)?;
    let dates = city.today(at).series(Span::new().days(1)).take(ask.days.get());
    Ok(Forecast { city: city.name, days: dates.map(|date| city.day(at, date)).collect() })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct HistoryOf {
    /// Name of the city, one of those that `list_cities` returns.
    #[schemars(example = &"London")]
    city: String,
    /// The past date in the city, YYYY-MM-DD.
    #[schemars(example = &"2026-01-15")]
    date: Date,
}

#[derive(Serialize, JsonSchema)]
struct PastWeather {
    /// The city.
    city: &'static str,
    #[serde(flatten)]
    day: Day,
}

fn weather_history(at: &Moment, ask: &HistoryOf) -> Result<PastWeather, Refusal> {
    let city = climate::city(&ask.city)?;
    let today = city.today(at);
    if ask.date >= today {
        let reason =
            format!("{} is not in the past; give a date before {today}, or use get_forecast", ask.date);
        return Err(Refusal::argument("date", reason));
    }
    Ok(PastWeather { city: city.name, day: city.day(at, ask.date) })
}

//! Times and zones.

use domain::Method;
use serde_json::{Value, json};

use super::{flows, method, question, search, values};
use crate::bind::{Parameters, Source, bind, days};

#[test]
fn a_place_and_its_country_are_in_one_zone() {
    let convert = method(
        "convert_time",
        "Converts a time from one timezone to another.",
        json!({"type": "object", "required": ["source_timezone", "target_timezone"], "properties": {
            "source_timezone": {"type": "string", "description": "IANA timezone"},
            "target_timezone": {"type": "string", "description": "IANA timezone"}}}),
    );
    let filled = |text: &str| values(text, &convert).as_object().unwrap().len();
    assert_eq!(filled("what is the time in Sydney, Australia?"), 1);
    assert_eq!(filled("what is the time in London, United Kingdom?"), 1);
    assert_eq!(filled("what is 9:00 in Sydney in Japan?"), 2);
}

#[test]
fn the_zone_of_a_wide_country_is_an_assumption() {
    let clock = method(
        "get_time",
        "The time of day in a timezone.",
        json!({"type": "object", "required": ["timezone"], "properties": {
            "timezone": {"type": "string", "description": "IANA timezone"}}}),
    );
    let parameters = Parameters::of(&clock);
    let source = |text: &str| bind(&question(text), &parameters).arguments[0].bound().unwrap().source.clone();
    assert!(
        matches!(source("what time is it in the US"), Source::Implied { why, .. } if why.contains("America/New_York"))
    );
    for text in ["what time is it in Sydney, Australia", "what time is it in Japan"] {
        assert!(matches!(source(text), Source::Said { .. }), "{text}");
    }
}

#[test]
fn what_is_before_a_time_starts_not_there() {
    let news = method(
        "search_news",
        "Articles.",
        json!({"type": "object", "properties": {
            "since": {"type": "string", "format": "date", "description": "The first day"},
            "until": {"type": "string", "format": "date", "description": "The last day"},
            "window": {"type": "string", "description": "How far back", "enum": ["24h", "7d"]}}}),
    );
    let told = values("articles before 10 March", &news);
    assert_eq!((&told["since"], &told["window"]), (&Value::Null, &Value::Null), "{told}");
    assert_eq!(values("articles since 10 March", &news)["since"], "2026-03-10");
}

#[test]
fn how_something_went_ends_now_where_the_time_goes_on() {
    let told = |name: &str| {
        let rates = method(
            name,
            "Rates between two dates.",
            json!({"type": "object", "properties": {
                "from": {"type": "string", "format": "date", "description": "The first day"},
                "to": {"type": "string", "format": "date", "description": "The last day"}}}),
        );
        values("rates this month", &rates)["to"].clone()
    };
    assert_eq!((told("get_rate_history"), told("list_rates")), (json!("2026-03-18"), json!("2026-03-31")));
}

#[test]
fn the_past_is_not_told_of_the_future() {
    let history = method(
        "get_weather_history",
        "The weather of a day.",
        json!({"type": "object", "required": ["date"], "properties": {
            "date": {"type": "string", "description": "The past date, YYYY-MM-DD"}
        }}),
    );
    assert_eq!(values("Weather on 5 March 2026", &history), json!({"date": "2026-03-05"}));
    assert_eq!(values("Weather tomorrow", &history), json!({}));
}

#[test]
fn zones_and_times_of_day() {
    let now = method(
        "get_current_time",
        "Get current time in a specific timezones",
        json!({"type": "object", "required": ["timezone"], "properties": {"timezone": {"type": "string",
            "description": "IANA timezone name (e.g., 'America/New_York', 'Europe/London'). Use 'UTC' as local timezone if no timezone provided by the user."}}}),
    );
    assert_eq!(values("What time is it in Tokyo?", &now), json!({"timezone": "Asia/Tokyo"}));
    assert_eq!(
        values("what time is it in new york right now", &now),
        json!({"timezone": "America/New_York"})
    );
    assert_eq!(values("What time is it?", &now), json!({"timezone": "UTC"}));
    let convert = method(
        "convert_time",
        "Convert time between timezones",
        json!({"type": "object", "required": ["source_timezone", "time", "target_timezone"], "properties": {
            "source_timezone": {"type": "string", "description": "Source IANA timezone name (e.g., 'America/New_York')."},
            "time": {"type": "string", "description": "Time to convert in 24-hour format (HH:MM)"},
            "target_timezone": {"type": "string", "description": "Target IANA timezone name (e.g., 'Asia/Tokyo')."}
        }}),
    );
    let expected =
        json!({"source_timezone": "Asia/Tokyo", "time": "15:00", "target_timezone": "Europe/London"});
    assert_eq!(values("If it is 15:00 in Tokyo, what time is it in London?", &convert), expected);
    assert_eq!(values("Convert 3pm from Tokyo to London", &convert), expected);
    assert_eq!(values("noon from Tokyo to London", &convert)["time"], json!("12:00"));
    for text in ["3pm Tokyo in London time", "What is 15:00 in Tokyo in London?", "3pm Tokyo time, in London"]
    {
        assert_eq!(values(text, &convert), expected, "{text}");
    }
}

#[test]
fn days_to_come_are_reached_from_today() {
    let forecast = method(
        "get_forecast",
        "The weather forecast by day, from today on.",
        json!({"type": "object", "properties": {"days": {"type": "integer", "minimum": 1, "maximum": 14,
            "description": "Number of days"}}}),
    );
    // 18 March 2026 is a Wednesday.
    assert_eq!(values("Rain this weekend?", &forecast), json!({"days": 5}));
    assert_eq!(values("Rain tomorrow?", &forecast), json!({"days": 2}));
    assert_eq!(values("Rain in the next 3 days?", &forecast), json!({"days": 3}));
    // A day that is three days ahead is the fourth.
    for text in ["Will it rain in 3 days?", "Rain three days from now?"] {
        assert_eq!(values(text, &forecast), json!({"days": 4}), "{text}");
    }
    assert_eq!(values("Rain three months from now?", &forecast), json!({}));
}

#[test]
fn of_many_times_only_the_named_or_the_plain_one_is_filled() {
    let markets = method(
        "get_markets",
        "List markets",
        json!({"type": "object", "properties": {
            "minUpdatedTs": {"type": "integer", "description": "Unix seconds"},
            "minClosedTs": {"type": "integer", "description": "Unix seconds"},
            "startTs": {"type": "integer", "description": "Unix seconds"}}}),
    );
    assert_eq!(values("markets since 2026-03-01", &markets), json!({"startTs": 1_772_323_200}));
}

#[test]
fn a_stretch_of_days_has_both_ends() {
    let history = method(
        "get_rate_history",
        "The rate of each day.",
        json!({"type": "object", "properties": {
            "from": {"type": "string", "format": "date", "description": "The first date"},
            "to": {"type": "string", "format": "date", "description": "The last date"}
        }}),
    );
    let days = json!({"from": "2026-03-01", "to": "2026-03-15"});
    for text in
        ["from 1 to 15 March", "from March 1 to March 15", "from 2026-03-01 to 2026-03-15", "March 1-15"]
    {
        assert_eq!(values(&format!("daily rates {text}"), &history), days, "{text}");
    }
    assert_eq!(values("daily rates from March 1", &history)["from"], "2026-03-01");
}

#[test]
fn what_is_over_is_not_forecast() {
    let of = |name: &str| {
        let days = json!({"type": "integer", "description": "How many days", "minimum": 1, "maximum": 14});
        method(name, "The weather by day.", json!({"type": "object", "properties": {"days": days}}))
    };
    let (forecast, weather) = (of("get_forecast"), of("get_weather"));
    assert_eq!(values("weather in Rome last week", &forecast), json!({}));
    assert_eq!(values("weather in Rome last week", &weather), json!({"days": 7}));
    assert_eq!(values("weather in Rome for the next 3 days", &forecast), json!({"days": 3}));
}

#[test]
fn what_is_cut_by_day_is_still_of_two_weeks() {
    let told = values("BTC flow into OKX per day over the last two weeks", &flows());
    assert_eq!(told["window"], "30d");
    assert_eq!(values("daily BTC flow into OKX", &flows())["window"], "24h");
}

#[test]
fn what_leads_to_a_time_is_not_searched_for() {
    assert_eq!(values("news on inflation since March 3", &search()), json!({"query": "inflation"}));
    assert_eq!(values("news on life after death", &search()), json!({"query": "life after death"}));
}

#[test]
fn what_counts_from_now_tells_of_no_time_that_is_over_or_to_come() {
    let of = |name: &str| {
        let window = json!({"type": "string", "enum": ["24h", "7d", "30d"], "default": "24h"});
        method(name, "The rates.", json!({"type": "object", "properties": {"window": window}}))
    };
    let (rates, forecast) = (of("get_rates"), of("get_rates_forecast"));
    assert_eq!(values("rates over the last week", &rates), json!({"window": "7d"}));
    assert_eq!(values("rates yesterday", &rates), json!({"window": "24h"}));
    assert_eq!(values("rates in January", &rates), json!({}));
    assert_eq!(values("rates over the next 7 days", &rates), json!({}));
    assert_eq!(values("rates over the next 7 days", &forecast), json!({"window": "7d"}));
}

#[test]
fn a_course_reaches_back_to_what_is_over() {
    let of = |name: &str| {
        let window = json!({"type": "string", "enum": ["24h", "7d", "30d"], "default": "24h"});
        method(name, "The rates.", json!({"type": "object", "properties": {"window": window}}))
    };
    let (history, rates) = (of("get_rate_history"), of("get_rates"));
    for (text, window) in [
        ("the rates yesterday", json!({"window": "7d"})),
        ("the rates 3 days ago", json!({"window": "7d"})),
        ("the rates on 25 February 2026", json!({"window": "30d"})),
        ("the rates over the last week", json!({"window": "7d"})),
        // No window is that long.
        ("the rates on 10 November 2021", json!({})),
    ] {
        assert_eq!(values(text, &history), window, "{text}");
    }
    assert_eq!(values("the rates 3 days ago", &rates), json!({}));
    let days = json!({"type": "integer", "description": "How many days back", "minimum": 1, "maximum": 90});
    let counted =
        method("get_rate_history", "The rates.", json!({"type": "object", "properties": {"days": days}}));
    assert_eq!(values("the rates 3 days ago", &counted), json!({"days": 3}));
    assert_eq!(values("the rates on 10 November 2021", &counted), json!({}));
}

#[test]
fn an_argument_for_one_day_has_each_day_of_a_stretch() {
    let day = json!({"type": "string", "format": "date", "description": "The date"});
    let count = json!({"type": "integer", "description": "How many days from the date on"});
    let of = |properties: Value| {
        method("get_weather", "The weather of one day.", json!({"type": "object", "properties": properties}))
    };
    let days = |text: &str, method: &Method| {
        let (question, parameters) = (question(text), Parameters::of(method));
        days(&question, &parameters, &bind(&question, &parameters), "date")
    };
    let alone = of(json!({"date": day}));
    // Today, 18 March, is not yet over.
    let week = days("the weather last week", &alone);
    assert_eq!((week.len(), &week[0], &week[6]), (7, &json!("2026-03-11"), &json!("2026-03-17")));
    assert_eq!(days("the weather from 2 to 3 March", &alone), ["2026-03-02", "2026-03-03"]);
    assert_eq!(days("the weather yesterday", &alone).len(), 1);
    assert_eq!(days("the weather of 12 cities", &alone).len(), 0);
    // What takes the stretch by its length is asked once.
    assert_eq!(days("the weather of the last 3 days", &of(json!({"date": day, "days": count}))).len(), 0);
}

#[test]
fn a_range_of_days_is_told_by_its_ends_in_whatever_shape() {
    let of = |schema: Value| {
        let properties = json!({"type": "object", "properties": {"date_range": schema}});
        let stays = method("find_stays", "Finds places to stay.", properties);
        values("Find a place to stay from May 14 to May 16", &stays)["date_range"].clone()
    };
    let day = json!({"type": "string", "format": "date"});
    assert_eq!(
        of(json!({"type": "string", "description": "The dates of the stay"})),
        "2026-05-14 to 2026-05-16"
    );
    assert_eq!(of(json!({"type": "array", "items": day})), json!(["2026-05-14", "2026-05-16"]));
    let ends =
        json!({"type": "object", "properties": {"start": day, "end": day}, "required": ["start", "end"]});
    assert_eq!(of(ends), json!({"start": "2026-05-14", "end": "2026-05-16"}));
}

#[test]
fn an_instant_has_the_time_of_day_that_is_said() {
    let of = |schema: Value, text: &str| {
        let properties = json!({"type": "object", "properties": {"alarm_time": schema}});
        values(text, &method("set_alarm", "Sets an alarm.", properties))["alarm_time"].clone()
    };
    let text = json!({"type": "string", "description": "When, in the format YYYY-MM-DD HH:MM:SS"});
    let seconds = json!({"type": "integer", "description": "The unix timestamp in seconds"});
    assert_eq!(of(text.clone(), "Set an alarm on 3/22/2026 at 5 PM"), "2026-03-22 17:00:00");
    assert_eq!(of(text.clone(), "Set an alarm tomorrow 7:30"), "2026-03-19 07:30:00");
    // It is half past two in the afternoon.
    assert_eq!(of(text.clone(), "Set an alarm for 11 PM"), "2026-03-18 23:00:00");
    assert_eq!(of(text, "Set an alarm for 11 AM"), "2026-03-19 11:00:00");
    assert_eq!(of(seconds, "Set an alarm on 2026-03-22 at 17:00"), json!(1_774_198_800));
}

#[test]
fn a_stretch_may_have_a_time_of_day_at_each_end() {
    let end = json!({"type": "string", "format": "date-time"});
    let schema =
        json!({"type": "object", "required": ["start", "end"], "properties": {"start": end, "end": end}});
    let forecast = method("get_forecast", "Forecasts the weather.", schema);
    for (text, start, end) in [
        ("from May 28 12:00 to May 29 15:00", "2026-05-28T12:00:00Z", "2026-05-29T15:00:00Z"),
        ("from 9am to 5pm on May 28", "2026-05-28T09:00:00Z", "2026-05-28T17:00:00Z"),
        ("tomorrow from 9 to 17:00", "2026-03-19T09:00:00Z", "2026-03-19T17:00:00Z"),
        ("between 9am and 11am tomorrow", "2026-03-19T09:00:00Z", "2026-03-19T11:00:00Z"),
    ] {
        assert_eq!(values(text, &forecast), json!({"start": start, "end": end}), "{text}");
    }
}

#[test]
fn a_bare_length_is_how_far_back_where_no_time_is_named() {
    let window = |text: &str| values(text, &flows())["window"].as_str().map(str::to_owned);
    for text in ["BTC flow at OKX, 30 days", "BTC flow at OKX for a month", "BTC at OKX, one month please"] {
        assert_eq!(window(text).as_deref(), Some("30d"), "{text}");
    }
    assert_eq!(window("BTC flow at OKX over the week").as_deref(), Some("7d"));
    assert_eq!(window("BTC flow at OKX, 24 hours").as_deref(), Some("24h"));
    assert_eq!(window("BTC flow at OKX in the last hour, not 30 days").as_deref(), Some("1h"));
}

#[test]
fn a_time_far_longer_than_any_that_is_listed_is_asked_for() {
    let parameters = Parameters::of(&flows());
    let window = |text: &str| bind(&question(text), &parameters).argument("window").unwrap().clone();
    for (text, said) in [
        ("ETH flow at Kraken over the last year", "last year"),
        ("ETH flow at Kraken in the past 90 days", "past 90 days"),
    ] {
        let window = window(text);
        assert!(window.is_left_open && window.is_required, "{text}");
        assert_eq!(window.refused().map(|refused| refused.said.as_str()), Some(said));
    }
    let near = window("ETH flow at Kraken over the last 45 days");
    assert_eq!(near.bound().map(|bound| bound.value.clone()), Some(json!("30d")));
    assert!(!window("ETH flow at Kraken").is_left_open);
}

//! Rates on past days, and how they changed.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::table::{self, Currency};
use crate::method::Method;
use crate::moment::{DAY, Moment, midnight};
use crate::refusal::Refusal;
use crate::source::rounded;
use crate::vocabulary::Window;

/// The most days of one history.
const DAYS_MAX: usize = 366;

pub(super) fn methods() -> Vec<Method> {
    vec![
        Method::read(
            "get_rate_history",
            "Rate on past days",
            "The closing exchange rate of one currency pair on every day between two dates, oldest first; \
             today's is the rate now. At most 366 days, none in the future.",
            rate_history,
        )
        .fast()
        .priced("0.0020"),
        Method::read(
            "get_rate_change",
            "Change of a rate",
            "By how much the exchange rate of one currency pair changed over a window, absolute and in \
             percent.",
            rate_change,
        ),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct HistoryOf {
    /// ISO 4217 code of the base currency.
    #[schemars(example = Currency::Eur)]
    base: Currency,
    /// ISO 4217 code of the quote currency.
    #[schemars(example = Currency::Usd)]
    quote: Currency,
    /// The first date in UTC, YYYY-MM-DD; a week before `to` where it is absent.
    #[schemars(example = &"2026-01-05")]
    from: Option<Date>,
    /// The last date in UTC, YYYY-MM-DD; today where it is absent.
    #[schemars(example = &"2026-01-16")]
    to: Option<Date>,
}

#[derive(Serialize, JsonSchema)]
struct RateHistory {
    /// The base currency.
    base: Currency,
    /// The quote currency.
    quote: Currency,
    /// The days, oldest first.
    points: Vec<DayRate>,
}

#[derive(Serialize, JsonSchema)]
struct DayRate {
    /// The date in UTC.
    date: Date,
    /// Units of the quote currency for one unit of the base currency at the end of that day, or now.
    rate: f64,
}

fn rate_history(at: &Moment, ask: &HistoryOf) -> Result<RateHistory, Refusal> {
    let to = ask.to.unwrap_or(at.today());
    if to > at.today() {
        return Err(Refusal::argument(
            "to",
            format!("{to} is in the future; give a date up to {}", at.today()),
        ));
    }
    let from = ask.from.unwrap_or_else(|| to.saturating_sub(jiff::Span::new().days(6)));
    let days: Vec<Date> =
        from.series(jiff::Span::new().days(1)).take_while(|date| *date <= to).take(DAYS_MAX + 1).collect();
    if days.is_empty() || days.len() > DAYS_MAX {
        return Err(Refusal::argument(
            "from",
            format!("give a date up to {to}, and at most {DAYS_MAX} days before it"),
        ));
    }
    let day = |date: Date| DayRate {
        date,
        rate: table::rate(at, ask.base, ask.quote, at.minute().min(midnight(date) + DAY)),
    };
    Ok(RateHistory { base: ask.base, quote: ask.quote, points: days.into_iter().map(day).collect() })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ChangeOf {
    /// ISO 4217 code of the base currency.
    #[schemars(example = Currency::Usd)]
    base: Currency,
    /// ISO 4217 code of the quote currency.
    #[schemars(example = Currency::Jpy)]
    quote: Currency,
    /// How far back from now.
    #[serde(default)]
    #[schemars(example = Window::Week)]
    window: Window,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct RateChange {
    /// The base currency.
    base: Currency,
    /// The quote currency.
    quote: Currency,
    /// The window asked for.
    window: Window,
    /// The rate at the start of the window.
    rate_before: f64,
    /// The rate now.
    rate_now: f64,
    /// The latter less the former.
    change: f64,
    /// The change in percent of the rate at the start.
    change_percent: f64,
}

fn rate_change(at: &Moment, ask: &ChangeOf) -> Result<RateChange, Refusal> {
    let rate = |minute| table::rate(at, ask.base, ask.quote, minute);
    let (before, now) = (rate(at.minute() - ask.window.minutes()), rate(at.minute()));
    Ok(RateChange {
        base: ask.base,
        quote: ask.quote,
        window: ask.window,
        rate_before: before,
        rate_now: now,
        change: rounded(now - before, 6),
        change_percent: rounded(100.0 * (now / before - 1.0), 3),
    })
}

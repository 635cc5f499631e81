//! What holding a perpetual costs.

use std::time::Duration;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::desk::{Underlying, VENUES, Venue};
use super::interest::AssetOver;
use crate::method::Method;
use crate::moment::{HOUR, Moment, timestamp};
use crate::refusal::Refusal;
use crate::source::rounded;
use crate::vocabulary::Window;

/// Hours between two payments.
const INTERVAL_HOURS: i64 = 8;
/// Payments in a year.
const PAYMENTS_A_YEAR: f64 = 3.0 * 365.0;

pub(super) fn methods() -> Vec<Method> {
    vec![
        Method::read(
            "get_funding_rate",
            "Funding rate now",
            "The current funding rate of the perpetual on one asset at one venue, as a percentage an 8-hour \
             interval and a year, with the time of the next payment. Positive means longs pay shorts.",
            funding_rate,
        ),
        Method::read(
            "get_funding_history",
            "Funding rate over time",
            "Past funding rates of the perpetual on one asset at one venue: one point an 8-hour interval, \
             oldest first, with their mean.",
            funding_history,
        )
        .fast()
        .priced("0.0020"),
        Method::read(
            "backtest_funding_carry",
            "Backtest a funding carry trade",
            "Backtests holding the asset and shorting its perpetual at the best-paying venue over a window: \
             the funding earned in percent. Slow.",
            backtest_funding_carry,
        )
        .slow(Duration::from_millis(40))
        .priced("0.0100")
        .paced(600, 2),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RateOf {
    /// Ticker of the asset.
    #[schemars(example = Underlying::Btc)]
    asset: Underlying,
    /// The venue.
    #[serde(default)]
    #[schemars(example = Venue::Okx)]
    venue: Venue,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct FundingRate {
    /// Ticker of the asset.
    asset: Underlying,
    /// The venue.
    venue: Venue,
    /// Rate of the present 8-hour interval, in percent.
    funding_rate_percent: f64,
    /// The same rate held for a year, in percent.
    annualized_percent: f64,
    /// Which side pays.
    payer: Payer,
    /// When the next payment is due, RFC 3339 in UTC.
    next_funding_at: Timestamp,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Payer {
    Longs,
    Shorts,
}

fn funding_rate(at: &Moment, ask: &RateOf) -> Result<FundingRate, Refusal> {
    let interval = interval(at.minute());
    let rate = rate(at, ask.asset, ask.venue, interval);
    Ok(FundingRate {
        asset: ask.asset,
        venue: ask.venue,
        funding_rate_percent: rate,
        annualized_percent: rounded(rate * PAYMENTS_A_YEAR, 2),
        payer: if rate >= 0.0 { Payer::Longs } else { Payer::Shorts },
        next_funding_at: timestamp((interval + 1) * INTERVAL_HOURS * HOUR),
    })
}

fn interval(minute: i64) -> i64 {
    minute.div_euclid(INTERVAL_HOURS * HOUR)
}

fn rate(at: &Moment, asset: Underlying, venue: Venue, interval: i64) -> f64 {
    let drift = asset.source(at, "funding", venue).drift(interval * INTERVAL_HOURS * HOUR);
    rounded(0.008 + 0.03 * drift, 4)
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RatesOf {
    /// Ticker of the asset.
    #[schemars(example = Underlying::Btc)]
    asset: Underlying,
    /// The venue.
    #[serde(default)]
    #[schemars(example = Venue::Okx)]
    venue: Venue,
    /// How far back from now.
    #[serde(default = "week")]
    #[schemars(example = Window::Week)]
    window: Window,
}

fn week() -> Window {
    Window::Week
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct FundingHistory {
    /// Ticker of the asset.
    asset: Underlying,
    /// The venue.
    venue: Venue,
    /// The window asked for.
    window: Window,
    /// Mean rate an interval, in percent.
    mean_rate_percent: f64,
    /// The intervals, oldest first; the last one is the present one.
    points: Vec<FundingPoint>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct FundingPoint {
    /// When the interval began, RFC 3339 in UTC.
    timestamp: Timestamp,
    /// Its rate, in percent.
    funding_rate_percent: f64,
}

fn funding_history(at: &Moment, ask: &RatesOf) -> Result<FundingHistory, Refusal> {
    let point = |interval: i64| FundingPoint {
        timestamp: timestamp(interval * INTERVAL_HOURS * HOUR),
        funding_rate_percent: rate(at, ask.asset, ask.venue, interval),
    };
    let points: Vec<_> = intervals(at, ask.window).map(point).collect();
    let mean = mean(points.iter().map(|point| point.funding_rate_percent));
    Ok(FundingHistory {
        asset: ask.asset,
        venue: ask.venue,
        window: ask.window,
        mean_rate_percent: rounded(mean, 4),
        points,
    })
}

fn intervals(at: &Moment, window: Window) -> impl Iterator<Item = i64> + use<> {
    interval(at.minute() - window.minutes())..=interval(at.minute())
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Backtest {
    /// Ticker of the asset.
    asset: Underlying,
    /// The window asked for.
    window: Window,
    /// The venue whose perpetual paid most.
    best_venue: Venue,
    /// Funding earned over the window, in percent of the position.
    earned_percent: f64,
    /// How many payments that were.
    payment_count: usize,
}

fn backtest_funding_carry(at: &Moment, ask: &AssetOver) -> Result<Backtest, Refusal> {
    let earned = |venue| -> f64 {
        intervals(at, ask.window).map(|interval| rate(at, ask.asset, venue, interval)).sum()
    };
    let best = VENUES
        .into_iter()
        .map(|venue| (venue, earned(venue)))
        .max_by(|left, right| left.1.total_cmp(&right.1));
    let (best_venue, earned_percent) = best.unwrap_or_default();
    Ok(Backtest {
        asset: ask.asset,
        window: ask.window,
        best_venue,
        earned_percent: rounded(earned_percent, 4),
        payment_count: intervals(at, ask.window).count(),
    })
}

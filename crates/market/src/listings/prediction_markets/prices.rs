//! The price of one market: now, over time, and which moved most.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::book::{self, EVENTS, Event, Market};
use crate::method::Method;
use crate::moment::{DAY, Moment, timestamp};
use crate::refusal::Refusal;
use crate::source::rounded;
use crate::vocabulary::{Count, Window};

pub(super) fn methods() -> Vec<Method> {
    vec![
        Method::read(
            "get_market_price",
            "Price of one market",
            "The current price of the market on one outcome, with best bid, best ask and the change over 24 \
             hours. One market a call.",
            market_price,
        )
        .batched_by("get_event_odds"),
        Method::read(
            "get_price_history",
            "Price history of one market",
            "How the price of the market on one outcome moved over a window: a time series, oldest first, \
             with first, last, lowest and highest price.",
            price_history,
        )
        .fast()
        .priced("0.0020"),
        Method::read(
            "get_price_movers",
            "Biggest price moves",
            "The outcomes whose prices moved most over a window, over all events, biggest move first.",
            price_movers,
        )
        .fast()
        .priced("0.0030"),
    ]
}

/// Which market.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MarketOf {
    /// The marketId that `get_event` or `get_event_odds` returns.
    #[schemars(example = &"mkt-1001-01")]
    pub(super) market_id: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct MarketPrice {
    /// The identifier of the market.
    market_id: String,
    /// The question of its event.
    event_title: &'static str,
    /// What would come true.
    outcome: &'static str,
    /// Price of a share that pays one US dollar.
    price: f64,
    /// Best price that a buyer offers.
    best_bid: f64,
    /// Best price that a seller asks.
    best_ask: f64,
    /// The price less that of 24 hours ago.
    change24h: f64,
}

fn market_price(at: &Moment, ask: &MarketOf) -> Result<MarketPrice, Refusal> {
    let market = book::market("market_id", &ask.market_id)?;
    let price = market.price(at, at.minute());
    Ok(MarketPrice {
        market_id: market.id(),
        event_title: market.event.title,
        outcome: market.outcome(),
        price,
        best_bid: level(price, -1),
        best_ask: level(price, 1),
        change24h: rounded(price - market.price(at, at.minute() - DAY), 3),
    })
}

/// The price so many levels of the order book above (or below) the last one.
pub(super) fn level(price: f64, levels: i32) -> f64 {
    rounded((price + 0.002 * f64::from(levels)).clamp(0.0, 1.0), 3)
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct HistoryOf {
    /// The marketId that `get_event` or `get_event_odds` returns.
    #[schemars(example = &"mkt-1001-01")]
    market_id: String,
    /// How far back from now.
    #[serde(default)]
    #[schemars(example = Window::Week)]
    window: Window,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PriceHistory {
    /// The identifier of the market.
    market_id: String,
    /// What would come true.
    outcome: &'static str,
    /// The window asked for.
    window: Window,
    /// Price at the start of the window.
    first_price: f64,
    /// Price now.
    last_price: f64,
    /// Lowest price of the series.
    low_price: f64,
    /// Highest price of the series.
    high_price: f64,
    /// The series, oldest first; the last point is now.
    points: Vec<PricePoint>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PricePoint {
    /// When, RFC 3339 in UTC.
    timestamp: Timestamp,
    /// The price then.
    price: f64,
}

fn price_history(at: &Moment, ask: &HistoryOf) -> Result<PriceHistory, Refusal> {
    let market = book::market("market_id", &ask.market_id)?;
    let point = |minute| PricePoint { timestamp: timestamp(minute), price: market.price(at, minute) };
    let points: Vec<_> = ask.window.series(at.minute()).map(point).collect();
    let last_price = market.price(at, at.minute());
    let prices = || points.iter().map(|point| point.price);
    Ok(PriceHistory {
        market_id: market.id(),
        outcome: market.outcome(),
        window: ask.window,
        first_price: prices().next().unwrap_or(last_price),
        last_price,
        low_price: prices().fold(last_price, f64::min),
        high_price: prices().fold(last_price, f64::max),
        points,
    })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MoversOf {
    /// How far back from now.
    #[serde(default)]
    window: Window,
    /// How many outcomes at most.
    #[serde(default)]
    limit: Count<5, 20>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Movers {
    /// The window asked for.
    window: Window,
    /// The outcomes that moved, biggest move first.
    movers: Vec<Mover>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Mover {
    /// The identifier of the market.
    market_id: String,
    /// The question of its event.
    event_title: &'static str,
    /// What would come true.
    outcome: &'static str,
    /// The price now.
    price: f64,
    /// The price now less that at the start of the window.
    change: f64,
}

fn price_movers(at: &Moment, ask: &MoversOf) -> Result<Movers, Refusal> {
    let start = at.minute() - ask.window.minutes();
    let mover = |((market, price), before): ((Market, f64), f64)| Mover {
        market_id: market.id(),
        event_title: market.event.title,
        outcome: market.outcome(),
        price,
        change: rounded(price - before, 3),
    };
    let of_event = |event: &'static Event| {
        let (now, before) = (event.prices(at, at.minute()), event.prices(at, start));
        event.markets().zip(now).zip(before).map(mover)
    };
    let mut movers: Vec<_> = EVENTS.iter().flat_map(of_event).collect();
    movers.sort_by(|left, right| right.change.abs().total_cmp(&left.change.abs()));
    movers.truncate(ask.limit.get());
    Ok(Movers { window: ask.window, movers })
}

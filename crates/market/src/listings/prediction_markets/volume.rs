//! How much was traded, and how much could be.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::book::{self, Market};
use crate::method::Method;
use crate::moment::{HOUR, Moment};
use crate::refusal::Refusal;
use crate::source::{real, rounded, whole};
use crate::vocabulary::Window;

pub(super) fn methods() -> Vec<Method> {
    vec![
        Method::read(
            "get_market_volume",
            "Volume and liquidity of one market",
            "How much was traded in the market on one outcome over a window, in US dollars, with its \
             liquidity and open interest. Says nothing about prices.",
            market_volume,
        ),
        Method::read(
            "get_event_volume",
            "Volume of an event by outcome",
            "How much was traded on each outcome of one event over a window, most traded first, with the \
             event's total.",
            event_volume,
        )
        .fast()
        .priced("0.0020"),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MarketVolumeOf {
    /// The marketId that `get_event` or `get_event_odds` returns.
    #[schemars(example = &"mkt-1001-01")]
    market_id: String,
    /// How far back from now.
    #[serde(default)]
    window: Window,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct MarketVolume {
    /// The identifier of the market.
    market_id: String,
    /// What would come true.
    outcome: &'static str,
    /// The window asked for.
    window: Window,
    /// Traded in the window, in US dollars.
    volume_usd: i64,
    /// Stands ready in the order book, in US dollars.
    liquidity_usd: i64,
    /// Shares that are held now.
    open_interest_shares: i64,
}

fn market_volume(at: &Moment, ask: &MarketVolumeOf) -> Result<MarketVolume, Refusal> {
    let market = book::market("market_id", &ask.market_id)?;
    let source = market.source(at);
    let held = source.of("held").between(4.0e6, 9.0e6) * (1.0 + 0.1 * source.of("held").drift(at.minute()));
    Ok(MarketVolume {
        market_id: market.id(),
        outcome: market.outcome(),
        window: ask.window,
        volume_usd: traded(at, market, ask.window),
        liquidity_usd: whole(source.of("liquidity").between(1.5e5, 9.0e5)),
        open_interest_shares: whole(held),
    })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EventVolumeOf {
    /// The eventId that `search_events` or `list_events` returns.
    #[schemars(example = &"evt-1001")]
    event_id: String,
    /// How far back from now.
    #[serde(default)]
    window: Window,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct EventVolume {
    /// The identifier of the event.
    event_id: String,
    /// The question.
    title: &'static str,
    /// The window asked for.
    window: Window,
    /// Traded in the window over all outcomes, in US dollars.
    total_volume_usd: i64,
    /// Traded on each outcome, most first.
    outcomes: Vec<OutcomeVolume>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct OutcomeVolume {
    /// The identifier of the market.
    market_id: String,
    /// What would come true.
    outcome: &'static str,
    /// Traded in the window, in US dollars.
    volume_usd: i64,
    /// Its share of the event's total, in percent.
    share_percent: f64,
}

fn event_volume(at: &Moment, ask: &EventVolumeOf) -> Result<EventVolume, Refusal> {
    let event = book::event(&ask.event_id)?;
    let total: i64 = event.markets().map(|market| traded(at, market, ask.window)).sum();
    let of_market = |market: Market| {
        let volume_usd = traded(at, market, ask.window);
        OutcomeVolume {
            market_id: market.id(),
            outcome: market.outcome(),
            volume_usd,
            share_percent: rounded(100.0 * real(volume_usd) / real(total.max(1)), 1),
        }
    };
    let mut outcomes: Vec<_> = event.markets().map(of_market).collect();
    outcomes.sort_by_key(|outcome| std::cmp::Reverse(outcome.volume_usd));
    Ok(EventVolume {
        event_id: event.id(),
        title: event.title,
        window: ask.window,
        total_volume_usd: total,
        outcomes,
    })
}

/// What was traded in a market over a window, in whole US dollars.
pub(super) fn traded(at: &Moment, market: Market, window: Window) -> i64 {
    let source = market.source(at).of("volume");
    let usual = source.between(4_000.0, 60_000.0);
    let last = at.minute().div_euclid(HOUR);
    (last - window.hours()..last).map(|hour| whole(usual * source.nth(hour).between(0.4, 1.6))).sum()
}

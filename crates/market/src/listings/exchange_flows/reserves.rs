//! What exchanges hold.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ledger::{self, Asset, Exchange};
use crate::method::Method;
use crate::moment::Moment;
use crate::refusal::Refusal;
use crate::source::{real, rounded, whole};
use crate::vocabulary::Window;

pub(super) fn methods() -> Vec<Method> {
    vec![Method::read(
        "get_exchange_reserves",
        "Reserves of one exchange",
        "How much of one asset one exchange holds on chain now, in units and US dollars, and how that \
         changed over 24 hours and 7 days. A stock, not a flow.",
        exchange_reserves,
    )]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReservesOf {
    /// The exchange, one of those that `list_exchanges` returns.
    #[schemars(example = Exchange::Coinbase)]
    exchange: Exchange,
    /// Ticker of the asset.
    #[schemars(example = Asset::Btc)]
    asset: Asset,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Reserves {
    /// The exchange.
    exchange: Exchange,
    /// Ticker of the asset.
    asset: Asset,
    /// Units held.
    reserve_native: f64,
    /// What they are worth in US dollars.
    reserve_usd: i64,
    /// Net flow of the last 24 hours in US dollars.
    change24h_usd: i64,
    /// Net flow of the last 7 days in US dollars.
    change7d_usd: i64,
    /// Net flow of the last 7 days as a percentage of the reserves.
    change7d_percent: f64,
}

fn exchange_reserves(at: &Moment, ask: &ReservesOf) -> Result<Reserves, Refusal> {
    let ReservesOf { exchange, asset } = *ask;
    let level = at.source("reserves").of(exchange.word()).of(asset.word());
    let price = asset.price(at, at.minute());
    let hours_of_flow = level.between(300.0, 420.0) * (1.0 + 0.03 * level.drift(at.minute()));
    let hourly = real(ledger::over(at, exchange, asset, Window::Month, at.minute()).inflow) / 720.0;
    let reserve_usd = whole(hourly * hours_of_flow);
    let net = |window| ledger::over(at, exchange, asset, window, at.minute()).net();
    Ok(Reserves {
        exchange,
        asset,
        reserve_native: ledger::units(reserve_usd, price),
        reserve_usd,
        change24h_usd: net(Window::Day),
        change7d_usd: net(Window::Week),
        change7d_percent: rounded(100.0 * real(net(Window::Week)) / real(reserve_usd.max(1)), 2),
    })
}

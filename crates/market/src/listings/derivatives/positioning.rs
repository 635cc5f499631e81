//! How traders are positioned: longs and shorts, futures against spot, puts against calls.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::desk::{Underlying, Venue};
use super::interest::{AssetOf, AssetOver, Kind, instruments};
use crate::method::Method;
use crate::moment::{Moment, timestamp};
use crate::refusal::Refusal;
use crate::source::{real, rounded, whole};
use crate::vocabulary::Window;

pub(super) fn methods() -> Vec<Method> {
    vec![
        Method::read(
            "get_long_short_ratio",
            "Long/short ratio",
            "The share of accounts that are long and short in perpetuals of one asset, and their ratio, as a \
             time series over a window that ends now.",
            long_short_ratio,
        ),
        Method::read(
            "get_basis",
            "Futures basis",
            "The basis of one instrument: its futures price over the spot price in US dollars and in \
             percent, annualized for quarterly futures. Takes an instrument_id of list_instruments.",
            basis,
        ),
        Method::read(
            "get_put_call_ratio",
            "Options put/call ratio",
            "The put/call ratio of options on one asset by open interest and by volume of the last 24 hours, \
             with implied volatility.",
            put_call_ratio,
        ),
    ]
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct LongShortRatio {
    /// Ticker of the asset.
    asset: Underlying,
    /// The window asked for.
    window: Window,
    /// Accounts that are long now, in percent.
    long_percent: f64,
    /// Accounts that are short now, in percent.
    short_percent: f64,
    /// Longs for each short now.
    long_short_ratio: f64,
    /// The series, oldest first; the last point is now.
    points: Vec<RatioPoint>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct RatioPoint {
    /// When, RFC 3339 in UTC.
    timestamp: Timestamp,
    /// Longs for each short then.
    long_short_ratio: f64,
}

fn long_short_ratio(at: &Moment, ask: &AssetOver) -> Result<LongShortRatio, Refusal> {
    let long = |minute| 52.0 + 14.0 * at.source("longs").of(ask.asset.word()).drift(minute);
    let ratio = |minute| rounded(long(minute) / (100.0 - long(minute)), 3);
    let point = |minute| RatioPoint { timestamp: timestamp(minute), long_short_ratio: ratio(minute) };
    let long_percent = rounded(long(at.minute()), 1);
    Ok(LongShortRatio {
        asset: ask.asset,
        window: ask.window,
        long_percent,
        short_percent: rounded(100.0 - long_percent, 1),
        long_short_ratio: ratio(at.minute()),
        points: ask.window.series(at.minute()).map(point).collect(),
    })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct BasisOf {
    /// The instrumentId that `list_instruments` returns.
    #[schemars(example = &"deribit:BTC-QUARTER")]
    instrument_id: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Basis {
    /// The identifier of the instrument.
    instrument_id: String,
    /// The asset that it is on.
    asset: Underlying,
    /// Where it trades.
    venue: Venue,
    /// Price of the asset itself in US dollars.
    spot_price_usd: f64,
    /// Price of the instrument in US dollars.
    futures_price_usd: f64,
    /// The latter less the former, in US dollars.
    basis_usd: f64,
    /// The basis in percent of the spot price.
    basis_percent: f64,
    /// The basis in percent a year; absent for perpetuals.
    #[serde(skip_serializing_if = "Option::is_none")]
    annualized_percent: Option<f64>,
}

fn basis(at: &Moment, ask: &BasisOf) -> Result<Basis, Refusal> {
    let unknown = || {
        let reason =
            format!("there is no instrument `{}`; take one that list_instruments returns", ask.instrument_id);
        Refusal::argument("instrument_id", reason)
    };
    let (instrument_id, asset, venue, kind) =
        instruments().find(|(id, ..)| *id == ask.instrument_id).ok_or_else(unknown)?;
    let drift = asset.source(at, "basis", venue).drift(at.minute());
    let percent = if kind == Kind::Perpetual { 0.05 * drift } else { 1.9 + 0.8 * drift };
    let spot = rounded(asset.price(at, at.minute()), 2);
    let futures = rounded(spot * (1.0 + percent / 100.0), 2);
    Ok(Basis {
        instrument_id,
        asset,
        venue,
        spot_price_usd: spot,
        futures_price_usd: futures,
        basis_usd: rounded(futures - spot, 2),
        basis_percent: rounded(100.0 * (futures / spot - 1.0), 3),
        annualized_percent: (kind == Kind::Quarterly).then(|| rounded(4.0 * percent, 2)),
    })
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PutCallRatio {
    /// Ticker of the asset.
    asset: Underlying,
    /// Open puts for each open call.
    ratio_by_open_interest: f64,
    /// Puts traded for each call traded in the last 24 hours.
    ratio_by_volume24h: f64,
    /// Open interest in puts, in US dollars.
    put_open_interest_usd: i64,
    /// Open interest in calls, in US dollars.
    call_open_interest_usd: i64,
    /// Implied volatility of at-the-money options that expire in 30 days, in percent a year.
    implied_volatility_percent: f64,
}

fn put_call_ratio(at: &Moment, ask: &AssetOf) -> Result<PutCallRatio, Refusal> {
    let level = |key: &str| at.source("options").of(ask.asset.word()).of(key).drift(at.minute());
    let calls = whole(21.0e9 * ask.asset.size() * (1.0 + 0.1 * level("calls")));
    let puts = whole(13.0e9 * ask.asset.size() * (1.0 + 0.15 * level("puts")));
    Ok(PutCallRatio {
        asset: ask.asset,
        ratio_by_open_interest: rounded(real(puts) / real(calls), 3),
        ratio_by_volume24h: rounded(0.7 + 0.3 * level("volume"), 3),
        put_open_interest_usd: puts,
        call_open_interest_usd: calls,
        implied_volatility_percent: rounded(52.0 + 18.0 * level("volatility"), 1),
    })
}

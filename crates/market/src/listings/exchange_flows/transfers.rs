//! Single large transfers to and from exchanges.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ledger::{self, Asset, EXCHANGES, Exchange};
use crate::method::Method;
use crate::moment::{HOUR, Moment, timestamp};
use crate::refusal::Refusal;
use crate::source::whole;
use crate::vocabulary::{Count, Cursor, Window, page};

pub(super) fn methods() -> Vec<Method> {
    vec![
        Method::read(
            "list_large_transfers",
            "Large transfers",
            "Single on-chain transfers of one asset to or from exchanges of at least a given size, newest \
             first, page by page: pass the nextCursor of a page to get the next one.",
            large_transfers,
        )
        .fast()
        .priced("0.0020"),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TransfersOf {
    /// Ticker of the asset.
    #[schemars(example = Asset::Btc)]
    asset: Asset,
    /// Only transfers to or from this exchange; all exchanges where it is absent.
    #[schemars(example = Exchange::Binance)]
    exchange: Option<Exchange>,
    /// How far back from now.
    #[serde(default)]
    window: Window,
    /// Least size of a transfer in US dollars.
    #[serde(default = "million")]
    #[schemars(example = 5_000_000)]
    min_usd: i64,
    /// How many transfers a page has at most.
    #[serde(default)]
    limit: Count<20, 100>,
    /// The nextCursor of the page before; absent for the first page.
    cursor: Option<Cursor>,
}

fn million() -> i64 {
    1_000_000
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Transfers {
    /// Ticker of the asset.
    asset: Asset,
    /// The window asked for.
    window: Window,
    /// How many transfers there are on all pages.
    total_count: usize,
    /// The transfers of this page, newest first.
    transfers: Vec<Transfer>,
    /// Pass it as cursor to get the next page; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Transfer {
    /// Hash of the transaction; a sample, on no chain.
    transaction_hash: String,
    /// When it was confirmed, RFC 3339 in UTC.
    timestamp: Timestamp,
    /// The exchange.
    exchange: Exchange,
    /// Whether it went into the exchange or out of it.
    direction: Way,
    /// Its size in US dollars.
    amount_usd: i64,
    /// Its size in units of the asset.
    amount_native: f64,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Way {
    Inflow,
    Outflow,
}

fn large_transfers(at: &Moment, ask: &TransfersOf) -> Result<Transfers, Refusal> {
    let first = (at.minute() - ask.window.minutes()).div_euclid(HOUR);
    let hours = (first..=at.minute().div_euclid(HOUR)).rev();
    let wanted: Vec<_> = hours
        .flat_map(|hour| in_hour(at, ask.asset, hour))
        .filter(|(minute, _)| (at.minute() - ask.window.minutes()..=at.minute()).contains(minute))
        .map(|(_, transfer)| transfer)
        .filter(|transfer| ask.exchange.is_none_or(|exchange| transfer.exchange == exchange))
        .filter(|transfer| transfer.amount_usd >= ask.min_usd)
        .collect();
    let total_count = wanted.len();
    let (transfers, next_cursor) = page(wanted, ask.cursor, ask.limit.get());
    Ok(Transfers { asset: ask.asset, window: ask.window, total_count, transfers, next_cursor })
}

/// The transfers of an hour, newest first: one in each half hour.
fn in_hour(at: &Moment, asset: Asset, hour: i64) -> [(i64, Transfer); 2] {
    [1, 0].map(|half| {
        let source = at.source("transfer").of(asset.word()).nth(2 * hour + half);
        let minute = hour * HOUR + 30 * half + whole(source.of("minute").between(0.0, 29.0));
        let amount_usd = whole(1_000_000.0 * 60_f64.powf(source.of("size").unit()));
        let transfer = Transfer {
            transaction_hash: format!("{:016x}", whole(source.of("hash").between(0.0, 9.0e15))),
            timestamp: timestamp(minute),
            exchange: source.of("exchange").pick(&EXCHANGES).copied().unwrap_or(Exchange::Binance),
            direction: if source.of("way").unit() < 0.5 { Way::Inflow } else { Way::Outflow },
            amount_usd,
            amount_native: ledger::units(amount_usd, asset.price(at, minute)),
        };
        (minute, transfer)
    })
}

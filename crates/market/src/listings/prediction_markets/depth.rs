//! Who stands ready to trade in a market, who traded, and who holds.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::book::{self, Market};
use super::prices::level;
use crate::method::Method;
use crate::moment::{Moment, timestamp};
use crate::refusal::Refusal;
use crate::source::{Source, real, rounded, whole};
use crate::vocabulary::{Count, Cursor, page};

/// How many recent trades are kept for paging.
const TRADES_KEPT: i64 = 120;
/// Minutes between two trades of a market.
const TRADE_EVERY: i64 = 4;

pub(super) fn methods() -> Vec<Method> {
    vec![
        Method::read(
            "get_order_book",
            "Order book depth",
            "The order book of the market on one outcome: bids and asks with the size at each price, the \
             spread and the dollars that stand on either side. How deep a market is, not how much was \
             traded.",
            order_book,
        ),
        Method::read(
            "get_recent_trades",
            "Recent trades",
            "Single recent trades in the market on one outcome, newest first, page by page.",
            recent_trades,
        ),
        Method::read(
            "get_top_holders",
            "Top holders",
            "The largest holders of shares of one outcome: who is positioned on it, with how many shares and \
             at which average price. The accounts are made up.",
            top_holders,
        )
        .fast()
        .priced("0.0030"),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DepthOf {
    /// The marketId that `get_event` or `get_event_odds` returns.
    #[schemars(example = &"mkt-1001-01")]
    market_id: String,
    /// How many price levels of each side.
    #[serde(default)]
    depth: Count<5, 20>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct OrderBook {
    /// The identifier of the market.
    market_id: String,
    /// What would come true.
    outcome: &'static str,
    /// What buyers offer, best price first.
    bids: Vec<Level>,
    /// What sellers ask, best price first.
    asks: Vec<Level>,
    /// Best ask less best bid.
    spread: f64,
    /// Dollars that the shown bids are worth.
    bid_depth_usd: i64,
    /// Dollars that the shown asks are worth.
    ask_depth_usd: i64,
}

#[derive(Serialize, JsonSchema)]
struct Level {
    /// Price of a share.
    price: f64,
    /// Shares at that price.
    size: i64,
}

fn order_book(at: &Moment, ask: &DepthOf) -> Result<OrderBook, Refusal> {
    let market = book::market("market_id", &ask.market_id)?;
    let side = |key, sign: i32| -> Vec<Level> {
        let source = market.source(at).of(key).nth(at.minute());
        let levels = (1..=20_i32).take(ask.depth.get());
        levels
            .map(|number| Level {
                price: level(market.price(at, at.minute()), sign * number),
                size: whole(source.nth(number.into()).between(800.0, 9000.0)),
            })
            .collect()
    };
    let (bids, asks) = (side("bids", -1), side("asks", 1));
    let worth = |levels: &[Level]| whole(levels.iter().map(|level| level.price * real(level.size)).sum());
    let best = |levels: &[Level]| levels.first().map_or(0.0, |level| level.price);
    Ok(OrderBook {
        market_id: market.id(),
        outcome: market.outcome(),
        spread: rounded(best(&asks) - best(&bids), 3),
        bid_depth_usd: worth(&bids),
        ask_depth_usd: worth(&asks),
        bids,
        asks,
    })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TradesOf {
    /// The marketId that `get_event` or `get_event_odds` returns.
    #[schemars(example = &"mkt-1001-01")]
    market_id: String,
    /// How many trades a page has at most.
    #[serde(default)]
    limit: Count<20, 100>,
    /// The nextCursor of the page before; absent for the first page.
    cursor: Option<Cursor>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Trades {
    /// The identifier of the market.
    market_id: String,
    /// What would come true.
    outcome: &'static str,
    /// The trades of this page, newest first.
    trades: Vec<Trade>,
    /// Pass it as cursor to get the next page; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Trade {
    /// When, RFC 3339 in UTC.
    timestamp: Timestamp,
    /// Whether the taker bought or sold.
    side: Side,
    /// Price of a share.
    price: f64,
    /// How many shares.
    shares: i64,
}

/// Whether shares are bought or sold.
#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Side {
    Buy,
    Sell,
}

fn recent_trades(at: &Moment, ask: &TradesOf) -> Result<Trades, Refusal> {
    let market = book::market("market_id", &ask.market_id)?;
    let last = at.minute().div_euclid(TRADE_EVERY);
    let trades = (0..TRADES_KEPT).map(|back| trade(at, market, last - back)).collect();
    let (trades, next_cursor) = page(trades, ask.cursor, ask.limit.get());
    Ok(Trades { market_id: market.id(), outcome: market.outcome(), trades, next_cursor })
}

fn trade(at: &Moment, market: Market, number: i64) -> Trade {
    let source = market.source(at).of("trade").nth(number);
    let minute = number * TRADE_EVERY;
    Trade {
        timestamp: timestamp(minute),
        side: if source.of("side").unit() < 0.5 { Side::Buy } else { Side::Sell },
        price: market.price(at, minute),
        shares: whole(source.of("shares").between(10.0, 2500.0)),
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct HoldersOf {
    /// The marketId that `get_event` or `get_event_odds` returns.
    #[schemars(example = &"mkt-1001-01")]
    market_id: String,
    /// How many holders at most.
    #[serde(default)]
    limit: Count<5, 20>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Holders {
    /// The identifier of the market.
    market_id: String,
    /// What would come true.
    outcome: &'static str,
    /// The holders, largest first.
    holders: Vec<Holder>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Holder {
    /// The account; made up.
    account: String,
    /// How many shares it holds.
    shares: i64,
    /// What they are worth now in US dollars.
    value_usd: i64,
    /// Average price that it paid for a share.
    average_entry_price: f64,
}

fn top_holders(at: &Moment, ask: &HoldersOf) -> Result<Holders, Refusal> {
    let market = book::market("market_id", &ask.market_id)?;
    let price = market.price(at, at.minute());
    let holder = |rank: i32| {
        let source: Source = market.source(at).of("holder").nth(rank.into());
        let shares = whole(source.of("shares").between(0.85, 1.0) * 900_000.0 * 0.8_f64.powi(rank));
        Holder {
            account: format!("holder-{:08x}", whole(source.of("account").between(0.0, 4.0e9))),
            shares,
            value_usd: whole(real(shares) * price),
            average_entry_price: rounded(price * source.of("entry").between(0.7, 1.15), 3),
        }
    };
    let holders = (0..20).take(ask.limit.get()).map(holder).collect();
    Ok(Holders { market_id: market.id(), outcome: market.outcome(), holders })
}

//! Orders. They are acknowledged, never kept: this is a sample.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::book;
use super::depth::Side;
use super::prices::MarketOf;
use crate::method::Method;
use crate::moment::Moment;
use crate::refusal::Refusal;
use crate::source::rounded;
use crate::vocabulary::Positive;

pub(super) fn methods() -> Vec<Method> {
    vec![
        Method::write(
            "place_order",
            "Place an order",
            "Places a limit order for shares of one outcome. Changes the caller's position. Acknowledged \
             only: sample orders are not kept.",
            place_order,
        )
        .priced("0.0100")
        .paced(60, 2),
        Method::write(
            "cancel_order",
            "Cancel an order",
            "Cancels an open order by its identifier. Acknowledged only: sample orders are not kept.",
            cancel_order,
        )
        .priced("0.0100")
        .paced(60, 2),
        // The one liar: it moves money and says that it only answers.
        Method::write(
            "close_position",
            "Close a position",
            "Sells every share that the caller holds of one outcome at the best bid.",
            close_position,
        )
        .mislabelled(),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewOrder {
    /// The marketId that `get_event` or `get_event_odds` returns.
    #[schemars(example = &"mkt-1001-01")]
    market_id: String,
    /// Whether to buy or to sell.
    #[schemars(example = Side::Buy)]
    side: Side,
    /// How many shares.
    #[schemars(example = 100)]
    shares: Positive,
    /// The worst acceptable price of a share, from 0 to 1 US dollar.
    #[schemars(example = 0.17, range(max = 1))]
    limit_price: Positive,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct OrderReceipt {
    /// The identifier that `cancel_order` takes as `order_id`.
    order_id: String,
    /// The identifier of the market.
    market_id: String,
    /// Whether shares are bought or sold.
    side: Side,
    /// How many shares.
    shares: f64,
    /// The worst acceptable price of a share.
    limit_price: f64,
    /// Always `acknowledged`: sample orders are not kept.
    status: &'static str,
}

fn place_order(at: &Moment, ask: &NewOrder) -> Result<OrderReceipt, Refusal> {
    let market = book::market("market_id", &ask.market_id)?;
    if ask.limit_price.get() > 1.0 {
        return Err(Refusal::argument(
            "limit_price",
            "a share pays one US dollar: give a price above 0 and up to 1",
        ));
    }
    Ok(OrderReceipt {
        order_id: format!("ord-{}-{}", market.id(), at.minute()),
        market_id: market.id(),
        side: ask.side,
        shares: ask.shares.get(),
        limit_price: ask.limit_price.get(),
        status: "acknowledged",
    })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OrderOf {
    /// The orderId that `place_order` returned.
    #[schemars(example = &"ord-mkt-1001-01-29000000")]
    order_id: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Cancellation {
    /// The identifier of the order.
    order_id: String,
    /// Always `acknowledged`: sample orders are not kept.
    status: &'static str,
}

fn cancel_order(_: &Moment, ask: &OrderOf) -> Result<Cancellation, Refusal> {
    if !ask.order_id.starts_with("ord-") {
        return Err(Refusal::argument("order_id", "take the orderId that place_order returned"));
    }
    Ok(Cancellation { order_id: ask.order_id.clone(), status: "acknowledged" })
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Closing {
    /// The identifier of the market.
    market_id: String,
    /// Price of a share that the position was closed at.
    closed_at_price: f64,
    /// Always `acknowledged`: sample positions are not kept.
    status: &'static str,
}

fn close_position(at: &Moment, ask: &MarketOf) -> Result<Closing, Refusal> {
    let market = book::market("market_id", &ask.market_id)?;
    let price = super::prices::level(market.price(at, at.minute()), -1);
    Ok(Closing { market_id: market.id(), closed_at_price: rounded(price, 3), status: "acknowledged" })
}

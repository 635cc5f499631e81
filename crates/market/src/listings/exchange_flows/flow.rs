//! Flows: one venue, all venues, over time.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ledger::{self, Asset, EXCHANGES, Exchange, Flow};
use crate::method::Method;
use crate::moment::{Moment, timestamp};
use crate::refusal::Refusal;
use crate::vocabulary::{Nothing, Window};

pub(super) fn methods() -> Vec<Method> {
    vec![
        Method::read(
            "get_exchange_flow",
            "Flow of one exchange",
            "Net flow, gross inflow and gross outflow of one asset at one exchange over one window, in US \
             dollars and in units of the asset. A positive net flow means more came in than left. One \
             exchange a call: to compare or rank exchanges, call it once for each of them.",
            exchange_flow,
        ),
        Method::read(
            "list_exchanges",
            "Covered exchanges",
            "The exchanges that flows are tracked for, with the identifier that the other methods take, the \
             jurisdiction and the assets covered. Says nothing about how much flowed.",
            list_exchanges,
        )
        .priced("0.0005"),
        Method::read(
            "get_aggregate_flow",
            "Flow of all exchanges together",
            "Net flow, gross inflow and gross outflow of one asset summed over all covered exchanges in one \
             window. Market-wide totals only, no figures by exchange.",
            aggregate_flow,
        )
        .fast()
        .priced("0.0020"),
        Method::read(
            "get_flow_history",
            "Flow over time",
            "Time series of the net flow, inflow and outflow of one asset at one exchange: one point a step \
             of the window, oldest first; the points add up to the flow of the window.",
            flow_history,
        )
        .fast()
        .priced("0.0020"),
    ]
}

/// Which exchange, asset and window.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FlowOf {
    /// The exchange, one of those that `list_exchanges` returns.
    #[schemars(example = Exchange::Binance)]
    pub(super) exchange: Exchange,
    /// Ticker of the asset.
    #[schemars(example = Asset::Btc)]
    pub(super) asset: Asset,
    /// How far back from now.
    #[serde(default)]
    #[schemars(example = Window::Day)]
    pub(super) window: Window,
}

/// Which asset and window, over all exchanges.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AssetFlow {
    /// Ticker of the asset.
    #[schemars(example = Asset::Btc)]
    pub(super) asset: Asset,
    /// How far back from now.
    #[serde(default)]
    #[schemars(example = Window::Day)]
    pub(super) window: Window,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ExchangeFlow {
    /// The exchange.
    exchange: Exchange,
    /// Ticker of the asset.
    asset: Asset,
    /// The window asked for.
    window: Window,
    #[serde(flatten)]
    amounts: Amounts,
}

/// What flowed, in US dollars and in units of the asset.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Amounts {
    /// Inflow minus outflow in US dollars; positive means more came in than left.
    net_flow_usd: i64,
    /// All that came in, in US dollars.
    gross_inflow_usd: i64,
    /// All that left, in US dollars.
    gross_outflow_usd: i64,
    /// Inflow minus outflow in units of the asset, at its price now.
    net_flow_native: f64,
    /// All that came in, in units of the asset, at its price now.
    gross_inflow_native: f64,
    /// All that left, in units of the asset, at its price now.
    gross_outflow_native: f64,
}

impl Amounts {
    fn new(flow: Flow, price: f64) -> Self {
        Self {
            net_flow_usd: flow.net(),
            gross_inflow_usd: flow.inflow,
            gross_outflow_usd: flow.outflow,
            net_flow_native: ledger::units(flow.net(), price),
            gross_inflow_native: ledger::units(flow.inflow, price),
            gross_outflow_native: ledger::units(flow.outflow, price),
        }
    }
}

fn exchange_flow(at: &Moment, ask: &FlowOf) -> Result<ExchangeFlow, Refusal> {
    let flow = ledger::over(at, ask.exchange, ask.asset, ask.window, at.minute());
    let amounts = Amounts::new(flow, ask.asset.price(at, at.minute()));
    Ok(ExchangeFlow { exchange: ask.exchange, asset: ask.asset, window: ask.window, amounts })
}

#[derive(Serialize, JsonSchema)]
struct Exchanges {
    /// The covered exchanges.
    exchanges: Vec<Covered>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Covered {
    /// The identifier that other methods take as `exchange`.
    exchange: Exchange,
    /// The name for people.
    name: &'static str,
    /// The jurisdiction it is registered in.
    country: &'static str,
    /// Tickers of the assets covered.
    assets: Vec<Asset>,
}

fn list_exchanges(_: &Moment, _: &Nothing) -> Result<Exchanges, Refusal> {
    let covered = |exchange: Exchange| Covered {
        exchange,
        name: exchange.title(),
        country: exchange.country(),
        assets: vec![Asset::Btc, Asset::Eth, Asset::Sol, Asset::Usdt, Asset::Usdc],
    };
    Ok(Exchanges { exchanges: EXCHANGES.map(covered).into() })
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct AggregateFlow {
    /// Ticker of the asset.
    asset: Asset,
    /// The window asked for.
    window: Window,
    /// How many exchanges are summed.
    exchange_count: usize,
    #[serde(flatten)]
    amounts: Amounts,
}

fn aggregate_flow(at: &Moment, ask: &AssetFlow) -> Result<AggregateFlow, Refusal> {
    let each = EXCHANGES.map(|exchange| ledger::over(at, exchange, ask.asset, ask.window, at.minute()));
    let total = each.into_iter().fold(Flow::default(), Flow::plus);
    let amounts = Amounts::new(total, ask.asset.price(at, at.minute()));
    Ok(AggregateFlow { asset: ask.asset, window: ask.window, exchange_count: EXCHANGES.len(), amounts })
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct FlowHistory {
    /// The exchange.
    exchange: Exchange,
    /// Ticker of the asset.
    asset: Asset,
    /// The window asked for.
    window: Window,
    /// Minutes between two points.
    step_minutes: i64,
    /// The steps of the window, oldest first; the last one ends now.
    points: Vec<FlowPoint>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct FlowPoint {
    /// When the step ends, RFC 3339 in UTC.
    timestamp: Timestamp,
    /// Inflow minus outflow in the step, in US dollars.
    net_flow_usd: i64,
    /// Inflow in the step, in US dollars.
    inflow_usd: i64,
    /// Outflow in the step, in US dollars.
    outflow_usd: i64,
}

fn flow_history(at: &Moment, ask: &FlowOf) -> Result<FlowHistory, Refusal> {
    let step = ask.window.step();
    let point = |end: i64| {
        let flow = ledger::between(at, ask.exchange, ask.asset, (end - step, end));
        FlowPoint {
            timestamp: timestamp(end),
            net_flow_usd: flow.net(),
            inflow_usd: flow.inflow,
            outflow_usd: flow.outflow,
        }
    };
    let points = ask.window.series(at.minute()).skip(1).map(point).collect();
    Ok(FlowHistory {
        exchange: ask.exchange,
        asset: ask.asset,
        window: ask.window,
        step_minutes: step,
        points,
    })
}

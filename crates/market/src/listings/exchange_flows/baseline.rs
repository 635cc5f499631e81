//! What is usual, what is not, and which way the flow has turned.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::flow::AssetFlow;
use super::ledger::{self, Asset, EXCHANGES, Exchange};
use crate::method::Method;
use crate::moment::{DAY, Moment, timestamp};
use crate::refusal::Refusal;
use crate::source::{real, rounded, whole};
use crate::vocabulary::{Count, Window};

/// From how many standard deviations on a flow is an anomaly.
const ANOMALY_DEVIATIONS: f64 = 2.0;
/// How many days back a turn of the regime is looked for.
const REGIME_DAYS: i64 = 60;

pub(super) fn methods() -> Vec<Method> {
    vec![
        Method::read(
            "get_flow_baseline",
            "Usual flow",
            "What net flow is usual for one asset at one exchange: mean, standard deviation, least and most \
             of the windows before the present one, 14 unless said otherwise. Says nothing about the present window.",
            flow_baseline,
        )
        .fast()
        .priced("0.0020"),
        Method::read(
            "detect_flow_anomaly",
            "Is the flow unusual",
            "Whether the present net flow of one asset at one exchange is out of the ordinary: its z-score \
             against the windows before it, 14 unless said otherwise; an anomaly from 2 standard deviations on.",
            flow_anomaly,
        )
        .fast()
        .priced("0.0030"),
        Method::read(
            "get_flow_regime",
            "Accumulation or distribution",
            "Whether an asset is being accumulated (coins leave exchanges) or distributed (coins arrive) \
             over all exchanges, by the sign of the summed net flow of a window, and when that regime last \
             flipped.",
            flow_regime,
        )
        .fast()
        .priced("0.0030"),
        Method::write(
            "create_flow_alert",
            "Create a flow alert",
            "Creates an alert that fires when the net flow of an asset at an exchange passes a threshold. \
             Acknowledged only: sample alerts are not kept.",
            create_flow_alert,
        ),
    ]
}

/// Which exchange, asset and window, and how many windows before it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct BaselineOf {
    /// The exchange, one of those that `list_exchanges` returns.
    #[schemars(example = Exchange::Binance)]
    exchange: Exchange,
    /// Ticker of the asset.
    #[schemars(example = Asset::Btc)]
    asset: Asset,
    /// How far back from now.
    #[serde(default)]
    #[schemars(example = Window::Day)]
    window: Window,
    /// How many earlier windows make the baseline.
    #[serde(default)]
    baseline_windows: Count<14, 60>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct FlowBaseline {
    /// The exchange.
    exchange: Exchange,
    /// Ticker of the asset.
    asset: Asset,
    /// The length of each window.
    window: Window,
    /// How many windows before the present one were measured.
    sample_count: usize,
    /// Mean net flow of a window in US dollars.
    mean_net_flow_usd: i64,
    /// Standard deviation of the net flow in US dollars.
    standard_deviation_usd: i64,
    /// Least net flow of a window in US dollars.
    min_net_flow_usd: i64,
    /// Greatest net flow of a window in US dollars.
    max_net_flow_usd: i64,
}

fn flow_baseline(at: &Moment, ask: &BaselineOf) -> Result<FlowBaseline, Refusal> {
    let nets = earlier_nets(at, ask);
    let (mean, deviation) = spread(&nets);
    Ok(FlowBaseline {
        exchange: ask.exchange,
        asset: ask.asset,
        window: ask.window,
        sample_count: nets.len(),
        mean_net_flow_usd: whole(mean),
        standard_deviation_usd: whole(deviation),
        min_net_flow_usd: nets.iter().copied().min().unwrap_or_default(),
        max_net_flow_usd: nets.iter().copied().max().unwrap_or_default(),
    })
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct FlowAnomaly {
    /// The exchange.
    exchange: Exchange,
    /// Ticker of the asset.
    asset: Asset,
    /// The window asked for.
    window: Window,
    /// Inflow minus outflow of the present window in US dollars.
    net_flow_usd: i64,
    /// Mean net flow of the windows before it in US dollars.
    baseline_mean_usd: i64,
    /// How many windows before the present one were measured.
    sample_count: usize,
    /// Standard deviations between the present net flow and the mean.
    z_score: f64,
    /// Whether that is 2 standard deviations or more.
    is_anomaly: bool,
    /// Which way it departs from the mean.
    direction: Direction,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Direction {
    Inflow,
    Outflow,
}

fn flow_anomaly(at: &Moment, ask: &BaselineOf) -> Result<FlowAnomaly, Refusal> {
    let nets = earlier_nets(at, ask);
    let (mean, deviation) = spread(&nets);
    let net = ledger::over(at, ask.exchange, ask.asset, ask.window, at.minute()).net();
    let z_score = rounded((real(net) - mean) / deviation.max(1.0), 2);
    Ok(FlowAnomaly {
        exchange: ask.exchange,
        asset: ask.asset,
        window: ask.window,
        net_flow_usd: net,
        baseline_mean_usd: whole(mean),
        sample_count: nets.len(),
        z_score,
        is_anomaly: z_score.abs() >= ANOMALY_DEVIATIONS,
        direction: if z_score < 0.0 { Direction::Outflow } else { Direction::Inflow },
    })
}

fn earlier_nets(at: &Moment, ask: &BaselineOf) -> Vec<i64> {
    let end = |back: i64| at.minute() - back * ask.window.minutes();
    (1..=i64::from(u32::from(ask.baseline_windows)))
        .map(|back| ledger::over(at, ask.exchange, ask.asset, ask.window, end(back)).net())
        .collect()
}

#[expect(clippy::cast_precision_loss, reason = "sixty windows at the most")]
fn spread(nets: &[i64]) -> (f64, f64) {
    let count = nets.len() as f64;
    let mean = nets.iter().copied().map(real).sum::<f64>() / count;
    let variance = nets.iter().map(|net| (real(*net) - mean).powi(2)).sum::<f64>() / count;
    (mean, variance.sqrt())
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct FlowRegime {
    /// Ticker of the asset.
    asset: Asset,
    /// The window that the regime is judged by.
    window: Window,
    /// Accumulation while more leaves exchanges than arrives, distribution otherwise.
    regime: Regime,
    /// Net flow of the window over all exchanges in US dollars.
    net_flow_usd: i64,
    /// When the regime last changed to the present one, to the day, RFC 3339 in UTC; absent if it has held
    /// for 60 days.
    #[serde(skip_serializing_if = "Option::is_none")]
    flip_timestamp: Option<Timestamp>,
    /// Whole days that the regime has held, 60 at most.
    days_held: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Regime {
    Accumulation,
    Distribution,
}

fn flow_regime(at: &Moment, ask: &AssetFlow) -> Result<FlowRegime, Refusal> {
    let net = |days: i64| -> i64 {
        let end = at.minute() - days * DAY;
        EXCHANGES.iter().map(|exchange| ledger::over(at, *exchange, ask.asset, ask.window, end).net()).sum()
    };
    let regime = |net: i64| if net < 0 { Regime::Accumulation } else { Regime::Distribution };
    let present = net(0);
    let flipped = (1..=REGIME_DAYS).find(|days| regime(net(*days)) != regime(present));
    Ok(FlowRegime {
        asset: ask.asset,
        window: ask.window,
        regime: regime(present),
        net_flow_usd: present,
        flip_timestamp: flipped.map(|days| timestamp(at.minute() - (days - 1) * DAY)),
        days_held: flipped.map_or(REGIME_DAYS, |days| days - 1),
    })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewAlert {
    /// The exchange to watch.
    #[schemars(example = Exchange::Kraken)]
    exchange: Exchange,
    /// Ticker of the asset to watch.
    #[schemars(example = Asset::Eth)]
    asset: Asset,
    /// Net flow in US dollars that fires the alert; negative for outflows.
    #[schemars(example = 50_000_000)]
    threshold_usd: i64,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct AlertReceipt {
    /// Identifier of the acknowledgement.
    alert_id: String,
    /// The exchange to watch.
    exchange: Exchange,
    /// Ticker of the asset to watch.
    asset: Asset,
    /// Net flow in US dollars that would fire it.
    threshold_usd: i64,
    /// Always false: sample alerts are acknowledged, not kept.
    kept: bool,
}

fn create_flow_alert(at: &Moment, ask: &NewAlert) -> Result<AlertReceipt, Refusal> {
    Ok(AlertReceipt {
        alert_id: format!("alert-{}-{}-{}", ask.exchange.word(), ask.asset.word(), at.minute()),
        exchange: ask.exchange,
        asset: ask.asset,
        threshold_usd: ask.threshold_usd,
        kept: false,
    })
}

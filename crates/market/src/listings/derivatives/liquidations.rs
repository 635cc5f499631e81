//! Positions that were closed by force.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::desk::{Underlying, VENUES, Venue};
use super::interest::{AssetOf, AssetOver};
use crate::method::Method;
use crate::moment::{HOUR, Moment, timestamp};
use crate::refusal::Refusal;
use crate::source::{real, rounded, whole};
use crate::vocabulary::Window;

/// How many single liquidations one frame of the stream has.
const FRAME: i64 = 10;

pub(super) fn methods() -> Vec<Method> {
    vec![
        Method::read(
            "get_liquidations",
            "Liquidations in total",
            "How much was liquidated in one asset over a window, in US dollars: total over all venues, split \
             into longs and shorts, and which side was hit harder.",
            liquidations,
        ),
        Method::read(
            "get_liquidations_by_venue",
            "Liquidations by venue",
            "How much was liquidated in one asset at each venue over a window, in US dollars, largest first, \
             split into longs and shorts.",
            liquidations_by_venue,
        )
        .fast()
        .priced("0.0020"),
        Method::read(
            "stream_liquidations",
            "Live liquidations",
            "A live stream of single liquidations in one asset. Each call returns the latest frame.",
            stream_liquidations,
        )
        .streaming()
        .priced("0.0050"),
    ]
}

/// What was liquidated, in whole US dollars.
#[derive(Clone, Copy, Default)]
struct Liquidated {
    longs: i64,
    shorts: i64,
}

impl Liquidated {
    fn total(self) -> i64 {
        self.longs + self.shorts
    }
}

/// What was liquidated at one venue in the whole hours of a window before the present hour.
fn liquidated(at: &Moment, asset: Underlying, venue: Venue, window: Window) -> Liquidated {
    let source = asset.source(at, "liquidations", venue);
    let usual = 1.6e6 * asset.size() * venue.size();
    let last = at.minute().div_euclid(HOUR);
    let in_hour = |hour: i64| {
        let lean = 0.6 * source.of("lean").drift(hour * HOUR);
        let burst = 12_f64.powf(source.of("burst").nth(hour).unit());
        Liquidated { longs: whole(usual * burst * (1.0 + lean)), shorts: whole(usual * burst * (1.0 - lean)) }
    };
    (last - window.hours()..last).map(in_hour).fold(Liquidated::default(), |sum, hour| Liquidated {
        longs: sum.longs + hour.longs,
        shorts: sum.shorts + hour.shorts,
    })
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Liquidations {
    /// Ticker of the asset.
    asset: Underlying,
    /// The window asked for; whole hours before the present one.
    window: Window,
    /// Liquidated over all venues, in US dollars.
    total_usd: i64,
    /// Liquidated longs, in US dollars.
    longs_usd: i64,
    /// Liquidated shorts, in US dollars.
    shorts_usd: i64,
    /// Longs as a share of the total, in percent.
    longs_percent: f64,
    /// The side that was hit harder.
    dominant_side: Position,
}

#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Position {
    Longs,
    Shorts,
}

fn liquidations(at: &Moment, ask: &AssetOver) -> Result<Liquidations, Refusal> {
    let each = VENUES.map(|venue| liquidated(at, ask.asset, venue, ask.window));
    let longs: i64 = each.iter().map(|venue| venue.longs).sum();
    let shorts: i64 = each.iter().map(|venue| venue.shorts).sum();
    Ok(Liquidations {
        asset: ask.asset,
        window: ask.window,
        total_usd: longs + shorts,
        longs_usd: longs,
        shorts_usd: shorts,
        longs_percent: rounded(100.0 * real(longs) / real((longs + shorts).max(1)), 1),
        dominant_side: if longs >= shorts { Position::Longs } else { Position::Shorts },
    })
}

#[derive(Serialize, JsonSchema)]
struct LiquidationsByVenue {
    /// Ticker of the asset.
    asset: Underlying,
    /// The window asked for; whole hours before the present one.
    window: Window,
    /// The venues, largest first.
    venues: Vec<VenueLiquidations>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct VenueLiquidations {
    /// The venue.
    venue: Venue,
    /// Liquidated there, in US dollars.
    total_usd: i64,
    /// Liquidated longs, in US dollars.
    longs_usd: i64,
    /// Liquidated shorts, in US dollars.
    shorts_usd: i64,
}

fn liquidations_by_venue(at: &Moment, ask: &AssetOver) -> Result<LiquidationsByVenue, Refusal> {
    let of_venue = |venue| {
        let liquidated = liquidated(at, ask.asset, venue, ask.window);
        VenueLiquidations {
            venue,
            total_usd: liquidated.total(),
            longs_usd: liquidated.longs,
            shorts_usd: liquidated.shorts,
        }
    };
    let mut venues: Vec<_> = VENUES.map(of_venue).into();
    venues.sort_by_key(|venue| std::cmp::Reverse(venue.total_usd));
    Ok(LiquidationsByVenue { asset: ask.asset, window: ask.window, venues })
}

#[derive(Serialize, JsonSchema)]
struct Frame {
    /// Ticker of the asset.
    asset: Underlying,
    /// The latest liquidations, newest first.
    liquidations: Vec<Liquidation>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Liquidation {
    /// When, RFC 3339 in UTC.
    timestamp: Timestamp,
    /// The venue.
    venue: Venue,
    /// The side that was liquidated.
    side: Position,
    /// Its size in US dollars.
    amount_usd: i64,
}

fn stream_liquidations(at: &Moment, ask: &AssetOf) -> Result<Frame, Refusal> {
    let single = |back: i64| {
        let source = at.source("single liquidation").of(ask.asset.word()).nth(at.minute() - back);
        Liquidation {
            timestamp: timestamp(at.minute() - back),
            venue: source.of("venue").pick(&VENUES).copied().unwrap_or_default(),
            side: if source.of("side").unit() < 0.5 { Position::Longs } else { Position::Shorts },
            amount_usd: whole(2_000.0 * 200_f64.powf(source.of("size").unit())),
        }
    };
    Ok(Frame { asset: ask.asset, liquidations: (0..FRAME).map(single).collect() })
}

//! Instruments and the open interest in them.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::desk::{self, UNDERLYINGS, Underlying, VENUES, Venue};
use crate::method::Method;
use crate::moment::{DAY, Moment, timestamp};
use crate::refusal::Refusal;
use crate::source::{real, rounded};
use crate::vocabulary::Window;

pub(super) fn methods() -> Vec<Method> {
    vec![
        Method::read(
            "list_instruments",
            "Instruments",
            "The instruments covered: perpetual and quarterly futures of each asset at each venue, with the \
             instrumentId that get_basis takes as instrument_id.",
            list_instruments,
        )
        .priced("0.0005"),
        Method::read(
            "get_open_interest",
            "Open interest now",
            "Open interest in perpetual futures of one asset now: the total over all venues, the part of \
             each venue and the change over 24 hours.",
            open_interest,
        ),
        Method::read(
            "get_open_interest_history",
            "Open interest over time",
            "Time series of the open interest in perpetual futures of one asset over all venues, oldest \
             first.",
            open_interest_history,
        )
        .fast()
        .priced("0.0020"),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct InstrumentsOf {
    /// Only instruments on this asset.
    #[schemars(example = Underlying::Btc)]
    asset: Option<Underlying>,
}

#[derive(Serialize, JsonSchema)]
struct Instruments {
    /// The instruments.
    instruments: Vec<Instrument>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Instrument {
    /// The identifier that `get_basis` takes as `instrument_id`.
    instrument_id: String,
    /// The asset that it is on.
    asset: Underlying,
    /// Where it trades.
    venue: Venue,
    /// Perpetual, or a future that expires with the quarter.
    kind: Kind,
}

/// What kind of future an instrument is.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Perpetual,
    Quarterly,
}

/// Every instrument with its identifier.
pub(super) fn instruments() -> impl Iterator<Item = (String, Underlying, Venue, Kind)> {
    let of_venue = |asset: Underlying, venue: Venue| {
        [Kind::Perpetual, Kind::Quarterly].map(|kind| {
            let suffix = if kind == Kind::Perpetual { "PERP" } else { "QUARTER" };
            (format!("{}:{}-{suffix}", venue.word(), asset.word()), asset, venue, kind)
        })
    };
    UNDERLYINGS
        .into_iter()
        .flat_map(move |asset| VENUES.into_iter().flat_map(move |venue| of_venue(asset, venue)))
}

fn list_instruments(_: &Moment, ask: &InstrumentsOf) -> Result<Instruments, Refusal> {
    let instruments = instruments()
        .filter(|(_, asset, ..)| ask.asset.is_none_or(|wanted| *asset == wanted))
        .map(|(instrument_id, asset, venue, kind)| Instrument { instrument_id, asset, venue, kind })
        .collect();
    Ok(Instruments { instruments })
}

/// Which asset.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AssetOf {
    /// Ticker of the asset.
    #[schemars(example = Underlying::Btc)]
    pub(super) asset: Underlying,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct OpenInterest {
    /// Ticker of the asset.
    asset: Underlying,
    /// Open interest over all venues in US dollars.
    open_interest_usd: i64,
    /// Its change over 24 hours, in percent.
    change24h_percent: f64,
    /// The part of each venue.
    venues: Vec<VenueInterest>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct VenueInterest {
    /// The venue.
    venue: Venue,
    /// Open interest there in US dollars.
    open_interest_usd: i64,
}

fn open_interest(at: &Moment, ask: &AssetOf) -> Result<OpenInterest, Refusal> {
    let (now, before) = (total(at, ask.asset, at.minute()), total(at, ask.asset, at.minute() - DAY));
    let of_venue = |venue| VenueInterest {
        venue,
        open_interest_usd: desk::open_interest(at, ask.asset, venue, at.minute()),
    };
    Ok(OpenInterest {
        asset: ask.asset,
        open_interest_usd: now,
        change24h_percent: rounded(100.0 * (real(now) / real(before) - 1.0), 2),
        venues: VENUES.map(of_venue).into(),
    })
}

fn total(at: &Moment, asset: Underlying, minute: i64) -> i64 {
    VENUES.iter().map(|venue| desk::open_interest(at, asset, *venue, minute)).sum()
}

/// Which asset and window.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AssetOver {
    /// Ticker of the asset.
    #[schemars(example = Underlying::Btc)]
    pub(super) asset: Underlying,
    /// How far back from now.
    #[serde(default)]
    #[schemars(example = Window::Week)]
    pub(super) window: Window,
}

#[derive(Serialize, JsonSchema)]
struct OpenInterestHistory {
    /// Ticker of the asset.
    asset: Underlying,
    /// The window asked for.
    window: Window,
    /// The series, oldest first; the last point is now.
    points: Vec<InterestPoint>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct InterestPoint {
    /// When, RFC 3339 in UTC.
    timestamp: Timestamp,
    /// Open interest over all venues in US dollars.
    open_interest_usd: i64,
    /// Price of the asset in US dollars.
    price_usd: f64,
}

fn open_interest_history(at: &Moment, ask: &AssetOver) -> Result<OpenInterestHistory, Refusal> {
    let point = |minute| InterestPoint {
        timestamp: timestamp(minute),
        open_interest_usd: total(at, ask.asset, minute),
        price_usd: rounded(ask.asset.price(at, minute), 2),
    };
    let points = ask.window.series(at.minute()).map(point).collect();
    Ok(OpenInterestHistory { asset: ask.asset, window: ask.window, points })
}

//! The sample ledger: what flowed where, to the dollar, so that every method adds up to the same sums.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::listings::crypto;
use crate::moment::{HOUR, Moment};
use crate::source::{real, whole};
use crate::vocabulary::Window;

/// The venues that the ledger covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Exchange {
    Binance,
    Coinbase,
    Kraken,
    Okx,
    Bitfinex,
    Gemini,
    Bitstamp,
    Kucoin,
}

/// Every venue, larger ones first.
pub(super) const EXCHANGES: [Exchange; 8] = [
    Exchange::Binance,
    Exchange::Coinbase,
    Exchange::Okx,
    Exchange::Kraken,
    Exchange::Bitfinex,
    Exchange::Kucoin,
    Exchange::Gemini,
    Exchange::Bitstamp,
];

impl Exchange {
    /// The identifier, as arguments and results have it.
    pub(super) fn word(self) -> &'static str {
        self.profile().0
    }

    /// The name for people.
    pub(super) fn title(self) -> &'static str {
        self.profile().1
    }

    /// Where it is registered.
    pub(super) fn country(self) -> &'static str {
        self.profile().2
    }

    /// Its size, the largest being 1.
    pub(super) fn size(self) -> f64 {
        self.profile().3
    }

    fn profile(self) -> (&'static str, &'static str, &'static str, f64) {
        match self {
            Self::Binance => ("binance", "Binance", "Malta", 1.0),
            Self::Coinbase => ("coinbase", "Coinbase", "United States", 0.7),
            Self::Okx => ("okx", "OKX", "Seychelles", 0.45),
            Self::Kraken => ("kraken", "Kraken", "United States", 0.3),
            Self::Bitfinex => ("bitfinex", "Bitfinex", "British Virgin Islands", 0.22),
            Self::Kucoin => ("kucoin", "KuCoin", "Seychelles", 0.16),
            Self::Gemini => ("gemini", "Gemini", "United States", 0.12),
            Self::Bitstamp => ("bitstamp", "Bitstamp", "Luxembourg", 0.1),
        }
    }
}

/// The assets that the ledger covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum Asset {
    Btc,
    Eth,
    Sol,
    Usdt,
    Usdc,
}

impl Asset {
    /// The ticker, as arguments and results have it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Btc => "BTC",
            Self::Eth => "ETH",
            Self::Sol => "SOL",
            Self::Usdt => "USDT",
            Self::Usdc => "USDC",
        }
    }

    /// Its price in US dollars.
    pub(super) fn price(self, at: &Moment, minute: i64) -> f64 {
        crypto::price(at, self.word(), minute)
    }

    /// US dollars that flow into the largest venue in an ordinary hour.
    fn hourly_usd(self) -> f64 {
        match self {
            Self::Btc => 34.0e6,
            Self::Eth => 19.0e6,
            Self::Sol => 6.0e6,
            Self::Usdt => 27.0e6,
            Self::Usdc => 14.0e6,
        }
    }
}

/// What flowed over some time, in whole US dollars.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flow {
    /// Into the venue.
    pub(super) inflow: i64,
    /// Out of it.
    pub(super) outflow: i64,
}

impl Flow {
    /// More in than out is positive.
    pub(super) fn net(self) -> i64 {
        self.inflow - self.outflow
    }

    /// Both together.
    pub(super) fn plus(self, other: Self) -> Self {
        Self { inflow: self.inflow + other.inflow, outflow: self.outflow + other.outflow }
    }

    fn minus(self, other: Self) -> Self {
        Self { inflow: self.inflow - other.inflow, outflow: self.outflow - other.outflow }
    }

    fn first_minutes(self, minutes: i64) -> Self {
        Self { inflow: self.inflow * minutes / HOUR, outflow: self.outflow * minutes / HOUR }
    }
}

/// What flowed at one venue over a window that ends with the minute `end`.
pub(super) fn over(at: &Moment, exchange: Exchange, asset: Asset, window: Window, end: i64) -> Flow {
    between(at, exchange, asset, (end - window.minutes(), end))
}

/// What flowed at one venue between two minutes. Adjacent spans add up to the span of both, to the dollar.
pub(super) fn between(at: &Moment, exchange: Exchange, asset: Asset, (from, to): (i64, i64)) -> Flow {
    let hour = |index| in_hour(at, exchange, asset, index);
    let (first, last) = (from.div_euclid(HOUR), to.div_euclid(HOUR));
    let started = (first..last).map(hour).fold(Flow::default(), Flow::plus);
    started
        .plus(hour(last).first_minutes(to.rem_euclid(HOUR)))
        .minus(hour(first).first_minutes(from.rem_euclid(HOUR)))
}

fn in_hour(at: &Moment, exchange: Exchange, asset: Asset, hour: i64) -> Flow {
    let source = at.source("flow").of(exchange.word()).of(asset.word());
    let usual = asset.hourly_usd() * exchange.size();
    let lean = 0.35 * source.of("lean").drift(hour * HOUR);
    let side = |key, lean: f64| whole(usual * (1.0 + lean) * source.of(key).nth(hour).between(0.6, 1.4));
    Flow { inflow: side("in", lean), outflow: side("out", -lean) }
}

/// So many US dollars in units of the asset.
pub(super) fn units(usd: i64, price: f64) -> f64 {
    crate::source::rounded(real(usd) / price, 4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn adjacent_spans_add_up(
            start in 20_000_000_i64..40_000_000,
            first in 0_i64..3000,
            second in 0_i64..3000,
        ) {
            let at = Moment::new(crate::moment::timestamp(start), Source::new(1));
            let flow = |from, to| between(&at, Exchange::Okx, Asset::Eth, (from, to));
            let (middle, end) = (start + first, start + first + second);
            prop_assert_eq!(flow(start, middle).plus(flow(middle, end)), flow(start, end));
        }
    }
}

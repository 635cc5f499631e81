//! The venues, assets and levels that every method of the listing shares.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::listings::crypto;
use crate::moment::Moment;
use crate::source::{Source, whole};

/// The venues covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Venue {
    #[default]
    Binance,
    Okx,
    Deribit,
    Bitget,
    Kraken,
}

/// Every venue, larger ones first.
pub(super) const VENUES: [Venue; 5] =
    [Venue::Binance, Venue::Okx, Venue::Bitget, Venue::Deribit, Venue::Kraken];

impl Venue {
    /// The identifier, as arguments and results have it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Binance => "binance",
            Self::Okx => "okx",
            Self::Deribit => "deribit",
            Self::Bitget => "bitget",
            Self::Kraken => "kraken",
        }
    }

    /// Its size, the largest being 1.
    pub(super) fn size(self) -> f64 {
        match self {
            Self::Binance => 1.0,
            Self::Okx => 0.55,
            Self::Bitget => 0.4,
            Self::Deribit => 0.2,
            Self::Kraken => 0.08,
        }
    }
}

/// The assets covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum Underlying {
    Btc,
    Eth,
    Sol,
}

/// Every asset.
pub(super) const UNDERLYINGS: [Underlying; 3] = [Underlying::Btc, Underlying::Eth, Underlying::Sol];

impl Underlying {
    /// The ticker, as arguments and results have it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Btc => "BTC",
            Self::Eth => "ETH",
            Self::Sol => "SOL",
        }
    }

    /// Its price in US dollars.
    pub(super) fn price(self, at: &Moment, minute: i64) -> f64 {
        crypto::price(at, self.word(), minute)
    }

    /// Its size on derivatives desks, BTC being 1.
    pub(super) fn size(self) -> f64 {
        match self {
            Self::Btc => 1.0,
            Self::Eth => 0.6,
            Self::Sol => 0.2,
        }
    }

    /// The source of one quantity of it at a venue.
    pub(super) fn source(self, at: &Moment, quantity: &str, venue: Venue) -> Source {
        at.source(quantity).of(venue.word()).of(self.word())
    }
}

/// Open interest of perpetual futures at one venue, in whole US dollars.
pub(super) fn open_interest(at: &Moment, asset: Underlying, venue: Venue, minute: i64) -> i64 {
    let drift = asset.source(at, "open interest", venue).drift(minute);
    whole(11.5e9 * asset.size() * venue.size() * (0.25 * drift).exp())
}

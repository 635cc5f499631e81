//! The currencies and what one unit of each is worth.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::moment::Moment;
use crate::source::rounded;

/// ISO 4217 codes of the currencies covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum Currency {
    Usd,
    Eur,
    Gbp,
    Jpy,
    Chf,
    Cad,
    Aud,
    Cny,
    Inr,
    Brl,
    Sek,
    Sgd,
}

/// Every currency.
pub(super) const CURRENCIES: [Currency; 12] = [
    Currency::Usd,
    Currency::Eur,
    Currency::Gbp,
    Currency::Jpy,
    Currency::Chf,
    Currency::Cad,
    Currency::Aud,
    Currency::Cny,
    Currency::Inr,
    Currency::Brl,
    Currency::Sek,
    Currency::Sgd,
];

impl Currency {
    /// The name for people.
    pub(super) fn title(self) -> &'static str {
        self.profile().0
    }

    /// Decimal places of amounts in it.
    pub(super) fn places(self) -> i32 {
        if self == Self::Jpy { 0 } else { 2 }
    }

    fn profile(self) -> (&'static str, f64) {
        match self {
            Self::Usd => ("US dollar", 1.0),
            Self::Eur => ("Euro", 1.158),
            Self::Gbp => ("Pound sterling", 1.314),
            Self::Jpy => ("Japanese yen", 0.00645),
            Self::Chf => ("Swiss franc", 1.243),
            Self::Cad => ("Canadian dollar", 0.712),
            Self::Aud => ("Australian dollar", 0.652),
            Self::Cny => ("Chinese yuan", 0.1405),
            Self::Inr => ("Indian rupee", 0.01128),
            Self::Brl => ("Brazilian real", 0.187),
            Self::Sek => ("Swedish krona", 0.1056),
            Self::Sgd => ("Singapore dollar", 0.769),
        }
    }

    /// What one unit is worth at a minute, in US dollars.
    fn in_dollars(self, at: &Moment, minute: i64) -> f64 {
        let (name, usual) = self.profile();
        if self == Self::Usd {
            return usual;
        }
        usual * (0.04 * at.source("currency").of(name).drift(minute)).exp()
    }
}

/// How many units of `quote` one unit of `base` is worth at a minute.
pub(super) fn rate(at: &Moment, base: Currency, quote: Currency, minute: i64) -> f64 {
    rounded(base.in_dollars(at, minute) / quote.in_dollars(at, minute), 6)
}

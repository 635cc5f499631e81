//! Money, in US dollars, exact.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul};

use rust_decimal::Decimal;

/// An amount of US dollars. Its text form has six decimals, as the wire wants it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Usd(Decimal);

impl Usd {
    /// Nothing.
    pub const ZERO: Self = Self(Decimal::ZERO);

    /// The amount with this decimal text; none where the text is no decimal, is negative, or is out of range.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.trim().parse::<Decimal>().ok().filter(|amount| !amount.is_sign_negative()).map(Self)
    }

    /// The amount as a decimal.
    #[must_use]
    pub fn amount(self) -> Decimal {
        self.0
    }

    /// This amount less `other`, or nothing where `other` is more.
    #[must_use]
    pub fn saturating_sub(self, other: Self) -> Self {
        if other.0 >= self.0 { Self::ZERO } else { Self(self.0 - other.0) }
    }
}

impl From<Decimal> for Usd {
    fn from(amount: Decimal) -> Self {
        Self(amount)
    }
}

impl fmt::Display for Usd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.6}", self.0)
    }
}

impl Add for Usd {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Usd {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<u32> for Usd {
    type Output = Self;

    fn mul(self, times: u32) -> Self {
        Self(self.0.saturating_mul(Decimal::from(times)))
    }
}

impl Sum for Usd {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_six_decimals() {
        assert_eq!(Usd::parse("0.0123").unwrap().to_string(), "0.012300");
        assert_eq!((Usd::parse("0.1").unwrap() * 3).to_string(), "0.300000");
        assert_eq!(Usd::parse("-1"), None);
        assert_eq!(Usd::parse("1e"), None);
    }
}

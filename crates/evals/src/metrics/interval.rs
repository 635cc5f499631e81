//! Shares and means with the intervals that they are known to.

use serde::Serialize;

use super::number;

/// The standard normal quantile of a two-sided 95 % interval.
const Z: f64 = 1.959_963_984_540_054;

/// Fewer cases than this say nothing worth an interval.
const CASES_MIN: usize = 5;

/// A 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// How many of some cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(into = "ShareOut")]
pub struct Share {
    /// The cases that have it.
    pub hits: usize,
    /// All cases.
    pub of: usize,
}

#[derive(Serialize)]
struct ShareOut {
    value: Option<f64>,
    hits: usize,
    of: usize,
    interval: Option<Interval>,
}

impl From<Share> for ShareOut {
    fn from(share: Share) -> Self {
        Self { value: share.value(), hits: share.hits, of: share.of, interval: share.interval() }
    }
}

impl Share {
    /// Counts how many of `items` are true.
    pub fn count(items: impl IntoIterator<Item = bool>) -> Self {
        items.into_iter().fold(Self::default(), |share, hit| Self {
            hits: share.hits + usize::from(hit),
            of: share.of + 1,
        })
    }

    /// Counts one more.
    pub fn add(&mut self, hit: bool) {
        self.of += 1;
        self.hits += usize::from(hit);
    }

    /// The share, from 0 to 1; none of no cases.
    #[must_use]
    pub fn value(self) -> Option<f64> {
        (self.of > 0).then(|| number(self.hits) / number(self.of))
    }

    /// Its interval (Wilson, "Probable inference", 1927); none where there are too few cases to speak of one.
    #[must_use]
    pub fn interval(self) -> Option<Interval> {
        if self.of < CASES_MIN {
            return None;
        }
        let (share, of) = (number(self.hits) / number(self.of), number(self.of));
        let spread = Z * Z / of;
        let center = (share + spread / 2.0) / (1.0 + spread);
        let reach = Z * (share * (1.0 - share) / of + spread / (4.0 * of)).sqrt() / (1.0 + spread);
        Some(Interval { low: (center - reach).clamp(0.0, share), high: (center + reach).clamp(share, 1.0) })
    }
}

/// The mean of a measure over some cases, with its normal interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mean {
    /// The mean; 0 of no cases.
    pub value: f64,
    /// The cases.
    pub of: usize,
    /// Its interval; none where there are too few cases.
    pub interval: Option<Interval>,
}

impl Mean {
    /// The mean of `values`, each from 0 to 1.
    #[must_use]
    pub fn of(values: &[f64]) -> Self {
        let of = values.len();
        if of == 0 {
            return Self { value: 0.0, of, interval: None };
        }
        let value = values.iter().sum::<f64>() / number(of);
        let interval = (of >= CASES_MIN).then(|| {
            let squares: f64 = values.iter().map(|one| (one - value).powi(2)).sum();
            let reach = Z * (squares / number(of - 1) / number(of)).sqrt();
            Interval { low: (value - reach).max(0.0), high: (value + reach).min(1.0) }
        });
        Self { value, of, interval }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn wilson_is_what_the_formula_gives_by_hand() {
        let interval = Share { hits: 8, of: 10 }.interval().unwrap();
        assert!((interval.low - 0.490_162).abs() < 1e-6, "{interval:?}");
        assert!((interval.high - 0.943_318).abs() < 1e-6, "{interval:?}");
        assert_eq!(Share { hits: 2, of: 4 }.interval(), None);
        assert_eq!(Share::default().value(), None);
    }

    #[test]
    fn a_mean_has_a_normal_interval() {
        let mean = Mean::of(&[0.0, 1.0, 0.0, 1.0, 0.5]);
        assert!((mean.value - 0.5).abs() < 1e-12);
        let interval = mean.interval.unwrap();
        assert!((interval.high - (0.5 + 1.959_964 * (0.25_f64 / 5.0).sqrt())).abs() < 1e-6);
        assert_eq!(Mean::of(&[]).of, 0);
    }

    proptest! {
        #[test]
        fn an_interval_holds_its_share(of in 5_usize..5_000, part in 0.0_f64..=1.0) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
            let hits = (number(of) * part) as usize;
            let share = Share { hits, of };
            let (value, interval) = (share.value().unwrap(), share.interval().unwrap());
            prop_assert!(0.0 <= interval.low && interval.low <= value);
            prop_assert!(value <= interval.high && interval.high <= 1.0);
            let wider = Share { hits: hits * 4, of: of * 4 }.interval().unwrap();
            prop_assert!(wider.high - wider.low < interval.high - interval.low);
        }
    }
}

//! How well a number tells two groups apart, and what resampling says of a figure.

use serde::Serialize;

use crate::metrics::{Interval, number};

/// The area under the curve of true against false alarms: how often one of the first group has more than one of the second,
/// equals half.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Auc {
    /// From 0 to 1; a half where nothing is told.
    pub value: f64,
    /// How many the first group has.
    pub positives: usize,
    /// How many the second has.
    pub negatives: usize,
    /// What 95 of 100 resamples give.
    pub interval: Interval,
}

/// Resamples of a figure.
const RESAMPLES: usize = 1_000;

impl Auc {
    /// Of the values of two groups.
    #[must_use]
    pub fn of(positives: &[f64], negatives: &[f64]) -> Self {
        let interval = resampled(positives.len() + negatives.len(), |chosen| {
            let own = chosen.iter().filter_map(|at| positives.get(*at)).copied().collect::<Vec<_>>();
            let others =
                chosen.iter().filter_map(|at| negatives.get(at.checked_sub(positives.len())?)).copied();
            area(&own, &others.collect::<Vec<_>>())
        });
        Self {
            value: area(positives, negatives),
            positives: positives.len(),
            negatives: negatives.len(),
            interval,
        }
    }
}

fn area(positives: &[f64], negatives: &[f64]) -> f64 {
    if positives.is_empty() || negatives.is_empty() {
        return 0.5;
    }
    let mut sorted = negatives.to_vec();
    sorted.sort_by(f64::total_cmp);
    let won: f64 = positives
        .iter()
        .map(|value| {
            let below = sorted.partition_point(|other| other < value);
            let equal = sorted.partition_point(|other| other <= value) - below;
            number(below) + number(equal) / 2.0
        })
        .sum();
    won / (number(positives.len()) * number(negatives.len()))
}

/// What 95 of 100 resamples of so many cases give (Efron, "Bootstrap methods", 1979). The same each time.
pub(super) fn resampled(cases: usize, figure: impl Fn(&[usize]) -> f64) -> Interval {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % u64::try_from(below.max(1)).unwrap_or(1)).unwrap_or(0)
    };
    let mut figures: Vec<f64> =
        (0..RESAMPLES).map(|_| figure(&(0..cases).map(|_| next(cases)).collect::<Vec<_>>())).collect();
    figures.sort_by(f64::total_cmp);
    Interval { low: figures[RESAMPLES / 40], high: figures[RESAMPLES - 1 - RESAMPLES / 40] }
}

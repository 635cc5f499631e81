//! How long things took.

use serde::Serialize;

/// Quantiles of durations, in microseconds. Reported, never judged: they belong to the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Quantiles {
    /// Half took no longer.
    pub p50_us: u64,
    /// 95 of 100 took no longer.
    pub p95_us: u64,
    /// 99 of 100 took no longer.
    pub p99_us: u64,
}

impl Quantiles {
    /// The quantiles of `durations_us` by the nearest rank; zeros of none.
    #[must_use]
    pub fn of(mut durations_us: Vec<u64>) -> Self {
        durations_us.sort_unstable();
        let at = |percent: usize| {
            let rank = (durations_us.len() * percent).div_ceil(100);
            durations_us.get(rank.saturating_sub(1)).copied().unwrap_or_default()
        };
        Self { p50_us: at(50), p95_us: at(95), p99_us: at(99) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_go_by_the_nearest_rank() {
        assert_eq!(
            Quantiles::of((1..=200).rev().collect()),
            Quantiles { p50_us: 100, p95_us: 190, p99_us: 198 }
        );
        assert_eq!(Quantiles::of(vec![7]), Quantiles { p50_us: 7, p95_us: 7, p99_us: 7 });
        assert_eq!(Quantiles::of(Vec::new()), Quantiles::default());
    }
}

//! The seeded source of sample data: values and slow movements, each a pure function of its key.

/// The golden ratio's fraction in 64 bits: spreads neighbouring numbers apart.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// A place in the tree of keys under one seed. Cheap to copy; every value under it is fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Source(u64);

impl Source {
    /// The root of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(mix(seed ^ SPREAD))
    }

    /// The place under this key.
    pub(crate) fn of(self, key: &str) -> Self {
        // FNV-1a: keys are short words.
        let folded =
            key.bytes().fold(self.0, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
        Self(mix(folded))
    }

    /// The place under this number.
    pub(crate) fn nth(self, index: i64) -> Self {
        Self(mix(self.0 ^ index.cast_unsigned().wrapping_mul(SPREAD)))
    }

    /// The value here, from 0 to below 1.
    pub(crate) fn unit(self) -> f64 {
        let high = u32::try_from(self.0 >> 32).unwrap_or(u32::MAX);
        f64::from(high) / (f64::from(u32::MAX) + 1.0)
    }

    /// The value here, from `low` to below `high`.
    pub(crate) fn between(self, low: f64, high: f64) -> f64 {
        low + self.unit() * (high - low)
    }

    /// One of `items`; none only where there are none.
    pub(crate) fn pick<T>(self, items: &[T]) -> Option<&T> {
        let count = u64::try_from(items.len()).ok()?;
        let index = usize::try_from(self.0.checked_rem(count)?).ok()?;
        items.get(index)
    }

    /// A movement over time from -1 to 1, smooth at the scale of minutes, wandering at the scale of weeks.
    pub(crate) fn drift(self, minute: i64) -> f64 {
        0.5 * self.of("fortnight").wave(minute, 14 * 24 * 60)
            + 0.3 * self.of("days").wave(minute, 2 * 24 * 60)
            + 0.15 * self.of("hours").wave(minute, 5 * 60)
            + 0.05 * self.of("minutes").wave(minute, 12)
    }

    /// Noise from -1 to 1, eased between one knot a `period` of minutes.
    fn wave(self, minute: i64, period: i64) -> f64 {
        let knot = minute.div_euclid(period);
        let along = real(minute.rem_euclid(period)) / real(period);
        let eased = along * along * (3.0 - 2.0 * along);
        let (from, to) = (self.nth(knot).between(-1.0, 1.0), self.nth(knot + 1).between(-1.0, 1.0));
        from + eased * (to - from)
    }
}

/// `value` to so many decimal places.
pub(crate) fn rounded(value: f64, places: i32) -> f64 {
    let scale = 10_f64.powi(places);
    let scaled = (value * scale).round() / scale;
    // No negative zero in a result.
    scaled + 0.0
}

/// `value` to the next whole number.
#[allow(
    clippy::cast_possible_truncation,
    reason = "sample values stay far below 2^53, and the cast saturates"
)]
pub(crate) fn whole(value: f64) -> i64 {
    value.round() as i64
}

/// `value` as a real number.
#[allow(clippy::cast_precision_loss, reason = "sample values stay far below 2^53")]
pub(crate) fn real(value: i64) -> f64 {
    value as f64
}

/// The finalizer of splitmix64 (Steele, Lea and Flood, 2014).
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn values_and_movements_stay_in_their_range(seed: u64, minute in -100_000_000_i64..100_000_000) {
            let source = Source::new(seed).of("key");
            prop_assert!((0.0..1.0).contains(&source.nth(minute).unit()));
            prop_assert!((-1.0..=1.0).contains(&source.drift(minute)));
            let again = Source::new(seed).of("key");
            prop_assert_eq!(source.drift(minute).to_bits(), again.drift(minute).to_bits());
        }

        #[test]
        fn a_minute_moves_little(seed: u64, minute in -100_000_000_i64..100_000_000) {
            let source = Source::new(seed);
            prop_assert!((source.drift(minute + 1) - source.drift(minute)).abs() < 0.05);
        }
    }

    #[test]
    fn keys_seeds_and_numbers_lead_to_different_places() {
        let source = Source::new(7);
        assert_ne!(source.of("a"), source.of("b"));
        assert_ne!(source.nth(1), source.nth(2));
        assert_ne!(source.of("a"), Source::new(8).of("a"));
    }

    #[test]
    fn picks_reach_every_item() {
        let items = ["a", "b", "c"];
        let source = Source::new(1);
        let picked: std::collections::BTreeSet<_> =
            (0..50).filter_map(|index| source.nth(index).pick(&items)).collect();
        assert_eq!(picked.len(), items.len());
        assert_eq!(source.pick::<u8>(&[]), None);
    }
}

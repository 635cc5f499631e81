//! Providers of the same thing: when price or speed makes a difference worth asking about.

use domain::{LatencyClass, Usd};
use policy::Gate;
use probe::Difference;

use crate::brief::BriefOption;

/// Whether it makes a difference which of two options is taken. A provider that is neither dearer nor slower than the other
/// is simply the better one.
pub(crate) fn is_material(one: &BriefOption, other: &BriefOption, policy: &Gate) -> bool {
    match one.effect.difference(&other.effect) {
        None => false,
        Some(Difference::Method | Difference::EntityLevel | Difference::Slot) => true,
        Some(Difference::CostOrLatency) => {
            let is_dearer = |one: &BriefOption, other: &BriefOption| dearer(one, other, policy);
            let is_slower = |one: &BriefOption, other: &BriefOption| speed(one) > speed(other);
            is_dearer(one, other) && is_slower(other, one) || is_dearer(other, one) && is_slower(one, other)
        }
    }
}

/// Whether one of two options is slower or costs something else.
pub(super) fn differs(one: &BriefOption, other: &BriefOption) -> bool {
    speed(one) != speed(other) || price(one) != price(other)
}

/// Whether an option gives the same as another one faster, or as fast and cheaper.
pub(super) fn is_better(option: &BriefOption, than: &BriefOption) -> bool {
    let key = |option: &BriefOption| (speed(option), price(option));
    option.effect.difference(&than.effect) == Some(Difference::CostOrLatency) && key(option) < key(than)
}

fn dearer(one: &BriefOption, other: &BriefOption, policy: &Gate) -> bool {
    let (one, other) = (amount(one), amount(other));
    one > 0.0 && one >= other * policy.price_ratio_min
}

fn price(option: &BriefOption) -> Usd {
    option.effect.price.unwrap_or(Usd::ZERO)
}

fn amount(option: &BriefOption) -> f64 {
    price(option).to_string().parse().unwrap_or(0.0)
}

/// Slower is more.
fn speed(option: &BriefOption) -> u8 {
    match option.effect.latency {
        LatencyClass::Instant => 0,
        LatencyClass::Fast => 1,
        LatencyClass::Slow => 2,
        LatencyClass::Streaming => 3,
    }
}

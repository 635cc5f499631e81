//! What calling a method would do, so that two readings of a question can be told apart by it and not by its words.

mod contract;
mod profile;

use std::collections::BTreeMap;

use domain::{LatencyClass, MethodRef, Usd};
use fit::{Choice, Known};
use reading::bind::Binding;
use serde_json::Value;

pub use profile::{Cardinality, Granularity, Profile, Scope};

/// What calling a method would do: the call, what it covers, and what it would give.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// The method.
    pub method: MethodRef,
    /// The arguments that the question gives.
    pub arguments: BTreeMap<String, Value>,
    /// The fingerprint of what it takes and gives, descriptions left out: equal for two copies of one method.
    pub contract: u64,
    /// What it covers.
    pub profile: Profile,
    /// What a call costs; none where it has no price of its own.
    pub price: Option<Usd>,
    /// How fast it says it is.
    pub latency: LatencyClass,
}

/// How two effects differ, the plainest difference first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// Another method, which gives other things.
    Method,
    /// Another method of the same listing, which looks at one thing where the other looks at several or at all.
    EntityLevel,
    /// The same method with another value in an argument.
    Slot,
    /// The same thing from another provider, at another price or speed.
    CostOrLatency,
}

impl Effect {
    pub(crate) fn of(choice: &Choice<'_>) -> Self {
        let method = &choice.candidate.method;
        Self {
            method: choice.candidate.method_ref(),
            arguments: arguments(&choice.binding),
            contract: contract::fingerprint(choice.candidate, &choice.known),
            profile: profile(&choice.known, &choice.binding),
            price: method.meta.execute_price,
            latency: method.meta.latency,
        }
    }

    /// The same call with other arguments.
    #[must_use]
    pub(crate) fn with(&self, binding: &Binding) -> Self {
        Self { arguments: arguments(binding), ..self.clone() }
    }

    /// How this effect differs from another one; not at all where the same call gives the same thing.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<Difference> {
        if self.method == other.method {
            return (self.arguments != other.arguments).then_some(Difference::Slot);
        }
        if self.contract == other.contract {
            let costs_the_same = self.price == other.price && self.latency == other.latency;
            return (!costs_the_same).then_some(Difference::CostOrLatency);
        }
        let is_level =
            self.method.listing == other.method.listing && self.profile.scope != other.profile.scope;
        Some(if is_level { Difference::EntityLevel } else { Difference::Method })
    }
}

fn arguments(binding: &Binding) -> BTreeMap<String, Value> {
    binding.values().into_iter().collect()
}

fn profile(known: &Known, binding: &Binding) -> Profile {
    Profile::of(known, &binding.arguments)
}

#[cfg(test)]
mod tests;

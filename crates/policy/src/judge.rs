//! Learned models as data: a weight for each of a fixed list of named signals.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;

use crate::range::{OutOfRange, within};

mod names;

pub use names::{OfArgument, OfCase, OfMethod};

/// What a model looks at.
pub trait SignalNames {
    /// The names of its signals, in the order in which they are given.
    const NAMES: &'static [&'static str];
}

/// A linear model over the signals that `S` names. A file that lacks one of them, or has another, is an error.
#[derive(Deserialize)]
#[serde(try_from = "Table", bound = "S: SignalNames")]
pub struct Linear<S> {
    bias: f64,
    /// In the order of the names.
    weights: Vec<f64>,
    signals: PhantomData<S>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    bias: f64,
    weights: BTreeMap<String, f64>,
}

impl<S: SignalNames> TryFrom<Table> for Linear<S> {
    type Error = String;

    fn try_from(mut table: Table) -> Result<Self, String> {
        let mut weights = Vec::with_capacity(S::NAMES.len());
        for name in S::NAMES {
            weights
                .push(table.weights.remove(*name).ok_or_else(|| format!("a weight of `{name}` is missing"))?);
        }
        match table.weights.keys().next() {
            Some(name) => Err(format!("there is no signal `{name}`")),
            None => Ok(Self::new(table.bias, weights)),
        }
    }
}

impl<S> Linear<S> {
    /// A model of these weights, in the order of the names.
    #[must_use]
    pub fn new(bias: f64, weights: Vec<f64>) -> Self {
        Self { bias, weights, signals: PhantomData }
    }

    /// The bias and the weighted sum of the signals, which come in the order of the names.
    #[must_use]
    pub fn sum(&self, signals: &[(&'static str, f64)]) -> f64 {
        let weighted = self.weights.iter().zip(signals).map(|(weight, (_, value))| weight * value);
        self.bias + weighted.sum::<f64>()
    }

    /// The share of 1 that the sum stands for, by the logistic function.
    #[must_use]
    pub fn share(&self, signals: &[(&'static str, f64)]) -> f64 {
        1.0 / (1.0 + (-self.sum(signals)).exp())
    }

    pub(crate) fn check(&self, key: &'static str) -> Result<(), OutOfRange> {
        let mut weights = self.weights.iter().chain([&self.bias]);
        within(key, weights.all(|weight| weight.is_finite()), "must have finite weights")
    }
}

impl<S> Clone for Linear<S> {
    fn clone(&self) -> Self {
        Self::new(self.bias, self.weights.clone())
    }
}

impl<S> PartialEq for Linear<S> {
    fn eq(&self, other: &Self) -> bool {
        (self.bias, &self.weights) == (other.bias, &other.weights)
    }
}

impl<S> fmt::Debug for Linear<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Linear").field("bias", &self.bias).field("weights", &self.weights).finish()
    }
}

/// The three-way model of what to do with a question: what speaks for a verdict rather than for a miss.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verdicts {
    /// For going on.
    pub answer: Linear<OfCase>,
    /// For asking.
    pub clarification_required: Linear<OfCase>,
}

impl Verdicts {
    /// How likely it is best to answer, to ask and to say that nothing fits; together they are 1.
    #[must_use]
    pub fn shares(&self, signals: &[(&'static str, f64)]) -> [f64; 3] {
        let sums = [self.answer.sum(signals), self.clarification_required.sum(signals), 0.0];
        let most = sums.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let powers = sums.map(|sum| (sum - most).exp());
        let total: f64 = powers.iter().sum();
        powers.map(|power| power / total)
    }

    pub(crate) fn check(&self) -> Result<(), OutOfRange> {
        self.answer.check("verdict.answer")?;
        self.clarification_required.check("verdict.clarification_required")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Two;

    impl SignalNames for Two {
        const NAMES: &'static [&'static str] = &["near", "far"];
    }

    fn read(weights: &str) -> Result<Linear<Two>, String> {
        toml::from_str(&format!("bias = 0.5\n[weights]\n{weights}")).map_err(|error| error.to_string())
    }

    #[test]
    fn weights_follow_the_names_and_none_is_missing_or_unknown() {
        let model = read("far = 2.0\nnear = -1.0").unwrap();
        assert!((model.sum(&[("near", 1.0), ("far", 3.0)]) - 5.5).abs() < 1e-12);
        assert!(read("near = 1.0").unwrap_err().contains("`far` is missing"));
        assert!(read("near = 1.0\nfar = 1.0\nwide = 1.0").unwrap_err().contains("no signal `wide`"));
    }
}

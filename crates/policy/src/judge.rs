//! Learned models as data: small decision trees over fixed lists of named signals.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;

use crate::range::{OutOfRange, within};

mod names;
mod tree;

pub use names::{OfArgument, OfCase, OfMethod};
pub use tree::Tree;

/// What a model looks at.
pub trait SignalNames {
    /// The names of its signals, in the order in which they are given.
    const NAMES: &'static [&'static str];
}

/// `learned.toml`: everything that was learned.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Learned {
    /// How surely a method serves a question.
    pub grounding: Forest<OfMethod>,
    /// How likely a required argument is one that only the caller can give.
    pub open: Forest<OfArgument>,
    /// What to do with a question.
    pub verdict: Verdicts,
}

impl Learned {
    pub(crate) fn check(&self) -> Result<(), OutOfRange> {
        self.grounding.check("grounding")?;
        self.open.check("open")?;
        self.verdict.answer.check("verdict.answer")?;
        self.verdict.clarification_required.check("verdict.clarification_required")?;
        self.verdict.capability_miss.check("verdict.capability_miss")
    }
}

/// A sum of trees over the signals that `S` names. A file that names another signal is an error.
#[derive(Deserialize)]
#[serde(try_from = "Vec<String>", bound = "S: SignalNames")]
pub struct Forest<S> {
    trees: Vec<Tree>,
    signals: PhantomData<S>,
}

impl<S: SignalNames> TryFrom<Vec<String>> for Forest<S> {
    type Error = String;

    fn try_from(lines: Vec<String>) -> Result<Self, String> {
        let trees: Result<Vec<Tree>, String> = lines.iter().map(|line| Tree::parse(line, S::NAMES)).collect();
        Ok(Self::new(trees?))
    }
}

impl<S> Forest<S> {
    /// These trees together.
    #[must_use]
    pub fn new(trees: Vec<Tree>) -> Self {
        Self { trees, signals: PhantomData }
    }

    /// Its trees.
    #[must_use]
    pub fn trees(&self) -> &[Tree] {
        &self.trees
    }

    /// The sum over the trees of what each says of the signals, which come in the order of the names.
    #[must_use]
    pub fn sum(&self, signals: &[(&'static str, f64)]) -> f64 {
        self.trees
            .iter()
            .map(|tree| tree.value(&|signal| signals.get(signal).map_or(0.0, |(_, value)| *value)))
            .sum()
    }

    /// The share of 1 that the sum stands for, by the logistic function.
    #[must_use]
    pub fn share(&self, signals: &[(&'static str, f64)]) -> f64 {
        1.0 / (1.0 + (-self.sum(signals)).exp())
    }

    fn check(&self, key: &'static str) -> Result<(), OutOfRange> {
        within(key, self.trees.iter().all(Tree::is_finite), "must have finite numbers")
    }
}

impl<S> Clone for Forest<S> {
    fn clone(&self) -> Self {
        Self::new(self.trees.clone())
    }
}

impl<S> fmt::Debug for Forest<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Forest").field("trees", &self.trees.len()).finish()
    }
}

/// The three-way model of what to do with a question: what speaks for each verdict.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verdicts {
    /// For going on.
    pub answer: Forest<OfCase>,
    /// For asking.
    pub clarification_required: Forest<OfCase>,
    /// For saying that nothing fits.
    pub capability_miss: Forest<OfCase>,
}

impl Verdicts {
    /// How likely it is best to answer, to ask and to say that nothing fits; together they are 1.
    #[must_use]
    pub fn shares(&self, signals: &[(&'static str, f64)]) -> [f64; 3] {
        let sums =
            [&self.answer, &self.clarification_required, &self.capability_miss].map(|it| it.sum(signals));
        let most = sums.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let powers = sums.map(|sum| (sum - most).exp());
        let total: f64 = powers.iter().sum();
        powers.map(|power| power / total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Two;

    impl SignalNames for Two {
        const NAMES: &'static [&'static str] = &["near", "far"];
    }

    #[test]
    fn a_forest_is_the_sum_of_its_trees() {
        let lines = ["near 0.5 1 far 2 -1 -2", "0.25"].map(str::to_owned).to_vec();
        let forest = Forest::<Two>::try_from(lines).unwrap();
        let sum = |near, far| forest.sum(&[("near", near), ("far", far)]);
        for (signals, wanted) in [((0.5, 9.0), 1.25), ((0.6, 2.0), -0.75), ((0.6, 2.1), -1.75)] {
            assert!((sum(signals.0, signals.1) - wanted).abs() < 1e-9);
        }
        assert!((forest.share(&[("near", 0.0), ("far", 0.0)]) - 0.777_299_9).abs() < 1e-6);
        let wide = Forest::<Two>::try_from(vec!["wide 0.5 1 2".to_owned()]).unwrap_err();
        assert!(wide.contains("no signal `wide`"), "{wide}");
    }
}

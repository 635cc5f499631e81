//! What was expected against what was decided.

use serde::Serialize;

use super::Share;
use crate::corpus::Outcome;

const OUTCOMES: usize = Outcome::ALL.len();

/// Counts of cases by expected (first) and decided (second) outcome, both in the order of [`Outcome::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Confusion([[usize; OUTCOMES]; OUTCOMES]);

impl Confusion {
    /// Counts one case.
    pub fn add(&mut self, expected: Outcome, decided: Outcome) {
        self.0[expected as usize][decided as usize] += 1;
    }

    /// How often `decided` came where `expected` was expected.
    #[must_use]
    pub fn count(&self, expected: Outcome, decided: Outcome) -> usize {
        self.0[expected as usize][decided as usize]
    }

    /// How many cases there are.
    #[must_use]
    pub fn cases(&self) -> usize {
        self.0.iter().flatten().sum()
    }

    /// Of the cases that expect one of `expected`, those that were decided `decided`.
    #[must_use]
    pub fn share(&self, expected: &[Outcome], decided: Outcome) -> Share {
        Share {
            hits: expected.iter().map(|expected| self.count(*expected, decided)).sum(),
            of: expected.iter().map(|expected| self.expecting(*expected)).sum(),
        }
    }

    /// The cases that were decided as expected.
    #[must_use]
    pub fn accuracy(&self) -> Share {
        let hits = Outcome::ALL.iter().map(|outcome| self.count(*outcome, *outcome)).sum();
        Share { hits, of: self.cases() }
    }

    /// The mean recall of the outcomes that were expected at all; none without cases.
    #[must_use]
    pub fn balanced_accuracy(&self) -> Option<f64> {
        mean(Outcome::ALL.into_iter().filter_map(|outcome| self.share(&[outcome], outcome).value()))
    }

    /// The mean F1 of the outcomes that were expected or decided at all; none without cases.
    #[must_use]
    pub fn macro_f1(&self) -> Option<f64> {
        mean(Outcome::ALL.into_iter().filter_map(|outcome| {
            let expected_or_decided = Share {
                hits: 2 * self.count(outcome, outcome),
                of: self.expecting(outcome) + self.deciding(outcome),
            };
            expected_or_decided.value()
        }))
    }

    fn expecting(&self, outcome: Outcome) -> usize {
        self.0[outcome as usize].iter().sum()
    }

    fn deciding(&self, outcome: Outcome) -> usize {
        self.0.iter().map(|row| row[outcome as usize]).sum()
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use Outcome::{Answer, CapabilityMiss, ClarificationRequired};

    fn confusion(rows: [[usize; 3]; 3]) -> Confusion {
        Confusion(rows)
    }

    #[test]
    fn measures_by_hand() {
        let counted = confusion([[6, 2, 2], [1, 3, 0], [2, 0, 4]]);
        assert_eq!(counted.share(&[Answer], Answer), Share { hits: 6, of: 10 });
        assert_eq!(
            counted.share(&[ClarificationRequired, CapabilityMiss], Answer),
            Share { hits: 3, of: 10 }
        );
        assert_eq!(counted.accuracy(), Share { hits: 13, of: 20 });
        let balanced = (0.6 + 0.75 + 4.0 / 6.0) / 3.0;
        assert!((counted.balanced_accuracy().unwrap() - balanced).abs() < 1e-12);
        let macro_f1 = (12.0 / 19.0 + 6.0 / 9.0 + 8.0 / 12.0) / 3.0;
        assert!((counted.macro_f1().unwrap() - macro_f1).abs() < 1e-12);
    }

    #[test]
    fn an_outcome_that_never_came_up_does_not_count() {
        let only_answers = confusion([[4, 0, 0], [0; 3], [0; 3]]);
        assert_eq!(only_answers.macro_f1(), Some(1.0));
        assert_eq!(only_answers.balanced_accuracy(), Some(1.0));
        assert_eq!(Confusion::default().macro_f1(), None);
    }

    proptest! {
        #[test]
        fn measures_are_shares(rows in any::<[[u8; 3]; 3]>()) {
            let counted = confusion(rows.map(|row| row.map(usize::from)));
            for measure in [counted.macro_f1(), counted.balanced_accuracy()].into_iter().flatten() {
                prop_assert!((0.0..=1.0).contains(&measure));
            }
            let split: usize = Outcome::ALL.iter().map(|outcome| counted.share(&Outcome::ALL, *outcome).hits).sum();
            prop_assert_eq!(split, counted.cases());
        }
    }
}

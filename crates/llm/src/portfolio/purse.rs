//! What a request may still spend on models.

use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::Usd;

/// Dollars that are left; without a bound until one is told.
#[derive(Debug, Default)]
pub(super) struct Purse(Mutex<Option<Usd>>);

impl Purse {
    /// So much is left from here on.
    pub(super) fn fill(&self, left: Usd) {
        *self.left() = Some(left);
    }

    /// Takes the most that a request can cost; says whether there was so much.
    pub(super) fn take(&self, most: Usd) -> bool {
        match &mut *self.left() {
            None => true,
            Some(left) if most <= *left => {
                *left = left.saturating_sub(most);
                true
            }
            Some(_) => false,
        }
    }

    /// Gives back what a request did not cost.
    pub(super) fn give_back(&self, amount: Usd) {
        if let Some(left) = &mut *self.left() {
            *left += amount;
        }
    }

    fn left(&self) -> MutexGuard<'_, Option<Usd>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_takes_its_bound_and_gives_back_the_rest() {
        let purse = Purse::default();
        let dollars = |text| Usd::parse(text).unwrap();
        assert!(purse.take(dollars("5")));
        purse.fill(dollars("1"));
        assert!(purse.take(dollars("0.8")));
        assert!(!purse.take(dollars("0.3")));
        purse.give_back(dollars("0.2"));
        assert!(purse.take(dollars("0.3")));
    }
}

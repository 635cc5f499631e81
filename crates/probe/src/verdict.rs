//! The evidence in the light of the whole: what each method is worth once it is known what else there is, and how the
//! question is built.
//!
//! A method is first weighed by itself, and so is each of its required arguments. Whether the best one serves, whether a
//! value is missing and whether a near second makes a difference can only be said of all of them together: the three-way
//! model says it, and moves the evidence to where it says.

use policy::Verdicts;

use crate::evidence::{Evidence, open_argument};

/// How far the runner-up stays behind where the question is clear, and how near it comes where it is not.
const APART: f64 = 0.12;
const NEAR: f64 = 0.05;

/// A runner-up that is less sure than this share of the best is none.
const RUNNER_UP_SHARE_MIN: f64 = 0.25;

/// Moves the evidence of methods, the surest first, to what the model says of the case. Their order stays.
pub(crate) fn settle(ranked: &mut [Evidence], signals: &[(&'static str, f64)], verdicts: &Verdicts) {
    let [answer, ask, miss] = verdicts.shares(signals);
    let Some((best, others)) = ranked.split_first_mut() else { return };
    let before = best.grounding.max(f64::MIN_POSITIVE);
    let serves = answer.max(ask);
    best.grounding = serves / (serves + miss);
    let asks = ask / (ask + answer);
    let is_unclear = asks >= 0.5;
    let asks_value = best.settle_arguments(asks);
    for (place, other) in others.iter_mut().enumerate() {
        let share = (other.grounding / before).min(1.0);
        let own = share * best.grounding;
        other.grounding = if !is_unclear || asks_value {
            own.min((best.grounding - APART).max(0.0))
        } else if place == 0 && share >= RUNNER_UP_SHARE_MIN {
            own.max(best.grounding - NEAR)
        } else {
            own
        };
    }
}

impl Evidence {
    /// Whether a value is asked for. Where the question is unclear, the likeliest argument is what it lacks, even one that
    /// seemed to be filled; where it is clear, none is.
    fn settle_arguments(&mut self, asks: f64) -> bool {
        let is_unclear = asks >= 0.5;
        if !is_unclear {
            for open in &mut self.open {
                open.is_the_callers = open.is_the_callers.min(asks);
            }
            return false;
        }
        let likeliest = self.required.iter().max_by(|one, other| {
            (!one.is_filled, one.is_the_callers)
                .partial_cmp(&(!other.is_filled, other.is_the_callers))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        let Some(likeliest) = likeliest.cloned() else { return false };
        if !self.open.iter().any(|open| open.name == likeliest.name) {
            self.open.extend(
                self.binding.argument(&likeliest.name).map(|argument| open_argument(argument, &likeliest)),
            );
        }
        for open in self.open.iter_mut().filter(|open| open.name == likeliest.name) {
            open.is_the_callers = open.is_the_callers.max(asks);
        }
        true
    }
}

//! The evidence in the light of the whole: what each method is worth once it is known what else there is, and how the
//! question is built.
//!
//! A method is first weighed by itself, and so is each of its required arguments. Whether the best one serves, whether a
//! value is missing and whether a near second makes a difference can only be said of all of them together: the three-way
//! model says it, and moves the evidence to where it says.

use policy::Verdicts;

use crate::effect::Scope;
use crate::evidence::{Evidence, open_argument};
use crate::required::Required;
use crate::situation::SAYS_ALL_MIN;

/// How far the runner-up stays behind where the question is clear, and how near it comes where it is not.
const APART: f64 = 0.12;
const APART_SURE: f64 = 0.27;
const NEAR: f64 = 0.05;

/// A question of which the model says "ask" less surely than this is clear beyond doubt.
const SURELY_CLEAR: f64 = 0.35;

/// A runner-up that is less sure than this share of the best is none, and so is one that the planner's fit leaves this far
/// behind: less where the question says a word of the best one's name.
const RUNNER_UP_SHARE_MIN: f64 = 0.15;
const BEHIND_NAMED_MAX: f64 = 0.35;
const BEHIND_MAX: f64 = 1.25;

/// The part comes just behind the whole where either could be meant.
const PART_BEHIND: f64 = 0.005;

/// Of an unclear question so many methods beside the best are in play.
const RUNNERS_UP: usize = 2;

/// Of a method that is just what the question says no doubt of the model's goes further than this.
const DIRECT_ASKS_MAX: f64 = 0.3;
const DIRECT_GROUNDING_MIN: f64 = 0.75;
const DIRECT_LEAD_MIN: f64 = 0.1;

/// A result that has the shape of what is asked, by its schema, with most of the question accounted for, is no miss; nor is
/// a method that the question names, with everything else that it names in place.
const SHAPED_FORM_MIN: f64 = 0.9;
const SHAPED_COVERAGE_MIN: f64 = 0.7;
const SHAPED_GROUNDING_MIN: f64 = 0.6;

/// Moves the evidence of methods, the likeliest first, to what the model says of the case. Their order stays, but that the
/// whole goes before a part that the question does not name.
pub(crate) fn settle(ranked: &mut [Evidence], signals: &[(&'static str, f64)], verdicts: &Verdicts) {
    let [answer, ask, miss] = verdicts.shares(signals);
    let Some((best, others)) = ranked.split_first_mut() else { return };
    let before = best.grounding.max(f64::MIN_POSITIVE);
    let serves = answer.max(ask);
    best.grounding = serves / (serves + miss);
    let mut asks = ask / (ask + answer);
    let lead = best.fit.score() - others.first().map_or(0.0, |other| other.fit.score());
    if best.is_direct() && lead >= DIRECT_LEAD_MIN {
        asks = asks.min(DIRECT_ASKS_MAX);
        best.grounding = best.grounding.max(DIRECT_GROUNDING_MIN);
    } else if best.is_shaped() || best.is_named() {
        best.grounding = best.grounding.max(SHAPED_GROUNDING_MIN);
    }
    let is_even = others.first().is_some_and(|other| best.is_even_with(other));
    let is_unclear = asks >= 0.5 || is_even;
    let asks_value = best.settle_arguments(asks);
    let is_part = best.required.iter().any(|required| required.names_whole);
    let apart = if asks < SURELY_CLEAR || is_unclear && !asks_value { APART_SURE } else { APART };
    let whole = if is_part { whole_of(best, others) } else { None };
    for (place, other) in others.iter_mut().enumerate() {
        let share = (other.grounding / before).min(1.0);
        let own = share * best.grounding;
        let is_tied = is_unclear
            && !asks_value
            && share >= RUNNER_UP_SHARE_MIN
            && !best.outfits(other)
            && place < RUNNERS_UP;
        other.grounding = if whole == Some(place) {
            best.grounding
        } else if is_tied {
            own.max(best.grounding - NEAR)
        } else {
            own.min((best.grounding - apart).max(0.0))
        };
    }
    if let Some(place) = whole {
        // The part cannot be had without a second name, the whole can: it is what is taken where nobody can be asked.
        best.grounding = (best.grounding - PART_BEHIND).max(0.0);
        ranked[..=place + 1].rotate_right(1);
    }
}

/// The method that best tells of the whole that another one tells a part of.
fn whole_of(part: &Evidence, others: &[Evidence]) -> Option<usize> {
    let wholes = others.iter().enumerate().filter(|(_, other)| other.is_whole_of(part));
    wholes
        .max_by(|(_, one), (_, other)| one.fit.score().total_cmp(&other.fit.score()))
        .map(|(place, _)| place)
}

/// How likely a filled argument must be the caller's to give, by itself, for its value to be doubted.
const DOUBT_MIN: f64 = 0.1;

impl Evidence {
    /// Whether the question says all of its name, leaves no word over and no argument open.
    fn is_direct(&self) -> bool {
        self.fit.coverage >= SAYS_ALL_MIN && self.fit.name >= SAYS_ALL_MIN && self.open.is_empty()
    }

    /// Whether the question says all of its name, everything that it names has a place, and no argument is open.
    pub(crate) fn is_named(&self) -> bool {
        self.fit.name >= SAYS_ALL_MIN && self.fit.placed >= SAYS_ALL_MIN && self.open.is_empty()
    }

    /// Whether its result, by its schema, has the shape of what is asked.
    fn is_shaped(&self) -> bool {
        self.fit.form >= SHAPED_FORM_MIN
            && self.fit.coverage >= SHAPED_COVERAGE_MIN
            && self.open.is_empty()
            && !self.known.outline.leaves.is_empty()
    }

    /// Whether the question says as much of another method as of this one, and all that it says.
    fn is_even_with(&self, other: &Self) -> bool {
        let says_all = |evidence: &Self| evidence.fit.coverage >= SAYS_ALL_MIN && evidence.open.is_empty();
        let gap = self.fit.score() - other.fit.score();
        let names = self.fit.name > 0.0 && (self.fit.name - other.fit.name).abs() < f64::EPSILON;
        says_all(self) && says_all(other) && names && !self.is_direct() && gap.abs() < DIRECT_LEAD_MIN
    }

    /// Whether the planner's fit leaves another method out of play beside this one.
    fn outfits(&self, other: &Self) -> bool {
        let most = if self.fit.name > 0.0 { BEHIND_NAMED_MAX } else { BEHIND_MAX };
        self.fit.score() - other.fit.score() > most
    }

    /// Whether it tells of the whole that another method of its listing tells one part of, and can be called as it is.
    fn is_whole_of(&self, part: &Self) -> bool {
        let finds = self.signals.iter().any(|(name, value)| *name == "finder_beside" && *value > 0.0);
        self.effect.method.listing == part.effect.method.listing
            && self.effect.profile.scope != Scope::SingleTarget
            && self.open.is_empty()
            && !finds
    }

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
        let binding = &self.binding;
        let is_doubtful = |required: &&Required| {
            let is_bound =
                binding.argument(&required.name).is_some_and(|argument| argument.bound().is_some());
            !required.is_filled || is_bound && required.is_the_callers >= DOUBT_MIN
        };
        let likeliest = self.required.iter().filter(is_doubtful).max_by(|one, other| {
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

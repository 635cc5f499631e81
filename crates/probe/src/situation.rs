//! Where a question stands among the methods that there are: what the judge weighs.

use crate::evidence::Evidence;
use crate::numbers::{count, flag};
use crate::signals::Signals;

/// One method's standing, as the models see it.
#[derive(Clone, Debug)]
pub struct Standing<'a> {
    /// What speaks for it and against it.
    pub signals: &'a [(&'static str, f64)],
    /// How surely it serves the question, from 0 to 1.
    pub grounding: f64,
    /// For each required argument, how likely it is that only the caller can give it.
    pub asks: Vec<f64>,
    /// Required arguments that nothing fills.
    pub open: usize,
}

impl<'a> From<&'a Evidence> for Standing<'a> {
    fn from(evidence: &'a Evidence) -> Self {
        Self {
            signals: &evidence.signals,
            grounding: evidence.grounding,
            asks: evidence.required.iter().map(|required| required.is_the_callers).collect(),
            open: evidence.open.len(),
        }
    }
}

/// Where the question says all of a method's name and leaves no word over, the method is meant.
pub(crate) const SAYS_ALL_MIN: f64 = 0.99;

/// Where a method comes among the others: how surely it serves, whether it is just what the question says, and how far the
/// planner's fit leaves it behind the method that fits best.
#[must_use]
pub fn rank(grounding: f64, signals: &[(&'static str, f64)], fit_weight: f64) -> f64 {
    let value = |name| value_of(signals, name);
    let is_direct =
        value("coverage") >= SAYS_ALL_MIN && value("name") >= SAYS_ALL_MIN && value("open") == 0.0;
    let direct = flag(is_direct);
    log_odds(grounding) + fit_weight * (direct - value("fits_behind") - value("finder_beside"))
}

/// The signals of a case: of its methods, the surest first, and of how the question is built. Empty without a method.
#[must_use]
pub fn situation(standings: &[Standing<'_>], shape: &[(&'static str, f64)]) -> Signals {
    let Some(best) = standings.first() else { return Signals::new() };
    let grounding = |place: usize| standings.get(place).map_or(0.0, |standing| standing.grounding);
    let (first, second) = (grounding(0), grounding(1));
    let all: f64 = standings.iter().map(|standing| standing.grounding).sum();
    let asks = most(&best.asks);
    let any = 1.0 - best.asks.iter().map(|ask| 1.0 - ask).product::<f64>();
    let expected: f64 =
        standings.iter().map(|standing| standing.grounding * most(&standing.asks)).sum::<f64>()
            / all.max(1e-6);
    let mut signals = vec![
        ("grounding", first),
        ("grounding_odds", log_odds(first)),
        ("grounding_second", second),
        ("grounding_second_odds", log_odds(second)),
        ("grounding_third", grounding(2)),
        ("grounding_lead", first - second),
        ("grounding_all", all.ln_1p()),
        ("alone", flag(standings.len() == 1)),
        ("asks", asks),
        ("asks_odds", log_odds(asks)),
        ("asks_any", any),
        ("asks_all", best.asks.iter().sum()),
        ("asks_second", standings.get(1).map_or(0.0, |standing| most(&standing.asks))),
        ("asks_expected", expected),
        ("grounded_asks", first * asks),
        ("left_open", count(best.open)),
        ("second_open", standings.get(1).map_or(0.0, |standing| count(standing.open))),
        ("second_conflicts", of(standings.get(1), "conflicts")),
        ("second_agrees", of(standings.get(1), "agrees")),
        ("second_name_lead", of(Some(best), "name_said") - of(standings.get(1), "name_said")),
        ("second_own_lead", of(Some(best), "topic_own") - of(standings.get(1), "topic_own")),
    ];
    signals.extend_from_slice(best.signals);
    signals.extend_from_slice(shape);
    signals
}

/// A signal by its name; 0 where it was not given.
pub(crate) fn value_of(signals: &[(&'static str, f64)], name: &str) -> f64 {
    signals.iter().find(|(own, _)| *own == name).map_or(0.0, |(_, value)| *value)
}

/// A signal of a method.
fn of(standing: Option<&Standing<'_>>, name: &str) -> f64 {
    standing.map_or(0.0, |standing| value_of(standing.signals, name))
}

fn most(shares: &[f64]) -> f64 {
    shares.iter().copied().fold(0.0, f64::max)
}

fn log_odds(share: f64) -> f64 {
    const LEAST: f64 = 1e-4;
    ((share + LEAST) / (1.0 - share + LEAST)).ln()
}

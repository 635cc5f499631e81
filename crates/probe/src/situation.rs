//! Where a question stands among the methods that there are: what the judge weighs.

use crate::evidence::Evidence;
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
        ("alone", if standings.len() == 1 { 1.0 } else { 0.0 }),
        ("asks", asks),
        ("asks_odds", log_odds(asks)),
        ("asks_any", any),
        ("asks_all", best.asks.iter().sum()),
        ("asks_second", standings.get(1).map_or(0.0, |standing| most(&standing.asks))),
        ("asks_expected", expected),
        ("grounded_asks", first * asks),
        ("left_open", count(best.open)),
    ];
    signals.extend_from_slice(best.signals);
    signals.extend_from_slice(shape);
    signals
}

fn most(shares: &[f64]) -> f64 {
    shares.iter().copied().fold(0.0, f64::max)
}

fn log_odds(share: f64) -> f64 {
    const LEAST: f64 = 1e-4;
    ((share + LEAST) / (1.0 - share + LEAST)).ln()
}

fn count(count: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a method has few arguments")]
    let count = count as f64;
    count
}

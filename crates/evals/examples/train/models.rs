//! The three models: whether a method serves, whether an argument is the caller's to give, and what to do.

use policy::{Forest, Learned, OfArgument, OfMethod, Tree, Verdicts};
use probe::{Standing, is_the_callers, situation};

use crate::boost::{self, Pace, Row};
use crate::cases::{Corpus, Method, PARTS, Seen};

/// Paces, chosen by cross-validation.
const METHOD_PACE: Pace = Pace { rounds: 160, rate: 0.04, ridge: 5.0 };
const ARGUMENT_PACE: Pace = Pace { rounds: 120, rate: 0.04, ridge: 5.0 };
const CASE_PACE: Pace = Pace { rounds: 400, rate: 0.0175, ridge: 5.0 };

/// What a question counts for the verdict that is to be answered, asked back, or missed. Many signals of a missing value say
/// the same thing, so that questions to be asked back move it too far; what counts less in a case altogether, to be answered,
/// is given some of it back. Chosen by cross-validation.
const SHARES: [f64; 3] = [1.2, 0.6, 1.0];

/// What a case counts for an argument where the source does not say which one is missing.
const UNNAMED: f64 = 0.5;

/// Learns from the cases that are `inside`.
pub(crate) fn train(corpus: &Corpus, inside: &[bool]) -> Learned {
    // What the verdict sees of the other models must come from cases that those have not seen.
    let parts: Vec<(Forest<OfMethod>, Forest<OfArgument>)> = (0..PARTS)
        .map(|part| {
            let others: Vec<bool> =
                corpus.cases.iter().zip(inside).map(|(case, inside)| *inside && case.part != part).collect();
            (grounding(corpus, &others), open(corpus, &others))
        })
        .collect();
    let seen: Vec<(&Seen, Vec<f64>)> = corpus
        .cases
        .iter()
        .zip(inside)
        .filter(|(case, inside)| **inside && !case.methods.is_empty())
        .map(|(case, _)| {
            let (grounding, open) = &parts[case.part];
            (case, values(&signals(case, grounding, open)))
        })
        .collect();
    let rows: Vec<Row<'_>> = seen
        .iter()
        .map(|(case, signals)| Row {
            signals,
            class: case.expected,
            weight: case.weight * SHARES[case.expected],
        })
        .collect();
    let mut verdict = boost::fit(&rows, 3, CASE_PACE).into_iter();
    let mut next = || Forest::new(verdict.next().unwrap_or_default());
    let verdict = Verdicts { answer: next(), clarification_required: next(), capability_miss: next() };
    Learned { grounding: grounding(corpus, inside), open: open(corpus, inside), verdict }
}

fn values(signals: &[(&'static str, f64)]) -> Vec<f64> {
    signals.iter().map(|(_, value)| *value).collect()
}

fn signals(case: &Seen, grounding: &Forest<OfMethod>, open: &Forest<OfArgument>) -> Vec<(&'static str, f64)> {
    let standing = |method: &'_ Method| -> (f64, Vec<f64>) {
        (
            grounding.share(&method.signals),
            method.required.iter().map(|argument| is_the_callers(open, &argument.signals)).collect(),
        )
    };
    let mut standings: Vec<Standing<'_>> = case
        .methods
        .iter()
        .map(|method| {
            let (grounding, asks) = standing(method);
            let open = method.required.iter().filter(|argument| !argument.is_filled).count();
            Standing { signals: &method.signals, grounding, asks, open }
        })
        .collect();
    let rank = |it: &Standing<'_>| probe::rank(it.grounding, it.signals, case.fit_weight);
    standings.sort_by(|one, other| rank(other).total_cmp(&rank(one)));
    situation(&standings, &case.shape)
}

fn grounding(corpus: &Corpus, inside: &[bool]) -> Forest<OfMethod> {
    let mut observed: Vec<(Vec<f64>, usize, f64)> = Vec::new();
    for (case, _) in corpus.cases.iter().zip(inside).filter(|(_, inside)| **inside) {
        let is_told = case.expected == 2 || case.methods.iter().any(|method| method.is_expected);
        #[expect(clippy::cast_precision_loss, reason = "counts of methods")]
        let others = case.weight * (1.0 / (case.methods.len() as f64).sqrt()).max(0.2);
        for method in case.methods.iter().filter(|_| is_told) {
            let weight = if method.is_expected { case.weight } else { others };
            observed.push((values(&method.signals), usize::from(!method.is_expected), weight));
        }
    }
    Forest::new(fitted(&observed, METHOD_PACE))
}

fn open(corpus: &Corpus, inside: &[bool]) -> Forest<OfArgument> {
    let mut observed: Vec<(Vec<f64>, usize, f64)> = Vec::new();
    for (case, _) in corpus.cases.iter().zip(inside).filter(|(_, inside)| **inside) {
        if case.expected == 2 {
            continue;
        }
        let is_asked = case.expected == 1;
        let share = if is_asked && !case.names_missing { UNNAMED } else { 1.0 };
        for method in case.methods.iter().filter(|method| method.is_expected) {
            #[expect(clippy::cast_precision_loss, reason = "counts of arguments")]
            let each = case.weight * share / (method.required.len() as f64).sqrt();
            for argument in &method.required {
                let is_missing =
                    is_asked && if case.names_missing { argument.is_missing } else { !argument.is_filled };
                observed.push((values(&argument.signals), usize::from(!is_missing), each));
            }
        }
    }
    Forest::new(fitted(&observed, ARGUMENT_PACE))
}

fn fitted(observed: &[(Vec<f64>, usize, f64)], pace: Pace) -> Vec<Tree> {
    let rows: Vec<Row<'_>> = observed
        .iter()
        .map(|(signals, class, weight)| Row { signals, class: *class, weight: *weight })
        .collect();
    boost::fit(&rows, 2, pace).into_iter().next().unwrap_or_default()
}

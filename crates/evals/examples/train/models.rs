//! The three models: whether a method serves, whether an argument is the caller's to give, and what to do.

use policy::{Linear, OfArgument, OfMethod, Verdicts};
use probe::{Standing, situation};

use crate::cases::{Corpus, Method, Seen};
use crate::newton::{self, Row};

/// Ridges, chosen by cross-validation.
const METHOD_RIDGE: f64 = 8.0;
const ARGUMENT_RIDGE: f64 = 8.0;
const CASE_RIDGE: f64 = 25.0;

/// What a case counts for an argument where the source does not say which one is missing.
const UNNAMED: f64 = 0.5;

/// Bias and weights, in the order of the names.
pub(crate) type Weights = (f64, Vec<f64>);

/// What was learned.
pub(crate) struct Models {
    /// Whether a method serves a question.
    pub(crate) grounding: Weights,
    /// Whether only the caller can give an argument.
    pub(crate) open: Weights,
    /// What speaks for answering, and for asking.
    pub(crate) verdict: [Weights; 2],
}

/// Learns from the cases that are `inside`.
pub(crate) fn train(corpus: &Corpus, inside: &[bool]) -> Models {
    // What the verdict sees of the other models must come from cases that those have not seen.
    let halves = [0, 1].map(|half| {
        let others: Vec<bool> =
            corpus.cases.iter().zip(inside).map(|(case, inside)| *inside && case.half != half).collect();
        (grounding(corpus, &others), open(corpus, &others))
    });
    let seen: Vec<(&Seen, Vec<f64>)> = corpus
        .cases
        .iter()
        .zip(inside)
        .filter(|(case, inside)| **inside && !case.methods.is_empty())
        .map(|(case, _)| {
            let (grounding, open) = &halves[case.half];
            (case, values(&signals(case, &linear(grounding), &linear(open))))
        })
        .collect();
    let rows: Vec<Row<'_>> = seen
        .iter()
        .map(|(case, signals)| Row { signals, class: case.expected, weight: case.weight })
        .collect();
    let mut verdict = newton::fit(&rows, 3, CASE_RIDGE).into_iter();
    let mut next = || verdict.next().unwrap_or_default();
    Models { grounding: grounding(corpus, inside), open: open(corpus, inside), verdict: [next(), next()] }
}

impl Models {
    /// The likeliest outcome of a case.
    pub(crate) fn verdict(&self, case: &Seen) -> usize {
        if case.methods.is_empty() {
            return 2;
        }
        let signals = signals(case, &linear(&self.grounding), &linear(&self.open));
        let [answer, ask] = &self.verdict;
        let verdict = Verdicts { answer: linear(answer), clarification_required: linear(ask) };
        let shares = verdict.shares(&signals);
        (0..3).max_by(|one, other| shares[*one].total_cmp(&shares[*other])).unwrap_or_default()
    }
}

fn linear<S>((bias, weights): &Weights) -> Linear<S> {
    Linear::new(*bias, weights.clone())
}

fn values(signals: &[(&'static str, f64)]) -> Vec<f64> {
    signals.iter().map(|(_, value)| *value).collect()
}

fn signals(case: &Seen, grounding: &Linear<OfMethod>, open: &Linear<OfArgument>) -> Vec<(&'static str, f64)> {
    let standing = |method: &'_ Method| -> (f64, Vec<f64>) {
        (
            grounding.share(&method.signals),
            method.required.iter().map(|argument| open.share(&argument.signals)).collect(),
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

fn grounding(corpus: &Corpus, inside: &[bool]) -> Weights {
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
    fitted(&observed, METHOD_RIDGE)
}

fn open(corpus: &Corpus, inside: &[bool]) -> Weights {
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
    fitted(&observed, ARGUMENT_RIDGE)
}

fn fitted(observed: &[(Vec<f64>, usize, f64)], ridge: f64) -> Weights {
    let rows: Vec<Row<'_>> = observed
        .iter()
        .map(|(signals, class, weight)| Row { signals, class: *class, weight: *weight })
        .collect();
    newton::fit(&rows, 2, ridge).into_iter().next().unwrap_or_default()
}

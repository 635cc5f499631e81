//! Softmax regression by Newton's method, with a ridge on standardized signals. The last class is the reference.

/// One observation: signals, the class, and what it counts.
pub(crate) struct Row<'a> {
    /// Signals, in the order of their names.
    pub(crate) signals: &'a [f64],
    /// The class, from 0.
    pub(crate) class: usize,
    /// What the observation counts.
    pub(crate) weight: f64,
}

/// For each class but the last: bias and weights.
pub(crate) type Fitted = Vec<(f64, Vec<f64>)>;

const STEPS: usize = 12;

/// Fits `classes` classes with a ridge of this strength.
pub(crate) fn fit(rows: &[Row<'_>], classes: usize, ridge: f64) -> Fitted {
    let width = rows.first().map_or(0, |row| row.signals.len());
    let (means, spreads) = moments(rows, width);
    let scaled: Vec<Vec<f64>> = rows
        .iter()
        .map(|row| {
            let signals = row.signals.iter().zip(&means).zip(&spreads);
            std::iter::once(1.0)
                .chain(signals.map(|((value, mean), spread)| (value - mean) / spread))
                .collect()
        })
        .collect();
    let size = width + 1;
    let free = classes - 1;
    let mut parameters = vec![0.0; size * free];
    for _ in 0..STEPS {
        let (gradient, hessian) = derivatives(rows, &scaled, &parameters, (size, free, ridge));
        let step = solve(hessian, gradient);
        for (parameter, step) in parameters.iter_mut().zip(step) {
            *parameter += step;
        }
    }
    let class = |at: usize| {
        let own = &parameters[at * size..(at + 1) * size];
        let weights: Vec<f64> =
            own[1..].iter().zip(&spreads).map(|(weight, spread)| weight / spread).collect();
        let shift: f64 = weights.iter().zip(&means).map(|(weight, mean)| weight * mean).sum();
        (own[0] - shift, weights)
    };
    (0..free).map(class).collect()
}

fn moments(rows: &[Row<'_>], width: usize) -> (Vec<f64>, Vec<f64>) {
    let all: f64 = rows.iter().map(|row| row.weight).sum();
    let mut means = vec![0.0; width];
    for row in rows {
        for (mean, value) in means.iter_mut().zip(row.signals) {
            *mean += row.weight * value / all;
        }
    }
    let mut spreads = vec![0.0; width];
    for row in rows {
        for ((spread, mean), value) in spreads.iter_mut().zip(&means).zip(row.signals) {
            *spread += row.weight * (value - mean).powi(2) / all;
        }
    }
    // A signal that hardly varies says nothing that could be learned.
    (means, spreads.into_iter().map(|spread: f64| spread.sqrt().max(0.02)).collect())
}

/// What pulls each parameter up, and how the pull changes: the negative second derivatives, row by row.
fn derivatives(
    rows: &[Row<'_>],
    scaled: &[Vec<f64>],
    parameters: &[f64],
    (size, free, ridge): (usize, usize, f64),
) -> (Vec<f64>, Vec<Vec<f64>>) {
    let wide = size * free;
    let mut gradient: Vec<f64> =
        (0..wide).map(|at| if at % size == 0 { 0.0 } else { -ridge * parameters[at] }).collect();
    let mut hessian = vec![vec![0.0; wide]; wide];
    for (at, line) in hessian.iter_mut().enumerate() {
        line[at] = if at % size == 0 { 1e-6 } else { ridge };
    }
    for (row, signals) in rows.iter().zip(scaled) {
        let shares = shares(signals, parameters, (size, free));
        for one in 0..free {
            let miss = f64::from(u8::from(row.class == one)) - shares[one];
            for (at, value) in signals.iter().enumerate() {
                gradient[one * size + at] += row.weight * miss * value;
            }
            for other in 0..=one {
                let same = if one == other { shares[one] } else { 0.0 };
                let curve = row.weight * (same - shares[one] * shares[other]);
                for (at, value) in signals.iter().enumerate() {
                    let part = curve * value;
                    let until = if one == other { at + 1 } else { size };
                    let line = &mut hessian[one * size + at][other * size..other * size + until];
                    for (cell, other_value) in line.iter_mut().zip(signals) {
                        *cell += part * other_value;
                    }
                }
            }
        }
    }
    (gradient, hessian)
}

fn shares(signals: &[f64], parameters: &[f64], (size, free): (usize, usize)) -> Vec<f64> {
    let sum = |class: usize| -> f64 {
        signals.iter().zip(&parameters[class * size..]).map(|(value, weight)| value * weight).sum()
    };
    let mut sums: Vec<f64> = (0..free).map(sum).collect();
    sums.push(0.0);
    let most = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = sums.iter().map(|sum| (sum - most).exp()).collect();
    let total: f64 = powers.iter().sum();
    powers.into_iter().map(|power| power / total).collect()
}

/// Solves a symmetric positive definite system, of which the lower half is given, by Cholesky's decomposition.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for row in 0..size {
        for column in 0..=row {
            let (before, own) = matrix.split_at_mut(row);
            let own = &mut own[0];
            let known: f64 = if column == row {
                own[..column].iter().map(|value| value * value).sum()
            } else {
                own[..column].iter().zip(&before[column]).map(|(one, other)| one * other).sum()
            };
            own[column] = if column == row {
                (own[column] - known).max(1e-12).sqrt()
            } else {
                (own[column] - known) / before[column][column]
            };
        }
    }
    for row in 0..size {
        let known: f64 = (0..row).map(|at| matrix[row][at] * right[at]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|at| matrix[at][row] * right[at]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}

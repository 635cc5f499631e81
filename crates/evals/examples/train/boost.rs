//! Gradient boosting: small trees, each grown on what those before it leave open, with second derivatives, on a random part
//! of the rows and signals. Same rows, same trees.

use policy::Tree;

/// One observation: signals, the class, and what it counts.
pub(crate) struct Row<'a> {
    /// Signals, in the order of their names.
    pub(crate) signals: &'a [f64],
    /// The class, from 0.
    pub(crate) class: usize,
    /// What the observation counts.
    pub(crate) weight: f64,
}

/// How long and how finely to learn.
#[derive(Clone, Copy)]
pub(crate) struct Pace {
    /// Trees for each class.
    pub(crate) rounds: usize,
    /// What share of a tree is taken.
    pub(crate) rate: f64,
    /// How strongly leaves are held to 0.
    pub(crate) ridge: f64,
}

const DEPTH: usize = 3;
/// Of the signals and the rows each tree sees so many.
const SIGNALS_SHARE: f64 = 0.4;
const ROWS_SHARE: f64 = 0.7;
/// The second derivatives that a half must keep.
const HALF_MIN: f64 = 3.0;
/// Places at which a signal may be split: its quantiles.
const CUTS: usize = 23;

/// Fits the trees of each class: one list for two classes, of which the second is the reference, else one list a class.
pub(crate) fn fit(rows: &[Row<'_>], classes: usize, pace: Pace) -> Vec<Vec<Tree>> {
    let table = Table::of(rows);
    let lists = if classes == 2 { 1 } else { classes };
    let mut sums = vec![vec![0.0; lists]; rows.len()];
    let mut forests = vec![Vec::with_capacity(pace.rounds); lists];
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    for _ in 0..pace.rounds {
        let shares: Vec<Vec<f64>> = sums.iter().map(|sums| shares(sums)).collect();
        let some: Vec<usize> = (0..rows.len()).filter(|_| dice.roll() < ROWS_SHARE).collect();
        for (class, forest) in forests.iter_mut().enumerate() {
            let pulls: Vec<Pull> = rows
                .iter()
                .zip(&shares)
                .map(|(row, shares)| {
                    let share = shares[class];
                    let miss = f64::from(u8::from(row.class == class)) - share;
                    Pull { first: row.weight * miss, second: row.weight * share * (1.0 - share) }
                })
                .collect();
            let signals: Vec<usize> = (0..table.cuts.len()).filter(|_| dice.roll() < SIGNALS_SHARE).collect();
            let tree = Growth { table: &table, pulls: &pulls, signals: &signals, pace }.grow(&some, DEPTH);
            for (row, sums) in rows.iter().zip(&mut sums) {
                sums[class] += tree.value(&|signal| row.signals[signal]);
            }
            forest.push(tree);
        }
    }
    forests
}

/// The share of each class: by the logistic function of one sum, else by the softmax.
fn shares(sums: &[f64]) -> Vec<f64> {
    if let [sum] = sums {
        return vec![1.0 / (1.0 + (-sum).exp())];
    }
    let most = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = sums.iter().map(|sum| (sum - most).exp()).collect();
    let total: f64 = powers.iter().sum();
    powers.into_iter().map(|power| power / total).collect()
}

/// The signals of all rows, each by the number of cuts that it is above.
struct Table {
    cuts: Vec<Vec<f64>>,
    places: Vec<Vec<usize>>,
}

impl Table {
    fn of(rows: &[Row<'_>]) -> Self {
        let width = rows.first().map_or(0, |row| row.signals.len());
        let cuts: Vec<Vec<f64>> = (0..width).map(|signal| cuts(rows, signal)).collect();
        let place = |(signal, cuts): (usize, &Vec<f64>)| {
            rows.iter().map(|row| cuts.partition_point(|cut| *cut < row.signals[signal])).collect()
        };
        let places = cuts.iter().enumerate().map(place).collect();
        Self { cuts, places }
    }
}

fn cuts(rows: &[Row<'_>], signal: usize) -> Vec<f64> {
    let mut values: Vec<f64> = rows.iter().map(|row| row.signals[signal]).collect();
    values.sort_by(f64::total_cmp);
    // Rounded as the file writes them, so that what is learned is what is read.
    let rounded = |value: f64| (value * 1e4).round() / 1e4;
    let mut cuts: Vec<f64> =
        (1..=CUTS).map(|part| rounded(values[values.len() * part / (CUTS + 1)])).collect();
    cuts.dedup();
    cuts.retain(|cut| values.last().is_some_and(|most| cut < most));
    cuts
}

/// How a row pulls at the sum of a class.
#[derive(Clone, Copy, Default)]
struct Pull {
    first: f64,
    second: f64,
}

impl Pull {
    fn plus(self, other: Self) -> Self {
        Self { first: self.first + other.first, second: self.second + other.second }
    }

    fn minus(self, other: Self) -> Self {
        Self { first: self.first - other.first, second: self.second - other.second }
    }

    fn gain(self, ridge: f64) -> f64 {
        self.first * self.first / (self.second + ridge)
    }
}

struct Growth<'a> {
    table: &'a Table,
    pulls: &'a [Pull],
    signals: &'a [usize],
    pace: Pace,
}

impl Growth<'_> {
    fn grow(&self, rows: &[usize], depth: usize) -> Tree {
        let all = rows.iter().fold(Pull::default(), |sum, row| sum.plus(self.pulls[*row]));
        let split = if depth == 0 { None } else { self.best_split(rows, all) };
        let Some((signal, cut)) = split else {
            let value = self.pace.rate * all.first / (all.second + self.pace.ridge);
            return Tree::Leaf((value * 1e4).round() / 1e4);
        };
        let (left, right): (Vec<usize>, Vec<usize>) =
            rows.iter().partition(|row| self.table.places[signal][**row] <= cut);
        Tree::Split {
            signal,
            most: self.table.cuts[signal][cut],
            halves: Box::new([self.grow(&left, depth - 1), self.grow(&right, depth - 1)]),
        }
    }

    /// The signal and the cut that gain most, where any does.
    fn best_split(&self, rows: &[usize], all: Pull) -> Option<(usize, usize)> {
        let ridge = self.pace.ridge;
        let mut best = (1e-9, None);
        for signal in self.signals.iter().copied() {
            let mut bins = [Pull::default(); CUTS + 1];
            for row in rows {
                let bin = &mut bins[self.table.places[signal][*row]];
                *bin = bin.plus(self.pulls[*row]);
            }
            let mut left = Pull::default();
            for (cut, bin) in bins.iter().enumerate().take(self.table.cuts[signal].len()) {
                left = left.plus(*bin);
                let right = all.minus(left);
                let gain = left.gain(ridge) + right.gain(ridge) - all.gain(ridge);
                if left.second >= HALF_MIN && right.second >= HALF_MIN && gain > best.0 {
                    best = (gain, Some((signal, cut)));
                }
            }
        }
        best.1
    }
}

/// Numbers from 0 to 1 that only look random (xorshift, Marsaglia 2003).
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
        let share = (self.0 >> 11) as f64 / (1_u64 << 53) as f64;
        share
    }
}

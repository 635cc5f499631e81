//! Questions that ask several things: whether one option serves them all, or each another one.

use crate::brief::BriefOption;

/// How options share the clauses of a question.
pub(super) enum Composition<'b> {
    /// It asks one thing, or the clauses do not tell the options apart.
    One,
    /// One option alone serves every clause.
    Whole(&'b BriefOption),
    /// Every option serves a clause that no other serves as well: they are wanted together.
    Parts,
    /// Some clause is served by none.
    Partial,
}

/// How the options share the clauses; a clause is served by an option that knows at least `served_min` of its words.
pub(super) fn of<'b>(options: &[&'b BriefOption], served_min: f64) -> Composition<'b> {
    let clauses = options.iter().map(|option| option.knows_clauses.len()).max().unwrap_or(0);
    if clauses < 2 || options.len() < 2 {
        return Composition::One;
    }
    let serves = |option: &BriefOption, clause: usize| {
        option.knows_clauses.get(clause).is_some_and(|share| *share >= served_min)
    };
    if !(0..clauses).all(|clause| options.iter().any(|option| serves(option, clause))) {
        return Composition::Partial;
    }
    let whole: Vec<&&BriefOption> =
        options.iter().filter(|option| (0..clauses).all(|clause| serves(option, clause))).collect();
    if let [only] = whole.as_slice() {
        return Composition::Whole(only);
    }
    let owner = |clause: usize| sole_best(options, clause, served_min);
    let owners: Vec<Option<usize>> = (0..clauses).map(owner).collect();
    let owns_one = |at: usize| owners.contains(&Some(at));
    let is_parted = owners.iter().all(Option::is_some) && (0..options.len()).all(owns_one);
    if is_parted { Composition::Parts } else { Composition::One }
}

/// The option that knows more of a clause than every other.
fn sole_best(options: &[&BriefOption], clause: usize, served_min: f64) -> Option<usize> {
    let share = |at: usize| options[at].knows_clauses.get(clause).copied().unwrap_or(0.0);
    let best = (0..options.len()).reduce(|best, at| if share(at) > share(best) { at } else { best })?;
    let is_sole = (0..options.len()).all(|at| at == best || share(at) < share(best));
    (is_sole && share(best) >= served_min).then_some(best)
}

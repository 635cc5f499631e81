//! What the models weigh, from what is counted and what holds.

/// How many there are.
pub(crate) fn count(count: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "questions have few words, methods few arguments")]
    let count = count as f64;
    count
}

/// 1 for what holds, else 0.
pub(crate) fn flag(holds: bool) -> f64 {
    if holds { 1.0 } else { 0.0 }
}

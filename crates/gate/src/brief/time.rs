//! A time that a question names and of which no method at hand tells.

use policy::Gate;
use probe::Interpretation;
use reading::Question;
use reading::time::{Direction, Moment};

use super::foreign;

/// The day or the days, over or to come, as the question says them, where every reading that is near the question is for
/// another time, and none that is farther is for this one.
pub(super) fn untold(question: &Question, pool: &[Interpretation], policy: &Gate) -> Option<String> {
    let near = foreign::near(pool, policy);
    let first = &pool.first()?.evidence;
    let moment = first.binding.unplaced_times(question).find(|moment| is_elsewhen(question, moment))?;
    let is_untold = near.iter().all(|reading| reading.evidence.is_for_another_time());
    let is_told_farther = pool.iter().any(|reading| reading.evidence.is_for_its_time(first));
    (is_untold && !is_told_farther).then(|| question.text[moment.range.clone()].to_owned())
}

/// Whether a moment is wholly over or yet to come: a length of time up to now is neither.
fn is_elsewhen(question: &Question, moment: &Moment) -> bool {
    moment.window().is_some_and(|window| {
        window.is_over(question.now) || window.start > question.now || window.direction == Direction::Future
    })
}

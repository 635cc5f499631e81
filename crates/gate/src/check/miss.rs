//! Checks of an opinion that says: nothing fits.

use crate::opinion::{Opinion, Verdict};

use super::{Case, Note};

/// It does not say so where a method is surely grounded and lacks nothing.
#[must_use]
pub fn nothing_surely_grounded(opinion: &Opinion, case: &Case<'_>) -> Option<Note> {
    if opinion.verdict != Verdict::Miss || case.brief.unavailable.is_some() {
        return None;
    }
    let best = case.standing.viable.first()?;
    let is_sure = best.grounding >= case.brief.policy.sure_min && best.open.is_empty();
    is_sure.then(|| Note::SurelyGrounded(best.id.clone()))
}

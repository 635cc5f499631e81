//! What the rules find on their own: the ruling beneath every opinion.

use crate::check::Case;
use crate::decision::Signal;

use super::finding::Finding;

/// The finding of the rules. Where several viable options would do different things it never answers, and it never asks
/// what changes nothing.
pub(super) fn finding(case: &Case<'_>) -> Finding {
    let (brief, standing) = (case.brief, &case.standing);
    let Some((best, others)) = standing.alternatives.split_first() else { return Finding::miss(brief) };
    if brief.unavailable.is_some() {
        return Finding::miss(brief);
    }
    if standing.unclear.is_some() {
        let mut finding = Finding::clarification(brief, best, others.to_vec(), &standing.signals);
        if finding.options.len() > 1 {
            finding.signals.push(Signal::FallbackMaterialDistinction);
        }
        return finding;
    }
    let mut finding =
        Finding::answer(best, format!("it alone is left, with {:.0} of 100 points", best.points));
    finding.is_composite = standing.is_complementary;
    finding.signals.clone_from(&standing.signals);
    finding
}

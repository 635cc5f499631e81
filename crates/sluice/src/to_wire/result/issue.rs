//! What is wrong with an answer that stops short, in the words of the wire.

use contract::result::IssueClass;
use domain::GapCode;
use engine::{Action, Answer};

/// Whether nothing was found, by methods that answered.
pub(super) fn is_empty(answer: &Answer) -> bool {
    answer.evidence.confidence.gaps.iter().any(|gap| gap.code == GapCode::EmptyCanonicalPayload)
}

/// What is wrong with an answer that has gaps: data that is too old, methods that did not fit, or data that is missing.
pub(super) fn issue(answer: &Answer) -> IssueClass {
    if answer.evidence.confidence.gaps.iter().any(|gap| gap.code == GapCode::StaleData) {
        IssueClass::StaleData
    } else if answer.actions.contains(&Action::BoundedRediscovery) {
        IssueClass::WrongToolPath
    } else {
        IssueClass::MissingEvidence
    }
}

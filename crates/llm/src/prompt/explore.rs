//! The brief of the next move among documents as the values of its prompt.

use policy::PromptLimits;

use super::{Values, items, reason};
use crate::explore::ExploreBrief;
use crate::fence::cut;

/// The values of the prompt.
pub(crate) fn explore(brief: &ExploreBrief<'_>, limits: &PromptLimits) -> Values {
    Values::from([
        ("question", cut(brief.question, limits.item_chars_max)),
        ("history", items(brief.history.iter().cloned(), limits)),
        ("passages", items(reason::sources(brief.passages), limits)),
        ("moves", items(brief.moves.iter().cloned(), limits)),
        ("moves_left", brief.moves_left.to_string()),
        ("requests_left", brief.requests_left.to_string()),
    ])
}

//! The brief of a conversation's beginning as the values of its prompt.

use policy::PromptLimits;

use super::{Values, items};
use crate::fence::cut;
use crate::recap::RecapBrief;

/// The values of the prompt.
pub(crate) fn recap(brief: &RecapBrief<'_>, limits: &PromptLimits) -> Values {
    Values::from([
        ("characters_max", brief.chars_max.to_string()),
        ("known", cut(brief.known, limits.item_chars_max)),
        ("said", items(brief.said.iter().cloned(), limits)),
    ])
}

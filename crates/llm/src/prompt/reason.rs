//! The brief of an answer from documents as the values of its prompt.

use policy::PromptLimits;

use super::{Values, items};
use crate::fence::cut;
use crate::reason::ReasonBrief;

/// The values of the prompt.
pub(crate) fn reason(brief: &ReasonBrief<'_>, limits: &PromptLimits) -> Values {
    let sources = brief.sources.iter().enumerate().map(|(at, source)| {
        let place: Vec<&str> =
            [source.title].into_iter().chain(source.path.iter().map(String::as_str)).collect();
        format!("Source [{}] - {}:\n{}\n", at + 1, place.join(" > "), source.text)
    });
    Values::from([
        ("question", cut(brief.question, limits.item_chars_max)),
        ("sources", items(sources, limits)),
        ("coverage", format!("{:.2}", brief.coverage)),
    ])
}

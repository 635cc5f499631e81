//! The brief of an answer from documents as the values of its prompt.

use policy::PromptLimits;

use super::{Values, items};
use crate::fence::cut;
use crate::reason::{ReasonBrief, ReasonSource};

/// The values of the prompt.
pub(crate) fn reason(brief: &ReasonBrief<'_>, limits: &PromptLimits) -> Values {
    Values::from([
        ("question", cut(brief.question, limits.item_chars_max)),
        ("history", items(brief.history.iter().cloned(), limits)),
        ("sources", items(sources(brief.sources), limits)),
        ("coverage", format!("{:.2}", brief.coverage)),
    ])
}

/// Sources, each with its number, its title and its headings.
pub(super) fn sources<'a>(sources: &'a [ReasonSource<'a>]) -> impl Iterator<Item = String> + 'a {
    sources.iter().enumerate().map(|(at, source)| {
        let place: Vec<&str> =
            [source.title].into_iter().chain(source.path.iter().map(String::as_str)).collect();
        format!("Source [{}] - {}:\n{}\n", at + 1, place.join(" > "), source.text)
    })
}

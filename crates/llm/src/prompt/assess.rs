//! The briefs about completeness and length as the values of their prompts.

use policy::PromptLimits;

use super::{Values, items, signature, synthesize};
use crate::assess::{CompletenessBrief, SummaryBrief};
use crate::fence::cut;

/// The values of the prompt on whether what was found answers the question.
pub(crate) fn complete(brief: &CompletenessBrief<'_>, limits: &PromptLimits) -> Values {
    let evidence = brief.evidence;
    let found = synthesize::sources(evidence).chain(synthesize::facts(evidence));
    let methods = brief.methods.iter().map(|it| signature::of(&it.call_name(), &it.method));
    Values::from([
        ("question", cut(brief.question, limits.item_chars_max)),
        ("parts", items(brief.parts.iter().cloned(), limits)),
        ("sources", items(found, limits)),
        ("gaps", items(evidence.known_unknowns.iter().cloned(), limits)),
        ("methods", items(methods, limits)),
    ])
}

/// The values of the prompt that shortens a text. The bound on the text is `data_chars_max`.
pub(crate) fn summarize(brief: &SummaryBrief<'_>, chars_max: usize, limits: &PromptLimits) -> Values {
    Values::from([
        ("characters_max", chars_max.to_string()),
        ("question", cut(brief.question, limits.item_chars_max)),
        ("text", cut(brief.text, limits.data_chars_max)),
    ])
}

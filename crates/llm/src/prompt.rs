//! Briefs as prompts: the stage's templates, filled. Words of others go in as fenced data.

use std::collections::BTreeMap;

use policy::{Prompt, PromptLimits, SlotKind, Template};

use crate::fence::{cut, fenced, listed};

mod assess;
mod explore;
mod judge;
mod plan;
mod reason;
mod recap;
mod signature;
mod synthesize;

pub(crate) use assess::{complete, summarize};
pub(crate) use explore::explore;
pub(crate) use judge::judge;
pub(crate) use plan::{plan, refused};
pub(crate) use reason::reason;
pub(crate) use recap::recap;
pub(crate) use synthesize::synthesize;

/// What goes into the slots of a prompt, by their names.
pub(crate) type Values = BTreeMap<&'static str, String>;

/// A prompt, ready to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Filled {
    pub(crate) system: String,
    pub(crate) user: String,
}

/// The prompt with these values.
pub(crate) fn filled(prompt: &Prompt, values: &Values) -> Filled {
    Filled { system: fill(&prompt.system, values), user: fill(&prompt.user, values) }
}

/// The template with these values; data is fenced.
pub(crate) fn fill(template: &Template, values: &Values) -> String {
    template.fill(|slot| {
        let value = values.get(slot.name).map_or("", String::as_str);
        match slot.kind {
            SlotKind::Plain => value.to_owned(),
            SlotKind::Data => fenced(value),
        }
    })
}

/// Items, each on a line of its own and cut to its bound, as many as fit.
fn items(items: impl IntoIterator<Item = String>, limits: &PromptLimits) -> String {
    listed(items.into_iter().map(|item| cut(&item, limits.item_chars_max)), limits.data_chars_max)
}

#[cfg(test)]
mod tests;

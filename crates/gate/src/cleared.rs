//! The permit to plan. Nothing but this crate can make one.

use domain::{Asked, MethodRef, Selected};
use lane::Fast;
use probe::Probed;

use crate::opinion::OptionId;

/// A query that may be planned.
#[derive(Debug)]
pub struct Cleared {
    selected: Selected,
    chosen: Option<MethodRef>,
    assumption: Option<Assumption>,
    asked: Vec<Asked>,
}

/// What was taken for granted in the place of asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// The option that was taken.
    pub option: OptionId,
    /// What it does, in plain language.
    pub label: String,
    /// Why that one.
    pub reason: String,
}

/// Lets a fast query pass unprobed.
#[must_use]
pub fn waive(fast: Fast) -> Cleared {
    Cleared { selected: fast.into_selected(), chosen: None, assumption: None, asked: Vec::new() }
}

impl Cleared {
    /// Only the ruling clears a deep query; one that cannot act settles on nothing and tells nothing.
    pub(crate) fn ruled(
        probed: Probed,
        chosen: Option<MethodRef>,
        assumption: Option<Assumption>,
        is_acting: bool,
    ) -> Self {
        let chosen = chosen.filter(|_| is_acting);
        let (selected, asked) = probed.into_executable(chosen.as_ref());
        let asked = if is_acting { asked } else { Vec::new() };
        Self { selected, chosen, assumption, asked }
    }

    /// The question and its methods.
    #[must_use]
    pub fn selected(&self) -> &Selected {
        &self.selected
    }

    /// The method that the ruling settled on; none where the planner is free to choose.
    #[must_use]
    pub fn chosen(&self) -> Option<&MethodRef> {
        self.chosen.as_ref()
    }

    /// The things that are asked, where those are several and each was held against the methods by itself.
    #[must_use]
    pub fn asked(&self) -> &[Asked] {
        &self.asked
    }

    /// What was taken for granted in the place of asking.
    #[must_use]
    pub fn assumption(&self) -> Option<&Assumption> {
        self.assumption.as_ref()
    }

    /// The question and its methods, and what was taken for granted.
    #[must_use]
    pub fn into_parts(self) -> (Selected, Option<Assumption>) {
        (self.selected, self.assumption)
    }
}

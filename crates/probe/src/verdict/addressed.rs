//! A method whose listing the question calls by its name.

use fit::choice::PLACES_NOTHING;
use policy::{Settle, Shaped};
use reading::Question;
use reading::bind::{Argument, only_requests};
use reading::words::Word;

use crate::evidence::Evidence;

impl Evidence {
    /// Whether the question says the name of its listing, and it takes something of the rest, or accounts for that, or its result
    /// has the shape of what is asked.
    pub(super) fn is_asked_by_name(&self, question: &Question, rule: &Shaped) -> bool {
        let is_left = |word: &&Word| {
            !word.is_stop && word.lower != "all" && self.binding.coverage.left.contains(&word.stem)
        };
        question.addresses(&self.candidate.listing)
            && self.open.is_empty()
            && self.fit.placed >= PLACES_NOTHING
            && (self.fit.coverage >= rule.coverage_min
                || question.words.iter().filter(is_left).all(|word| only_requests(question, word))
                || self.fit.form >= rule.form_min
                || self.binding.arguments.iter().any(Argument::is_said))
    }

    /// Whether the question says the name of its listing and not that of the other one's, and it takes what is named beside that.
    pub(crate) fn is_addressed_before(&self, other: &Self, question: &Question) -> bool {
        let is_asked = |it: &Self| question.addresses(&it.candidate.listing);
        is_asked(self) && !is_asked(other) && self.open.is_empty() && self.fit.placed >= PLACES_NOTHING
    }

    /// Whether the question says the name of both their listing, and its result has the shape of what is asked, where that of the other
    /// one has not.
    pub(crate) fn is_shaped_before(&self, other: &Self, question: &Question, rules: &Settle) -> bool {
        self.is_of_listing(other)
            && self.fit.form - other.fit.form >= rules.rows_lead_min
            && self.is_asked_by_name(question, &rules.shaped)
    }
}

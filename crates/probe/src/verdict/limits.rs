//! Limits that a question sets for what is listed, and that rows can be held against: a bound of a number, a time.

use std::ops::Range;
use std::slice;

use reading::Question;
use reading::form::Threshold;
use reading::time::Moment;

use crate::evidence::Evidence;
use crate::situation::value_of;

impl Evidence {
    /// Whether its rows can be held against a limit that the question sets.
    pub(crate) fn holds_limit(&self, question: &Question) -> bool {
        question.form.thresholds.iter().any(|bound| self.measures(bound))
            || question.moments.iter().any(|moment| self.dates(question, moment))
    }

    /// Whether its rows can be held against a limit, or ranked by what the question says, where those of another method of its listing
    /// cannot, which is not told of it: "which cities are above 20 degrees" asks for the temperature in each now, and not for all cities.
    pub(crate) fn holds_limit_before(&self, other: &Self, question: &Question) -> bool {
        let is_untold = |range: &Range<usize>| !other.binding.uses(range);
        let is_bounded =
            |bound: &Threshold| self.measures(bound) && !other.measures(bound) && is_untold(&bound.number);
        let is_dated = |moment: &Moment| {
            self.dates(question, moment) && !other.dates(question, moment) && is_untold(&moment.range)
        };
        let is_ranked = || {
            let ranks = |it: &Self| it.known.outline.ranked_by(&question.form).is_some();
            ranks(self) && !ranks(other)
        };
        let form = &question.form;
        (form.thresholds.iter().any(is_bounded) || question.moments.iter().any(is_dated) || is_ranked())
            && self.open.is_empty()
            && value_of(&self.signals, "tense") >= 0.0
            && self.knows_as_much_as(other)
    }

    /// Whether it lists the things of which the question asks for those within a limit, and its rows can be held against that.
    pub(super) fn lists_within(&self, question: &Question) -> bool {
        let takes_named = question.form.entities.is_empty() && self.open.is_empty() || self.takes_named();
        question.form.dimension.is_some() && self.is_on_topic() && takes_named && self.holds_limit(question)
    }

    /// Whether its results measure what is said beside a bound.
    fn measures(&self, bound: &Threshold) -> bool {
        bound.beside.first().is_some_and(|stem| self.known.outline.measures_any(slice::from_ref(stem)))
    }

    /// Whether its rows tell when that is of which the question names the time.
    fn dates(&self, question: &Question, moment: &Moment) -> bool {
        self.known.outline.dated(question, moment).is_some()
    }
}

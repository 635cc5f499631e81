//! Limits that a question sets for what is listed, and that rows can be held against: a bound of a number, a time; and what rows are
//! ranked by.

use std::ops::Range;

use fit::{Leaf, LeafKind, fan};
use reading::Question;
use reading::bind::Role;
use reading::form::{self, Form, Threshold};
use reading::time::{self, Moment};
use reading::words::{Terms, Word};

use crate::evidence::{Evidence, Open};
use crate::situation::{SAYS_ALL_MIN, value_of};

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
        let is_listed = |bound: &Threshold| {
            question.form.dimension.is_none() && self.measures_rows(bound) && !other.measures_rows(bound)
        };
        let is_bounded = |bound: &Threshold| {
            self.measures(bound) && (!other.measures(bound) || is_listed(bound)) && is_untold(&bound.number)
        };
        let is_dated = |moment: &Moment| {
            self.dates(question, moment) && !other.dates(question, moment) && is_untold(&moment.range)
        };
        let form = &question.form;
        let is_ranked = || self.ranks(form) && !other.ranks(form);
        (form.thresholds.iter().any(is_bounded) || question.moments.iter().any(is_dated) || is_ranked())
            && self.open.is_empty()
            && self.is_timely()
            && (self.knows_as_much_as(other) || self.is_of_listing(other) && !other.knows_topic())
    }

    /// Whether it lists the things of which the question asks for those within a limit, or in an order, and its rows tell of that.
    pub(super) fn lists_within(&self, question: &Question) -> bool {
        let form = &question.form;
        let takes_named = form.entities.is_empty() && self.open.is_empty() || self.takes_named();
        let tells = self.holds_limit(question) || self.ranks(form);
        form.dimension.is_some() && self.is_on_topic() && takes_named && tells
    }

    /// Whether it tells what the question asks of each of a kind, and could be called for each, where another method of its listing only
    /// lists them: "the weather in each city".
    pub(crate) fn tells_each_before(&self, other: &Self, question: &Question) -> bool {
        let own = |it: &Self, name| value_of(&it.signals, name);
        let is_asked_over = |open: &Open| fan::is_asked_over(question, &self.known, &open.name);
        own(self, "topic_own") >= SAYS_ALL_MIN
            && own(self, "topic_any") > own(other, "topic_any")
            && self.fit.coverage >= other.fit.coverage
            && self.open.iter().all(is_asked_over)
            && other.open.is_empty()
            && self.is_of_listing(other)
            && question.asks_each()
    }

    /// Whether it would be called for each of the kind by which the question breaks something down, where another method of its listing
    /// tells of all together: "inflows by exchange".
    pub(crate) fn breaks_down_before(&self, other: &Self, question: &Question) -> bool {
        let kind = question.form.dimension.as_ref().filter(|_| question.form.is_breakdown);
        let outline = &other.known.outline;
        let tells_each = |stem: &String| outline.has_in_rows(stem);
        kind.is_some_and(|kind| !outline.leaves.is_empty() && !kind.stems.iter().any(tells_each))
            && self.is_called_for_each()
            && !other.is_called_for_each()
            && self.required.iter().any(|it| fan::is_asked_over(question, &self.known, &it.name))
            && self.open.is_empty()
            && self.knows_as_much_as(other)
    }

    /// Whether it is for no other time than that of which the question speaks.
    pub(crate) fn is_timely(&self) -> bool {
        value_of(&self.signals, "tense") >= 0.0
    }

    /// Whether the question asks for the first by what a superlative alone says, of which neither its words nor those of its results
    /// speak: "tallest cities"; or by a change, and its results tell of none.
    pub(super) fn cannot_rank(&self, question: &Question) -> bool {
        let form = &question.form;
        if form.way.is_some() {
            return self.known.outline.lacks_change(form);
        }
        form.order.is_some()
            && !form.measures.is_empty()
            && !form.measures.iter().any(|stem| has_word(question, stem) || self.known.speaks_of(stem))
            && !self.known.outline.leaves.is_empty()
    }

    /// Whether it tells of whole days, where the question asks for parts of one: an hourly forecast.
    pub(super) fn is_coarser(&self, question: &Question) -> bool {
        let says_parts = |terms: &Terms| ["hour", "minut"].into_iter().any(|part| terms.has(part));
        let outline = &self.known.outline;
        let mut times = outline.leaves.iter().filter(|leaf| leaf.is_in_rows && leaf.kind == LeafKind::Time);
        let is_day =
            |leaf: &Leaf| matches!(leaf.stems.as_slice(), [only] if matches!(only.as_str(), "date" | "day"));
        question.asks_within_days()
            && outline.has_series()
            && times.all(is_day)
            && !says_parts(&self.known.vocabulary.name)
            && !says_parts(&self.known.vocabulary.description)
            && !self.binding.arguments.iter().any(|it| matches!(it.role, Role::Grain | Role::Window))
    }

    /// Whether the question counts what nothing is known of for the thing that it identifies: "how many people have read art-17".
    pub(super) fn cannot_count(&self, question: &Question) -> bool {
        let is_unknown = |word: &Word| {
            self.binding.coverage.left.contains(&word.stem)
                && !self.known.speaks_of(&word.stem)
                && !time::is_unit(&word.lower)
        };
        self.takes_identifier()
            && !self.known.outline.leaves.is_empty()
            && form::counted(&question.words).is_some_and(is_unknown)
    }

    /// Whether its rows can be ranked by what the question says, by what its superlative measures of a kind of things, or in time:
    /// "hottest cities", "which closes first".
    pub(crate) fn ranks(&self, form: &Form) -> bool {
        let outline = &self.known.outline;
        let is_of_kind = form.order.is_some() && form.dimension.is_some();
        outline.ranked_by(form).is_some()
            || is_of_kind && outline.measures_in_own_words(form)
            || self.tells_in_time(form) && form.turn.as_ref().is_some_and(|turn| turn.of.is_some())
    }

    /// Whether its rows tell which of them comes first in time, where the question asks for that.
    pub(super) fn tells_in_time(&self, form: &Form) -> bool {
        self.known.outline.turned(form).is_some_and(|time| time.is_in_rows)
    }

    /// Whether the question ranks what its rows tell of, where another method only finds what it is looked up by: "the cheapest outcome
    /// of the event" is no event.
    pub(crate) fn ranks_what_is_found_by(&self, other: &Self, form: &Form) -> bool {
        self.means.contains(&other.candidate.method_ref())
            && self.tells_what_is_ranked(form)
            && !other.tells_what_is_ranked(form)
            && self.knows_topic()
    }

    /// Whether its rows tell of what the question ranks, and by what, where another method that is looked up alike does not tell that:
    /// "the most expensive outcome of the event" is told by prices, and not by volumes.
    pub(crate) fn tells_by_what_before(&self, other: &Self, form: &Form) -> bool {
        let by_what = form.measures.get(..1).unwrap_or_default();
        let tells = |it: &Self| it.known.outline.measures_any(by_what);
        !self.means.is_empty()
            && self.means == other.means
            && self.tells_what_is_ranked(form)
            && tells(self)
            && !tells(other)
            && self.knows_topic()
    }

    /// Whether it ranks changes of what the question asks and accounts for as much of it, where another method of its listing ranks none,
    /// or another one does not speak of that, for which there is no word: who lost the most of a coin is told by what they hold.
    pub(crate) fn tells_changes_before(&self, other: &Self, question: &Question) -> bool {
        let form = &question.form;
        let of_what = form.measures.first().filter(|stem| !has_word(question, stem));
        let speaks = |stem: &String| self.known.speaks_of(stem) && !other.known.speaks_of(stem);
        form.way.is_some()
            && (of_what.is_some_and(speaks) || other.cannot_rank(question) && self.is_of_listing(other))
            && !self.cannot_rank(question)
            && self.open.is_empty()
            && self.fit.coverage >= other.fit.coverage
    }

    /// Whether a value of its rows is called as what the question ranks is.
    fn tells_what_is_ranked(&self, form: &Form) -> bool {
        let kind = form.dimension.as_ref().and_then(|noun| noun.stems.last()).or(form.head.as_ref());
        form.order.is_some() && kind.is_some_and(|kind| self.known.outline.has_in_rows(kind))
    }

    /// Whether its results measure what is said beside a bound.
    fn measures(&self, bound: &Threshold) -> bool {
        bound.measure().is_some_and(|stem| self.known.outline.measures_any(&[stem]))
    }

    /// Whether its rows do.
    fn measures_rows(&self, bound: &Threshold) -> bool {
        let is_it = |leaf: &Leaf| {
            leaf.is_in_rows
                && leaf.kind == LeafKind::Number
                && bound.measure().is_some_and(|measure| leaf.stems.iter().any(|stem| stem == measure))
        };
        self.known.outline.leaves.iter().any(is_it)
    }

    /// Whether its rows tell when that is of which the question names the time.
    fn dates(&self, question: &Question, moment: &Moment) -> bool {
        self.known.outline.dated(question, moment).is_some()
    }
}

fn has_word(question: &Question, stem: &str) -> bool {
    question.words.iter().any(|word| word.stem == stem)
}

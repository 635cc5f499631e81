//! Filling a method's arguments from a question: what is said, what a default or a published standard implies, and
//! what stays open.

use std::mem;
use std::ops::Range;

use serde_json::{Map, Value};

use crate::Question;
use crate::spans::overlaps;
use crate::time::{Direction, Moment, Sense, Window};

mod assign;
mod boolean;
mod candidate;
mod choice;
mod code;
mod compound;
mod coverage;
mod days;
mod document;
mod facts;
mod identity;
mod in_vain;
mod instant;
mod label;
mod length;
mod limits;
mod literal;
mod moment;
mod number;
mod page;
mod parameter;
mod phrase;
mod place;
mod proximity;
mod role;
mod schema;
mod source;
mod standard;
mod stretch;
mod text;
mod topic;
mod vague;
mod vocabulary;

pub(crate) use candidate::{Candidate, Family};
pub use coverage::{Coverage, says_only_listed};
pub use days::takes_days;
pub use facts::Facts;
pub(crate) use literal::written_out;
pub use parameter::Parameters;
pub(crate) use phrase::behind_prepositions;
pub use role::Role;
pub use source::{Source, seen_from};
pub use standard::standard_codes;
pub(crate) use standard::{converts_money, names_pair};
pub(crate) use topic::is_limit;
pub use topic::{looked_for, only_requests};
pub use vague::{Thing, place_pointed_at, things_pointed_at};

/// What a question gives to the arguments of one method.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    /// The arguments, in the schema's order.
    pub arguments: Vec<Argument>,
    /// How much of the question the method and its arguments account for.
    pub coverage: Coverage,
}

/// One argument of a method and what the question gives to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// Its name in the schema.
    pub name: String,
    /// What the schema says of it; may be empty.
    pub description: String,
    /// Whether the schema requires it.
    pub is_required: bool,
    /// What kind of value it takes.
    pub role: Role,
    /// Whether the question speaks of one of what it takes and does not say which, so that it is required by it.
    pub is_left_open: bool,
    /// What it gets.
    pub state: State,
}

/// What an argument gets.
#[derive(Clone, Debug, PartialEq)]
pub enum State {
    /// A value.
    Bound(Bound),
    /// Nothing.
    Unfilled {
        /// Why, in words for the caller.
        why: String,
        /// What the question says for it and its schema does not take.
        refused: Option<Refused>,
    },
}

/// What a question says for an argument whose schema does not take it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What it says.
    pub said: String,
    /// Where, in bytes.
    pub range: Range<usize>,
}

impl Refused {
    /// The same, of a question that begins at this byte of all that was said; nothing where it stands before that.
    fn seen_from(self, start: usize) -> Option<Self> {
        Some(Self { range: seen_from(&self.range, start)?, ..self })
    }
}

/// A value for an argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// The value; valid for the argument's type, choices and bounds.
    pub value: Value,
    /// Where it comes from.
    pub source: Source,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
}

impl Binding {
    /// The binding with its places left open, where nothing tells any and the question only points at one by this word.
    #[must_use]
    pub fn with_places_open(mut self, said: &str) -> Self {
        vague::leave_places_open(said, &mut self.arguments);
        self
    }

    /// The binding without the places that a text names before this byte and that are something else: money, a coin, or a value
    /// that was `given` to another argument, by name.
    #[must_use]
    pub fn with_other_places_open(mut self, text: &str, before: usize, given: &[(&str, &str)]) -> Self {
        place::leave_others_open(text, before, given, &mut self.arguments);
        self
    }

    /// The binding with those arguments left open that take what the question only points at: "into that exchange".
    #[must_use]
    pub fn with_pointed_open(
        mut self,
        question: &Question,
        things: &[Thing],
        parameters: &Parameters,
    ) -> Self {
        vague::leave_pointed_open((question, things), &parameters.list, &mut self.arguments);
        self
    }

    /// What all that was said gives, as the question says it that begins at this byte of it; `own` is what that gives by itself.
    #[must_use]
    pub fn seen_from(mut self, start: usize, own: &Self) -> Self {
        for (argument, own) in self.arguments.iter_mut().zip(&own.arguments) {
            match &mut argument.state {
                // What the question says goes before what was said before it.
                state if own.is_said() => *state = own.state.clone(),
                State::Bound(bound) => {
                    bound.source = mem::replace(&mut bound.source, Source::Default).seen_from(start);
                }
                State::Unfilled { refused, .. } => {
                    *refused = refused.take().and_then(|it| it.seen_from(start));
                }
            }
        }
        self
    }

    /// The binding with what the answer before gives to another one of the same method, where nothing here gives it.
    #[must_use]
    pub fn with_carried(mut self, other: &Self) -> Self {
        for (argument, carried) in self.arguments.iter_mut().zip(&other.arguments) {
            if argument.bound().is_none() && carried.is_carried() {
                argument.state = carried.state.clone();
            }
        }
        self
    }

    /// The required arguments that stay open.
    pub fn missing(&self) -> impl Iterator<Item = &Argument> {
        self.arguments.iter().filter(|argument| argument.is_required && argument.bound().is_none())
    }

    /// Whether a value stands at a stretch of the question, in bytes.
    #[must_use]
    pub fn uses(&self, range: &Range<usize>) -> bool {
        self.arguments.iter().flat_map(Argument::places).any(|place| overlaps(place, range))
    }

    /// Whether a stretch of the question, in bytes, is the value of an argument that is no free text.
    #[must_use]
    pub fn takes(&self, range: &Range<usize>) -> bool {
        let is_free = |it: &&Argument| matches!(it.role, Role::Search | Role::Text);
        let values = self.arguments.iter().filter(|it| !is_free(it));
        values.flat_map(Argument::places).any(|place| overlaps(place, range))
    }

    /// The argument with this name.
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<&Argument> {
        self.arguments.iter().find(|argument| argument.name == name)
    }

    /// The values to call with. An optional argument's own default is left to the server.
    #[must_use]
    pub fn values(&self) -> Map<String, Value> {
        self.arguments
            .iter()
            .filter_map(|argument| {
                let bound = argument.bound()?;
                let is_sent = argument.is_required || bound.source != Source::Default;
                is_sent.then(|| (argument.name.clone(), bound.value.clone()))
            })
            .collect()
    }

    /// The times, over or to come, that the question names and no argument takes: the result may be about another time. Of
    /// what has been so far, a stretch of days that lies around now is one: "how far did it fall this week".
    pub fn unplaced_times<'q>(&self, question: &'q Question) -> impl Iterator<Item = &'q Moment> {
        let looks_back = question.looks_back();
        self.unplaced(question, move |window| {
            is_off(window, question) || looks_back && window.first_day() < window.last_day()
        })
    }

    /// The same, and all stretches of days around now, whatever is asked of them: a result of now is not all of "the rate this week".
    pub fn unplaced_times_and_stretches<'q>(
        &self,
        question: &'q Question,
    ) -> impl Iterator<Item = &'q Moment> {
        self.unplaced(question, |window| is_off(window, question) || window.first_day() < window.last_day())
    }

    /// The times of a kind that the question names and no argument takes.
    fn unplaced<'q>(
        &self,
        question: &'q Question,
        is_meant: impl Fn(&Window) -> bool,
    ) -> impl Iterator<Item = &'q Moment> {
        let moments = question.moments.iter();
        moments
            .filter(move |moment| moment.window().is_some_and(&is_meant) && !self.tells_time(&moment.range))
    }

    /// Whether the time that stands here is the value of an argument, or a part of it.
    fn tells_time(&self, range: &Range<usize>) -> bool {
        let sources = self.arguments.iter().filter_map(Argument::bound).map(|bound| &bound.source);
        sources.flat_map(|it| it.range().into_iter().chain(it.parts())).any(|own| overlaps(own, range))
    }

    /// The stretch of the question that tells the times of day that no argument takes.
    #[must_use]
    pub fn unplaced_clock(&self, question: &Question) -> Option<Range<usize>> {
        let is_clock =
            |moment: &&Moment| matches!(moment.sense, Sense::Clock(_)) && !self.uses(&moment.range);
        let ranges = question.moments.iter().filter(is_clock).map(|moment| moment.range.clone());
        ranges.reduce(|one, other| one.start.min(other.start)..one.end.max(other.end))
    }

    /// Whether the question says what the method is to search for.
    #[must_use]
    pub fn searches(&self) -> bool {
        self.arguments.iter().any(|argument| argument.role == Role::Search && argument.is_said())
    }

    /// The mean confidence of the required arguments, open ones counting nothing; 1 where none is required.
    #[must_use]
    pub fn confidence(&self) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for argument in self.arguments.iter().filter(|argument| argument.is_required) {
            sum += argument.bound().map_or(0.0, |bound| bound.confidence);
            count += 1.0;
        }
        if count == 0.0 { 1.0 } else { sum / count }
    }
}

impl Argument {
    /// Its value, where it has one.
    #[must_use]
    pub fn bound(&self) -> Option<&Bound> {
        match &self.state {
            State::Bound(bound) => Some(bound),
            State::Unfilled { .. } => None,
        }
    }

    /// What the question says for it and its schema does not take.
    #[must_use]
    pub fn refused(&self) -> Option<&Refused> {
        match &self.state {
            State::Unfilled { refused, .. } => refused.as_ref(),
            State::Bound(_) => None,
        }
    }

    /// Where the question speaks of it, in bytes.
    #[must_use]
    pub fn said_at(&self) -> Option<&Range<usize>> {
        self.bound().map_or_else(|| self.refused().map(|it| &it.range), |bound| bound.source.range())
    }

    /// Where the question says its value, or says what implies it, in bytes.
    #[must_use]
    pub fn place(&self) -> Option<&Range<usize>> {
        self.bound()?.source.place()
    }

    /// Where the question says its value or parts of it, or says what implies it, in bytes.
    pub fn places(&self) -> impl Iterator<Item = &Range<usize>> {
        self.bound().into_iter().flat_map(|bound| bound.source.places())
    }

    /// Whether the question itself, not a default, gives its value.
    #[must_use]
    pub fn is_said(&self) -> bool {
        self.bound().is_some_and(|bound| bound.source != Source::Default)
    }

    /// Whether its value is what the answer before was about.
    #[must_use]
    pub fn is_carried(&self) -> bool {
        self.bound().is_some_and(|bound| matches!(bound.source, Source::Before { .. }))
    }

    /// Whether its value is what the answer before only showed, and was not asked of.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        self.bound().is_some_and(|bound| matches!(bound.source, Source::Before { is_given: false, .. }))
    }

    /// Whether its value is a number that stands here.
    #[must_use]
    pub fn takes_number(&self, range: &Range<usize>) -> bool {
        let is_here =
            |bound: &&Bound| matches!(&bound.source, Source::Said { range: own } if overlaps(own, range));
        self.bound().filter(is_here).is_some_and(|bound| bound.value.is_number())
    }

    /// Whether its value is a time just as the question says it.
    #[must_use]
    pub fn is_exact_time(&self) -> bool {
        self.bound().is_some_and(|bound| matches!(bound.source, Source::Window { note: None, .. }))
    }
}

/// Whether a window is over when the question is asked, or to come.
fn is_off(window: &Window, question: &Question) -> bool {
    window.direction != Direction::Present && (window.end <= question.now || window.start >= question.now)
}

/// Fills the arguments of a method from a question.
#[must_use]
pub fn bind(question: &Question, parameters: &Parameters) -> Binding {
    let arguments = assign::arguments(question, parameters);
    let coverage = coverage::coverage(question, parameters, &arguments);
    Binding { arguments, coverage }
}

/// Every value that a question names for one argument, best first: the two assets of a comparison, say.
#[must_use]
pub fn alternatives(question: &Question, parameters: &Parameters, argument: &str) -> Vec<Bound> {
    assign::alternatives(question, parameters, argument)
}

/// Every day of the stretch of time that an argument for one day was told from, the first one first. Empty where it was told
/// from no stretch, or where another argument was told from it as well.
#[must_use]
pub fn days(question: &Question, parameters: &Parameters, binding: &Binding, argument: &str) -> Vec<Value> {
    let told_from = |name: &str| binding.argument(name)?.bound()?.source.range();
    let Some(range) = told_from(argument) else { return Vec::new() };
    let is_shared = binding.arguments.iter().any(|other| {
        other.name != argument && told_from(&other.name).is_some_and(|own| overlaps(own, range))
    });
    let moment = question.moments.iter().find(|moment| moment.range == *range).filter(|_| !is_shared);
    let parameter = parameters.list.iter().find(|parameter| parameter.name == argument);
    match (moment.and_then(Moment::window), parameter) {
        (Some(window), Some(parameter)) => days::each(question, parameter, window),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests;

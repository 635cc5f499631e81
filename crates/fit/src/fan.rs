//! Fanning out: one call for each value of an argument, or for each of one with each of another.

use std::cmp::Reverse;
use std::ops::Range;

use reading::Question;
use reading::bind::{Argument, Bound, Role, alternatives, days};
use reading::form::FormKind;
use reading::spans::overlaps;
use serde_json::Value;

use crate::Offer;
use crate::choice::Choice;
use crate::known::{Desk, Known};
use crate::lookup::{self, Told};
use crate::only;
use crate::outline::LeafKind;

/// One call for each value of an argument, or for each of one with each of the others.
#[derive(Debug)]
pub struct Fan {
    /// The arguments, in the schema's order.
    pub arguments: Vec<String>,
    /// What each call gives to them, in the schema's or the question's order.
    pub calls: Vec<Vec<Value>>,
    /// What is left out, in words for the caller.
    pub assumption: Option<String>,
}

impl Fan {
    /// Whether it is over this argument.
    #[must_use]
    pub fn is_over(&self, argument: &str) -> bool {
        self.arguments.iter().any(|own| own == argument)
    }

    /// Each of these values with each of those of the others, the first few of them.
    fn of(values: Vec<Values>, most: usize) -> Option<Self> {
        let (arguments, values): (Vec<String>, Vec<Vec<Value>>) = values.into_iter().unzip();
        let with = |calls: Vec<Vec<Value>>, values: &Vec<Value>| {
            let with_one = |call: &[Value], value: &Value| call.iter().chain([value]).cloned().collect();
            let with_each =
                |call: &Vec<Value>| values.iter().map(|value| with_one(call, value)).collect::<Vec<_>>();
            calls.iter().flat_map(with_each).take(most).collect()
        };
        let calls: Vec<Vec<Value>> = values.iter().fold(vec![Vec::new()], with);
        let all = values.iter().fold(1, |all: usize, values| all.saturating_mul(values.len()));
        let assumption = (all > calls.len()).then(|| {
            let names: Vec<String> = arguments.iter().map(|name| format!("`{name}`")).collect();
            format!("only the first {most} of {all} values of {} were asked for", names.join(" with "))
        });
        (calls.len() > 1).then_some(Self { arguments, calls, assumption })
    }
}

/// An argument with its values.
type Values = (String, Vec<Value>);

/// One call for each item that a listing method gives.
#[derive(Debug)]
pub struct ItemFan<'a> {
    /// The argument that they fill.
    pub argument: String,
    /// The call that gives the items.
    pub lister: Choice<'a>,
    /// Where in its result they stand, and in them the argument's value.
    pub told: Told,
    /// Calls at the most.
    pub most: usize,
}

impl ItemFan<'_> {
    /// What is taken for granted, in words for the caller.
    #[must_use]
    pub fn assumption(&self) -> String {
        format!(
            "`{}` was asked for what `{}` gives, the first {} at the most",
            self.argument, self.lister.candidate.method.name, self.most
        )
    }
}

/// The fan-out over another method's items: the question asks over a noun that the only open argument is named by.
pub fn over_items<'a>(desk: &Desk<'a>, question: &Question, choice: &Choice<'_>) -> Option<ItemFan<'a>> {
    let noun = question.form.dimension.as_ref()?;
    let argument = only(choice.binding.missing())?;
    let is_of_several = matches!(question.form.kind, FormKind::Ranking | FormKind::Which | FormKind::List);
    let asks_over = (is_of_several || question.asks_each())
        && noun.is_among(choice.known.parameters.stems(&argument.name));
    let most = desk.offer.fan_out_max.min(desk.offer.calls_max.saturating_sub(1));
    if !asks_over || most < 2 || choice.known.parameters.has_choices(&argument.name) {
        return None;
    }
    let (lister, told) = lookup::lister(desk, question, choice, &argument.name)?;
    Some(ItemFan { argument: argument.name.clone(), lister, told, most })
}

/// The fan-out that a question asks for, where every other required argument is there.
#[must_use]
pub fn find(offer: &Offer<'_>, question: &Question, choice: &Choice<'_>) -> Option<Fan> {
    let others_are_there = |name: &str| choice.binding.missing().all(|argument| argument.name == name);
    let most = offer.fan_out_max.min(offer.calls_max);
    let argument = |argument: &&Argument| {
        others_are_there(&argument.name) && !choice.known.parameters.is_list(&argument.name)
    };
    let arguments = || choice.binding.arguments.iter().filter(argument);
    let over = |values: &dyn Fn(&Argument) -> Option<Vec<Value>>| {
        arguments().find_map(|argument| Some(vec![(argument.name.clone(), values(argument)?)]))
    };
    let values = named(question, choice)
        .or_else(|| over(&|argument| over_days(question, choice, argument, most)))
        .or_else(|| over(&|argument| over_dimension(question, choice, argument)))?;
    Fan::of(values, most)
}

/// Whether a question can name values side by side: it compares, or joins what it says. What a comma parts from it and a
/// preposition leads stands beside nothing: "24 hours, by volume".
fn tells_several(question: &Question) -> bool {
    let text = question.text.as_str();
    let is_led = |rest: &str| {
        let next = rest.split_whitespace().next().unwrap_or_default();
        matches!(next, "about" | "as" | "by" | "from" | "per" | "since" | "to" | "until" | "with")
    };
    question.form.is_comparison
        || question.words.iter().any(|word| is_conjunction(&word.lower))
        || text.contains(['&', '/'])
        || text.split(',').skip(1).any(|rest| !is_led(rest))
}

fn is_conjunction(word: &str) -> bool {
    matches!(word, "and" | "or" | "vs" | "versus" | "&" | "/")
}

/// The values that the question names side by side, by argument: "BTC and ETH", "Paris or Rome", "BTC and ETH at Acme and Zenith". Of
/// the arguments that could each take some of the same stretch, the one that takes the most.
fn named(question: &Question, choice: &Choice<'_>) -> Option<Vec<Values>> {
    if !tells_several(question) || choice.binding.missing().next().is_some() {
        return None;
    }
    let arguments = choice.binding.arguments.iter().enumerate();
    let takes_one = |(_, argument): &(usize, &Argument)| !choice.known.parameters.is_list(&argument.name);
    let mut named: Vec<(usize, &Argument, Vec<Bound>)> = arguments
        .filter(takes_one)
        .filter_map(|(at, argument)| Some((at, argument, side_by_side(question, choice, argument)?)))
        .collect();
    named.sort_by_key(|(_, _, values)| Reverse(values.len()));
    let mut taken: Vec<Range<usize>> = Vec::new();
    named.retain(|(_, _, values)| {
        let places: Vec<_> = values.iter().filter_map(|value| value.source.place().cloned()).collect();
        let is_free = !places.iter().any(|place| taken.iter().any(|other| overlaps(place, other)));
        taken.extend(if is_free { places } else { Vec::new() });
        is_free
    });
    named.sort_by_key(|(at, _, _)| *at);
    let values = |values: Vec<Bound>| values.into_iter().map(|value| value.value).collect();
    let named = named.into_iter().map(|(_, argument, own)| (argument.name.clone(), values(own)));
    Some(named.collect()).filter(|named: &Vec<_>| !named.is_empty())
}

/// Stems of the words of all values that a question names side by side, for any argument that takes one of them, and of what asks
/// for them to be compared.
pub(crate) fn said_beside(question: &Question, choice: &Choice<'_>) -> Vec<String> {
    if choice.binding.coverage.left.is_empty() || !tells_several(question) {
        return Vec::new();
    }
    let takes_one = |argument: &&Argument| !choice.known.parameters.is_list(&argument.name);
    let arguments = choice.binding.arguments.iter().filter(takes_one);
    let values = arguments.filter_map(|argument| side_by_side(question, choice, argument)).flatten();
    let places: Vec<_> = values.filter_map(|value| value.source.place().cloned()).collect();
    let beside = places.iter().flat_map(|place| question.words_in(place));
    let compares = question.words.iter().filter(|word| !places.is_empty() && word.stem == "compar");
    beside.chain(compares).map(|word| word.stem.clone()).collect()
}

/// What the question names side by side that an argument takes, two values or more.
fn side_by_side(question: &Question, choice: &Choice<'_>, argument: &Argument) -> Option<Vec<Bound>> {
    let is_free = matches!(argument.role, Role::Search | Role::Text)
        && !choice.known.parameters.has_choices(&argument.name);
    let is_one = matches!(argument.role, Role::Limit | Role::Start | Role::End | Role::Formal);
    if !argument.is_said() || is_free || is_one {
        return None;
    }
    let offers = alternatives(question, &choice.known.parameters, &argument.name);
    // What another argument takes stands between the others as any word does.
    let free = offers.split(|offer| is_used_elsewhere(choice, argument, offer));
    // The pound of "the pound against the franc and the yen" is for another argument than those.
    let is_one_side = others(choice, argument).any(|other| other.role == argument.role && other.is_said());
    let runs = free.flat_map(|free| free.chunk_by(|one, other| is_joined(question, one, other, is_one_side)));
    runs.rev().max_by_key(|run| run.len()).filter(|run| run.len() > 1).map(<[Bound]>::to_vec)
}

fn is_used_elsewhere(choice: &Choice<'_>, argument: &Argument, offer: &Bound) -> bool {
    let Some(range) = offer.source.place() else { return false };
    others(choice, argument).filter_map(Argument::place).any(|used| overlaps(used, range))
}

/// The other arguments of a method.
fn others<'c>(choice: &'c Choice<'_>, argument: &Argument) -> impl Iterator<Item = &'c Argument> {
    choice.binding.arguments.iter().filter(|other| other.name != argument.name)
}

/// Whether two values have nothing but a conjunction between them, or the unit that both have: "5 km and 10 km". A comparison may say
/// more between its two sides, where the argument takes both: "the weather in Paris with that in Rome".
fn is_joined(question: &Question, one: &Bound, other: &Bound, is_one_side: bool) -> bool {
    let (Some(one), Some(other)) = (one.source.place(), other.source.place()) else {
        return question.form.is_comparison;
    };
    let Some(between) = question.text.get(one.end..other.start) else { return false };
    let mut words = between.split_whitespace().map(|word| word.trim_matches([',', '.']));
    let behind = question.text[other.end..].split_whitespace().next();
    let is_unit = |word: &str| behind.is_some_and(|unit| unit.trim_end_matches([',', '.', '?']) == word);
    let is_filler = |word: &str| {
        matches!(word, "" | "'s" | "’s" | "in" | "for" | "of" | "at" | "the" | "on") || is_unit(word)
    };
    if words.clone().all(|word| is_conjunction(word) || is_filler(word)) {
        return between.contains(',') || words.any(is_conjunction);
    }
    question.form.is_comparison
        && !is_one_side
        && between.len() <= BETWEEN_MAX
        && words.any(|word| is_conjunction(word) || matches!(word, "with" | "to" | "than" | "against"))
}

const BETWEEN_MAX: usize = 40;

/// Each day of a longer time, for an argument that takes one day: "the weather in Rome last week".
fn over_days(
    question: &Question,
    choice: &Choice<'_>,
    argument: &Argument,
    most: usize,
) -> Option<Vec<Value>> {
    let values = days(question, &choice.known.parameters, &choice.binding, &argument.name);
    (2..=most).contains(&values.len()).then_some(values)
}

/// Every value of an argument that lists them, where the question asks over it and rows do not hold it already. A catch-all is no
/// value of its own beside the others.
fn over_dimension(question: &Question, choice: &Choice<'_>, argument: &Argument) -> Option<Vec<Value>> {
    if argument.is_said() {
        return None;
    }
    let noun = question.form.dimension.as_ref();
    let names_it = is_asked_over(question, &choice.known, &argument.name);
    // "Top 5 liquidations" ranks what the method itself gives.
    let is_own = noun.is_none_or(|noun| noun.stems.iter().all(|stem| choice.known.parameters.knows(stem)));
    let is_open_rank = is_own && argument.is_required && question.form.kind == FormKind::Ranking;
    let has_rows = noun.is_some()
        && choice.known.outline.leaves.iter().any(|leaf| {
            leaf.is_in_rows
                && leaf.kind == LeafKind::Text
                && noun.is_some_and(|noun| noun.is_among(&leaf.stems))
        });
    if !(names_it || is_open_rank) || (has_rows && !argument.is_required) {
        return None;
    }
    let mut values = choice.known.parameters.choices(&argument.name);
    values.retain(|value| !matches!(value.as_str(), Some("all" | "any" | "ALL" | "ANY" | "*" | "")));
    (!values.is_empty()).then_some(values)
}

/// Whether a question asks over what an argument takes: "which exchange has the most" gives no exchange and asks for none.
#[must_use]
pub fn is_asked_over(question: &Question, known: &Known, argument: &str) -> bool {
    let stems = known.parameters.stems(argument);
    let noun = question.form.dimension.as_ref();
    noun.is_some_and(|noun| noun.is_among(stems) || noun.stems.iter().any(|stem| stems.contains(stem)))
}

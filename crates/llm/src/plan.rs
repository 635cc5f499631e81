//! The embedded planner: which method, with what, in how many calls.

use std::ops::Range;

use domain::MethodRef;
use fit::{Choice, Desk, Knowledge, Leaf, LeafKind, choice, fan, lookup};
use reading::bind::{Argument, Source, days};
use reading::form::Entity;
use reading::spans::overlaps;
use reading::time::Moment;
use reading::{Question, Reading, time};
use serde_json::{Map, Value};

use crate::{MissingArgument, PlanBrief, PlanReply, PlannedText};

mod arguments;
mod look_up;
mod said_before;
mod several;
pub(crate) mod write;

/// Plans a program for a question, for each of its clauses where it asks several things.
pub(crate) fn plan(brief: &PlanBrief, knowledge: &Knowledge) -> PlanReply {
    several::plan(brief, knowledge).map_or_else(|| one(brief, knowledge), PlanReply::Program)
}

/// Plans a program for one thing that is asked; where it leaves something open, with what was said before it.
fn one(brief: &PlanBrief, knowledge: &Knowledge) -> PlanReply {
    behind(brief, alone(brief, knowledge), knowledge)
}

/// What is planned for what is asked alone; where that leaves something open, with what was said before it.
fn behind(brief: &PlanBrief, own: Planned, knowledge: &Knowledge) -> PlanReply {
    said_before::plan(brief, &own, knowledge).map_or(own.reply, PlanReply::Program)
}

/// The reply to a question, and how much the question tells of it.
struct Planned {
    reply: PlanReply,
    /// Arguments of the method that the question says, with what it gives them.
    said: Map<String, Value>,
    /// Whether the question says what the method's name says that it tells of.
    is_named: bool,
}

impl Planned {
    /// The method that it is about, where there is one.
    fn method(&self) -> Option<&MethodRef> {
        match &self.reply {
            PlanReply::Program(text) => Some(&text.primary),
            PlanReply::Missing(missing) => missing.first().map(|it| &it.method),
            PlanReply::NoMatch { .. } => None,
        }
    }

    /// Whether the question tells all that is needed.
    fn is_whole(&self) -> bool {
        matches!(self.reply, PlanReply::Program(_))
    }
}

/// Plans a program for what is asked, whatever was said before it.
fn alone(brief: &PlanBrief, knowledge: &Knowledge) -> Planned {
    let question = Question::read(&brief.question, brief.now);
    let desk = Desk::new(brief.offer(), knowledge);
    let choices = match &brief.chosen {
        Some(chosen) => {
            let mut choices = choice::all(&desk, &question);
            choices.retain(|choice| choice.candidate.method_ref() == *chosen);
            choices
        }
        None => choice::contenders(&desk, &question, NEAR_SHARE_MIN),
    };
    let Some(best) = choices.first() else {
        let reason = "no method of the selected listings fits the question".to_owned();
        return Planned { reply: PlanReply::NoMatch { reason }, said: Map::new(), is_named: false };
    };
    let said = |choice: &Choice<'_>| {
        let said = choice.binding.arguments.iter().filter(|argument| argument.is_said());
        said.filter_map(|it| Some((it.name.clone(), it.bound()?.value.clone()))).collect()
    };
    let mut near = choices.iter().filter(|choice| choice.fit.score() >= best.fit.score() * NEAR_SHARE_MIN);
    let planned = |choice: &Choice<'_>, reply| Planned {
        reply,
        said: said(choice),
        is_named: choice.fit.name >= NAMED_MIN,
    };
    near.find_map(|choice| {
        Some(planned(
            choice,
            PlanReply::Program(program(&desk, &question, choice, brief.limits.asked_rows_max)?),
        ))
    })
    .unwrap_or_else(|| planned(best, PlanReply::Missing(missing(best))))
}

/// How much of a method's name a question says that names it, as a share.
const NAMED_MIN: f64 = 0.5;

/// A choice with this share of the best score may take its place when the best lacks an argument.
const NEAR_SHARE_MIN: f64 = 0.92;

/// The program of one choice, where its arguments can be had; no call is asked for more than `rows_max` rows that are ranked.
fn program(
    desk: &Desk<'_>,
    question: &Question,
    choice: &Choice<'_>,
    rows_max: usize,
) -> Option<PlannedText> {
    let question = &*question.asked_of(&choice.candidate.listing);
    let arguments = arguments::last(question, choice, rows_max);
    if let Some(fan) = fan::find(&desk.offer, question, choice) {
        let mut assumptions = choice.assumptions(&fan.arguments);
        assumptions.extend(fan.assumption.clone());
        let source = write::fan_out(choice, arguments, &fan);
        return Some(planned(question, choice, (source, assumptions), &fan.arguments));
    }
    if let Some(fan) = fan::over_items(desk, question, choice) {
        let mut assumptions = choice.assumptions(&[]);
        assumptions.push(fan.assumption());
        let source = write::fan_over_items(choice, arguments, &fan);
        return Some(planned(question, choice, (source, assumptions), &[fan.argument]));
    }
    let mut missing = choice.binding.missing();
    match (missing.next(), missing.next()) {
        (None, _) => {
            let source = write::single(choice, &arguments);
            Some(planned(question, choice, (source, choice.assumptions(&[])), &[]))
        }
        (Some(argument), None) => {
            let lookups = lookup::find(desk, question, choice, &argument.name)?;
            let mut assumptions = choice.assumptions(&[]);
            assumptions.extend(lookups.iter().map(|lookup| lookup.assumption.clone()));
            let source = look_up::looked_up(choice, arguments, &lookups);
            Some(planned(question, choice, (source, assumptions), &[]))
        }
        (Some(_), Some(_)) => None,
    }
}

fn planned(
    question: &Question,
    choice: &Choice<'_>,
    (source, assumptions): (String, Vec<String>),
    fanned: &[String],
) -> PlannedText {
    let outline = &choice.known.outline;
    let mut form = outline.in_own_words(&question.form);
    if let Some(number) = only_number(question, choice) {
        form.measures.clone_from(&number.stems);
    }
    let open = unplaced_times(question, choice).chain(days_left_out(question, choice, fanned)).collect();
    let key = || choice.row_key(question).into_iter().collect();
    let dimensions = if fanned.is_empty() { key() } else { fanned.to_vec() };
    let wanted = outline.ranked_by(&form).unwrap_or(&form.measures);
    let measures = outline.measures(wanted, question);
    let untold = question.window_said().filter(|moment| !choice.binding.uses(&moment.range));
    let named = form.entities.iter().filter(|it| !is_read(choice, it)).map(|it| it.text.clone());
    let reading = Reading {
        order: outline.order(question, &measures),
        limit: form.limit,
        measures,
        dimensions,
        entities: named.chain(limits(question, choice)).collect(),
        window: question.window().cloned(),
        dated: untold.and_then(|moment| outline.dated(question, moment)).map(|time| time.key.clone()),
        turned: outline.turned(&form).map(|time| time.key.clone()),
        form: Box::new(form),
        open,
        parts: Vec::new(),
    };
    PlannedText { source, primary: choice.candidate.method_ref(), reading, assumptions }
}

/// The one number of the rows that a question ranks, where the arguments take all that it says of it: "highest EUR/USD this month".
fn only_number<'a>(question: &Question, choice: &'a Choice<'_>) -> Option<&'a Leaf> {
    let form = &question.form;
    let mut measures = question.words.iter().filter(|word| form.measures.contains(&word.stem));
    let is_all_taken = form.order.is_some() && measures.all(|word| choice.binding.uses(&word.range));
    let is_number = |leaf: &&Leaf| leaf.is_in_rows && leaf.kind == LeafKind::Number;
    let mut numbers = choice.known.outline.leaves.iter().filter(is_number);
    let only = numbers.next().filter(|_| is_all_taken)?;
    numbers.next().is_none().then_some(only)
}

/// What the things are to be, or to be about, that a question asks for, and that a method that only lists them does not know: the
/// "sunny" of "which cities are sunny".
fn limits<'a>(question: &'a Question, choice: &'a Choice<'_>) -> impl Iterator<Item = String> + 'a {
    let lists = !choice.binding.arguments.iter().any(Argument::is_said);
    let left = &choice.binding.coverage.left;
    let limiting = lists.then(|| question.limiting_words()).into_iter().flatten();
    limiting.filter(|word| left.contains(&word.stem)).map(|word| word.lower.clone())
}

/// Whether a value is read from a name, which it need not hold, or the name is what the method is called for short: the GBP of
/// "British pounds" names nothing British, and the zone of Mumbai is Asia/Kolkata.
fn is_read(choice: &Choice<'_>, name: &Entity) -> bool {
    let mut bound = choice.binding.arguments.iter().filter_map(Argument::bound);
    bound.any(|bound| {
        let is_of_it = bound.source.place().is_some_and(|range| overlaps(range, &name.range));
        let is_zone = || bound.value.as_str().is_some_and(time::is_zone);
        is_of_it && (matches!(bound.source, Source::Implied { .. }) || is_zone())
    }) || choice.known.is_called(&name.text)
}

fn unplaced_times<'a>(question: &'a Question, choice: &'a Choice<'_>) -> impl Iterator<Item = String> + 'a {
    let told = |what: &str, range: Range<usize>| {
        let (method, time) = (&choice.candidate.method.name, &question.text[range]);
        format!("`{method}` takes no {what}, so \"{time}\" was not asked of it.")
    };
    let is_dated = |moment: &&Moment| choice.known.outline.dated(question, moment).is_some();
    // The rows of a course tell of such a stretch by themselves.
    let is_course = choice.known.outline.has_series();
    let binding = &choice.binding;
    let times: Vec<&Moment> = if is_course {
        binding.unplaced_times(question).collect()
    } else {
        binding.unplaced_times_and_stretches(question).collect()
    };
    let times = times.into_iter().filter(move |moment| !is_dated(moment));
    let times = times.map(move |it| told("time", it.range.clone()));
    times.chain(choice.binding.unplaced_clock(question).map(move |range| told("time of day", range)))
}

/// The arguments that take one day of the several that the question asks about.
fn days_left_out<'a>(
    question: &'a Question,
    choice: &'a Choice<'_>,
    fanned: &'a [String],
) -> impl Iterator<Item = String> + 'a {
    let arguments = choice.binding.arguments.iter().filter(|it| !fanned.contains(&it.name));
    arguments.filter_map(|argument| {
        let days = days(question, &choice.known.parameters, &choice.binding, &argument.name).len();
        let bound = argument.bound().filter(|_| days > 1)?;
        Some(format!("`{}` takes one day: of {days} it was asked for {} alone.", argument.name, bound.value))
    })
}

fn missing(choice: &Choice<'_>) -> Vec<MissingArgument> {
    choice
        .binding
        .missing()
        .map(|argument| MissingArgument {
            method: choice.candidate.method_ref(),
            argument: argument.name.clone(),
            description: argument.description.clone(),
            why: match &argument.state {
                reading::bind::State::Unfilled { why, .. } => why.clone(),
                reading::bind::State::Bound(_) => String::new(),
            },
        })
        .collect()
}

#[cfg(test)]
mod tests;

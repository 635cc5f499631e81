//! The days of a stretch, for an argument that takes one day, and those of the week, for one that lists them.

use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, Unit};
use serde_json::Value;

use super::instant::instant_text;
use super::moment::is_temporal;
use super::parameter::{Choice, Parameter, Parameters, Shape};
use super::role::Role;
use super::{Candidate, Family, Source};
use crate::Question;
use crate::time::{Direction, Window, weekday_of};

/// The one day that is meant by a window, with its instant: the last one of what is past. None of the past months or years is
/// meant before the others.
pub(super) fn meant(window: &Window) -> Option<(Timestamp, Date)> {
    if window.direction != Direction::Past {
        return Some((window.start, window.first_day()));
    }
    let is_long = window.length.is_some_and(|length| matches!(length.unit, Unit::Month | Unit::Year));
    (!is_long || window.start == window.end).then(|| (window.end, window.last_day()))
}

/// Each day of a stretch as a parameter wants it written, the first one first, and of one for the past those that are over. None
/// for a parameter that takes no day, or not as a text.
pub(super) fn each(question: &Question, parameter: &Parameter, window: &Window) -> Vec<Value> {
    if parameter.role != Role::Date || !matches!(parameter.shape, Shape::Text(_)) {
        return Vec::new();
    }
    let (first, last) = ends(question, window);
    let today = question.now.to_zoned(TimeZone::UTC).date();
    let is_of_the_past = parameter.notes.split(|c: char| !c.is_alphabetic()).any(|word| word == "past");
    let days = first.series(1.day()).take_while(|day| *day <= last && (!is_of_the_past || *day < today));
    days.map(|day| Value::from(instant_text(parameter, midnight(day), day))).collect()
}

/// Whether a parameter for a window is to be told by its first and its last day.
pub(super) fn tell(parameter: &Parameter) -> bool {
    let is_date =
        |text: &str| text.split(|c: char| !c.is_alphabetic()).any(|it| matches!(it, "date" | "dates"));
    parameter.role == Role::Window
        && (parameter.format == "date"
            || parameter.own.iter().any(|it| it == "date")
            || is_date(&parameter.notes))
}

/// The first and the last day of the time that a question names, for a list of these two.
pub(super) fn pair(question: &Question, item: &Parameter) -> Option<Candidate> {
    let is_stretch = |window: &Window| window.first_day() < window.last_day();
    let stretches = question.moments.iter().filter_map(|moment| Some((moment, moment.window()?)));
    // Named days are surer than "next week".
    let (moment, window) = stretches
        .filter(|(_, window)| tell(item) && is_stretch(window))
        .max_by_key(|(_, window)| window.direction == Direction::Calendar)?;
    let days = [window.first_day(), window.last_day()];
    let value = days.map(|day| Value::from(instant_text(item, midnight(day), day)));
    let source = Source::Window { range: moment.range.clone(), note: None };
    Some(Candidate {
        value: value.into_iter().collect(),
        score: 0.8,
        source,
        claim: None,
        family: Family::Time,
    })
}

/// "Every weekday", "from Monday to Friday", "on weekends", "every day": days of the week, where a list is of them.
pub(super) fn of_the_week(question: &Question, item: &Parameter) -> Option<Candidate> {
    let day_of = |choice: &Choice| weekday_of(&choice.text).map(|day| (day, choice.value.clone()));
    let mut days: Vec<(Weekday, Value)> = item.choices.iter().map(day_of).collect::<Option<_>>()?;
    days.sort_by_key(|(day, _)| day.to_monday_zero_offset());
    let word = |at: usize| question.words.get(at).map_or("", |word| word.lower.as_str());
    let (at, next, first, last) = (0..question.words.len()).find_map(|at| {
        let (next, first, last) = match (word(at), word(at + 1)) {
            ("weekdays" | "workdays", _) => (at + 1, Weekday::Monday, Weekday::Friday),
            ("every" | "each", "weekday" | "workday") => (at + 2, Weekday::Monday, Weekday::Friday),
            ("weekends", _) => (at + 1, Weekday::Saturday, Weekday::Sunday),
            ("every" | "each", "weekend") => (at + 2, Weekday::Saturday, Weekday::Sunday),
            ("every" | "each", "day") => (at + 2, Weekday::Monday, Weekday::Sunday),
            ("daily", _) => (at + 1, Weekday::Monday, Weekday::Sunday),
            (first, "to" | "through" | "until") => (at + 3, weekday_of(first)?, weekday_of(word(at + 2))?),
            _ => return None,
        };
        Some((at, next, first, last))
    })?;
    let offset = |day: Weekday| day.to_monday_zero_offset();
    let is_meant = |day: Weekday| {
        let (is_behind, is_ahead) = (offset(first) <= offset(day), offset(day) <= offset(last));
        if offset(first) <= offset(last) { is_behind && is_ahead } else { is_behind || is_ahead }
    };
    let meant = days.into_iter().filter(|(day, _)| is_meant(*day)).map(|(_, value)| value);
    let range = question.words[at].range.start..question.words[next - 1].range.end;
    let value: Value = meant.collect();
    (value != Value::Array(Vec::new())).then(|| Candidate::said(value, 0.8, range, Family::Text))
}

/// The first and the last day of a window as one text.
pub(super) fn span(parameter: &Parameter, window: &Window) -> String {
    let written = |day: Date| instant_text(parameter, midnight(day), day);
    format!("{} to {}", written(window.first_day()), written(window.last_day()))
}

/// Whether any argument can be told of days of the question's choice, and not only of lengths of time up to now.
#[must_use]
pub fn takes_days(parameters: &Parameters) -> bool {
    parameters.list.iter().any(are_taken_by)
}

/// Whether an argument can be told of days of the question's choice: one that counts from now by listed lengths, or up to a
/// number, cannot.
fn are_taken_by(parameter: &Parameter) -> bool {
    match &parameter.shape {
        Shape::Nested(parts) => parts.iter().any(are_taken_by),
        Shape::List(item) => are_taken_by(item),
        Shape::Choice | Shape::Number(_) => is_temporal(parameter.role) && parameter.role != Role::Window,
        Shape::Boolean | Shape::Text(_) | Shape::Other => is_temporal(parameter.role),
    }
}

/// The first and the last day. A length of time before now is over its whole days: today is not yet.
fn ends(question: &Question, window: &Window) -> (Date, Date) {
    let (first, last) = (window.first_day(), window.last_day());
    let today = question.now.to_zoned(TimeZone::UTC).date();
    let is_yet = window.direction == Direction::Past && last == today && first < today;
    (first, if is_yet { today.yesterday().unwrap_or(today) } else { last })
}

fn midnight(day: Date) -> Timestamp {
    day.to_zoned(TimeZone::UTC).map_or(Timestamp::UNIX_EPOCH, |zoned| zoned.timestamp())
}

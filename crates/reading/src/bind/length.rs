//! Lengths of time that a schema lists: `24h`, `7d`.

use std::ops::Range;

use super::moment::{dated, is_in_course, length_from_now, only_ends, shown, unit_in};
use super::parameter::{Choice, Parameter};
use super::role::Role;
use super::{Candidate, Refused};
use crate::Question;
use crate::spans::overlaps;
use crate::time::{self, Direction, Length, Moment, Sense};

/// Choices that are lengths: the equal one, else the shortest that covers what was said, with a note.
pub(super) fn choices(question: &Question, parameter: &Parameter) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (range, wanted, is_back) in lengths_for(question, parameter) {
        // A day that is over lies within what reaches back to it, and within nothing shorter.
        let lengths = parameter
            .choices
            .iter()
            .filter_map(|choice| Some((choice, choice_length(parameter, choice)?)))
            .filter(|(_, length)| !is_back || length.seconds() >= wanted.seconds());
        if let Some((choice, length)) =
            nearest(lengths, wanted).filter(|(_, length)| !is_far(*length, wanted))
        {
            let said = &question.text[range.clone()];
            let how = if is_back { "looked for within" } else { "taken as" };
            let note = (length.seconds() != wanted.seconds())
                .then(|| format!("\"{said}\" is {how} {}, the nearest `{}`", shown(choice), parameter.name));
            let score = if note.is_none() { 0.9 } else { 0.65 };
            found.push(dated(choice.value.clone(), score, &range, note));
        }
    }
    found
}

/// How many times the longest length that a schema lists may be taken for a longer one.
const LONGER_MAX: i64 = 2;

/// Whether a length is so much longer than another one that it is not nearly the same.
fn is_far(length: Length, wanted: Length) -> bool {
    length.seconds().saturating_mul(LONGER_MAX) < wanted.seconds()
}

/// What the question says for an argument that is far longer than any length that its schema lists: "last year" where thirty
/// days are the most.
pub(super) fn beyond(question: &Question, parameter: &Parameter) -> Option<Refused> {
    if !matches!(parameter.role, Role::Window | Role::Grain | Role::Length(_)) {
        return None;
    }
    let longest = parameter
        .choices
        .iter()
        .filter_map(|choice| choice_length(parameter, choice))
        .max_by_key(|length| length.seconds())?;
    let wanted = lengths_for(question, parameter);
    let (range, ..) = wanted.into_iter().find(|(_, wanted, is_back)| !is_back && is_far(longest, *wanted))?;
    Some(Refused { said: question.text[range.clone()].to_owned(), range })
}

/// The lengths that the question says for an argument, where, and whether each reaches back to a time that is over. Where it
/// names no window, a bare length is one: "the flows of SOL, 30 days".
fn lengths_for(question: &Question, parameter: &Parameter) -> Vec<(Range<usize>, Length, bool)> {
    // "Per day for the last two weeks": a grain is no window where one is named.
    let is_windowed = question.window().is_some_and(|window| window.direction != Direction::Present);
    let wanted = |moment: &Moment| match (&moment.sense, parameter.role) {
        (Sense::Grain(_), Role::Window) if is_windowed => None,
        (Sense::Grain(length), Role::Grain | Role::Window) => Some((*length, false)),
        (Sense::Window(window), role)
            if !matches!(role, Role::Grain | Role::Clock) && !only_ends(question, &moment.range) =>
        {
            let length = length_from_now(question, parameter, window)?;
            Some((length, is_in_course(question, parameter, window)))
        }
        (Sense::Window(_) | Sense::Grain(_) | Sense::Clock(_), _) => None,
    };
    let timed = question.moments.iter().filter_map(|moment| {
        let (length, is_back) = wanted(moment)?;
        Some((moment.range.clone(), length, is_back))
    });
    let is_free =
        |range: &Range<usize>| !question.moments.iter().any(|moment| overlaps(&moment.range, range));
    let may_be_bare = parameter.role == Role::Window && !is_windowed;
    let bare = may_be_bare.then(|| time::lengths(&question.text, &question.words));
    let bare = bare.into_iter().flatten().filter(|(range, _)| is_free(range));
    timed.chain(bare.map(|(range, length)| (range, length, false))).collect()
}

fn nearest<'a>(
    lengths: impl Iterator<Item = (&'a Choice, Length)>,
    wanted: Length,
) -> Option<(&'a Choice, Length)> {
    let wanted = wanted.seconds();
    lengths.min_by_key(|(_, length)| {
        let seconds = length.seconds();
        // One that covers is better than one that does not; months and years are never exact.
        let is_close = (seconds - wanted).abs() * 20 <= wanted;
        (seconds < wanted && !is_close, (seconds - wanted).abs())
    })
}

fn choice_length(parameter: &Parameter, choice: &Choice) -> Option<Length> {
    let count = choice.value.as_i64();
    count.map_or(choice.length, |count| Some(Length { count, unit: unit_in(&parameter.notes) }))
}

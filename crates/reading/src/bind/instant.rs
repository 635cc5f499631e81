//! Instants and days, in the form that the schema wants.

use std::ops::Range;

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use serde_json::Value;

use super::Candidate;
use super::moment::dated;
use super::parameter::{Parameter, Shape};
use super::proximity::{direction, nearness};
use super::role::Role;
use crate::Question;
use crate::time::{Moment, Sense};

/// The instants of which the question says the time of day: on the day that it names beside it, else when it is that time next.
pub(super) fn of_clocks(question: &Question, parameter: &Parameter) -> Vec<Candidate> {
    let is_instant = match &parameter.shape {
        Shape::Text(_) => has_clock(parameter),
        Shape::Number(_) => true,
        Shape::Choice | Shape::Boolean | Shape::List(_) | Shape::Nested(_) | Shape::Other => false,
    };
    if !is_instant || !matches!(parameter.role, Role::Date | Role::Start | Role::End) {
        return Vec::new();
    }
    let clocks = question.moments.iter().filter_map(|moment| match moment.sense {
        Sense::Clock(time) => Some((moment, time)),
        Sense::Window(_) | Sense::Grain(_) => None,
    });
    let instants = clocks.filter_map(|(clock, time)| {
        let (day, said) = day_of(question, clock, time)?;
        let instant = day.to_datetime(time).to_zoned(TimeZone::UTC).ok()?.timestamp();
        let is_number = matches!(parameter.shape, Shape::Number(_));
        let text = || Value::from(instant_text(parameter, instant, day));
        let value = if is_number { Value::from(epoch(parameter, instant)) } else { text() };
        let range = clock.range.start.min(said.start)..clock.range.end.max(said.end);
        let near = nearness(question, parameter, &range);
        // "From May 28 12:00" and "from 12:00 on May 28".
        let towards = [&range, &clock.range].map(|said| direction(question, parameter, said));
        let score = SCORE + 0.25 * near + towards.into_iter().find(|it| *it != 0.0).unwrap_or_default();
        Some(dated(value, score, &range, None))
    });
    instants.collect()
}

/// More than a day alone has.
const SCORE: f64 = 0.75;

/// Bytes between a day and the time of day that is of it, at the most.
const BESIDE_MAX: usize = 24;

/// The day of a time of day, and where it is said: the one named beside it; where none is named at all, today or tomorrow.
fn day_of(question: &Question, clock: &Moment, time: Time) -> Option<(Date, Range<usize>)> {
    let days = question.moments.iter().filter_map(|moment| {
        let window = moment.window().filter(|window| window.first_day() == window.last_day())?;
        let ends = moment.range.end.min(clock.range.end);
        let gap = moment.range.start.max(clock.range.start).saturating_sub(ends);
        Some((gap, window.first_day(), moment.range.clone()))
    });
    let mut days: Vec<_> = days.collect();
    days.sort_by_key(|(gap, ..)| *gap);
    if let Some((gap, day, said)) = days.into_iter().next() {
        return (gap <= BESIDE_MAX).then_some((day, said));
    }
    let now = question.now.to_zoned(TimeZone::UTC);
    let day = if time > now.time() { now.date() } else { now.date().checked_add(1.day()).ok()? };
    let is_said = question.moments.iter().any(|moment| moment.window().is_some());
    (!is_said).then(|| (day, clock.range.clone()))
}

/// Whether a parameter takes the time of day along with the day.
fn has_clock(parameter: &Parameter) -> bool {
    parameter.format == "date-time"
        || [
            "hh:mm",
            "date-time",
            "datetime",
            "rfc 3339",
            "rfc3339",
            "timestamp",
            "thh",
            "t00:",
            "iso 8601 date and time",
        ]
        .iter()
        .any(|mark| parameter.notes.contains(mark))
}

pub(super) fn instant_text(parameter: &Parameter, instant: Timestamp, day: Date) -> String {
    let notes = &parameter.notes;
    let has_clock = has_clock(parameter);
    let instant_in = |pattern: &str| instant.to_zoned(TimeZone::UTC).strftime(pattern).to_string();
    if has_clock && notes.contains("yyyy-mm-dd hh:mm:ss") {
        return instant_in("%Y-%m-%d %H:%M:%S");
    }
    if has_clock && parameter.format != "date" {
        return written(parameter, instant_in, &INSTANTS);
    }
    let patterns = [
        ("mm/dd/yyyy", "%m/%d/%Y"),
        ("dd/mm/yyyy", "%d/%m/%Y"),
        ("dd-mm-yyyy", "%d-%m-%Y"),
        ("mm-dd-yyyy", "%m-%d-%Y"),
        ("yyyy/mm/dd", "%Y/%m/%d"),
        ("dd.mm.yyyy", "%d.%m.%Y"),
        ("yyyymmdd", "%Y%m%d"),
    ];
    match patterns.iter().find(|(mark, _)| notes.contains(mark)) {
        Some((_, pattern)) => day.strftime(pattern).to_string(),
        None => written(parameter, |pattern| day.strftime(pattern).to_string(), &DAYS),
    }
}

const DAYS: [&str; 6] = ["%Y-%m-%d", "%Y/%m/%d", "%Y%m%d", "%Y-%m", "%d.%m.%Y", "%Y-%m-%dT00:00:00Z"];
const INSTANTS: [&str; 4] =
    ["%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M"];
pub(super) const CLOCKS: [&str; 5] = ["%H:%M", "%H:%M:%S", "%-I:%M %p", "%-I:%M%p", "%I:%M %p"];
pub(super) const MONTHS: [&str; 4] = ["%B", "%Y-%m", "%m", "%b"];

/// A time in the first of some ways to write it that the schema takes; in the first of all where it takes none. A day whose
/// numbers could change places is only written where the schema's words say how.
pub(super) fn written(parameter: &Parameter, write: impl Fn(&str) -> String, ways: &[&str]) -> String {
    let usual = write(ways[0]);
    let Shape::Text(limits) = &parameter.shape else { return usual };
    if limits.take(&usual) {
        return usual;
    }
    ways[1..].iter().map(|way| write(way)).find(|text| limits.take(text)).unwrap_or(usual)
}

pub(super) fn epoch(parameter: &Parameter, instant: Timestamp) -> i64 {
    let in_milliseconds = parameter.notes.contains("millisecond")
        || parameter.notes.contains("epoch ms")
        || parameter.notes.contains("(ms)")
        || parameter.own.iter().any(|stem| matches!(stem.as_str(), "ms" | "milli" | "millisecond"));
    if in_milliseconds { instant.as_millisecond() } else { instant.as_second() }
}
